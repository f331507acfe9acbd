// Arithmetic on passes, for those who build places themselves. Internal.
#pragma once

#include <cstdint>

namespace marrow {

// Passes are counted up to here, in either direction.
inline constexpr std::int64_t kMostPasses = std::int64_t{1} << 61;
[[nodiscard]] std::int64_t clamp_pass(std::int64_t pass);

// Returns a mod b, exactly; a >= 0, b > 0.
[[nodiscard]] double exact_remainder(double a, double b);

}  // namespace marrow
