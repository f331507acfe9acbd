// Rollback: runs a guest ahead of what is known of the other player, and corrects it when more is known.
//
//   Rollback rollback(guest);
//   rollback.add_input(0, frame, buttons);        // one's own, now
//   rollback.add_input(1, frame - 6, buttons);    // the other's, as they come in
//   Result<Step> step = rollback.advance();
//
// A player is taken to press on what was pressed last. Where that turns out wrong, the guest is brought back to the
// frame before, up to eight frames, and runs again with what was pressed. When more than that is not known it waits; so
// it does where the guest fails with inputs that are not known, since what was pressed may do it no harm.
//
// The guest is the caller's, is between two frames, and is not touched by others meanwhile.
#pragma once

#include <array>
#include <cstdint>

#include "guest.h"
#include "inputs.h"
#include "snapshot.h"

namespace marrow::console {

inline constexpr std::uint32_t kRollbackFrames = 8;

struct RollbackCounts {
  std::uint64_t rollbacks = 0;
  std::uint64_t frames_again = 0;  // simulated once more in rollbacks
  std::uint32_t deepest = 0;       // frames taken back by one of them
  std::uint64_t waits = 0;
};

class Rollback {
 public:
  explicit Rollback(Guest& guest);

  // Says what a player pressed in a frame; each player's frames in order. What was said before may be said again, and
  // is left out. Returns false, and forgets it, if the frames before are not known or it is more than 16 frames ahead.
  bool add_input(std::uint32_t player, std::uint32_t frame, std::uint32_t buttons);

  // Simulates again what was simulated with wrong inputs; fewer frames, if the guest fails with inputs that are not
  // known. Fails if it does with what was pressed; it is of no use then.
  [[nodiscard]] Result<void> correct();

  enum class Step : std::uint8_t { advanced, waiting };

  // Corrects, and simulates the next frame; or waits, if that would be the ninth of which some input is not known, or
  // the guest has failed there and some input is still not known.
  [[nodiscard]] Result<Step> advance();

  [[nodiscard]] std::uint32_t frames() const { return next_; }  // that are simulated

  // How many frames, from the first, will not change again. True after `correct` and `advance`.
  [[nodiscard]] std::uint32_t confirmed() const;

  // What is known of a player: all before this frame.
  [[nodiscard]] std::uint32_t known(std::uint32_t player) const { return known_[player]; }

  // The state after a frame, and what it drew; of the last eight that there have been, and of the one before them.
  [[nodiscard]] const GuestSnapshot& state_after(std::uint32_t frame) const;
  [[nodiscard]] const Drawing& drawing(std::uint32_t frame) const;

  [[nodiscard]] const RollbackCounts& counts() const { return counts_; }

 private:
  static constexpr std::uint32_t kSlots = kRollbackFrames + 1;
  static constexpr std::uint32_t kAhead = 2 * kRollbackFrames;
  static constexpr std::uint32_t kInputs = 32;  // at least kSlots + kAhead

  [[nodiscard]] std::uint32_t known_of_all() const;  // of both players: all before this frame
  [[nodiscard]] Inputs inputs_of(std::uint32_t frame) const;
  [[nodiscard]] Result<Step> simulate(std::uint32_t frame);

  Guest* guest_;
  std::array<GuestSnapshot, kSlots> states_;          // before frame i, at i % kSlots
  std::array<Drawing, kSlots> drawings_;              // of frame i, at i % kSlots
  std::array<Inputs, kInputs> inputs_{}, assumed_{};  // of frame i, at i % kInputs: pressed, and simulated with
  std::array<std::uint32_t, kPlayers> known_{};
  std::uint32_t next_ = 0;
  std::uint32_t end_ = 0;              // the most that next_ has been
  std::uint32_t wrong_ = 0;            // the first frame with wrong inputs; next_ if there is none
  std::uint32_t failed_ = UINT32_MAX;  // the frame that the guest last failed in, with inputs that were not known
  RollbackCounts counts_;
};

}  // namespace marrow::console
