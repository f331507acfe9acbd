// The kernels of this module: one table of functions for each number of lanes. Internal; no standard headers.
#pragma once

#include <stdint.h>

namespace marrow {

// Arrays with a stride in floats; null if not there.
struct FloatsIn {
  const float* data;
  uint32_t stride;
};
struct FloatsOut {
  float* data;
  uint32_t stride;
};

// What SkinJob says.
struct SkinKernelJob {
  uint64_t count;

  FloatsIn positions, normals, tangents;

  uint32_t influences;
  const uint8_t* joints;  // of one byte or two each
  uint32_t joint_stride;  // in bytes
  bool wide_joints;       // two bytes
  FloatsIn weights;

  // Or these instead (influence_groups.h); null if not.
  const uint32_t* group_first;
  const uint32_t* group_joints;
  const float* group_weights;

  const float* palette;  // matrices of 12 floats, or dual quaternions of 20 (dual_quaternions.h); at least one
  uint32_t palette_size;
  bool dual, stretched;
  bool by_matrix;  // normals go by the matrix itself, not by its cofactors

  FloatsOut out_positions, out_normals, out_tangents;
};

struct BoundsBlock;
struct BoundsLimits;

struct SkinKernels {
  void (*skin)(const SkinKernelJob& job);

  // Widens the limits by where the boxes of some blocks are. `others` is where the vertices' other joints put them,
  // three low ends and three high ones: a box is widened towards that by its looseness. Null for none.
  void (*move_boxes)(const BoundsBlock* blocks, uint32_t count, const float* palette, const float* others,
                     BoundsLimits& limits);
};

namespace lanes1 {
extern const SkinKernels kSkinKernels;
}
namespace lanes4 {
extern const SkinKernels kSkinKernels;
}
namespace lanes8 {
extern const SkinKernels kSkinKernels;
}

// Returns the table for the lanes in use.
const SkinKernels& skin_kernels();

}  // namespace marrow
