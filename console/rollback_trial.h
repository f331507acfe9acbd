// A trial of a guest: does it come out the same when frames are taken back and played again?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "guest.h"
#include "rollback.h"

namespace marrow::console {

struct TrialReport {
  std::uint32_t frames = 0;
  RollbackCounts counts{};
  std::uint64_t bytes = 0, globals = 0, draws = 0, bones = 0;  // compared, and equal
  std::uint64_t hash = 0;                                      // of the state at the end
};

// Runs two guests of one module for that many frames with the same random inputs: one plainly, the other in the dark
// about some inputs for one to eight frames every few frames, with wrong guesses for them. Compares memory, globals,
// the host's state and every bone of every draw after every frame. Fails with what differs first, or what a guest did.
[[nodiscard]] Result<TrialReport> run_rollback_trial(std::span<const std::byte> module, const GuestSetup& setup,
                                                     std::uint32_t frames, std::uint64_t seed);

[[nodiscard]] std::string to_text(const TrialReport& report);

}  // namespace marrow::console
