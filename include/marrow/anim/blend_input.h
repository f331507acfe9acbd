// A pose as blending reads it.
#pragma once

#include <stdint.h>

#include "marrow/anim/pose_block.h"

namespace marrow {

class Pose;

// A pose that takes part in a layer with those properties that are present in it. It refers to the pose's memory, so
// the pose must outlive it.
struct BlendInput {
  BlendInput() = default;
  BlendInput(const Pose& pose, float weight = 1, float fade = 1);

  const float* floats = nullptr;
  const PresentBits* present = nullptr;
  uint32_t joint_count = 0, morph_size = 0;

  float weight = 1;  // its share among the inputs that have a property, together with `fade`; 0 or more
  float fade = 1;    // how far it is faded in, from 0 to 1
};

}  // namespace marrow
