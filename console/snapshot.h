// GuestSnapshot: all that a guest can remember from one frame to the next, copied out of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "machine.h"
#include "marrow/guest/guest_host.h"

namespace marrow::console {

struct GuestSnapshot {
  std::vector<std::byte> memory;    // as large as it was
  std::vector<GlobalBits> globals;  // those that can change, exported or not
  GuestState host;
};

// Returns a hash of all of it: equal for guests that have seen the same.
[[nodiscard]] std::uint64_t hash_of(const GuestSnapshot& snapshot);

// Returns what differs first, bit by bit, such as "byte 1032 of the memory"; empty if nothing does.
[[nodiscard]] std::string difference(const GuestSnapshot& a, const GuestSnapshot& b);

// What a frame drew, copied from the host.
struct Drawing {
  std::vector<GuestDraw> draws;
  std::vector<std::uint32_t> first_bones;  // of each draw, in `bones`
  std::vector<Affine> bones;

  // Memory is used again.
  void copy_from(const GuestHost& host);
};

// As above; "bone 3 of draw 1".
[[nodiscard]] std::string difference(const Drawing& a, const Drawing& b);

}  // namespace marrow::console
