// Kernel: layers that add. See src/math/lanes.h for the rules of such a file.
#pragma once

#include "src/anim/blend_inputs_kernel.h"

namespace marrow::MARROW_LANES_NAMESPACE {

// Calls body(input, w) for each input, w being its weight in the lanes, 0 where it has nothing. Returns the lanes in
// which any has.
template <typename Body>
MARROW_INLINE uint32_t for_each_addition(const PropertyLanes& here, F layer, const Body& body) {
  uint32_t any = 0;
  for (uint32_t i = 0; i < here.job.input_count; ++i) {
    const BlendInput& input = here.job.inputs[i];
    const F w = here.weight(input) * layer;
    const uint32_t adds = bits_of(splat(0.0f) < w);
    if (adds == 0) continue;
    any |= adds;
    body(input, w);
  }
  return any;
}

template <uint32_t kSize, bool kMultiply>
MARROW_INLINE uint32_t add_vectors(const PropertyLanes& here, F layer) {
  F below[kSize], sum[kSize];
  for (uint32_t k = 0; k < kSize; ++k) sum[k] = below[k] = load(here.job.below + here.offset + k * kBlockJoints);
  const uint32_t any = for_each_addition(here, layer, [&](const BlendInput& input, F w) {
    for (uint32_t k = 0; k < kSize; ++k) {
      const F v = load(input.floats + here.offset + k * kBlockJoints);
      sum[k] = kMultiply ? sum[k] * (splat(1.0f) + w * (v - splat(1.0f))) : sum[k] + w * v;
    }
  });
  for (uint32_t k = 0; k < kSize; ++k) {
    store(here.job.out + here.offset + k * kBlockJoints, select(mask(any), sum[k], below[k]));
  }
  return any;
}

// The rotation by twice the length of the rotation vector v. Up to half a turn it comes from the series at once; what
// is longer, up to a full turn and more, is exp(v / 4) to the fourth power, which costs accuracy; what is longer still
// is cut.
MARROW_INLINE Quats rotation_of_vector(F x, F y, F z) {
  const F length2 = (x * x + y * y) + z * z, one = splat(1.0f), most = splat(39.0f);
  const M is_short = length2 < splat(2.5f);
  const F cut = splat(0.25f) * select(most < length2, square_root(most / select(most < length2, length2, most)), one);
  const F factor = select(is_short, one, cut);
  x = x * factor;
  y = y * factor;
  z = z * factor;
  const F square = (x * x + y * y) + z * z;
  const F s = sinc_of_square(square);
  const Quats q = {x * s, y * s, z * s, cosine_of_square(square)};
  Quats power = q;
  for (int i = 0; i < 2; ++i) {
    const F w2 = power.w + power.w;  // the square of a unit quaternion
    power = {power.x * w2, power.y * w2, power.z * w2, power.w * w2 - one};
  }
  return renormalized(select(is_short, q, power));
}

MARROW_INLINE uint32_t add_rotations(const PropertyLanes& here, F layer) {
  const F zero = splat(0.0f), one = splat(1.0f);
  const Quats identity = {zero, zero, zero, one};
  F x = zero, y = zero, z = zero, count = zero, sum = zero;
  Quats last = identity;
  const uint32_t any = for_each_addition(here, layer, [&](const BlendInput& input, F w) {
    const Quats q = aligned(load_quats(input.floats + here.offset, kBlockJoints), identity);
    const F arc = w * exact_inverse_sinc(squared_half_chord(identity, q));
    x = x + q.x * arc;
    y = y + q.y * arc;
    z = z + q.z * arc;
    const M adds = zero < w;
    last = select(adds, q, last);
    count = count + select(adds, one, zero);
    sum = sum + w;
  });
  const Quats below = load_quats(here.job.below + here.offset, kBlockJoints);
  Quats result = below;
  if (any != 0) {
    // One rotation alone with weight 1 is applied as it is.
    const F whole = select(count == one, sum, zero);
    const Quats added = select(whole == one, last, rotation_of_vector(x, y, z));
    result = select(mask(any), multiply(below, added), below);
  }
  store_quats(here.job.out + here.offset, kBlockJoints, result);
  return any;
}

}  // namespace marrow::MARROW_LANES_NAMESPACE
