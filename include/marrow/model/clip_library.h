// Clips of one model for another, by a map of their joints: for files that hold nothing but motion.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/clip/remap.h"
#include "marrow/model/model.h"

namespace marrow {

struct AddedClips {
  Model model;                // with the clips of the library behind its own
  std::uint32_t first_added;  // their place in model.clips()

  // For each clip that was added, the joints of the library's skeleton whose tracks, all or some, were left out.
  std::vector<std::vector<UnmappedJoint>> unmapped;
};

// Returns the model with the clips of a library, each track moved to the target of its joint (remap.h). Fails if the
// models have different axes up, if the map was made for other skeletons, or if the library has tracks and none
// of them has a target.
[[nodiscard]] Result<AddedClips> add_clips(const Model& model, const Model& library, const JointMap& map);

// The same with JointMap::by_name: tracks go to the joints of the same names, or of the names that `rule` gives.
[[nodiscard]] Result<AddedClips> add_clips(const Model& model, const Model& library, const NameRule& rule = {});

}  // namespace marrow
