// Shared by the tests of quat.h.
#pragma once

#include "marrow/math/types.h"
#include "support/reference.h"

namespace marrow::test {

inline constexpr int kQuatSamples = samples(50'000);

inline bool same(Quat a, Quat b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }
inline bool is_identity(Quat q) { return same(q, Quat{}); }

}  // namespace marrow::test
