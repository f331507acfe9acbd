// What the tests of the lane operations share.
#pragma once

#include <cstdint>

namespace marrow::test {

// Any number but NaN, the odd ones often.
float any_number(std::uint32_t& state);

bool lanes_available(int lanes);

}  // namespace marrow::test
