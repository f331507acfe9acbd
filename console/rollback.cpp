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

std::uint32_t Rollback::known_of_all() const { return *std::min_element(known_.begin(), known_.end()); }

std::uint32_t Rollback::confirmed() const { return std::min(next_, known_of_all()); }

Inputs Rollback::inputs_of(std::uint32_t frame) const {
  Inputs inputs{};
  for (std::uint32_t player = 0; player < kPlayers; ++player) {
    if (known_[player] == 0) continue;
    inputs[player] = inputs_[std::min(frame, known_[player] - 1) % kInputs][player];
  }
  return inputs;
}

// Simulates a frame, from the state before it; or waits in that state, if the guest fails and may not have to.
Result<Rollback::Step> Rollback::simulate(std::uint32_t frame) {
  const Inputs inputs = inputs_of(frame);
  assumed_[frame % kInputs] = inputs;
  if (Result<void> done = guest_->frame(inputs); !done) {
    if (frame < known_of_all()) return in_frame(done.error(), frame);
    failed_ = frame;
    guest_->restore(states_[frame % kSlots]);
    return Step::waiting;
  }
  guest_->save(states_[(frame + 1) % kSlots]);
  drawings_[frame % kSlots].copy_from(guest_->host());
  return Step::advanced;
}

Result<void> Rollback::correct() {
  if (wrong_ == next_) return {};
  ++counts_.rollbacks;
  counts_.deepest = std::max(counts_.deepest, next_ - wrong_);
  guest_->restore(states_[wrong_ % kSlots]);
  for (; wrong_ < next_; ++wrong_) {
    ++counts_.frames_again;
    const Result<Step> step = simulate(wrong_);
    if (!step) return step.error();
    if (*step == Step::advanced) continue;
    next_ = wrong_;
    break;
  }
  return {};
}

Result<Rollback::Step> Rollback::advance() {
  if (const Result<void> done = correct(); !done) return done.error();
  Result<Step> step = Step::waiting;
  if (next_ - confirmed() < kRollbackFrames && (failed_ != next_ || next_ < known_of_all())) step = simulate(next_);
  if (!step) return step;
  if (*step == Step::advanced) {
    wrong_ = ++next_;
    end_ = std::max(end_, next_);
  } else {
    ++counts_.waits;
  }
  return step;
}

const GuestSnapshot& Rollback::state_after(std::uint32_t frame) const {
  MARROW_ASSERT(frame < next_ && end_ - frame <= kSlots, "this frame is not kept");
  return states_[(frame + 1) % kSlots];
}

const Drawing& Rollback::drawing(std::uint32_t frame) const {
  MARROW_ASSERT(frame < next_ && end_ - frame <= kSlots, "this frame is not kept");
  return drawings_[frame % kSlots];
}

}  // namespace marrow::console
