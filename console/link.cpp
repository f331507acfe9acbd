#include "link.h"

#include <algorithm>

namespace marrow::console {

void Link::send(std::uint64_t now_us, const Packet& packet) {
  ++sent_;
  if (random_.below(100) < options_.loss_percent) {
    ++lost_;
    return;
  }
  const std::uint64_t spread = 2 * options_.jitter_us + 1;
  const std::uint64_t delay = options_.latency_us + random_.below(static_cast<std::uint32_t>(spread));
  flying_.push_back({now_us + delay - std::min(delay, options_.jitter_us), packet});
}

bool Link::receive(std::uint64_t now_us, Packet& out) {
  const auto first = std::ranges::min_element(flying_, {}, &Flying::arrival_us);
  if (first == flying_.end() || first->arrival_us > now_us) return false;
  out = first->packet;
  flying_.erase(first);
  return true;
}

}  // namespace marrow::console
