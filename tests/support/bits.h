// Compares floats bit by bit: -0 differs from 0, and a NaN equals itself.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace marrow::test {

inline std::uint32_t bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }

// Returns what differs first, e.g. "float 3 is 0x1p-1, not 0x1.8p-1"; empty if nothing does. So
// CHECK(difference(actual, expected) == "") prints both.
inline std::string difference(std::span<const float> actual, std::span<const float> expected) {
  if (actual.size() != expected.size()) {
    return std::to_string(actual.size()) + " floats, not " + std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (bits(actual[i]) == bits(expected[i])) continue;
    char text[96];
    std::snprintf(text, sizeof text, "float %zu is %a, not %a", i, static_cast<double>(actual[i]),
                  static_cast<double>(expected[i]));
    return text;
  }
  return {};
}

}  // namespace marrow::test
