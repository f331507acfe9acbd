// The arithmetic of affine maps, for functions that are in the right floating-point state already (exact.h). Internal.
#pragma once

#include "marrow/math/types.h"

namespace marrow {

// The order of the operations here is that of the kernels (src/anim), so that both give the same bits.

// Returns the map that first applies b, then a.
static inline Affine product(const Affine& a, const Affine& b) {
  Affine out;
  for (int i = 0; i < 3; ++i) {
    const float* row = a.m[i];
    for (int j = 0; j < 4; ++j) {
      const float sum = (row[0] * b.m[0][j] + row[1] * b.m[1][j]) + row[2] * b.m[2][j];
      out.m[i][j] = j == 3 ? sum + row[3] : sum;
    }
  }
  return out;
}

// Returns translation * rotation * scale.
static inline Affine composed(const Transform& t) {
  const Quat& q = t.rotation;
  const Vec3& s = t.scale;
  const float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const float xx = q.x * x2, xy = q.x * y2, xz = q.x * z2;
  const float yy = q.y * y2, yz = q.y * z2, zz = q.z * z2;
  const float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return {{{(1.0f - (yy + zz)) * s.x, (xy - wz) * s.y, (xz + wy) * s.z, t.translation.x},
           {(xy + wz) * s.x, (1.0f - (xx + zz)) * s.y, (yz - wx) * s.z, t.translation.y},
           {(xz - wy) * s.x, (yz + wx) * s.y, (1.0f - (xx + yy)) * s.z, t.translation.z}}};
}

}  // namespace marrow
