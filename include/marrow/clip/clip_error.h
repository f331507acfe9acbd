// How far apart two clips are where it can be seen: in model space, on a skin.
#pragma once

#include <cstdint>

#include "marrow/anim/clip.h"

namespace marrow {

struct ErrorOptions {
  double distance = 0.1;           // metres in model space from a joint to the skin that moves with it
  double checks_per_second = 240;  // how often to look, beside the times of all keys
};

struct ClipError {
  double distance = 0;      // the largest, in metres, that any point of such a skin is off
  std::uint32_t joint = 0;  // where
  double time_s = 0;        // and when
  double morph = 0;         // the largest difference of a morph weight
};

// Returns how far `b` is from `a` over the keys of both. Points that stand off a joint by up to `distance` in any
// direction are followed in both; for each joint the largest distance between the two is bounded from above by
// |translation off| + distance * |rotation and scale off|, the last in the spectral norm, relative to the scale in `a`.
[[nodiscard]] ClipError measure_error(const Skeleton& skeleton, const Clip& a, const Clip& b,
                                      const ErrorOptions& options = {});

}  // namespace marrow
