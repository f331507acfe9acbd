#include <doctest/doctest.h>

#include <cmath>

#include "fixtures/random.h"
#include "marrow_guest.h"
#include "support/bits.h"
#include "support/reference.h"
#include "support/special_floats.h"

namespace marrow::test {
namespace {

TEST_CASE("a guest's square root is that of the processor, to the last bit") {
  int wrong = 0;
  const auto check = [&](float x) {
    if (bits(static_cast<float>(guest_sqrt(static_cast<double>(x)))) == bits(std::sqrt(x))) return;
    if (++wrong <= 5) FAIL_CHECK("of " << x);
  };
  Random random(1);
  for (int i = 0; i < samples(4'000'000); ++i) check(std::fabs(random.finite()));
  for (int exponent = -149; exponent <= 127; ++exponent) {
    const float power = std::ldexp(1.0f, exponent);
    for (const float x : {power, std::nextafter(power, 0.0f), std::nextafter(power, kInf)}) check(x);
  }
  // Rounding is hardest where a root is close to the middle between two floats, m / 2^24: where its square is close to
  // a float.
  int hard = 0;
  for (std::uint64_t m = (1u << 24) + 1; m < 1u << 25; m += 2) {
    const std::uint64_t square = m * m, step = square < std::uint64_t{1} << 49 ? 1u << 25 : 1u << 26;
    const std::uint64_t rest = square % step;
    if (rest > 1000 && step - rest > 1000) continue;
    check(std::ldexp(static_cast<float>(rest <= 1000 ? square - rest : square - rest + step), -48));
    ++hard;
  }
  CHECK(hard > 100);

  double worst = 0;  // of doubles
  for (int i = 0; i < samples(300'000); ++i) {
    const double x = random.range(1, 4);
    keep_larger(worst, std::fabs(static_cast<Real>(guest_sqrt(x)) / std::sqrt(static_cast<Real>(x)) - 1));
  }
  CHECK(worst < 2.3e-16);
  CHECK(wrong == 0);
  CHECK(guest_sqrt(0.0) == 0.0);
  CHECK(guest_sqrt(-1.0) == 0.0);
  CHECK(guest_sqrt(static_cast<double>(kNaN)) == 0.0);
  CHECK(guest_sqrt(static_cast<double>(kInf)) == static_cast<double>(kInf));
}

TEST_CASE("a guest's sine and cosine are right to half a bit or hardly more, and finite for any angle") {
  double worst = 0, worst_square = 0;
  Random random(2);
  for (int i = 0; i < samples(300'000); ++i) {
    const float size = i % 3 == 0 ? 1e6f : i % 3 == 1 ? 7.0f : 1e-3f;
    const float x = random.rangef(-static_cast<double>(size), static_cast<double>(size));
    keep_larger(worst, ulps(guest_sin(x), std::sin(static_cast<Real>(x))));
    keep_larger(worst, ulps(guest_cos(x), std::cos(static_cast<Real>(x))));
  }
  CHECK(worst < 0.51);
  for (int i = 0; i < 100'000; ++i) {
    const float x = random.finite();
    const double s = static_cast<double>(guest_sin(x)), c = static_cast<double>(guest_cos(x));
    keep_larger(worst_square, std::fabs(s * s + c * c - 1));
  }
  CHECK(worst_square < 2e-7);
  for (const float x : {kNaN, kInf, -kInf}) {
    CHECK(guest_sin(x) == 0);
    CHECK(guest_cos(x) == 1);
  }
}

TEST_CASE("a guest's looping time stays below the duration, and is what is left of whole rounds") {
  Random random(3);
  double worst = 0;
  int outside = 0;
  for (int i = 0; i < 200'000; ++i) {
    const float duration = random.rangef(0.01, 10);
    const double time = random.range(-1e5, 1e5);
    const float looped = guest_loop_time(time, duration);
    outside += looped >= 0 && looped < duration ? 0 : 1;
    const double length = static_cast<double>(duration), exact = time - std::floor(time / length) * length;
    const double off = std::fabs(static_cast<double>(looped) - exact);
    keep_larger(worst, std::fmin(off, length - off));  // the end and the beginning are neighbours
  }
  CHECK(outside == 0);
  CHECK(worst < 1e-6);
  CHECK(guest_loop_time(0.5, 2.0f) == 0.5f);
  CHECK(guest_loop_time(2.0, 2.0f) == 0);
  CHECK(guest_loop_time(-0.5, 2.0f) == 1.5f);
  for (const float duration : {0.0f, -1.0f, kNaN, kInf, 1.0f, 1e-38f, 3e38f}) {
    for (const double time : {0.0, 1.0, -1.0, 1e300, -1e300, std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      const float looped = guest_loop_time(time, duration);
      CAPTURE(time);
      CAPTURE(duration);
      CHECK(looped >= 0);
      CHECK((looped < duration || looped == 0));
    }
  }
}

TEST_CASE("a guest's clamped time is within the clip") {
  CHECK(guest_clamp_time(0.5, 2.0f) == 0.5f);
  CHECK(guest_clamp_time(2.5, 2.0f) == 2.0f);
  CHECK(guest_clamp_time(-1.0, 2.0f) == 0);
  CHECK(guest_clamp_time(HUGE_VAL, 2.0f) == 2.0f);
  CHECK(guest_clamp_time(std::nan(""), 2.0f) == 0);
  CHECK(guest_clamp_time(1.0, kNaN) == 0);
  CHECK(guest_clamp_time(1.0, -1.0f) == 0);
}

TEST_CASE("a guest's fade goes to its target and stays there") {
  float weight = 0;
  for (int i = 0; i < 20; ++i) weight = guest_approach(weight, 1, 1 / 15.0f);
  CHECK(weight == 1);
  CHECK(guest_approach(0.5f, 0, 0.25f) == 0.25f);
  CHECK(guest_approach(0.125f, 0, 0.25f) == 0);
  CHECK(guest_approach(1, 1, 0.25f) == 1);
}

}  // namespace
}  // namespace marrow::test
