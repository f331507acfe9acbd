// Checks of key times and values. Internal to the library.
#pragma once

#include <cstddef>
#include <span>

#include "src/anim/clip_data.h"
#include "src/anim/imports.h"

namespace marrow {

// Returns true if every value is finite and within kMaxMagnitude. The loop has no branch, so the compiler vectorises
// it.
inline bool are_usable(std::span<const float> values) {
  unsigned bad = 0;
  for (const float x : values)
    bad |= static_cast<unsigned>(!(x >= -kMaxMagnitude)) | static_cast<unsigned>(!(x <= kMaxMagnitude));
  return bad == 0;
}

// Returns true if the times never decrease and are within kMaxKeyTime. There must be at least one.
inline bool are_key_times(std::span<const float> times) {
  unsigned bad = 0;
  for (std::size_t k = 1; k < times.size(); ++k) bad |= static_cast<unsigned>(!(times[k] >= times[k - 1]));
  return bad == 0 && times.front() >= -kMaxKeyTime && times.back() <= kMaxKeyTime;
}

}  // namespace marrow
