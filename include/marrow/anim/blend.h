// Blending: one pose out of many.
//
// Poses are gathered in layers, which are applied in order on top of the rest pose. Nothing allocates, everything is
// deterministic to the bit, and any thread may blend into a pose of its own.
#pragma once

#include <cstdint>
#include <span>

#include "marrow/anim/blend_input.h"
#include "marrow/anim/joint_mask.h"
#include "marrow/anim/pose.h"

namespace marrow {

enum class LayerMode : std::uint8_t {
  replace,  // goes from what lies below to the mean of the inputs
  add,      // adds the inputs, which are differences from some reference, to what lies below
};

// What decides how far a layer goes from what lies below to its own value, for a property of a joint.
enum class Fill : std::uint8_t {
  fade,    // the sum of the fades of the inputs that have it, at most 1
  weight,  // the sum of weight * fade, at most 1
};

struct BlendLayer {
  std::span<const BlendInput> inputs;
  LayerMode mode = LayerMode::replace;
  float weight = 1;                 // of the whole layer, from 0 to 1
  const JointMask* mask = nullptr;  // of each joint; null for all
  Fill fill = Fill::fade;           // of a layer that replaces
};

// Writes to `out` the rest pose with all layers applied, first to last. What an input does not have it says nothing
// about; a property that no input of any layer has is at rest, and absent in `out`.
//
// A layer that replaces: the value of a property is the mean of the inputs that have it, weighted by weight * fade. For
// rotations that is the mean on the sphere: signs are aligned to the input of the largest weight (of equals the first),
// the weighted sum is normalised, and one step is made to the mean of the inputs' rotation vectors there. For two
// inputs it is slerp; for inputs within 85 degrees of a common rotation it does not depend on their order and is
// continuous in the weights to 1e-6 rad; beyond it is finite, unit and deterministic. The result goes from what lies
// below to that value by fill * layer weight * mask, where 0 and 1 give the bits of the one and the other.
//
// A layer that adds, for each input with w = weight * fade * layer weight * mask: translations and morph weights are
// multiplied by w and added, rotations are applied by the sum of their rotation vectors times w, and scales multiply by
// 1 + w * (scale - 1). Nothing is normalised.
//
// All poses must have as many joints and morph weights as `out`; weights and fades must be finite and not negative.
// `out` must not be one of the inputs.
void blend(std::span<const BlendLayer> layers, Pose& out);

// One layer that replaces.
void blend(std::span<const BlendInput> inputs, Pose& out);

}  // namespace marrow
