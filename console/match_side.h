// MatchSide: one of the two consoles of a match.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "guest.h"
#include "link.h"
#include "rollback.h"

namespace marrow::console {

// That a frame is not as it is elsewhere.
[[nodiscard]] Error differs_from(std::string_view whom, std::uint32_t frame);

class MatchSide {
 public:
  // The guest outlives it. `buttons`: what its player will press in each frame; it looks no further than the next.
  MatchSide(Guest& guest, std::uint32_t player, std::vector<std::uint32_t> buttons);

  // Takes what the other side sent.
  void take(const Packet& packet);

  // Goes a frame further, if it may. Fails if a frame that both sides are sure of is not the same on both, or the guest
  // fails.
  [[nodiscard]] Result<void> step();

  // Returns what to send: all that the other side may still need.
  [[nodiscard]] Packet packet();

  [[nodiscard]] bool done() const { return compared_ == buttons_.size(); }
  [[nodiscard]] std::uint32_t compared() const { return compared_; }                  // frames, with the other side's
  [[nodiscard]] const std::vector<std::uint64_t>& hashes() const { return hashes_; }  // of the frames it is sure of
  [[nodiscard]] const RollbackCounts& counts() const { return rollback_.counts(); }
  [[nodiscard]] std::uint64_t late() const { return late_; }  // packets that others have overtaken

 private:
  std::uint32_t player_;
  std::vector<std::uint32_t> buttons_;
  Rollback rollback_;
  std::vector<std::uint64_t> hashes_, their_hashes_;
  std::uint32_t compared_ = 0;
  std::uint32_t sequence_ = 0;  // of the next packet
  std::uint32_t expected_ = 0;  // the packet after the newest that came
  std::uint64_t late_ = 0;
};

}  // namespace marrow::console
