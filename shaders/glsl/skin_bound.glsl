// marrow: skinning in one of two modes, which may change from draw to draw, with uniform buffers of 256 matrices of
// three rows, 48 bytes each. Raw, the bones are what vertices move by. Bound to a skeleton, they are where the bones
// are in the model, and the shader multiplies them by the inverse binds of the skeleton. To be pasted into a vertex
// shader of GLSL ES 3.00 or GLSL 3.30:
//
//   MarrowMatrix skin = marrow_skin(a_joints, a_weights);
//   vec3 position = marrow_position(skin, a_position);
//   vec3 normal = marrow_normal(skin, a_normal);
//
// MARROW_MAX_BONES may be defined before. What is bound to either block must be as large as the block, 48 *
// MARROW_MAX_BONES bytes, also if fewer bones are used.
#ifndef MARROW_MAX_BONES
#define MARROW_MAX_BONES 256
#endif

#include "matrix.glsl"

layout(std140) uniform MarrowBones {
  vec4 marrow_bones[3 * MARROW_MAX_BONES];
};

layout(std140) uniform MarrowInverseBinds {
  vec4 marrow_inverse_binds[3 * MARROW_MAX_BONES];
};

uniform int marrow_skinning_mode;  // 0 raw, 1 bound

MarrowMatrix marrow_bone(int index) {
  int row = 3 * index;
  MarrowMatrix bone = MarrowMatrix(marrow_bones[row], marrow_bones[row + 1], marrow_bones[row + 2]);
  if (marrow_skinning_mode == 0) return bone;
  return marrow_product(bone, MarrowMatrix(marrow_inverse_binds[row], marrow_inverse_binds[row + 1],
                                           marrow_inverse_binds[row + 2]));
}

#include "skinning.glsl"
