#include "src/skin/packing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fixtures/random.h"
#include "support/bits.h"

namespace marrow {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The number that a finite half float is, by the definition of IEEE 754.
double value_of(std::uint16_t half) {
  const int exponent = half >> 10 & 31, mantissa = half & 1023;
  const double size = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (half & 0x8000) != 0 ? -size : size;
}

TEST_CASE("each of the 65536 half floats is the number it should be, and comes back") {
  std::uint32_t wrong_values = 0, wrong_halves = 0;
  for (std::uint32_t h = 0; h < 65536; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    const float x = float_from_half(half);
    if (is_finite_half(half)) {
      wrong_values += static_cast<double>(x) == value_of(half) && std::signbit(x) == (h >= 0x8000) ? 0u : 1u;
      wrong_halves += half_from_float(x) == half ? 0u : 1u;
    } else if ((h & 0x3ff) == 0) {
      wrong_values += x == (h < 0x8000 ? kInfinity : -kInfinity) ? 0u : 1u;
      wrong_halves += half_from_float(x) == half ? 0u : 1u;
    } else {
      wrong_values += std::isnan(x) ? 0u : 1u;
      wrong_halves += (half_from_float(x) & 0x7fffu) > 0x7c00u ? 0u : 1u;
    }
  }
  CHECK(wrong_values == 0);
  CHECK(wrong_halves == 0);
}

// All floats between two halves are covered by this: rounding is monotonic.
TEST_CASE("between any two half floats the nearer is taken, and in the middle the even one") {
  std::uint32_t wrong = 0;
  for (std::uint16_t low = 0; low < 0x7c00; ++low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const double above = high == 0x7c00 ? 65536 : value_of(high);
    const auto middle = static_cast<float>((value_of(low) + above) / 2);
    const float before = std::nextafter(middle, 0.0f), after = std::nextafter(middle, kInfinity);
    const std::uint16_t even = low % 2 == 0 ? low : high;
    wrong +=
        half_from_float(before) == low && half_from_float(middle) == even && half_from_float(after) == high ? 0 : 1;
    wrong += half_from_float(-before) == (low | 0x8000) && half_from_float(-middle) == (even | 0x8000) &&
                     half_from_float(-after) == (high | 0x8000)
                 ? 0
                 : 1;
    const float past = std::nextafter(static_cast<float>(value_of(low)), kInfinity);
    const float short_of = std::nextafter(static_cast<float>(above), 0.0f);
    wrong += half_from_float(past) == low && half_from_float(short_of) == high ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("half floats end at 65504, and what is nearer to nothing than to 2^-24 is 0") {
  CHECK(half_from_float(65504) == 0x7bff);
  CHECK(half_from_float(std::nextafter(65520.0f, 0.0f)) == 0x7bff);
  CHECK(half_from_float(65520) == 0x7c00);
  CHECK(half_from_float(-65520) == 0xfc00);
  CHECK(half_from_float(1e18f) == 0x7c00);
  CHECK(half_from_float(0x1p-25f) == 0);
  CHECK(half_from_float(std::nextafter(0x1p-25f, 1.0f)) == 1);
  CHECK(half_from_float(-0x1p-26f) == 0x8000);
  CHECK(half_from_float(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(half_from_float(1) == kHalfOne);
}

TEST_CASE("a half float is off by 2^-11 of the number, or by 2^-25 below 2^-14") {
  test::Random random(21);
  double worst = 0, worst_small = 0;
  for (int i = 0; i < 2'000'000; ++i) {
    const double x = std::ldexp(random.range(1, 2), static_cast<int>(random.below(46)) - 30);
    const auto given = static_cast<float>(i % 2 == 0 ? x : -x);
    if (std::fabs(given) > 65504) continue;
    const double off = std::fabs(static_cast<double>(float_from_half(half_from_float(given))) - given);
    if (x >= 0x1p-14) {
      worst = std::max(worst, off / std::fabs(static_cast<double>(given)));
    } else {
      worst_small = std::max(worst_small, off);
    }
  }
  CHECK(worst <= 0x1p-11);
  CHECK(worst > 0x1p-11 * 0.99);
  CHECK(worst_small <= 0x1p-25);
  CHECK(worst_small > 0x1p-25 * 0.99);
}

TEST_CASE("every fraction of 8 and 16 bits comes back, and is off by half a step at most") {
  for (const std::uint32_t steps : {kSteps8, kSteps16}) {
    CAPTURE(steps);
    std::uint32_t wrong = 0;
    for (std::uint32_t code = 0; code <= steps; ++code) {
      const float x = float_from_unorm(static_cast<std::uint16_t>(code), steps);
      wrong += x == static_cast<float>(static_cast<double>(code) / steps) ? 0u : 1u;
      wrong += unorm_from_float(x, steps) == code ? 0u : 1u;
    }
    CHECK(wrong == 0);
    CHECK(float_from_unorm(static_cast<std::uint16_t>(steps), steps) == 1);

    test::Random random(22);
    double worst = 0, worst_unrounded = 0;
    for (int i = 0; i < 1'000'000; ++i) {
      const float x = random.rangef(0, 1);
      const std::uint16_t code = unorm_from_float(x, steps);
      worst = std::max(worst, std::fabs(static_cast<double>(float_from_unorm(code, steps)) - x));
      worst_unrounded = std::max(worst_unrounded, std::fabs(static_cast<double>(x) * steps - code));
    }
    CHECK(worst_unrounded <= 0.5);
    CHECK(worst_unrounded > 0.499);
    CHECK(worst <= (steps == kSteps8 ? 0.002 : 7.7e-6));
  }
}

TEST_CASE("fractions fit while they are less than half a step outside") {
  for (const std::uint32_t steps : {kSteps8, kSteps16}) {
    CAPTURE(steps);
    const double half = 0.5 / steps;
    CHECK(fits_unorm(0, steps));
    CHECK(fits_unorm(-0.0f, steps));
    CHECK(fits_unorm(1, steps));
    CHECK(fits_unorm(static_cast<float>(-half * 0.999), steps));
    CHECK(fits_unorm(static_cast<float>(1 + half * 0.98), steps));
    CHECK_FALSE(fits_unorm(static_cast<float>(-half * 1.001), steps));
    CHECK_FALSE(fits_unorm(static_cast<float>(1 + half * 1.02), steps));
    CHECK_FALSE(fits_unorm(std::numeric_limits<float>::quiet_NaN(), steps));
    CHECK(unorm_from_float(static_cast<float>(-half * 0.999), steps) == 0);
    CHECK(unorm_from_float(static_cast<float>(1 + half * 0.98), steps) == steps);
  }
}

// Weights that are multiples of 1/64 are exact, so that their largest remainders are a matter of integers.
std::array<std::uint16_t, 4> reference_weights(const std::array<std::uint32_t, 4>& of_64, std::uint32_t steps) {
  std::array<std::uint16_t, 4> codes{};
  std::array<std::size_t, 4> order = {0, 1, 2, 3};
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    codes[i] = static_cast<std::uint16_t>(of_64[i] * steps / 64);
    sum += codes[i];
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return of_64[a] * steps % 64 > of_64[b] * steps % 64; });
  for (std::size_t i = 0; sum < steps; ++i, ++sum) ++codes[order[i]];
  return codes;
}

TEST_CASE("weights get the largest remainders, of equal ones the first: all ways to share 64 among four") {
  std::uint32_t wrong = 0;
  for (std::uint32_t a = 0; a <= 64; ++a) {
    for (std::uint32_t b = 0; a + b <= 64; ++b) {
      for (std::uint32_t c = 0; a + b + c <= 64; ++c) {
        const std::array<std::uint32_t, 4> of_64 = {a, b, c, 64 - a - b - c};
        std::array<float, 4> weights{};
        for (std::size_t i = 0; i < 4; ++i) weights[i] = static_cast<float>(of_64[i]) / 64;
        for (const std::uint32_t steps : {kSteps8, kSteps16}) {
          wrong += unorm_weights(weights, steps) == reference_weights(of_64, steps) ? 0u : 1u;
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(unorm_weights(std::array{0.25f, 0.25f, 0.25f, 0.25f}, 255) == std::array<std::uint16_t, 4>{64, 64, 64, 63});
  CHECK(unorm_weights(std::array{0.5f, 0.5f}, 65535) == std::array<std::uint16_t, 4>{32768, 32767, 0, 0});
}

TEST_CASE("weights sum to exactly 1, are off by 3/4 of a step at most, and stay 0 where they are") {
  test::Random random(23);
  for (const std::uint32_t steps : {kSteps8, kSteps16}) {
    CAPTURE(steps);
    std::uint32_t wrong_sums = 0, from_nothing = 0;
    double worst = 0;
    for (int i = 0; i < 500'000; ++i) {
      // Of all sizes; every third with the fractions 3/4 or nearly, which are the worst.
      const std::size_t count = 1 + random.below(4);
      std::array<float, 4> weights{};
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k) {
        double weight = random.range(0, 1);
        if (i % 3 == 0) weight = random.below(steps / 4) + 0.75 + random.range(-1e-3, 1e-3);
        if (i % 3 == 1) weight = std::ldexp(weight, -static_cast<int>(random.below(140)));
        weights[k] = k > 0 && random.below(4) == 0 ? 0.0f : static_cast<float>(weight);
        sum += static_cast<double>(weights[k]);
      }
      if (i % 3 == 0 && count == 4) {
        weights[3] = static_cast<float>(static_cast<double>(weights[3]) + steps - sum);
        if (weights[3] < 0) continue;
        sum = static_cast<double>(weights[0]) + weights[1] + weights[2] + weights[3];
      }
      if (!(sum > 0)) continue;
      const std::array<std::uint16_t, 4> codes = unorm_weights(std::span(weights).first(count), steps);
      wrong_sums += codes[0] + codes[1] + codes[2] + codes[3] == static_cast<int>(steps) ? 0u : 1u;
      for (std::size_t k = 0; k < 4; ++k) {
        from_nothing += weights[k] == 0 && codes[k] != 0 ? 1u : 0u;
        worst = std::max(worst, std::fabs(codes[k] - static_cast<double>(weights[k]) * steps / sum));
      }
    }
    CHECK(wrong_sums == 0);
    CHECK(from_nothing == 0);
    CHECK(worst <= 0.75 + 1e-9);
    CHECK(worst > 0.74);
  }
}

}  // namespace
}  // namespace marrow
