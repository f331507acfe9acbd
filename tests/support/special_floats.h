// Floats that tests use as inputs and expected results.
#pragma once

#include <limits>

namespace marrow::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kDenormal = std::numeric_limits<float>::denorm_min();  // the smallest
inline constexpr float kPiFloat = 3.14159265358979323846f;                    // the float nearest to pi

inline constexpr double kInfDouble = std::numeric_limits<double>::infinity();

}  // namespace marrow::test
