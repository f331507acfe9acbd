// How far two poses of a joint take the skin around it apart, by looking at many points of it, in long double.
#pragma once

#include <algorithm>
#include <cmath>

#include "anim/reference.h"

namespace marrow::test {

// The largest distance between where `a` and `b` take points that are `distance` from the joint in model space in `a`.
inline Real skin_distance(const RefAffine& a, const RefAffine& b, Real distance) {
  Real reach[3];
  for (int k = 0; k < 3; ++k) {
    const Real scale = std::sqrt(a.m[0][k] * a.m[0][k] + a.m[1][k] * a.m[1][k] + a.m[2][k] * a.m[2][k]);
    reach[k] = scale > 0 ? distance / scale : distance;
  }
  Real worst = 0;
  constexpr int kPoints = 150;  // a spiral over the sphere
  for (int i = 0; i < kPoints; ++i) {
    const Real z = 1 - (2 * i + 1) / Real{kPoints}, flat = std::sqrt(1 - z * z), turn = 2.39996322972865332L * i;
    const Real p[4] = {flat * std::cos(turn) * reach[0], flat * std::sin(turn) * reach[1], z * reach[2], 1};
    Real sum = 0;
    for (int row = 0; row < 3; ++row) {
      Real off = 0;
      for (int k = 0; k < 4; ++k) off += (a.m[row][k] - b.m[row][k]) * p[k];
      sum += off * off;
    }
    worst = std::max(worst, std::sqrt(sum));
  }
  return worst;
}

}  // namespace marrow::test
