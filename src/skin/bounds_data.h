// What a SkinBounds is made of. Internal.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/skin/bounds.h"
#include "src/skin/bounds_block.h"

namespace marrow {

inline constexpr std::uint32_t kAffineFloats = 12;

// How far a morph target moves the vertices of a box at weight 1: from `low` to `high`, 0 included.
struct MorphReach {
  std::uint32_t target;
  Vec3 low, high;
};

// Boxes in blocks, and what morph targets do to each.
struct BoxList {
  std::uint32_t count = 0;
  std::vector<BoundsBlock> blocks;
  std::vector<std::uint32_t> first_reach;  // count + 1, or empty without morph targets
  std::vector<MorphReach> reaches;
};

// Vertices that follow the same joints, one of them the most.
struct JointSet {
  std::uint32_t main = 0;              // in the list of main boxes
  std::uint32_t first = 0, count = 0;  // of the others
  Vec3 center;
  float radius = 0;
  float loose = 0;  // the largest share that the others have together
};

// A joint of a set that is not the main one.
struct OtherJoint {
  std::uint32_t joint;
  float weight;  // the largest that it has
};

struct SkinBoundsData {
  BoxList mains, minors;
  std::vector<JointSet> sets;  // by main box; those of more than one joint
  std::vector<OtherJoint> others;
  std::vector<float> target_lengths;  // how far each morph target moves a vertex at most, at weight 1
  std::uint32_t joint_end = 0;        // one past the largest joint
  float sum_error = 0;                // how far the weights of a vertex are from summing to 1
};

}  // namespace marrow
