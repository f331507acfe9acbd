// Shapes by their distance: below zero inside, above zero outside. Bodies are smooth unions of them.
#pragma once

#include "maker/point.h"

namespace marrow::character {

// Two balls and everything between them, as a limb tapers.
struct RoundCone {
  Point a, b;
  double radius_a = 0, radius_b = 0;
};
[[nodiscard]] double distance(const RoundCone& shape, Point p);

// A ball that is stretched along its own axes, which are at right angles and of length 1. The distance is exact on the
// surface and has the right sign elsewhere.
struct Ellipsoid {
  Point center, radii;
  Point axis_x{1, 0, 0}, axis_y{0, 1, 0}, axis_z{0, 0, 1};
};
[[nodiscard]] double distance(const Ellipsoid& shape, Point p);

// The union of two shapes at these distances, with the crease between them filled over a width of `blend`.
[[nodiscard]] double smooth_union(double a, double b, double blend);

}  // namespace marrow::character
