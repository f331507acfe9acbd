#include "maker/shapes.h"

#include <algorithm>

namespace marrow::character {

// Inigo Quilez, "Round cone - exact", 2018: the axis and the distance from it make it a problem in a plane, in which
// the point is nearest to one of the circles or to the line that touches both.
double distance(const RoundCone& shape, Point p) {
  const Point axis = shape.b - shape.a, from_a = p - shape.a;
  const double l2 = dot(axis, axis), shrink = shape.radius_a - shape.radius_b;
  const double a2 = l2 - shrink * shrink;
  if (a2 <= 0) {  // one ball holds the other
    return shape.radius_a >= shape.radius_b ? length(from_a) - shape.radius_a : length(p - shape.b) - shape.radius_b;
  }
  const double along = dot(from_a, axis), beyond = along - l2;
  const Point across = from_a * l2 - axis * along;
  const double x2 = dot(across, across), y2 = along * along * l2, z2 = beyond * beyond * l2;
  const double k = (shrink < 0 ? -1.0 : 1.0) * shrink * shrink * x2;
  const auto sign = [](double v) { return v < 0 ? -1.0 : 1.0; };
  if (sign(beyond) * a2 * z2 > k) return std::sqrt(x2 + z2) / l2 - shape.radius_b;
  if (sign(along) * a2 * y2 < k) return std::sqrt(x2 + y2) / l2 - shape.radius_a;
  return (std::sqrt(x2 * a2 / l2) + along * shrink) / l2 - shape.radius_a;
}

double distance(const Ellipsoid& shape, Point p) {
  const Point from = p - shape.center;
  const Point local = {dot(from, shape.axis_x), dot(from, shape.axis_y), dot(from, shape.axis_z)};
  const Point unit = {local.x / shape.radii.x, local.y / shape.radii.y, local.z / shape.radii.z};
  const Point slope = {unit.x / shape.radii.x, unit.y / shape.radii.y, unit.z / shape.radii.z};
  const double k0 = length(unit), k1 = length(slope);
  if (k1 == 0) return -std::min({shape.radii.x, shape.radii.y, shape.radii.z});
  return k0 * (k0 - 1) / k1;
}

double smooth_union(double a, double b, double blend) {
  const double least = std::min(a, b);
  if (blend <= 0) return least;
  const double overlap = std::max(blend - std::fabs(a - b), 0.0) / blend;
  return least - overlap * overlap * blend * 0.25;
}

}  // namespace marrow::character
