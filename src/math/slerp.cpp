#include "marrow/math/quat.h"
#include "src/math/arithmetic.h"
#define MARROW_LANES 1
#include "src/math/lanes_math.h"

namespace marrow {

Quat slerp(Quat a, Quat b, float u) {
  return exactly([&]() -> Quat {
    const lanes1::Quats from = {{a.x}, {a.y}, {a.z}, {a.w}};
    lanes1::Quats to = {{b.x}, {b.y}, {b.z}, {b.w}};
    if (lanes1::dot(from, to).v < 0.0f) to = {{-b.x}, {-b.y}, {-b.z}, {-b.w}};
    const lanes1::Quats q = lanes1::slerp(from, to, {u});
    return {q.x.v, q.y.v, q.z.v, q.w.v};
  });
}

}  // namespace marrow
