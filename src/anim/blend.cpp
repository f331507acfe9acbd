#include "marrow/anim/blend.h"

#include <algorithm>

#include "src/anim/imports.h"
#include "src/anim/kernels.h"
#include "src/anim/skeleton_data.h"

namespace marrow {
namespace {

void check_layer(const BlendLayer& layer, const SkeletonData& skeleton, const float* out) {
  MARROW_ASSERT(layer.weight >= 0.0f && layer.weight <= 1.0f, "the weight of a layer is not between 0 and 1");
  MARROW_ASSERT(layer.mask == nullptr || layer.mask->joint_count() == skeleton.joint_count,
                "the mask was made for a skeleton with another number of joints");
  for (const BlendInput& input : layer.inputs) {
    MARROW_ASSERT(input.floats != nullptr, "an input of a blend has no pose");
    MARROW_ASSERT(input.joint_count == skeleton.joint_count && input.morph_size == skeleton.morph_size,
                  "the poses of a blend differ in their number of joints or morph weights");
    MARROW_ASSERT(input.floats != out, "a pose is blended into itself");
    MARROW_ASSERT(is_weight(input.weight), "the weight of an input is negative or not finite");
    MARROW_ASSERT(input.fade >= 0.0f && input.fade <= 1.0f, "the fade of an input is not between 0 and 1");
  }
}

}  // namespace

BlendInput::BlendInput(const Pose& pose, float weight_, float fade_)
    : floats(pose.floats().data()),
      present(pose.present().data()),
      joint_count(pose.skeleton().joint_count()),
      morph_size(pose.skeleton().morph_size()),
      weight(weight_),
      fade(fade_) {}

void blend(std::span<const BlendLayer> layers, Pose& out) {
  const SkeletonData& skeleton = out.skeleton().data();
  float* const floats = out.floats().data();
  for (const BlendLayer& layer : layers) check_layer(layer, skeleton, floats);
  if (skeleton.joint_count == 0) return;
  if (layers.empty()) return out.set_rest();

  const platform::FloatScope scope;
  const AnimKernels& kernels = anim_kernels();
  const std::span<PresentBits> present = out.present();
  std::fill(present.begin(), present.end(), PresentBits{});
  const float* below = skeleton.rest_floats();
  for (const BlendLayer& layer : layers) {
    kernels.blend_layer({layer.inputs.data(), static_cast<std::uint32_t>(layer.inputs.size()), layer.weight,
                         layer.mask == nullptr ? nullptr : layer.mask->padded().data(), layer.mode == LayerMode::add,
                         layer.fill == Fill::weight, below, floats, present.data(), skeleton.block_count(),
                         skeleton.joint_count, skeleton.morph_size, skeleton.morph_offsets.data(),
                         skeleton.morph_counts.data()});
    below = floats;
  }
}

void blend(std::span<const BlendInput> inputs, Pose& out) {
  const BlendLayer layer = {inputs};
  blend({&layer, 1}, out);
}

}  // namespace marrow
