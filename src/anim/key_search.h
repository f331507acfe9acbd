// Finding the keys around a time. Internal; no standard headers, see src/math/lanes.h.
#pragma once

#include <stdint.h>

#include "src/anim/kernel_imports.h"

namespace marrow::MARROW_LANES_NAMESPACE {

// The keys to interpolate between; equal before the first key and from the last on.
struct KeyPair {
  uint32_t a, b;
};

// Finds the last of the keys [first, end) whose time is not after `time`, and the next. `rate` is the number of keys a
// second where they are spaced evenly, else 0. `hint` is where to look first; any number will do.
MARROW_INLINE KeyPair find_keys(const float* times, uint32_t first, uint32_t end, double rate, double time,
                                uint32_t hint) {
  if (time < static_cast<double>(times[first])) return {first, first};
  const uint32_t last = end - 1;
  if (!(time < static_cast<double>(times[last]))) return {last, last};

  // From here on times[first] <= time < times[last], so there is a key after. Where a loop begins again it is the
  // second.
  if (time < static_cast<double>(times[first + 1])) return {first, first + 1};
  uint32_t k;
  if (rate != 0) {
    const double steps = (time - static_cast<double>(times[first])) * rate;
    k = first + static_cast<uint32_t>(steps);  // in [0, last - first] up to rounding: see the time's range above
    k = k > last - 1 ? last - 1 : k;
  } else {
    k = hint < first ? first : hint > last - 1 ? last - 1 : hint;
  }
  // The guess is right or next to it when playing; otherwise halve.
  for (int tries = 0; tries < 3; ++tries) {
    if (time < static_cast<double>(times[k])) {
      --k;  // not below first: times[first] <= time
    } else if (!(time < static_cast<double>(times[k + 1]))) {
      ++k;  // not above last - 1: time < times[last]
    } else {
      return {k, k + 1};
    }
  }
  uint32_t low = first, high = last;  // times[low] <= time < times[high]
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (time < static_cast<double>(times[middle])) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return {low, low + 1};
}

}  // namespace marrow::MARROW_LANES_NAMESPACE
