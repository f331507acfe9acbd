// Vectors of the renderer: what a picture is made with, not what a pose is. Internal.
#pragma once

#include "marrow/math/functions.h"
#include "marrow/math/types.h"

namespace marrow {

inline Vec3 plus(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 minus(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 times(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline float length(Vec3 a) { return det::sqrt(dot(a, a)); }

// The direction of a vector; `otherwise` if it has none.
inline Vec3 direction_of(Vec3 a, Vec3 otherwise) {
  const float size = length(a);
  return size > 1e-30f && size < 1e30f ? times(a, 1 / size) : otherwise;
}

// Products of matrices of 4x4, column by column.
inline void multiply(const float a[16], const float b[16], float out[16]) {
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) {
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
}

}  // namespace marrow
