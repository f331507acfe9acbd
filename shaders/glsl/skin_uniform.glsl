// marrow: skinning by a palette in a uniform buffer, three rows of each matrix, 48 bytes a bone. To be pasted into a
// vertex shader of GLSL ES 3.00 or GLSL 3.30:
//
//   MarrowMatrix skin = marrow_skin(a_joints, a_weights);
//   vec3 position = marrow_position(skin, a_position);
//   vec3 normal = marrow_normal(skin, a_normal);
//
// MARROW_MAX_BONES may be defined before; 341 are what fits in the 16 KB that every device has. What is bound must be
// as large as the block, 48 * MARROW_MAX_BONES bytes, also if fewer bones are used.
#ifndef MARROW_MAX_BONES
#define MARROW_MAX_BONES 341
#endif

#include "matrix.glsl"

layout(std140) uniform MarrowBones {
  vec4 marrow_bones[3 * MARROW_MAX_BONES];
};

MarrowMatrix marrow_bone(int index) {
  return MarrowMatrix(marrow_bones[3 * index], marrow_bones[3 * index + 1], marrow_bones[3 * index + 2]);
}

#include "skinning.glsl"
