// Link: a network as it is, between two consoles of one program. What is sent arrives later, out of order, or never.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "random.h"
#include "rollback.h"

namespace marrow::console {

// A side has the inputs of the frame that it waits with, which is at most the ninth after those that it knows of the
// other side; and that side is as far ahead of what it knows in turn. So the inputs of 18 frames are all that the
// receiver of a packet may have missed. A side is sure of a frame up to nine frames after it has its inputs: as many
// hashes more.
inline constexpr std::uint32_t kPacketInputs = 2 * (kRollbackFrames + 1);
inline constexpr std::uint32_t kPacketHashes = kPacketInputs + kRollbackFrames + 1;

struct Packet {
  std::uint32_t sequence = 0;
  std::uint32_t first_input = 0, input_count = 0;  // frames
  std::array<std::uint32_t, kPacketInputs> inputs{};
  std::uint32_t first_hash = 0, hash_count = 0;  // frames that the sender is sure of
  std::array<std::uint64_t, kPacketHashes> hashes{};
};

struct LinkOptions {
  std::uint64_t latency_us = 100'000;  // one way
  std::uint64_t jitter_us = 20'000;    // at most so much sooner or later
  std::uint32_t loss_percent = 10;
};

// One direction. Times are in microseconds, from wherever.
class Link {
 public:
  Link(const LinkOptions& options, std::uint64_t seed) : options_(options), random_(seed) {}

  void send(std::uint64_t now_us, const Packet& packet);

  // Takes a packet that has arrived by now, the earliest first. Returns false if there is none.
  [[nodiscard]] bool receive(std::uint64_t now_us, Packet& out);

  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  struct Flying {
    std::uint64_t arrival_us;
    Packet packet;
  };

  LinkOptions options_;
  Random random_;
  std::vector<Flying> flying_;
  std::uint64_t sent_ = 0, lost_ = 0;
};

}  // namespace marrow::console
