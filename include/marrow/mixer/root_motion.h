// Root motion: the way that a character goes in a clip, taken out of its pose and handed to the game.
#pragma once

#include <cstdint>

#include "marrow/math/types.h"

namespace marrow {

// Which motion is taken out. The rest of the joint's motion stays in the pose.
struct RootMotionOptions {
  std::uint32_t joint = 0;
  bool horizontal = true;  // translation across `up`
  bool vertical = true;    // translation along `up`
  bool yaw = true;         // rotation about `up`, at the joint: one away from the axis goes round it
  Vec3 up{0, 0, 1};        // of the model
};

// How far a character went in one update, in model space as it stood before: the object's new transform is
// object * delta. Deltas compose like matrices.
struct RootMotion {
  Vec3 translation;
  Quat rotation;
};

}  // namespace marrow
