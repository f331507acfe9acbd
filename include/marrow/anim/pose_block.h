// How poses are laid out in memory: eight joints at a time, one property after another.
#pragma once

#include <stdint.h>

namespace marrow {

// Joints in a block, whatever instructions the processor has: the layout never depends on it.
inline constexpr uint32_t kBlockJoints = 8;

// The local transforms of eight joints, structure of arrays: translation[axis][joint], rotation[x y z w][joint],
// scale[axis][joint]. The places past the last joint hold the identity.
struct alignas(64) PoseBlock {
  float translation[3][kBlockJoints];
  float rotation[4][kBlockJoints];
  float scale[3][kBlockJoints];
};
static_assert(sizeof(PoseBlock) == 320);

// Which properties of the eight joints of a block are present, a bit for each joint, lowest first.
struct PresentBits {
  uint8_t translation = 0, rotation = 0, scale = 0, morph = 0;
};

}  // namespace marrow
