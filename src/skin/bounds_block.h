// How the boxes of SkinBounds lie in memory: eight at a time. Internal; no standard headers.
#pragma once

#include <stdint.h>

namespace marrow {

inline constexpr uint32_t kBoundsBlock = 8;

// Boxes in mesh space. Places past the last repeat it.
struct alignas(32) BoundsBlock {
  float center[3][kBoundsBlock], half[3][kBoundsBlock];
  float radius[kBoundsBlock];     // of the ball about the centre that holds the vertices
  float loose[kBoundsBlock];      // the largest share that other joints have in them
  uint32_t offset[kBoundsBlock];  // of the joint's matrix in a palette, in floats
};

// How far the boxes so far reach, for each place of a block.
struct alignas(32) BoundsLimits {
  float low[3][kBoundsBlock], high[3][kBoundsBlock];
  float size[kBoundsBlock];  // the largest number that took part, to judge the rounding by
};

}  // namespace marrow
