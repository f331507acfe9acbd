// Kernels: local transforms to matrices, down the hierarchy, and to palettes. See src/math/lanes.h for the rules.
#pragma once

#include "marrow/anim/pose_block.h"
#include "src/anim/kernel_imports.h"

namespace marrow::MARROW_LANES_NAMESPACE {

inline constexpr uint32_t kAffineFloats = 12;

// out = a * b. Rows 0 and 1 go side by side; each row is ((a.x * b0 + a.y * b1) + a.z * b2) + (0, 0, 0, a.w).
MARROW_INLINE void multiply_affine(const float* a, const float* b, float* out) {
  const Row2 a01 = load_row2(a);
  const Row a2 = load_row(a + 8);
  const Row2 b0 = load_row_twice(b), b1 = load_row_twice(b + 4), b2 = load_row_twice(b + 8);
  const Row2 out01 = ((splat_x(a01) * b0 + splat_y(a01) * b1) + splat_z(a01) * b2) + only_w(a01);
  const Row out2 = ((splat_x(a2) * first(b0) + splat_y(a2) * first(b1)) + splat_z(a2) * first(b2)) + only_w(a2);
  store_row2(out, out01);
  store_row(out + 8, out2);
}

// Writes the eight matrices of a block, translation * rotation * scale.
MARROW_INLINE void compose_block(const PoseBlock& block, float* out) {
  for (uint32_t lane = 0; lane < kBlockJoints; lane += MARROW_LANES) {
    const F x = load(block.rotation[0] + lane), y = load(block.rotation[1] + lane);
    const F z = load(block.rotation[2] + lane), w = load(block.rotation[3] + lane);
    const F sx = load(block.scale[0] + lane), sy = load(block.scale[1] + lane), sz = load(block.scale[2] + lane);
    const F one = splat(1.0f);
    const F x2 = x + x, y2 = y + y, z2 = z + z;
    const F xx = x * x2, xy = x * y2, xz = x * z2;
    const F yy = y * y2, yz = y * z2, zz = z * z2;
    const F wx = w * x2, wy = w * y2, wz = w * z2;
    float* p = out + lane * kAffineFloats;
    store_rows(p, kAffineFloats, (one - (yy + zz)) * sx, (xy - wz) * sy, (xz + wy) * sz,
               load(block.translation[0] + lane));
    store_rows(p + 4, kAffineFloats, (xy + wz) * sx, (one - (xx + zz)) * sy, (yz - wx) * sz,
               load(block.translation[1] + lane));
    store_rows(p + 8, kAffineFloats, (xz - wy) * sx, (yz + wx) * sy, (one - (xx + yy)) * sz,
               load(block.translation[2] + lane));
  }
}

// To put the children of other blocks side by side, one in each lane, was tried: collecting their parents and writing
// the results back takes as many instructions as it saves, for the hierarchy and for palettes.
static void local_to_model(const PoseBlock* blocks, const int32_t* parents, uint32_t root_count, uint32_t first,
                           uint32_t last, float* model) {
  alignas(32) float local[kBlockJoints * kAffineFloats];
  for (uint32_t joint = first; joint < last;) {
    const uint32_t block = joint / kBlockJoints;
    const uint32_t block_end = (block + 1) * kBlockJoints;
    const uint32_t end = block_end < last ? block_end : last;
    compose_block(blocks[block], local);
    for (; joint < end; ++joint) {
      const float* from = local + (joint % kBlockJoints) * kAffineFloats;
      float* to = model + static_cast<uint64_t>(joint) * kAffineFloats;
      if (joint < root_count) {
        for (uint32_t i = 0; i < kAffineFloats; i += 4) store_row(to + i, load_row(from + i));
      } else {
        multiply_affine(model + static_cast<uint64_t>(parents[joint]) * kAffineFloats, from, to);
      }
    }
  }
}

static void multiply_palette(const float* model, const uint32_t* joints, const float* inverse_binds, uint32_t count,
                             float* palette) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t at = static_cast<uint64_t>(i) * kAffineFloats;
    multiply_affine(model + static_cast<uint64_t>(joints[i]) * kAffineFloats, inverse_binds + at, palette + at);
  }
}

}  // namespace marrow::MARROW_LANES_NAMESPACE
