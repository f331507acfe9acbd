#include "math/lanes_test.h"

#include "fixtures/random.h"
#include "marrow/math/simd.h"

namespace marrow::test {

float any_number(std::uint32_t& state) {
  state = Xorshift32(state).next();
  const float odd[] = {0.0f, -0.0f, 1e-40f, -1e-40f, 1.0f, __builtin_inff(), -__builtin_inff(), 3e38f};
  const std::uint32_t kind = state >> 28;
  if (kind < 8) return odd[kind];
  return (static_cast<float>(state & 0xffffffu) / 8388608.0f - 1.0f) * (kind < 12 ? 1.0f : 1e10f);
}

bool lanes_available(int lanes) {
  for (const Lanes available : available_lanes()) {
    if (static_cast<int>(available) == lanes) return true;
  }
  return false;
}

}  // namespace marrow::test
