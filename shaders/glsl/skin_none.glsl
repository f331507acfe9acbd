// marrow: for vertices that follow a node: the matrices of the other texts, without a palette.

#include "matrix.glsl"

MarrowMatrix marrow_bone(int index) {
  return MarrowMatrix(vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0));
}

#include "skinning.glsl"
