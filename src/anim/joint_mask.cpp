#include "marrow/anim/joint_mask.h"

#include <algorithm>

#include "marrow/anim/pose_block.h"
#include "src/anim/imports.h"

namespace marrow {
namespace {

bool is_share(float value) { return value >= 0.0f && value <= 1.0f; }

template <typename Combine>
void combine(std::vector<float>& values, std::span<const float> others, const Combine& how) {
  exactly([&] {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = how(values[i], others[i]);
    return 0;
  });
}

}  // namespace

JointMask::JointMask(const Skeleton& skeleton, float value) : joint_count_(skeleton.joint_count()) {
  MARROW_ASSERT(is_share(value), "a mask's value is not between 0 and 1");
  values_.assign(joint_count_, value);
  values_.resize((joint_count_ + kBlockJoints - 1) / kBlockJoints * kBlockJoints, 0.0f);
}

JointMask JointMask::from_values(const Skeleton& skeleton, std::span<const float> values) {
  MARROW_ASSERT(values.size() == skeleton.joint_count(), "as many values as joints are needed");
  JointMask mask(skeleton);
  for (std::uint32_t j = 0; j < values.size(); ++j) mask.set(j, values[j]);
  return mask;
}

JointMask JointMask::from_branch(const Skeleton& skeleton, std::uint32_t joint, std::uint32_t feather) {
  MARROW_ASSERT(joint < skeleton.joint_count(), "the skeleton has no such joint");
  return exactly([&] {
    JointMask mask(skeleton);
    std::uint32_t depth = 0;
    for (Skeleton::Range generation{joint, joint + 1}; !generation.empty();
         generation = skeleton.children(generation)) {
      const float value =
          depth >= feather ? 1.0f : static_cast<float>(depth + 1) / (static_cast<float>(feather) + 1.0f);
      for (const std::uint32_t j : generation) mask.values_[j] = value;
      ++depth;
    }
    return mask;
  });
}

float JointMask::operator[](std::uint32_t joint) const {
  MARROW_ASSERT(joint < joint_count_, "the mask has no such joint");
  return values_[joint];
}

void JointMask::set(std::uint32_t joint, float value) {
  MARROW_ASSERT(joint < joint_count_, "the mask has no such joint");
  MARROW_ASSERT(is_share(value), "a mask's value is not between 0 and 1");
  values_[joint] = value;
}

JointMask& JointMask::invert() {
  combine(values_, values_, [](float a, float) { return 1.0f - a; });
  std::fill(values_.begin() + joint_count_, values_.end(), 0.0f);
  return *this;
}

JointMask& JointMask::multiply_by(const JointMask& other) {
  MARROW_ASSERT(other.joint_count_ == joint_count_, "the masks differ in their number of joints");
  combine(values_, other.values_, [](float a, float b) { return a * b; });
  return *this;
}

JointMask& JointMask::take_larger(const JointMask& other) {
  MARROW_ASSERT(other.joint_count_ == joint_count_, "the masks differ in their number of joints");
  combine(values_, other.values_, [](float a, float b) { return a < b ? b : a; });
  return *this;
}

JointMask& JointMask::take_smaller(const JointMask& other) {
  MARROW_ASSERT(other.joint_count_ == joint_count_, "the masks differ in their number of joints");
  combine(values_, other.values_, [](float a, float b) { return b < a ? b : a; });
  return *this;
}

}  // namespace marrow
