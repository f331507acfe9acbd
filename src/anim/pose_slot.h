// Where in a pose a property of a joint lies. Internal to the library.
#pragma once

#include <cstdint>

#include "marrow/anim/pose.h"
#include "src/anim/skeleton_data.h"

namespace marrow {

inline constexpr std::uint32_t kBlockFloats = sizeof(PoseBlock) / sizeof(float);

// Returns how many floats a value of the property has.
inline std::uint32_t value_size(const Skeleton& skeleton, std::uint32_t joint, Property property) {
  switch (property) {
    case Property::translation:
    case Property::scale: return 3;
    case Property::rotation: return 4;
    case Property::morph: return skeleton.morph_count(joint);
  }
  return 0;
}

// Returns the offset into the floats of a pose at which the property of the joint's block starts, or the joint's first
// morph weight lies.
inline std::uint32_t slot_target(const Skeleton& skeleton, std::uint32_t joint, Property property) {
  const std::uint32_t block = joint / kBlockJoints * kBlockFloats;
  switch (property) {
    case Property::translation: return block;
    case Property::rotation: return block + 3 * kBlockJoints;
    case Property::scale: return block + 7 * kBlockJoints;
    case Property::morph: break;
  }
  return skeleton.data().block_count() * kBlockFloats + skeleton.morph_offset(joint);
}

}  // namespace marrow
