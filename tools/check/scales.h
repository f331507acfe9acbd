// What is odd about a scale.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "marrow/math/types.h"
#include "marrow/model/model.h"
#include "text.h"

namespace marrow::tool {

[[nodiscard]] inline bool is_negative(Vec3 scale) { return scale.x < 0 || scale.y < 0 || scale.z < 0; }

// Whether the axes differ by more than a hundredth of the largest.
[[nodiscard]] inline bool is_uneven(Vec3 scale) {
  const auto magnitude = [](float x) { return x < 0 ? -x : x; };
  const auto [low, high] = std::minmax({magnitude(scale.x), magnitude(scale.y), magnitude(scale.z)});
  return high - low > 1e-2f * high;
}

// "scale 1 × 1 × 0.5", along the axes of the file: those of a model with z up are turned (x, y, z to x, -z, y).
[[nodiscard]] inline std::string text_of(Vec3 scale, Up up) {
  if (up == Up::z) std::swap(scale.y, scale.z);
  return "scale " + short_number(static_cast<double>(scale.x)) + " × " + short_number(static_cast<double>(scale.y)) +
         " × " + short_number(static_cast<double>(scale.z));
}

}  // namespace marrow::tool
