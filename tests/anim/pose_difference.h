// Compares poses bit by bit.
#pragma once

#include <string>

#include "marrow/anim/pose.h"
#include "support/bits.h"

namespace marrow::test {

// Returns what differs first in two poses, transforms, weights, padding or presence; empty if nothing does.
inline std::string difference(const Pose& actual, const Pose& expected) {
  if (const std::string floats = difference(actual.floats(), expected.floats()); !floats.empty()) return floats;
  for (std::size_t b = 0; b < expected.present().size(); ++b) {
    const PresentBits a = actual.present()[b], e = expected.present()[b];
    if (a.translation != e.translation || a.rotation != e.rotation || a.scale != e.scale || a.morph != e.morph) {
      return "the presence of block " + std::to_string(b) + " differs";
    }
  }
  return {};
}

}  // namespace marrow::test
