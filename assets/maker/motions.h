// The motions of the character, frame by frame, and as clips.
//
// The joint root stays on the ground and goes or turns as the character does; everything else is relative to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/math/types.h"

namespace marrow::character {

struct Frame {
  std::vector<Transform> local;  // one for each joint of the rig
  float blink = 0, smile = 0;    // weights of the morph targets
};

struct Motion {
  std::string name;
  double duration_s = 0, frames_per_second = 60;
  bool loops = false;
  std::vector<std::uint32_t> joints;  // of the rig, that have tracks
  bool face = false;                  // blink and smile have tracks
  std::vector<Frame> frames;          // with the first and the last; a loop ends as it begins, but for the root
};

// Returns idle, walk, run, jump, wave, turn and grip.
//
// Walk and run begin as the left foot touches the ground and are at half of their length as the right one does. Jump
// and turn begin and end as idle begins. Wave leaves out all below the chest, grip all but the right hand's fingers.
[[nodiscard]] std::vector<Motion> make_motions();

// The skeleton that the rig's joints make, with the morph weights blink and smile at the root.
[[nodiscard]] Skeleton make_skeleton();

// Makes a clip of a motion for a skeleton that has the rig's joints by name. Blink and smile go to the first joint
// with two morph weights, if there is one. What stays at rest has no track, and keys that change no point of the skin
// by more than `tolerance_m` are left out. Fails on a joint that the skeleton does not have.
[[nodiscard]] Result<Clip> to_clip(const Motion& motion, const Skeleton& skeleton, double tolerance_m = 2e-4);

}  // namespace marrow::character
