#include "marrow/math/functions.h"

#include <cstdint>

#include "src/math/arithmetic.h"
#include "src/math/imports.h"

namespace marrow::det {
namespace {

bool sign_bit(double x) { return (platform::bit_cast<std::uint64_t>(x) >> 63) != 0; }
double magnitude(double x) { return sign_bit(x) ? -x : x; }

// An angle as quarter turns and what is left over, in [-pi/4, pi/4] but for rounding.
struct Reduced {
  double rest;
  unsigned quarter;  // modulo 4
};

// Cody and Waite: pi/2 is cut into parts of 25, 25 and 53 bits, so that the products of the first two with a number of
// quarter turns below 2^28 and the differences are exact.
Reduced reduce(double x) {
  constexpr double kHalfPi1 = 0x1.921fb5p+0;
  constexpr double kHalfPi2 = 0x1.110b46p-26;
  constexpr double kHalfPi3 = 0x1.1a62633145c07p-54;
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr double kRound = 0x1.8p+52;  // added and taken away again, it leaves the nearest integer
  constexpr double kMost = 0x1p+50;

  double turns = x * kTwoOverPi;
  turns = turns < -kMost ? -kMost : (turns > kMost ? kMost : turns);
  const double whole = (turns + kRound) - kRound;
  double rest = ((x - whole * kHalfPi1) - whole * kHalfPi2) - whole * kHalfPi3;
  // Only arguments too large to be reduced are outside.
  constexpr double kEnd = 0.7854;
  rest = rest < -kEnd ? -kEnd : (rest > kEnd ? kEnd : rest);
  return {rest, static_cast<unsigned>(static_cast<std::int64_t>(whole) & 3)};
}

// Taylor series; the first terms left out are below 7e-17 and 3e-18 of the result for |x| <= pi/4.
double sin_series(double x) {
  const double x2 = x * x;
  double p = -1.0 / 1307674368000.0;
  p = p * x2 + 1.0 / 6227020800.0;
  p = p * x2 - 1.0 / 39916800.0;
  p = p * x2 + 1.0 / 362880.0;
  p = p * x2 - 1.0 / 5040.0;
  p = p * x2 + 1.0 / 120.0;
  p = p * x2 - 1.0 / 6.0;
  return x * (1.0 + p * x2);
}

double cos_series(double x) {
  const double x2 = x * x;
  double p = 1.0 / 20922789888000.0;
  p = p * x2 - 1.0 / 87178291200.0;
  p = p * x2 + 1.0 / 479001600.0;
  p = p * x2 - 1.0 / 3628800.0;
  p = p * x2 + 1.0 / 40320.0;
  p = p * x2 - 1.0 / 720.0;
  p = p * x2 + 1.0 / 24.0;
  p = p * x2 - 1.0 / 2.0;
  return 1.0 + p * x2;
}

// Returns atan(y / x) for 0 <= y <= x, x > 0: atan(c) for the nearest eighth c, and the Taylor series for the rest,
// which is at most 1/16; its first term left out is below 5e-18 of the result.
double atan_of_quotient(double y, double x) {
  constexpr double kAtanOfEighths[9] = {0.0,
                                        0x1.fd5ba9aac2f6ep-4,
                                        0x1.f5b75f92c80ddp-3,
                                        0x1.6f61941e4def1p-2,
                                        0x1.dac670561bb4fp-2,
                                        0x1.1e00babdefeb4p-1,
                                        0x1.4978fa3269ee1p-1,
                                        0x1.700a7c5784634p-1,
                                        0x1.921fb54442d18p-1};
  double t = y / x;
  const int eighths = (static_cast<int>(t * 16.0) + 1) / 2;
  if (eighths != 0) {
    const double c = eighths / 8.0;
    t = (y - c * x) / (x + c * y);
  }
  const double t2 = t * t;
  double p = 1.0 / 13.0;
  p = p * t2 - 1.0 / 11.0;
  p = p * t2 + 1.0 / 9.0;
  p = p * t2 - 1.0 / 7.0;
  p = p * t2 + 1.0 / 5.0;
  p = p * t2 - 1.0 / 3.0;
  return kAtanOfEighths[eighths] + t * (1.0 + p * t2);
}

}  // namespace

double sqrt_d(double x) noexcept {
  // The instruction, correctly rounded everywhere; -fno-math-errno keeps the library function out.
  return platform::square_root(x);
}

double sin_d(double x) noexcept {
  if (!is_finite(x)) return x - x;
  const Reduced a = reduce(x);
  const double s = (a.quarter & 1) != 0 ? cos_series(a.rest) : sin_series(a.rest);
  return (a.quarter & 2) != 0 ? -s : s;
}

double cos_d(double x) noexcept {
  if (!is_finite(x)) return x - x;
  const Reduced a = reduce(x);
  const double c = (a.quarter & 1) != 0 ? sin_series(a.rest) : cos_series(a.rest);
  return a.quarter == 1 || a.quarter == 2 ? -c : c;
}

double atan2_d(double y, double x) noexcept {
  if (x != x || y != y) return x + y;
  double ax = magnitude(x);
  double ay = magnitude(y);
  if (!is_finite(ax) && !is_finite(ay)) ax = ay = 1.0;  // IEEE 754 takes the diagonal
  double angle = 0.0;
  if (ay > ax) {
    angle = kHalfPi - atan_of_quotient(ax, ay);
  } else if (ax > 0.0) {
    angle = atan_of_quotient(ay, ax);
  }
  if (sign_bit(x)) angle = kPi - angle;
  return sign_bit(y) ? -angle : angle;
}

float sqrt(float x) {
  // Rounding twice does no harm: a double has more than twice as many bits as a float, and two to spare.
  return exactly([&] { return static_cast<float>(sqrt_d(x)); });
}

float sin(float x) {
  return exactly([&] { return static_cast<float>(sin_d(x)); });
}

float cos(float x) {
  return exactly([&] { return static_cast<float>(cos_d(x)); });
}

float acos(float x) {
  return exactly([&] {
    const double c = x < -1.0f ? -1.0 : (x > 1.0f ? 1.0 : static_cast<double>(x));
    return static_cast<float>(atan2_d(sqrt_d((1.0 - c) * (1.0 + c)), c));
  });
}

float atan2(float y, float x) {
  return exactly([&] { return static_cast<float>(atan2_d(y, x)); });
}

}  // namespace marrow::det
