#include "rollback.h"

#include <algorithm>

#include "marrow/core/assert.h"

namespace marrow::console {

Rollback::Rollback(Guest& guest) : guest_(&guest) { guest.save(states_[0]); }

bool Rollback::add_input(std::uint32_t player, std::uint32_t frame, std::uint32_t buttons) {
  MARROW_ASSERT(player < kPlayers, "there is no such player");
  if (frame < known_[player]) return true;
  if (frame > known_[player] || frame >= next_ + kAhead) return false;
  inputs_[frame % kInputs][player] = buttons;
  ++known_[player];
  if (frame < next_ && assumed_[frame % kInputs][player] != buttons) wrong_ = std::min(wrong_, frame);
  return true;
}

std::uint32_t Rollback::confirmed() const { return std::min(next_, *std::min_element(known_.begin(), known_.end())); }

Inputs Rollback::inputs_of(std::uint32_t frame) const {
  Inputs inputs{};
  for (std::uint32_t player = 0; player < kPlayers; ++player) {
    if (known_[player] == 0) continue;
    inputs[player] = inputs_[std::min(frame, known_[player] - 1) % kInputs][player];
  }
  return inputs;
}

Result<void> Rollback::simulate(std::uint32_t frame) {
  const Inputs inputs = inputs_of(frame);
  assumed_[frame % kInputs] = inputs;
  if (Result<void> done = guest_->frame(inputs); !done) return in_frame(done.error(), frame);
  guest_->save(states_[(frame + 1) % kSlots]);
  drawings_[frame % kSlots].copy_from(guest_->host());
  return {};
}

Result<void> Rollback::correct() {
  if (wrong_ == next_) return {};
  const std::uint32_t depth = next_ - wrong_;
  ++counts_.rollbacks;
  counts_.frames_again += depth;
  counts_.deepest = std::max(counts_.deepest, depth);
  guest_->restore(states_[wrong_ % kSlots]);
  for (; wrong_ < next_; ++wrong_) {
    if (Result<void> done = simulate(wrong_); !done) return done;
  }
  return {};
}

Result<Rollback::Step> Rollback::advance() {
  if (const Result<void> done = correct(); !done) return done.error();
  if (next_ - confirmed() == kRollbackFrames) {
    ++counts_.waits;
    return Step::waiting;
  }
  if (const Result<void> done = simulate(next_); !done) return done.error();
  wrong_ = ++next_;
  return Step::advanced;
}

const GuestSnapshot& Rollback::state_after(std::uint32_t frame) const {
  MARROW_ASSERT(frame < next_ && next_ - frame <= kSlots, "this frame is not kept");
  return states_[(frame + 1) % kSlots];
}

const Drawing& Rollback::drawing(std::uint32_t frame) const {
  MARROW_ASSERT(frame < next_ && next_ - frame <= kSlots, "this frame is not kept");
  return drawings_[frame % kSlots];
}

}  // namespace marrow::console
