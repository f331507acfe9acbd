#include "marrow/math/functions.h"

#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <vector>

#include "fixtures/random.h"
#include "src/math/arithmetic.h"
#include "support/bits.h"
#include "support/float_state.h"
#include "support/reference.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::bits;
using test::kDenormal;
using test::kInf;
using test::kNaN;
using test::kPiFloat;
using test::Random;
using test::Real;

// The largest angle that the header promises accuracy for.
constexpr float kLargest = 4e8f;

constexpr int kFunctionSamples = test::samples(600'000);

// Keeps the argument of the largest error, to be printed with it.
struct Worst {
  double error = 0;
  float at = 0, at2 = 0, actual = 0;
  double exact = 0;

  void add(float x, float y, float result, Real expected) {
    const double e = test::ulps(result, expected);
    if (e > error || e != e) *this = {e, x, y, result, static_cast<double>(expected)};
  }
  void add(float x, float result, Real expected) { add(x, 0, result, expected); }
};

#define CHECK_WORST(worst, bound)                                                                            \
  do {                                                                                                       \
    INFO("worst: ", (worst).error, " ulp at (", (worst).at, ", ", (worst).at2, "): actual ", (worst).actual, \
         ", expected ", (worst).exact);                                                                      \
    CHECK((worst).error <= (bound));                                                                         \
  } while (false)

// Calls f with floats of every sign and exponent up to `largest`, evenly over their bit patterns, and random ones.
template <typename F>
void sweep(float largest, const F& f) {
  const std::uint32_t end = bits(largest);
  const std::uint32_t step = end / static_cast<std::uint32_t>(kFunctionSamples) + 1;
  for (std::uint32_t b = 0; b <= end; b += step) {
    f(__builtin_bit_cast(float, b));
    f(-__builtin_bit_cast(float, b));
  }
  Random random(1);
  for (int i = 0; i < kFunctionSamples; ++i) f(random.rangef(-10, 10));
}

// Calls f with the floats around the multiples of a quarter of pi: there sine and cosine pass through zero or one, and
// the reduction changes its quadrant.
template <typename F>
void near_eighths_of_a_turn(const F& f) {
  Random random(2);
  for (int i = -4000; i < kFunctionSamples / 10; ++i) {
    const double n = i < 0 ? i + 2000 : std::floor(random.range(-5e8, 5e8));
    const float x = static_cast<float>(n * static_cast<double>(test::kPi / 4));
    if (std::fabs(x) > kLargest) continue;
    f(x);
    f(std::nextafter(x, kInf));
    f(std::nextafter(x, -kInf));
  }
}

TEST_CASE("sine and cosine are within 0.50001 ulp of the exact value") {
  Worst sine, cosine;
  const auto add = [&](float x) {
    sine.add(x, det::sin(x), std::sin(static_cast<Real>(x)));
    cosine.add(x, det::cos(x), std::cos(static_cast<Real>(x)));
  };
  sweep(kLargest, add);
  near_eighths_of_a_turn(add);
  CHECK_WORST(sine, 0.50001);
  CHECK_WORST(cosine, 0.50001);
}

TEST_CASE("sine and cosine have their exact values at zero and keep its sign") {
  CHECK(bits(det::sin(0.0f)) == bits(0.0f));
  CHECK(bits(det::sin(-0.0f)) == bits(-0.0f));
  CHECK(bits(det::sin(kDenormal)) == bits(kDenormal));
  CHECK(bits(det::sin(-kDenormal)) == bits(-kDenormal));
  CHECK(det::cos(0.0f) == 1.0f);
  CHECK(det::cos(-0.0f) == 1.0f);
  CHECK(det::cos(kDenormal) == 1.0f);
}

TEST_CASE("sine and cosine of huge angles stay in range and on the circle") {
  Random random(3);
  double largest = 0, off_circle = 0;
  const auto add = [&](float x) {
    const double s = det::sin(x), c = det::cos(x);
    largest = std::fmax(largest, std::fmax(std::fabs(s), std::fabs(c)));
    off_circle = std::fmax(off_circle, std::fabs(s * s + c * c - 1));
    CHECK(s == s);
    CHECK(c == c);
  };
  for (int i = 0; i < 100'000; ++i) {
    const float x = random.finite();
    if (std::fabs(x) > kLargest) add(x);
  }
  add(FLT_MAX);
  add(-FLT_MAX);
  CHECK(largest <= 1);
  CHECK(off_circle <= 1.2e-7);
}

TEST_CASE("sine and cosine of NaN and infinity are NaN") {
  for (float x : {kNaN, kInf, -kInf}) {
    CHECK(std::isnan(det::sin(x)));
    CHECK(std::isnan(det::cos(x)));
  }
}

TEST_CASE("square root is correctly rounded") {
  Worst worst;
  sweep(FLT_MAX, [&](float x) {
    if (x >= 0) worst.add(x, det::sqrt(x), std::sqrt(static_cast<Real>(x)));
  });
  CHECK_WORST(worst, 0.5);
  CHECK(det::sqrt(4.0f) == 2.0f);
  CHECK(bits(det::sqrt(-0.0f)) == bits(-0.0f));
  CHECK(det::sqrt(kInf) == kInf);
  CHECK(std::isnan(det::sqrt(-1.0f)));
  CHECK(std::isnan(det::sqrt(-kDenormal)));
  CHECK(std::isnan(det::sqrt(kNaN)));
}

TEST_CASE("arc cosine is within 0.50001 ulp of the exact value") {
  Worst worst;
  const auto add = [&](float x) {
    if (std::fabs(x) <= 1) worst.add(x, det::acos(x), std::acos(static_cast<Real>(x)));
  };
  sweep(1.0f, add);
  float near_one = 1;
  for (int i = 0; i < 20'000; ++i) {
    add(near_one);
    add(-near_one);
    near_one = std::nextafter(near_one, 0.0f);
  }
  CHECK_WORST(worst, 0.50001);
}

TEST_CASE("arc cosine takes arguments out of range as the nearer end") {
  CHECK(bits(det::acos(1.0f)) == bits(0.0f));
  CHECK(bits(det::acos(1.0000001f)) == bits(0.0f));
  CHECK(bits(det::acos(kInf)) == bits(0.0f));
  CHECK(det::acos(-1.0f) == kPiFloat);
  CHECK(det::acos(-2.0f) == kPiFloat);
  CHECK(det::acos(-kInf) == kPiFloat);
  CHECK(std::isnan(det::acos(kNaN)));
}

TEST_CASE("arc tangent of a point is within 0.50001 ulp of the exact value") {
  Worst worst;
  const auto add = [&](float y, float x) {
    worst.add(y, x, det::atan2(y, x), std::atan2(static_cast<Real>(y), static_cast<Real>(x)));
  };
  Random random(4);
  for (int i = 0; i < kFunctionSamples; ++i) {
    add(random.finite(), random.finite());
    add(random.rangef(-1, 1), random.rangef(-1, 1));
    // Around the borders of the eighths that the reduction uses.
    const float x = random.rangef(0.5, 1);
    add(static_cast<float>(static_cast<double>(x) * (random.below(17) + random.range(-1e-6, 1e-6)) / 16), x);
  }
  for (float y : {0.0f, -0.0f, kDenormal, FLT_MIN, 1.0f, -1.0f, FLT_MAX, -FLT_MAX}) {
    for (float x : {kDenormal, -kDenormal, FLT_MIN, -FLT_MIN, 1.0f, -1.0f, FLT_MAX, -FLT_MAX}) add(y, x);
  }
  CHECK_WORST(worst, 0.50001);
}

TEST_CASE("arc tangent of a point has the signs and limits of IEEE 754") {
  for (float y : {0.0f, 1.0f, kDenormal, FLT_MAX, kInf}) {
    for (float x : {0.0f, 1.0f, kDenormal, FLT_MAX, kInf}) {
      for (float sy : {1.0f, -1.0f}) {
        for (float sx : {1.0f, -1.0f}) {
          CAPTURE(y * sy);
          CAPTURE(x * sx);
          const float expected =
              static_cast<float>(std::atan2(static_cast<double>(y * sy), static_cast<double>(x * sx)));
          CHECK(bits(det::atan2(y * sy, x * sx)) == bits(expected));
        }
      }
    }
  }
  CHECK(bits(det::atan2(0.0f, -1.0f)) == bits(kPiFloat));
  CHECK(bits(det::atan2(-0.0f, -1.0f)) == bits(-kPiFloat));
  CHECK(std::isnan(det::atan2(kNaN, 1.0f)));
  CHECK(std::isnan(det::atan2(1.0f, kNaN)));
  CHECK(std::isnan(det::atan2(kInf, kNaN)));
}

TEST_CASE("the functions in double keep the relative errors that they state") {
  double sine = 0, cosine = 0, tangent = 0;
  const auto add = [](double& worst, double actual, Real exact) {
    const double e = static_cast<double>(std::fabs((static_cast<Real>(actual) - exact) / exact));
    worst = e > worst || e != e ? e : worst;
  };
  Random random(5);
  for (int i = 0; i < kFunctionSamples / 4; ++i) {
    const double x = i % 2 != 0 ? random.range(-7, 7) : random.range(-4e8, 4e8);
    add(sine, det::sin_d(x), std::sin(static_cast<Real>(x)));
    add(cosine, det::cos_d(x), std::cos(static_cast<Real>(x)));
    const double y = random.range(-1, 1), z = random.range(-1, 1);
    add(tangent, det::atan2_d(y, z), std::atan2(static_cast<Real>(y), static_cast<Real>(z)));
    add(tangent, det::atan2_d(y * 1e-12, z), std::atan2(static_cast<Real>(y * 1e-12), static_cast<Real>(z)));
  }
  const double reference_error = sizeof(Real) > sizeof(double) ? 0 : 2.3e-16;
  CHECK(sine <= 3e-16 + reference_error);
  CHECK(cosine <= 3e-16 + reference_error);
  CHECK(tangent <= 4e-16 + reference_error);
}

#ifdef MARROW_TEST_FLOAT_STATES
TEST_CASE("the functions give the same bits under any floating-point state of the host, and leave it") {
  std::vector<float> in, positive;
  Random random(6);
  for (int i = 0; i < 5000; ++i) {
    in.push_back(random.finite());
    in.push_back(random.rangef(-1, 1));
    in.push_back(random.rangef(-1e-38, 1e-38));
  }
  for (float x : in) positive.push_back(std::fabs(x));
  std::vector<float> expected(5 * in.size()), actual(5 * in.size());
  const auto run = [&](std::vector<float>& out) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      out[5 * i] = det::sin(in[i]);
      out[5 * i + 1] = det::cos(in[i]);
      out[5 * i + 2] = det::acos(in[i]);
      out[5 * i + 3] = det::atan2(in[i], in[in.size() - 1 - i]);
      out[5 * i + 4] = det::sqrt(positive[i]);
    }
  };
  run(expected);
  for (test::FloatState state : test::kHostStates) {
    CAPTURE(state);
    CHECK(test::run_under(state, [&] { run(actual); }) == state);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (bits(actual[i]) == bits(expected[i])) continue;
      CAPTURE(in[i / 5]);
      CAPTURE(i % 5);
      REQUIRE(bits(actual[i]) == bits(expected[i]));
    }
  }
}
#endif

}  // namespace
}  // namespace marrow
