// From one pair of axes to the other. Internal.
//
// From y up to z up (x, y, z) becomes (x, -z, y): a turn by 90 degrees about x. Everything is given in turned axes, so
// each local transform is turned as a whole: C * M * C^-1. A sum with 0 keeps -0 out.
#pragma once

#include "marrow/math/types.h"
#include "marrow/model/model.h"

namespace marrow {

// From `from` to `to`; without `from`, from y up, as glTF has it.
inline Vec3 turned(Vec3 v, Up to, Up from = Up::y) {
  if (from == to) return v;
  return to == Up::z ? Vec3{v.x, 0.0f - v.z, v.y} : Vec3{v.x, v.z, 0.0f - v.y};
}
inline Vec4 turned(Vec4 v, Up to, Up from = Up::y) {
  const Vec3 t = turned(Vec3{v.x, v.y, v.z}, to, from);
  return {t.x, t.y, t.z, v.w};
}
inline Quat turned(Quat q, Up to, Up from = Up::y) {
  const Vec3 t = turned(Vec3{q.x, q.y, q.z}, to, from);
  return {t.x, t.y, t.z, q.w};
}
inline Vec3 turned_scale(Vec3 v, Up to, Up from = Up::y) { return from == to ? v : Vec3{v.x, v.z, v.y}; }
inline Transform turned(const Transform& t, Up to, Up from = Up::y) {
  return {turned(t.translation, to, from), turned(t.rotation, to, from), turned_scale(t.scale, to, from)};
}

inline Affine turned(const Affine& a, Up to, Up from = Up::y) {
  if (from == to) return a;
  constexpr int kFrom[4] = {0, 2, 1, 3};
  const int negated = to == Up::z ? 1 : 2;
  Affine out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      const float value = a.m[kFrom[r]][kFrom[c]];
      out.m[r][c] = (r == negated) != (c == negated) ? 0.0f - value : value;
    }
  }
  return out;
}

}  // namespace marrow
