// The kernels of this module: one table of functions for each number of lanes. Internal; no standard headers.
#pragma once

#include <stdint.h>

#include "src/anim/clip_layout.h"

namespace marrow {

struct BlendInput;
struct PoseBlock;
struct PresentBits;

// One layer of a blend: writes all of `out` from `below`, which may be the same.
struct BlendLayerJob {
  const BlendInput* inputs;
  uint32_t input_count;
  float weight;
  const float* mask;  // for each joint, to a multiple of eight; null for 1
  bool adds;
  bool fill_by_weight;
  const float* below;
  float* out;
  PresentBits* present;  // what the layer sets is added
  uint32_t block_count, joint_count, morph_size;
  const uint32_t* morph_offsets;
  const uint32_t* morph_counts;
};

struct AnimKernels {
  // Writes all floats of a pose. `cursor` has the clip's cursor words, or is null for a search from scratch.
  void (*sample)(const ClipLayout& clip, double time_s, uint32_t* cursor, const float* rest, float* pose);

  // Writes the matrices (12 floats each) of the joints [first, last), whose parents are before them or among them.
  // Roots are the joints below `root_count`.
  void (*local_to_model)(const PoseBlock* blocks, const int32_t* parents, uint32_t root_count, uint32_t first,
                         uint32_t last, float* model);

  // Writes palette[i] = model[joints[i]] * inverse_binds[i], 12 floats each.
  void (*palette)(const float* model, const uint32_t* joints, const float* inverse_binds, uint32_t count,
                  float* palette);

  void (*blend_layer)(const BlendLayerJob& job);
};

namespace lanes1 {
extern const AnimKernels kAnimKernels;
}
namespace lanes4 {
extern const AnimKernels kAnimKernels;
}
namespace lanes8 {
extern const AnimKernels kAnimKernels;
}

// Returns the table for the lanes in use.
const AnimKernels& anim_kernels();

}  // namespace marrow
