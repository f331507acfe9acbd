// Skeletons of which only the names matter.
#pragma once

#include <string>
#include <vector>

#include "marrow/anim/skeleton.h"

namespace marrow::test {

// Returns a skeleton of joints with these names, in this order: the first is the parent of all others.
inline Skeleton named_skeleton(const std::vector<std::string>& names, const std::vector<float>& morphs_of_first = {}) {
  std::vector<JointDesc> joints(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    joints[i].name = names[i];
    joints[i].parent = i == 0 ? kNoParent : 0;
  }
  if (!joints.empty()) joints[0].morph_weights = morphs_of_first;
  return Skeleton::create(joints)->skeleton;
}

}  // namespace marrow::test
