// marrow: skinning by a palette in a uniform buffer of 4x4 matrices, 64 bytes a bone, for engines that have such
// buffers. To be pasted into a vertex shader of GLSL ES 3.00 or GLSL 3.30:
//
//   MarrowMatrix skin = marrow_skin(a_joints, a_weights);
//   vec3 position = marrow_position(skin, a_position);
//   vec3 normal = marrow_normal(skin, a_normal);
//
// MARROW_MAX_BONES may be defined before, up to 128. What is bound must be as large as the block, 64 * MARROW_MAX_BONES
// bytes, also if fewer bones are used.
#ifndef MARROW_MAX_BONES
#define MARROW_MAX_BONES 128
#endif

#include "matrix.glsl"

layout(std140, column_major) uniform MarrowBones {
  mat4 marrow_bones[MARROW_MAX_BONES];
};

MarrowMatrix marrow_bone(int index) { return marrow_rows(marrow_bones[index]); }

#include "skinning.glsl"
