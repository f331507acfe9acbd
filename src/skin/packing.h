// Numbers in few bits: half floats, fractions, weights that sum to exactly 1. Internal; to be called inside `exactly`
// (arithmetic.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace marrow {

inline constexpr std::uint16_t kHalfOne = 0x3c00;
inline constexpr std::uint32_t kSteps8 = 255, kSteps16 = 65535;  // from 0 to 1 in unorm8 and unorm16

// Returns the half float nearest to x, of two the one with an even last bit; infinity from 65520 on. NaN stays one.
[[nodiscard]] std::uint16_t half_from_float(float x);

// Returns the number that a half float is, which every float can hold.
[[nodiscard]] float float_from_half(std::uint16_t half);

[[nodiscard]] inline bool is_finite_half(std::uint16_t half) { return (half & 0x7c00u) != 0x7c00u; }

// True if x is in 0 to 1, or outside by less than half of one of `steps` steps.
[[nodiscard]] bool fits_unorm(float x, std::uint32_t steps);

// Returns the number of steps nearest to x, which fits; of two the larger.
[[nodiscard]] std::uint16_t unorm_from_float(float x, std::uint32_t steps);

[[nodiscard]] float float_from_unorm(std::uint16_t code, std::uint32_t steps);

// Returns up to four weights in steps that sum to exactly `steps`, by the largest remainder: each is rounded down, and
// those that lost most get one more, of equal ones the first. The weights are not negative and not all zero.
[[nodiscard]] std::array<std::uint16_t, 4> unorm_weights(std::span<const float> weights, std::uint32_t steps);

}  // namespace marrow
