// Kernels: where boxes are that joints have moved. See src/math/lanes.h for the rules.
#pragma once

#include "src/skin/bounds_block.h"
#include "src/skin/kernel_imports.h"

namespace marrow::MARROW_LANES_NAMESPACE {

// The image of a box along one axis, or of the ball around it, whichever reaches less far; exact for any matrix.
MARROW_INLINE void move_along(const BoundsBlock& block, uint32_t lane, const float* palette, const float* others,
                              uint32_t axis, F& lowest, F& highest, F& size) {
  F x, y, z, t;
  load_rows(palette + 4 * axis, block.offset + lane, 1, x, y, z, t);
  const F cx = load(block.center[0] + lane), cy = load(block.center[1] + lane), cz = load(block.center[2] + lane);
  const F hx = load(block.half[0] + lane), hy = load(block.half[1] + lane), hz = load(block.half[2] + lane);
  const F mx = magnitude(x), my = magnitude(y), mz = magnitude(z);
  const F middle = ((x * cx + y * cy) + z * cz) + t;
  const F by_box = (mx * hx + my * hy) + mz * hz;
  const F by_ball = load(block.radius + lane) * square_root((x * x + y * y) + z * z);
  const F reach = select(by_ball < by_box, by_ball, by_box);
  const F sizes = (mx * magnitude(cx) + my * magnitude(cy)) + (mz * magnitude(cz) + magnitude(t));
  size = larger(size, sizes + by_box);
  F low = middle - reach, high = middle + reach;
  if (others) {
    const F loose = load(block.loose + lane), zero = splat(0.0f);
    low = low - loose * larger(zero, low - splat(others[axis]));
    high = high + loose * larger(zero, splat(others[3 + axis]) - high);
  }
  lowest = select(low < lowest, low, lowest);
  highest = select(highest < high, high, highest);
}

static void move_boxes(const BoundsBlock* blocks, uint32_t count, const float* palette, const float* others,
                       BoundsLimits& limits) {
  for (uint32_t lane = 0; lane < kBoundsBlock; lane += MARROW_LANES) {
    F low[3], high[3], size = load(limits.size + lane);
    for (uint32_t axis = 0; axis < 3; ++axis) {
      low[axis] = load(limits.low[axis] + lane);
      high[axis] = load(limits.high[axis] + lane);
    }
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t axis = 0; axis < 3; ++axis) {
        move_along(blocks[i], lane, palette, others, axis, low[axis], high[axis], size);
      }
    }
    for (uint32_t axis = 0; axis < 3; ++axis) {
      store(limits.low[axis] + lane, low[axis]);
      store(limits.high[axis] + lane, high[axis]);
    }
    store(limits.size + lane, size);
  }
}

}  // namespace marrow::MARROW_LANES_NAMESPACE
