// Blending in long double, written from the words of blend.h with none of marrow's code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "anim/reference.h"
#include "marrow/anim/blend.h"

namespace marrow::test {

// The mean of rotations on the sphere: signs aligned to the largest weight, the weighted sum normalised, and one step
// to the mean of the rotation vectors from there.
[[nodiscard]] RefQuat mean_of_rotations(std::span<const RefQuat> rotations, std::span<const Real> weights);

struct RefPose {
  std::vector<RefTransform> joints;
  std::vector<std::vector<Real>> morphs;  // of each joint
  std::vector<bool> present[4];           // of each property, for each joint

  // Joints whose rotation came to a choice between two ways that rounding may decide: half a turn apart.
  std::vector<bool> undecided;
};
[[nodiscard]] RefPose to_ref(const Pose& pose);

struct RefInput {
  const Pose* pose;
  Real weight, fade;
};
struct RefLayer {
  std::vector<RefInput> inputs;
  LayerMode mode = LayerMode::replace;
  Real weight = 1;
  std::vector<Real> mask;  // of each joint; empty for all
  Fill fill = Fill::fade;
};

// What blend() should write.
[[nodiscard]] RefPose blend_reference(const Skeleton& skeleton, std::span<const RefLayer> layers);

}  // namespace marrow::test
