// Kernel: the mean of vectors. See src/math/lanes.h for the rules of such a file.
#pragma once

#include "src/anim/blend_inputs_kernel.h"

namespace marrow::MARROW_LANES_NAMESPACE {

// Goes from `below` to `value` by `amount`, where 0 and 1 give the bits of the one and the other.
MARROW_INLINE F toward(F below, F value, F amount) {
  const F between = below + (value - below) * amount;
  return select(amount == splat(1.0f), value, select(splat(0.0f) < amount, between, below));
}

// The weighted mean of vectors: goes from each input to the next by its share of the weight so far, so that one alone
// and equal ones keep their bits.
template <uint32_t kSize>
MARROW_INLINE void mean_of_vectors(const PropertyLanes& here, F* value) {
  const F zero = splat(0.0f), one = splat(1.0f);
  F sum = zero;
  for (uint32_t i = 0; i < here.job.input_count; ++i) {
    const BlendInput& input = here.job.inputs[i];
    const F w = here.weight(input);
    const M takes = zero < w, first = sum == zero;
    if (bits_of(takes) == 0) continue;
    sum = sum + w;
    const F share = w / select(zero < sum, sum, one);
    for (uint32_t k = 0; k < kSize; ++k) {
      const F v = load(input.floats + here.offset + k * kBlockJoints);
      const F next = select(first, v, value[k] + (v - value[k]) * share);
      value[k] = select(takes, next, value[k]);
    }
  }
}

// Returns the lanes that the layer reaches.
template <uint32_t kSize>
MARROW_INLINE uint32_t replace_vectors(const PropertyLanes& here, F layer) {
  const Sums sums = sum_inputs(here);
  const F zero = splat(0.0f);
  const F amount = select(zero < sums.weight, sums.fill * layer, zero);
  F value[kSize];
  const float* from = here.job.below + here.offset;
  for (uint32_t k = 0; k < kSize; ++k) value[k] = load(from + k * kBlockJoints);
  mean_of_vectors<kSize>(here, value);
  for (uint32_t k = 0; k < kSize; ++k) {
    const F below = load(from + k * kBlockJoints);
    store(here.job.out + here.offset + k * kBlockJoints, toward(below, value[k], amount));
  }
  return bits_of(zero < amount);
}

// The same for even properties, each of which begins `kFirst` floats into the block.
template <uint32_t kCount, uint32_t... kFirst>
static MARROW_NOINLINE void replace_even_vectors(const BlendLayerJob& job, const EvenLayer& layer,
                                                 const BlockRun& run) {
  constexpr uint32_t kFirsts[] = {kFirst...}, kRows = 3 * sizeof...(kFirst);
  const EvenRun<kCount> all(job, layer, run);
  all.for_each([&](const auto& at) {
    const auto row = [&](uint32_t k) { return at.offset + (kFirsts[k / 3] + k % 3 * kBlockJoints); };
    F value[kRows];
    for (uint32_t k = 0; k < kRows; ++k) value[k] = load(all.inputs[0].floats + row(k));
    for (uint32_t i = 1; i < all.count(); ++i) {
      const F share = splat(all.inputs[i].share);
      for (uint32_t k = 0; k < kRows; ++k) {
        value[k] = value[k] + (load(all.inputs[i].floats + row(k)) - value[k]) * share;
      }
    }
    if (!all.whole) {
      for (uint32_t k = 0; k < kRows; ++k) value[k] = toward(load(all.below + row(k)), value[k], all.amount(at));
    }
    for (uint32_t k = 0; k < kRows; ++k) store(all.out + row(k), value[k]);
  });
}

}  // namespace marrow::MARROW_LANES_NAMESPACE
