// What the players press.
#pragma once

#include <array>
#include <cstdint>

namespace marrow::console {

inline constexpr std::uint32_t kPlayers = 2;

// The bits of a player's buttons.
enum Button : std::uint32_t { kLeft = 1, kRight = 2, kUp = 4, kDown = 8, kA = 16, kB = 32 };
inline constexpr std::uint32_t kAllButtons = 63;

// Of each player, in one frame.
using Inputs = std::array<std::uint32_t, kPlayers>;

}  // namespace marrow::console
