// What a MixScratch is made of. Internal.
#pragma once

#include <vector>

#include "marrow/anim/blend.h"
#include "marrow/play/mix_scratch.h"

namespace marrow {

struct MixScratch::Data {
  std::vector<Pose> poses;
  std::vector<BlendInput> inputs;    // of those poses
  std::vector<std::uint32_t> slots;  // the player's, of each pose
  std::vector<BlendLayer> layers;
};

}  // namespace marrow
