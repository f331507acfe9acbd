// Random numbers for tests: seeded, so that a failure can be repeated, and made without the library under test.
#pragma once

#include <cmath>
#include <cstdint>

namespace marrow::test {

struct UnitQuat {
  double x, y, z, w;
};

// xorshift64* (Vigna, 2016). The same seed gives the same sequence of `bits` and `unit` on every machine; what is
// computed from them may differ in the last bit where the compiler fuses a product and a sum.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {
    if (state_ == 0) state_ = 1;
    for (int i = 0; i < 8; ++i) bits();  // small seeds start with few bits set
  }

  std::uint64_t bits() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1du;
  }

  // In [0, 1).
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  // In [lo, hi).
  double range(double lo, double hi) { return lo + (hi - lo) * unit(); }
  float rangef(double lo, double hi) { return static_cast<float>(range(lo, hi)); }
  // In [0, count).
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(((bits() >> 32) * count) >> 32); }

  // Any float but NaN and infinity: each exponent is as likely as the others.
  float finite() {
    for (;;) {
      const std::uint32_t b = static_cast<std::uint32_t>(bits() >> 32);
      if ((b & 0x7f800000u) != 0x7f800000u) return __builtin_bit_cast(float, b);
    }
  }

  // Uniform over the rotations (Marsaglia, "Choosing a Point from the Surface of a Sphere", 1972).
  UnitQuat quat() {
    double x, y, z, w, s, t;
    do {
      x = range(-1, 1);
      y = range(-1, 1);
      s = x * x + y * y;
    } while (s > 1 || s == 0);
    do {
      z = range(-1, 1);
      w = range(-1, 1);
      t = z * z + w * w;
    } while (t > 1 || t == 0);
    const double f = std::sqrt((1 - s) / t);
    return {x, y, z * f, w * f};
  }

 private:
  std::uint64_t state_;
};

}  // namespace marrow::test
