// Dual quaternions: palettes for skinning that keeps volume where joints twist.
//
// A joint's matrix is split into what turns and moves, a unit dual quaternion, and what is left, the stretch: a 3x3
// matrix that is applied first, and the identity where nothing is scaled. Blending dual quaternions gives a rotation
// again, so a forearm that twists does not collapse as it does when matrices are averaged.
#pragma once

#include <span>

#include "marrow/math/types.h"

namespace marrow {

// Plain data: 20 floats.
struct DualJoint {
  Quat real;                                                         // the rotation
  Quat dual{0, 0, 0, 0};                                             // translation * rotation / 2
  float stretch[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};  // row by row; the fourth column is unused
};
static_assert(sizeof(DualJoint) == 80);

// Writes the dual quaternions of a palette (hierarchy.h), which is as long. Returns true if a joint stretches: if one
// of the stretches is not the identity to 1e-6. Allocates nothing, is deterministic to the bit, and may run on any
// thread.
bool dual_palette(std::span<const Affine> palette, std::span<DualJoint> out);

}  // namespace marrow
