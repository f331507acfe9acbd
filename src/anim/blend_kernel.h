// Kernel: applies one layer of poses. blend.h says what comes out; see src/math/lanes.h for the rules of such a file.
#pragma once

#include "src/anim/blend_additions_kernel.h"
#include "src/anim/blend_rotations_kernel.h"
#include "src/anim/blend_vectors_kernel.h"

namespace marrow::MARROW_LANES_NAMESPACE {

// Adds `more` from a lane on to the bits of a block.
MARROW_INLINE void set_bits(uint8_t& bits, uint32_t more, uint32_t lane) {
  bits = static_cast<uint8_t>(bits | more << lane);
}

// The lanes of a block that have a joint.
MARROW_INLINE uint32_t joints_of_block(const BlendLayerJob& job, uint32_t block) {
  const uint32_t rest = job.joint_count - block * kBlockJoints;
  return rest < kBlockJoints ? (1u << rest) - 1u : 0xffu;
}

static void add_layer(const BlendLayerJob& job) {
  for (uint32_t block = 0; block < job.block_count; ++block) {
    PresentBits& present = job.present[block];
    for (uint32_t lane = 0; lane < kBlockJoints; lane += MARROW_LANES) {
      const F layer = layer_share(job.weight, job.mask, block, lane);
      const auto lanes_of = [&](uint8_t PresentBits::*property, uint32_t first) {
        return in_block(job, property, first, block, lane);
      };
      set_bits(present.translation, add_vectors<3, false>(lanes_of(&PresentBits::translation, kTranslation), layer),
               lane);
      set_bits(present.rotation, add_rotations(lanes_of(&PresentBits::rotation, kRotation), layer), lane);
      set_bits(present.scale, add_vectors<3, true>(lanes_of(&PresentBits::scale, kScale), layer), lane);
    }
  }
}

// The bits of a block's translations, rotations and scales as one word, so that they are handled together.
MARROW_INLINE uint32_t word_of(const PresentBits& bits) { return platform::bit_cast<uint32_t>(bits); }
MARROW_INLINE uint32_t word_of(uint32_t lanes) { return lanes * word_of({1, 1, 1, 0}); }

// Returns the properties that every input has in all joints of the block, as words of ones.
MARROW_INLINE uint32_t even_properties(const BlendLayerJob& job, uint32_t block) {
  const uint32_t joints = joints_of_block(job, block);
  uint32_t missing = 0;
  for (uint32_t i = 0; i < job.input_count; ++i) missing |= ~word_of(job.inputs[i].present[block]);
  missing &= word_of(joints);
  if (missing == 0) return word_of(0xff);
  const PresentBits bits = platform::bit_cast<PresentBits>(missing);
  const auto ones = [](uint8_t any) { return static_cast<uint8_t>(any == 0 ? 0xff : 0); };
  return word_of({ones(bits.translation), ones(bits.rotation), ones(bits.scale), 0});
}

// True if every input has everything but morph weights: the most common case, and quickly found.
MARROW_INLINE bool all_even(const BlendLayerJob& job) {
  const uint32_t last = job.block_count - 1, joints = joints_of_block(job, last);
  uint32_t missing = 0, missing_last = 0;
  for (uint32_t i = 0; i < job.input_count; ++i) {
    const PresentBits* present = job.inputs[i].present;
    for (uint32_t block = 0; block < last; ++block) missing |= ~word_of(present[block]);
    missing_last |= ~word_of(present[last]);
  }
  return ((missing & word_of(0xff)) | (missing_last & word_of(joints))) == 0;
}

// Marks what the layer reaches of the even properties of a run.
MARROW_INLINE void mark_even(const BlendLayerJob& job, const EvenLayer& even, uint32_t properties,
                             const BlockRun& run) {
  PresentBits* const present = job.present;
  const auto mark = [present](uint32_t block, uint32_t word) {
    present[block] = platform::bit_cast<PresentBits>(word_of(present[block]) | word);
  };
  if (job.mask == nullptr) {
    if (!(0.0f < even.fill * job.weight)) return;
    for (uint32_t block = run.begin; block + 1 < run.end; ++block) mark(block, properties);
    mark(run.end - 1, properties & word_of(joints_of_block(job, run.end - 1)));
    return;
  }
  for (uint32_t block = run.begin; block < run.end; ++block) {
    uint32_t reached = 0;
    for (uint32_t lane = 0; lane < kBlockJoints; lane += MARROW_LANES) {
      reached |= bits_of(splat(0.0f) < splat(even.fill) * layer_share(job.weight, job.mask, block, lane)) << lane;
    }
    mark(block, properties & word_of(reached & joints_of_block(job, block)));
  }
}

// Replaces what is even in the blocks of a run.
MARROW_INLINE void replace_even(const BlendLayerJob& job, const EvenLayer& even, uint32_t properties,
                                const BlockRun& run) {
  const PresentBits is_even = platform::bit_cast<PresentBits>(properties);
  if (is_even.translation != 0 && is_even.scale != 0) {
    const auto replace = even.count == 2   ? replace_even_vectors<2, kTranslation, kScale>
                         : even.count == 3 ? replace_even_vectors<3, kTranslation, kScale>
                                           : replace_even_vectors<0, kTranslation, kScale>;
    replace(job, even, run);
  } else if (is_even.translation != 0) {
    replace_even_vectors<0, kTranslation>(job, even, run);
  } else if (is_even.scale != 0) {
    replace_even_vectors<0, kScale>(job, even, run);
  }
  if (is_even.rotation != 0) replace_even_rotations(job, even, run);
  mark_even(job, even, properties, run);
}

// Replaces what is not even in a block.
static MARROW_NOINLINE void replace_uneven(const BlendLayerJob& job, const EvenLayer& even, uint32_t properties,
                                           uint32_t block) {
  const PresentBits is_even = platform::bit_cast<PresentBits>(properties);
  PresentBits& present = job.present[block];
  for (uint32_t lane = 0; lane < kBlockJoints; lane += MARROW_LANES) {
    const F layer = layer_share(job.weight, job.mask, block, lane);
    if (is_even.translation == 0) {
      const PropertyLanes here = in_block(job, &PresentBits::translation, kTranslation, block, lane);
      set_bits(present.translation, replace_vectors<3>(here, layer), lane);
    }
    if (is_even.rotation == 0) {
      const PropertyLanes here = in_block(job, &PresentBits::rotation, kRotation, block, lane);
      set_bits(present.rotation, replace_rotations(even, here, layer), lane);
    }
    if (is_even.scale == 0) {
      const PropertyLanes here = in_block(job, &PresentBits::scale, kScale, block, lane);
      set_bits(present.scale, replace_vectors<3>(here, layer), lane);
    }
  }
}

static void replace_layer(const BlendLayerJob& job) {
  EvenInput inputs[kMostEvenInputs];
  const EvenLayer even = even_layer(job, inputs);
  // Runs of blocks in which the same properties are even.
  const bool all = even.count != 0 && all_even(job);
  for (BlockRun run = {0, 0}; run.begin < job.block_count; run.begin = run.end) {
    const uint32_t rest = job.block_count - run.begin;
    const uint32_t most = run.begin + (rest < kBlocksTogether ? rest : kBlocksTogether);
    const auto properties_of = [&](uint32_t block) { return even.count == 0 ? 0u : even_properties(job, block); };
    const uint32_t properties = all ? word_of(0xff) : properties_of(run.begin);
    run.end = all ? most : run.begin + 1;
    while (run.end < most && properties_of(run.end) == properties) ++run.end;
    replace_even(job, even, properties, run);
    for (uint32_t block = run.begin; properties != word_of(0xff) && block < run.end; ++block) {
      replace_uneven(job, even, properties, block);
    }
  }
}

static void blend_layer(const BlendLayerJob& job) {
  job.adds ? add_layer(job) : replace_layer(job);
  const uint64_t morphs = static_cast<uint64_t>(job.block_count) * kBlockFloats;
  for (uint32_t joint = 0; job.morph_size != 0 && joint < job.joint_count; ++joint) {
    const uint32_t block = joint / kBlockJoints, lane = joint % kBlockJoints;
    const F layer = splat(job.mask == nullptr ? job.weight : job.weight * job.mask[joint]);
    for (uint32_t k = 0; k < job.morph_counts[joint]; k += MARROW_LANES) {
      const PropertyLanes here = {job, &PresentBits::morph, block, lane, morphs + job.morph_offsets[joint] + k, true};
      const uint32_t any = job.adds ? add_vectors<1, false>(here, layer) : replace_vectors<1>(here, layer);
      if (any != 0) set_bits(job.present[block].morph, 1, lane);
    }
  }
}

}  // namespace marrow::MARROW_LANES_NAMESPACE
