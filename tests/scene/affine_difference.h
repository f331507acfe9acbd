// Compares matrices bit by bit, as support/bits.h compares floats.
#pragma once

#include <span>
#include <string>

#include "marrow/math/affine.h"
#include "support/bits.h"

namespace marrow::test {

inline std::string difference(std::span<const Affine> actual, std::span<const Affine> expected) {
  return difference(std::span<const float>(actual[0].m[0], actual.size() * 12),
                    std::span<const float>(expected[0].m[0], expected.size() * 12));
}
inline std::string difference(const Affine& actual, const Affine& expected) {
  return difference(std::span(&actual, 1), std::span(&expected, 1));
}

}  // namespace marrow::test
