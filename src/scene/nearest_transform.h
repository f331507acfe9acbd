// The transform that comes nearest to a matrix. Internal.
#pragma once

#include "marrow/math/types.h"

namespace marrow {

// Returns the matrix that `parent` makes the world matrix of: inverse(parent) * world, or where the parent flattens
// everything the one that comes nearest.
[[nodiscard]] Affine local_from_world(const Affine& parent, const Affine& world);

// Returns the transform whose matrix differs the least from `a`, in the sum of the squares of the entries: `a` itself
// up to rounding if it has no shear. Expects the floating-point state that results are defined in.
[[nodiscard]] Transform nearest_transform(const Affine& a);

// Returns the largest difference between entries of the 3x3 parts, as a part of the largest entry of `wanted`.
[[nodiscard]] float shape_difference(const Affine& got, const Affine& wanted);

}  // namespace marrow
