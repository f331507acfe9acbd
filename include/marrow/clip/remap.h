// Clips for other skeletons, by the names of their joints.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/anim/skeleton.h"

namespace marrow {

// Turns the name of a joint into that of another.
using NameRule = std::function<std::string(std::string_view name)>;

enum class NotMapped : std::uint8_t {
  no_such_joint,      // no joint has the name that it should go to
  joint_taken,        // another joint went there already
  other_morph_count,  // the other joint has another number of morph weights: only these were left out
};

// Returns a sentence, e.g. "no joint has that name".
[[nodiscard]] const char* to_string(NotMapped reason);

// A joint whose tracks, all or some, are missing from the result.
struct UnmappedJoint {
  std::uint32_t joint;  // of the skeleton that the clip came from
  NotMapped reason;
};

struct RemappedClip {
  Clip clip;
  std::vector<UnmappedJoint> unmapped;  // in order of their joints; those without tracks are not told
  std::vector<std::uint32_t> resting;   // the joints of the new skeleton that have no track in the result
};

// Returns a clip of one skeleton for another: tracks go to the joint of the same name, or of the name that `rule`
// gives. Where several joints share a name the first goes to the first, the second to the second. Values are taken as
// they are, also where the skeletons rest differently. Fails only as Clip::create does.
[[nodiscard]] Result<RemappedClip> remap(const Skeleton& from, const Clip& clip, const Skeleton& to,
                                         const NameRule& rule = {});

}  // namespace marrow
