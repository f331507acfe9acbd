// marrow: skinning in one of two modes, which may change from draw to draw, with matrices in textures, for any number
// of bones. Raw, the bones are what vertices move by. Bound to a skeleton, they are where the bones are in the model,
// and the shader multiplies them by the inverse binds of the skeleton. To be pasted into a vertex shader of GLSL ES
// 3.00 or GLSL 3.30:
//
//   MarrowMatrix skin = marrow_skin(a_joints, a_weights);
//   vec3 position = marrow_position(skin, a_position);
//   vec3 normal = marrow_normal(skin, a_normal);
//
// The matrices may be of 3x4 or 4x4: the width of the texture tells which.

#include "matrix.glsl"
#include "bone_texture.glsl"

uniform highp sampler2D marrow_bone_texture;
uniform highp sampler2D marrow_inverse_bind_texture;
uniform int marrow_first_bone;          // where the bones begin: a texture can hold those of many characters
uniform int marrow_first_inverse_bind;  // and the inverse binds of many skeletons
uniform int marrow_skinning_mode;       // 0 raw, 1 bound

MarrowMatrix marrow_bone(int index) {
  MarrowMatrix bone = marrow_fetch(marrow_bone_texture, marrow_first_bone + index);
  if (marrow_skinning_mode == 0) return bone;
  return marrow_product(bone, marrow_fetch(marrow_inverse_bind_texture, marrow_first_inverse_bind + index));
}

#include "skinning.glsl"
