// How far points on a skin are apart in two poses, and when to look. Internal to the library.
#pragma once

#include <span>
#include <vector>

#include "marrow/anim/clip_keys.h"
#include "marrow/math/types.h"

namespace marrow {

// A joint's matrix in model space, as the error is measured against it.
struct SkinTarget {
  Affine matrix;
  float reach[4];  // how far out the skin is along its axes, and 1
};
// The skin is `distance` away in model space.
[[nodiscard]] SkinTarget to_skin_target(const Affine& model_from_joint, double distance);

// Returns an upper bound, exact to a thousandth for rotations, of how far `matrix` takes any point of the skin from
// where `target` has it; or `least`, if it is not above that.
[[nodiscard]] float skin_error(const SkinTarget& target, const Affine& matrix, float least = 0);

// Returns times, ascending and all different, at which clips of these keys are to be compared: that of every key, and
// for one that makes a jump just before it too; between them so many that `per_second` come in every second. Where that
// would be more than `most` they are wider apart, and not all keys are taken, but jumps are.
[[nodiscard]] std::vector<double> check_times(std::span<const ClipKeys* const> clips, double per_second,
                                              std::size_t most);

}  // namespace marrow
