// A match of two players, each at a console of its own, over a link that is slow and loses packets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "guest.h"
#include "link.h"
#include "rollback.h"

namespace marrow::console {

struct MatchOptions {
  std::uint32_t frames = 600;  // of a sixtieth of a second
  std::uint64_t seed = 1;      // of what is pressed, and of the link
  LinkOptions link;
};

struct MatchReport {
  std::uint32_t frames = 0;
  std::array<RollbackCounts, kPlayers> counts{};
  std::uint64_t packets = 0, lost = 0, late = 0;  // late: overtaken by a packet that was sent after it
  std::uint64_t compared = 0;                     // hashes of one side with the other's, and with those of the third
  std::uint64_t hash = 0;                         // of the state at the end, on all sides
};

// Plays a match within the program, in simulated time. Each side knows its own player's buttons at once and the other's
// when a packet comes in; it predicts, rolls back and waits as Rollback does. Every frame that a side is sure of is
// compared with the other side's, and with a third guest that is told all inputs as they were. Fails if one differs.
[[nodiscard]] Result<MatchReport> play_match(std::span<const std::byte> module, const GuestSetup& setup,
                                             const MatchOptions& options = {});

[[nodiscard]] std::string to_text(const MatchReport& report);

}  // namespace marrow::console
