#include "marrow/mixer/player.h"

namespace marrow {

Player::Player(const Skeleton& skeleton, const MixerOptions& options)
    : mixer_(skeleton, options),
      scratch_(std::make_unique<MixScratch>(skeleton, mixer_.scratch_size())),
      pose_(skeleton) {
  mixer_.on_scratch_growth(
      [scratch = scratch_.get(), skeleton](const ScratchSize& size) { *scratch = MixScratch(skeleton, size); });
}

bool Player::update(double dt_s) {
  if (!mixer_.advance(dt_s)) return false;
  evaluate();
  return true;
}

void Player::evaluate() { mixer_.evaluate(*scratch_, pose_); }

std::size_t Player::memory_bytes() const {
  return mixer_.memory_bytes() + scratch_->memory_bytes() + Pose::required_bytes(pose_.skeleton());
}

}  // namespace marrow
