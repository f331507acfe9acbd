// Clips for other skeletons, by a map of their joints.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/clip/joint_map.h"

namespace marrow {

struct RemappedClip {
  Clip clip;
  std::vector<UnmappedJoint> unmapped;  // the joints that lost some or all of their tracks, in order
  std::vector<std::uint32_t> resting;   // the joints of the new skeleton that have no track in the result
};

// Returns a clip of one skeleton for another: tracks go to the targets of their joints. If joints share a target,
// the joint whose track comes first in the clip goes there. Values are copied unchanged, even if the rest poses differ.
// Fails as Clip::create does, and if the map was made for other skeletons.
[[nodiscard]] Result<RemappedClip> remap(const Skeleton& from, const Clip& clip, const Skeleton& to,
                                         const JointMap& map);

}  // namespace marrow
