// Which joints move which points of the character's skin, and how much.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "maker/polygoniser.h"

namespace marrow::character {

inline constexpr std::size_t kInfluences = 4;

// The heaviest first. Weights are 0 to 255 and sum to 255; joints without weight are 0.
struct Influences {
  std::array<std::uint8_t, kInfluences> joints{};
  std::array<std::uint8_t, kInfluences> weights{};
};

// The influences of each point of the body.
[[nodiscard]] std::vector<Influences> body_influences(const Surface& body);

}  // namespace marrow::character
