// Directions as points of a square. Internal; to be called inside `exactly` (arithmetic.h).
//
// The octahedron |x| + |y| + |z| = 1 seen from above is a square with the corners on the axes; its lower half is folded
// out to fill the square around it (Cigolle et al., "A Survey of Efficient Representations for Independent Unit
// Vectors", 2014).
#pragma once

#include <cstdint>

#include "src/skin/imports.h"

namespace marrow {

// A point of the grid: x in steps of 1 / x_steps from -x_steps to x_steps, y likewise.
struct OctahedralGrid {
  std::int32_t x_steps, y_steps;
};
struct OctahedralCode {
  std::int32_t x, y;
};

// Normals have two snorm16; tangents have one, and half of another, whose sign is the handedness.
inline constexpr OctahedralGrid kNormalGrid = {32767, 32767}, kTangentGrid = {32767, 16383};

// Returns that of the grid points around the direction which is nearest to it by angle. `direction` has a length above
// zero, however small.
[[nodiscard]] OctahedralCode octahedral_from_direction(Vec3d direction, OctahedralGrid grid);

// Returns the unit vector of a point of the grid.
[[nodiscard]] Vec3d direction_from_octahedral(OctahedralCode code, OctahedralGrid grid);

// The second number of a tangent: 1 to 32767 for -16383 to 16383, negative where w is.
[[nodiscard]] inline std::int32_t with_handedness(std::int32_t y, bool negative) {
  return negative ? -(y + 16384) : y + 16384;
}
[[nodiscard]] inline std::int32_t without_handedness(std::int32_t y) { return (y < 0 ? -y : y) - 16384; }

}  // namespace marrow
