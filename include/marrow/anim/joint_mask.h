// JointMask: how much of a layer each joint takes, from 0 to 1.
//
// Plain values that can be built from a branch of a skeleton, feathered, combined and inverted. Making and changing
// masks may allocate; blending with one does not. One thread at a time may change a mask, any number may read it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marrow/anim/skeleton.h"

namespace marrow {

class JointMask {
 public:
  // A mask with one value for all joints.
  explicit JointMask(const Skeleton& skeleton, float value = 0.0f);

  // A mask from a value for each joint, each in [0, 1].
  [[nodiscard]] static JointMask from_values(const Skeleton& skeleton, std::span<const float> values);

  // A mask that is 1 at `joint` and below and 0 elsewhere. With `feather` generations, it rises to 1 in that many equal
  // steps: a feather of 3 gives the joint 1/4, its children 2/4, theirs 3/4, and all below 1.
  [[nodiscard]] static JointMask from_branch(const Skeleton& skeleton, std::uint32_t joint, std::uint32_t feather = 0);

  [[nodiscard]] std::uint32_t joint_count() const { return joint_count_; }
  [[nodiscard]] float operator[](std::uint32_t joint) const;
  void set(std::uint32_t joint, float value);

  // Each changes this mask, joint by joint, and returns it. The other must have as many joints.
  JointMask& invert();                             // 1 - a
  JointMask& multiply_by(const JointMask& other);  // a * b: where both are
  JointMask& take_larger(const JointMask& other);  // where either is
  JointMask& take_smaller(const JointMask& other);

  // All values, and zeros up to a multiple of eight.
  [[nodiscard]] std::span<const float> padded() const { return values_; }

 private:
  std::uint32_t joint_count_;
  std::vector<float> values_;
};

}  // namespace marrow
