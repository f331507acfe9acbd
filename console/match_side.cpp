#include "match_side.h"

#include <algorithm>
#include <string>
#include <utility>

namespace marrow::console {

Error differs_from(std::string_view whom, std::uint32_t frame) {
  return Error{ErrorCode::invalid_argument, "the state is not that of " + std::string(whom),
               Place::numbered("frame", frame)};
}

MatchSide::MatchSide(Guest& guest, std::uint32_t player, std::vector<std::uint32_t> buttons)
    : player_(player), buttons_(std::move(buttons)), rollback_(guest) {}

void MatchSide::take(const Packet& packet) {
  if (packet.sequence < expected_) ++late_;
  expected_ = std::max(expected_, packet.sequence + 1);
  for (std::uint32_t i = 0; i < packet.input_count; ++i) {
    rollback_.add_input(1 - player_, packet.first_input + i, packet.inputs[i]);
  }
  for (std::uint32_t i = 0; i < packet.hash_count; ++i) {
    if (packet.first_hash + i == their_hashes_.size()) their_hashes_.push_back(packet.hashes[i]);
  }
}

Result<void> MatchSide::step() {
  const std::uint32_t frame = rollback_.frames();
  if (frame < buttons_.size()) {
    rollback_.add_input(player_, frame, buttons_[frame]);
    if (const Result<Rollback::Step> step = rollback_.advance(); !step) return step.error();
  } else if (Result<void> done = rollback_.correct(); !done) {
    return done;
  }
  while (hashes_.size() < rollback_.confirmed()) {
    hashes_.push_back(hash_of(rollback_.state_after(static_cast<std::uint32_t>(hashes_.size()))));
  }
  for (; compared_ < std::min(hashes_.size(), their_hashes_.size()); ++compared_) {
    if (hashes_[compared_] != their_hashes_[compared_]) return differs_from("the other side", compared_);
  }
  return {};
}

Packet MatchSide::packet() {
  Packet packet{.sequence = sequence_++};
  const std::uint32_t known = rollback_.known(player_);
  packet.input_count = std::min(known, kPacketInputs);
  packet.first_input = known - packet.input_count;
  std::copy_n(buttons_.begin() + packet.first_input, packet.input_count, packet.inputs.begin());
  const auto sure = static_cast<std::uint32_t>(hashes_.size());
  packet.hash_count = std::min(sure, kPacketHashes);
  packet.first_hash = sure - packet.hash_count;
  std::copy_n(hashes_.begin() + packet.first_hash, packet.hash_count, packet.hashes.begin());
  return packet;
}

}  // namespace marrow::console
