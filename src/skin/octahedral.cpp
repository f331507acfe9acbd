#include "src/skin/octahedral.h"

#include "marrow/core/assert.h"

namespace marrow {
namespace {

double size_of(double x) { return x < 0 ? -x : x; }
double with_sign(double size, double of) { return of < 0 ? -size : size; }

// Returns the grid line at or before x, such that there is one after it. `x` is in -1 to 1 but for rounding.
std::int32_t line_before(double x, std::int32_t steps) {
  const double at = x * steps;
  if (!(at > -steps)) return -steps;
  if (!(at < steps - 1)) return steps - 1;
  const auto toward_zero = static_cast<std::int32_t>(at);
  return at < toward_zero ? toward_zero - 1 : toward_zero;
}

}  // namespace

OctahedralCode octahedral_from_direction(Vec3d direction, OctahedralGrid grid) {
  const double sum = size_of(direction.x) + size_of(direction.y) + size_of(direction.z);
  MARROW_ASSERT(sum > 0, "a vector without length has no direction");
  double x = direction.x / sum, y = direction.y / sum;
  if (direction.z < 0) {
    const double folded = with_sign(1 - size_of(y), x);
    y = with_sign(1 - size_of(x), y);
    x = folded;
  }
  const OctahedralCode corner = {line_before(x, grid.x_steps), line_before(y, grid.y_steps)};
  const Vec3d exact = divided(direction, length(direction));
  OctahedralCode best = corner;
  double least = 8;
  for (std::int32_t i = 0; i < 4; ++i) {
    const OctahedralCode code = {corner.x + i % 2, corner.y + i / 2};
    const Vec3d off = subtract(direction_from_octahedral(code, grid), exact);
    const double distance = dot(off, off);
    if (distance < least) {
      least = distance;
      best = code;
    }
  }
  return best;
}

// All is multiplied by both numbers of steps, so that it is exact up to the length.
Vec3d direction_from_octahedral(OctahedralCode code, OctahedralGrid grid) {
  const double x = static_cast<double>(code.x) * grid.y_steps, y = static_cast<double>(code.y) * grid.x_steps;
  const double z = static_cast<double>(grid.x_steps) * grid.y_steps - size_of(x) - size_of(y);
  const double below = z < 0 ? -z : 0;
  const Vec3d v = {with_sign(size_of(x) - below, x), with_sign(size_of(y) - below, y), z};
  return divided(v, length(v));
}

}  // namespace marrow
