#include "src/skin/packing.h"

#include "marrow/core/assert.h"
#include "src/skin/imports.h"

namespace marrow {
namespace {

// Returns value / 2^shift to the nearest, ties to even. `shift` is 1 to 31.
std::uint32_t shifted_to_nearest(std::uint32_t value, std::uint32_t shift) {
  const std::uint32_t whole = value >> shift, rest = value & ((1u << shift) - 1), half = 1u << (shift - 1);
  return whole + (rest > half || (rest == half && (whole & 1u) != 0) ? 1u : 0u);
}

// Returns x in steps, half a step more: its whole part is the nearest step. The product of a float and at most 65535 is
// exact in double, and so is the sum where it is near a whole number.
double half_a_step_up(float x, std::uint32_t steps) { return static_cast<double>(x) * steps + 0.5; }

}  // namespace

// A float has 8 bits of exponent and 23 of mantissa, a half 5 and 10. In both a carry out of the mantissa goes into the
// exponent, which is what rounding up to the next power of two, and to infinity, takes.
std::uint16_t half_from_float(float x) {
  const auto bits = platform::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits >> 16 & 0x8000u, exponent = bits >> 23 & 0xffu, mantissa = bits & 0x7fffffu;
  std::uint32_t magnitude = 0;
  if (exponent == 0xffu) {
    magnitude = mantissa != 0 ? 0x7e00u : 0x7c00u;
  } else if (exponent >= 143) {  // 2^16 and more
    magnitude = 0x7c00u;
  } else if (exponent >= 113) {  // 2^-14 and more
    magnitude = shifted_to_nearest((exponent - 112) << 23 | mantissa, 13);
  } else if (exponent >= 102) {  // 2^-25 and more: a multiple of 2^-24
    magnitude = shifted_to_nearest(mantissa | 0x800000u, 126 - exponent);
  }
  return static_cast<std::uint16_t>(sign | magnitude);
}

float float_from_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1fu, mantissa = half & 0x3ffu;
  if (exponent == 0) {
    const float size = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -size : size;
  }
  const std::uint32_t wide = exponent == 0x1fu ? 0xffu : exponent + 112;
  return platform::bit_cast<float>(sign | wide << 23 | mantissa << 13);
}

bool fits_unorm(float x, std::uint32_t steps) {
  const double at = half_a_step_up(x, steps);
  return at >= 0 && at < static_cast<double>(steps) + 1;
}

std::uint16_t unorm_from_float(float x, std::uint32_t steps) {
  MARROW_ASSERT(fits_unorm(x, steps), "a number outside 0 to 1 cannot be a fraction");
  return static_cast<std::uint16_t>(half_a_step_up(x, steps));
}

float float_from_unorm(std::uint16_t code, std::uint32_t steps) {
  return static_cast<float>(static_cast<double>(code) / steps);
}

std::array<std::uint16_t, 4> unorm_weights(std::span<const float> weights, std::uint32_t steps) {
  MARROW_ASSERT(weights.size() <= 4, "a packed vertex has four influences");
  double sum = 0;
  for (const float weight : weights) sum += static_cast<double>(weight);
  MARROW_ASSERT(sum > 0, "weights that are all zero have no fractions");
  std::array<std::uint16_t, 4> codes{};
  std::array<double, 4> lost{};
  std::uint32_t left = steps;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double exact = static_cast<double>(weights[i]) * steps / sum;
    codes[i] = static_cast<std::uint16_t>(exact);
    lost[i] = exact - codes[i];
    left -= codes[i];
  }
  // What is left is the sum of what was lost, so that there are always more weights that lost something.
  for (; left > 0; --left) {
    std::size_t most = 0;
    for (std::size_t i = 1; i < weights.size(); ++i) {
      if (lost[i] > lost[most]) most = i;
    }
    ++codes[most];
    lost[most] = -1;
  }
  return codes;
}

}  // namespace marrow
