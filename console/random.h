// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace marrow::console {

// splitmix64 (Steele, Lea and Flood, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }

  // From 0 to `end` - 1.
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>((bits() >> 32) * end >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace marrow::console
