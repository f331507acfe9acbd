// Kernel: what the inputs of a layer have and weigh. See src/math/lanes.h for the rules of such a file.
#pragma once

#include "marrow/anim/blend_input.h"
#include "src/anim/kernel_imports.h"
#include "src/anim/kernels.h"

namespace marrow::MARROW_LANES_NAMESPACE {

inline constexpr uint32_t kBlockFloats = sizeof(PoseBlock) / sizeof(float);
inline constexpr uint32_t kTranslation = 0, kRotation = 3 * kBlockJoints, kScale = 7 * kBlockJoints;  // in a block

MARROW_INLINE float weight_of(const BlendInput& input) { return input.weight * input.fade; }

// How much of the layer's value the lanes take beside its fill: layer weight * mask.
MARROW_INLINE F layer_share(float weight, const float* mask, uint32_t block, uint32_t lane) {
  return mask == nullptr ? splat(weight) : splat(weight) * load(mask + block * kBlockJoints + lane);
}

// ---- Some lanes of one property, in all poses of a layer ---------------------------------------------------------

struct PropertyLanes {
  const BlendLayerJob& job;
  uint8_t PresentBits::*property;
  uint32_t block, lane;  // the joint of the first lane
  uint64_t offset;       // into the floats of a pose
  bool one_joint;        // all lanes are of one joint: morph weights

  // The lanes in which an input has the property.
  uint32_t bits(const BlendInput& input) const {
    const uint32_t present = static_cast<uint32_t>(input.present[block].*property) >> lane;
    return (one_joint ? 0u - (present & 1u) : present) & kAllLanes;
  }

  // The weight of an input in the lanes, 0 where it does not have the property.
  F weight(const BlendInput& input) const { return select(mask(bits(input)), splat(weight_of(input)), splat(0.0f)); }
};

// A property of the joints from `lane` on of a block; its first float is `first` floats into the block.
MARROW_INLINE PropertyLanes in_block(const BlendLayerJob& job, uint8_t PresentBits::*property, uint32_t first,
                                     uint32_t block, uint32_t lane) {
  return {job, property, block, lane, static_cast<uint64_t>(block) * kBlockFloats + first + lane, false};
}

// The sums over the inputs that have a property: of their weights and, up to 1, of what fills the layer.
struct Sums {
  F weight, fill;
};
MARROW_INLINE Sums sum_inputs(const PropertyLanes& here) {
  const F zero = splat(0.0f);
  Sums sums = {zero, zero};
  for (uint32_t i = 0; i < here.job.input_count; ++i) {
    const BlendInput& input = here.job.inputs[i];
    const F weight = here.weight(input);
    sums.weight = sums.weight + weight;
    sums.fill =
        sums.fill + (here.job.fill_by_weight ? weight : select(mask(here.bits(input)), splat(input.fade), zero));
  }
  sums.fill = select(sums.fill < splat(1.0f), sums.fill, splat(1.0f));
  return sums;
}

// ---- Even properties: those that every input has in all joints of a block ----------------------------------------

// The common case: weights and shares are the same in all lanes and are found once for a layer.
struct EvenInput {
  const float* floats;
  float weight;  // of a sum of 1
  float share;   // of the weights so far
};
struct EvenLayer {
  const EvenInput* inputs;  // those that have weight
  uint32_t count;
  uint32_t largest;  // of equals the first
  float fill;
  bool whole;  // all of what lies below is replaced
};

inline constexpr uint32_t kMostEvenInputs = 16;  // layers of more go the general way

// Fills `inputs`. The result has a count of 0 if there are none, or too many.
MARROW_INLINE EvenLayer even_layer(const BlendLayerJob& job, EvenInput (&inputs)[kMostEvenInputs]) {
  EvenLayer layer = {inputs, 0, 0, 0.0f, false};
  float sum = 0.0f, best = 0.0f;
  for (uint32_t i = 0; i < job.input_count; ++i) {
    const float weight = weight_of(job.inputs[i]);
    layer.fill = layer.fill + (job.fill_by_weight ? weight : job.inputs[i].fade);
    if (!(0.0f < weight)) continue;
    if (layer.count == kMostEvenInputs) return {inputs, 0, 0, 0.0f, false};
    sum = sum + weight;
    if (best < weight) {
      best = weight;
      layer.largest = layer.count;
    }
    inputs[layer.count++] = {job.inputs[i].floats, weight, weight / sum};
  }
  for (uint32_t i = 0; i < layer.count; ++i) inputs[i].weight = inputs[i].weight / sum;
  layer.fill = layer.fill < 1.0f ? layer.fill : 1.0f;
  layer.whole = job.mask == nullptr && layer.fill * job.weight == 1.0f;
  return layer;
}

inline constexpr uint32_t kBlocksTogether = 16, kLanesTogether = kBlocksTogether * kBlockJoints;

// The blocks [begin, end) of a pose, at most kBlocksTogether.
struct BlockRun {
  uint32_t begin, end;
};

// What the loops over a run need: copies, so that no store through a pointer can change them and they stay in
// registers. kCount is the number of inputs, 0 if it is not known beforehand.
template <uint32_t kCount>
struct EvenRun {
  static constexpr uint32_t kMost = kCount == 0 ? kMostEvenInputs : kCount;
  const float* const below;
  float* const out;
  const float* const mask;
  const float weight, fill;
  const bool whole;
  const uint32_t begin, end, any_count;
  EvenInput inputs[kMost];

  MARROW_INLINE_METHOD EvenRun(const BlendLayerJob& job, const EvenLayer& layer, const BlockRun& run)
      : below(job.below),
        out(job.out),
        mask(job.mask),
        weight(job.weight),
        fill(layer.fill),
        whole(layer.whole),
        begin(run.begin),
        end(run.end),
        any_count(layer.count) {
    for (uint32_t i = 0; i < count(); ++i) inputs[i] = layer.inputs[i];
  }

  MARROW_INLINE_METHOD uint32_t count() const { return kCount == 0 ? any_count : kCount; }

  // Some lanes of a block; k counts them from the first block of the run.
  struct At {
    uint32_t block, lane, k;
    uint64_t offset;  // of the block's lane in the floats of a pose
  };
  template <typename Body>
  MARROW_INLINE_METHOD void for_each(const Body& body) const {
    for (uint32_t block = begin; block < end; ++block) {
      for (uint32_t lane = 0; lane < kBlockJoints; lane += MARROW_LANES) {
        body(
            At{block, lane, (block - begin) * kBlockJoints + lane, static_cast<uint64_t>(block) * kBlockFloats + lane});
      }
    }
  }
  template <typename Body>
  MARROW_INLINE_METHOD void for_each_lane(const Body& body) const {
    for (uint32_t k = 0; k < (end - begin) * kBlockJoints; k += MARROW_LANES) body(k);
  }

  // How far the lanes go from what lies below to the layer's value.
  MARROW_INLINE_METHOD F amount(const At& at) const {
    return splat(fill) * layer_share(weight, mask, at.block, at.lane);
  }
};

}  // namespace marrow::MARROW_LANES_NAMESPACE
