// From glTF's axes, y up, to those of the model. Internal.
//
// With z up (x, y, z) becomes (x, -z, y): a turn by 90 degrees about x. Everything is given in turned axes, so each
// local transform is turned as a whole: C * M * C^-1. A sum with 0 keeps -0 out.
#pragma once

#include "marrow/math/types.h"
#include "marrow/model/model.h"

namespace marrow {

inline Vec3 turned(Vec3 v, Up up) { return up == Up::y ? v : Vec3{v.x, 0.0f - v.z, v.y}; }
inline Vec4 turned(Vec4 v, Up up) { return up == Up::y ? v : Vec4{v.x, 0.0f - v.z, v.y, v.w}; }
inline Quat turned(Quat q, Up up) { return up == Up::y ? q : Quat{q.x, 0.0f - q.z, q.y, q.w}; }
inline Vec3 turned_scale(Vec3 v, Up up) { return up == Up::y ? v : Vec3{v.x, v.z, v.y}; }

inline Affine turned(const Affine& a, Up up) {
  if (up == Up::y) return a;
  constexpr int kFrom[4] = {0, 2, 1, 3};
  constexpr bool kNegated[4] = {false, true, false, false};
  Affine out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      const float value = a.m[kFrom[r]][kFrom[c]];
      out.m[r][c] = kNegated[r] != kNegated[c] ? 0.0f - value : value;
    }
  }
  return out;
}

}  // namespace marrow
