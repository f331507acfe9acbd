// Clips with left and right exchanged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/clip/remap.h"
#include "marrow/math/types.h"

namespace marrow {

// Returns the name of the joint on the other side, the name itself for one in the middle. A name has a side if it has
// the word left or right, in any case, at the start of a word ("LeftHand", "arm.right", "mixamorig:RightFoot"); or L or
// R, of either case, as a word alone ("hand_l", "Bip01 R Thigh", "DEF-thigh.L.001") or at the start of the name before
// a word with a capital ("lThigh", "LThigh"); or a capital L or R behind a small letter at the end of a word ("HandL").
[[nodiscard]] std::string opposite_name(std::string_view name);

struct MirrorOptions {
  Vec3 normal{1, 0, 0};  // of the plane that divides left from right, in model space; of any length but zero
  NameRule rule;         // gives the name on the other side; opposite_name if empty
};

struct MirroredClip {
  Clip clip;
  std::vector<std::uint32_t> unpaired;  // joints whose name has a side but no partner: they mirror in place
  // Joints that come out only nearly right: their partner's parent is not their parent's partner; or the two parents
  // rest with scales that are not mirror images of each other, some negative or different along some axis; or the morph
  // weights of the two are of another number, and those tracks are left out.
  std::vector<std::uint32_t> uneven;
};

// Returns the clip with left and right exchanged: what the left hand did the right hand does, mirrored. How each joint
// departs from rest is mirrored in model space, so the axes of the joints need not be mirror images of each other, and
// the rest pose stays what it is. Done twice it gives the clip again, to rounding, but for scales along axes that the
// partner does not have: they are spread over those it has. Morph weights go to the partner as they are. Fails, naming
// the place, on a normal that is zero or not finite.
[[nodiscard]] Result<MirroredClip> mirror(const Skeleton& skeleton, const Clip& clip,
                                          const MirrorOptions& options = {});

}  // namespace marrow
