// marrow: skinning by a palette in a texture, for any number of bones. To be pasted into a vertex shader of GLSL ES
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
uniform int marrow_first_bone;  // where the palette begins: a texture can hold those of many characters

MarrowMatrix marrow_bone(int index) { return marrow_fetch(marrow_bone_texture, marrow_first_bone + index); }

#include "skinning.glsl"
