// Clips with left and right exchanged.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/clip/joint_map.h"
#include "marrow/math/types.h"

namespace marrow {

struct MirrorOptions {
  Vec3 normal{1, 0, 0};  // of the plane that divides left from right, in model space; of any length but zero
};

struct MirroredClip {
  Clip clip;
  std::vector<std::uint32_t> unpaired;  // joints that the map leaves without a partner: they mirror in place
  // Joints that come out only nearly right: their partner's parent is not their parent's partner; or the two parents
  // rest with scales that are not mirror images of each other, some negative or different along some axis; or the morph
  // weights of the two are of another number, and those tracks are left out.
  std::vector<std::uint32_t> uneven;
};

// Returns the clip with left and right exchanged: what the left hand did the right hand does, mirrored. How each joint
// departs from rest is mirrored in model space, so the axes of the joints need not be mirror images of each other, and
// the rest pose stays what it is. Done twice it gives the clip again, to rounding, but for scales along axes that the
// partner does not have: they are spread over those it has. Morph weights are copied to the partner unchanged.
//   pairs: leads from each joint to its partner and back; see JointMap::mirror_pairs
// Fails, naming the place, on a normal that is zero or not finite, on a map that was made for another skeleton, and on
// a joint whose partner does not lead back to it.
[[nodiscard]] Result<MirroredClip> mirror(const Skeleton& skeleton, const Clip& clip, const JointMap& pairs,
                                          const MirrorOptions& options = {});

// The same with the pairs that opposite_name gives. For many clips, build the map once.
[[nodiscard]] Result<MirroredClip> mirror(const Skeleton& skeleton, const Clip& clip,
                                          const MirrorOptions& options = {});

}  // namespace marrow
