// Kernels: where boxes are that joints have moved. See src/math/lanes.h for the rules.
#pragma once

#include "src/math/lanes_math.h"
#include "src/skin/bounds_block.h"

namespace marrow::MARROW_LANES_NAMESPACE {

// The image of a box, or of the ball around it, whichever reaches less far; exact for any matrix.
static void move_boxes(const BoundsBlock& block, const float* palette, const float* others, BoundsLimits& limits) {
  for (uint32_t lane = 0; lane < kBoundsBlock; lane += MARROW_LANES) {
    const F radius = load(block.radius + lane), loose = load(block.loose + lane), zero = splat(0.0f);
    const F cx = load(block.center[0] + lane), cy = load(block.center[1] + lane), cz = load(block.center[2] + lane);
    const F hx = load(block.half[0] + lane), hy = load(block.half[1] + lane), hz = load(block.half[2] + lane);
    const F sx = magnitude(cx), sy = magnitude(cy), sz = magnitude(cz);
    F size = load(limits.size + lane);
    for (uint32_t axis = 0; axis < 3; ++axis) {
      F x, y, z, t;
      load_rows(palette + 4 * axis, block.joint + lane, 12, x, y, z, t);
      const F mx = magnitude(x), my = magnitude(y), mz = magnitude(z);
      const F middle = ((x * cx + y * cy) + z * cz) + t;
      const F by_box = (mx * hx + my * hy) + mz * hz;
      const F by_ball = radius * square_root((x * x + y * y) + z * z);
      const F reach = select(by_ball < by_box, by_ball, by_box);
      size = larger(size, ((mx * sx + my * sy) + (mz * sz + magnitude(t))) + by_box);
      F low = middle - reach, high = middle + reach;
      if (others) {
        low = low - loose * larger(zero, low - splat(others[axis]));
        high = high + loose * larger(zero, splat(others[3 + axis]) - high);
      }
      const F lowest = load(limits.low[axis] + lane), highest = load(limits.high[axis] + lane);
      store(limits.low[axis] + lane, select(low < lowest, low, lowest));
      store(limits.high[axis] + lane, select(highest < high, high, highest));
    }
    store(limits.size + lane, size);
  }
}

}  // namespace marrow::MARROW_LANES_NAMESPACE
