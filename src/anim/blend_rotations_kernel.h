// Kernel: the mean of rotations on the sphere. See src/math/lanes.h for the rules of such a file.
#pragma once

#include "src/anim/blend_inputs_kernel.h"

namespace marrow::MARROW_LANES_NAMESPACE {

// Goes from `below` to `value` by `amount`, where 0 and 1 give the bits of the one and the other.
MARROW_INLINE Quats toward(const Quats& below, const Quats& value, F amount) {
  const Quats between = slerp(below, aligned(value, below), amount);
  return select(amount == splat(1.0f), value, select(splat(0.0f) < amount, between, below));
}

// ---- Two ---------------------------------------------------------------------------------------------------------

// y = sin(t / 2)^2 from the cosine of the angle t between a and b or -b, whichever is nearer. It errs by rounding where
// the chord would not, but all that is made of it here changes little with y.
MARROW_INLINE F half_sine2(F cosine) { return splat(0.5f) - splat(0.5f) * magnitude(cosine); }

// For two inputs the mean is slerp. The weight of b has the sign that brings b to the side of a.
MARROW_INLINE SlerpWeights pair_weights(const EvenSlerp& short_arc, const EvenSlerp& long_arc, F cosine) {
  const F y = half_sine2(cosine);
  const M is_far = splat(kNearSlerp) < y;
  const SlerpWeights short_ones = short_arc.near_weights(y), long_ones = long_arc.far_weights(y);
  return {select(is_far, long_ones.a, short_ones.a), times_sign_of(select(is_far, long_ones.b, short_ones.b), cosine)};
}

// ---- More --------------------------------------------------------------------------------------------------------
//
// The signs are aligned to the largest input and the sum is normalised to the center m; then one step is made to the
// mean of the rotation vectors from there. In the space of four dimensions the rotation vector from m to q is the part
// of q at right angles to m, made as long as the arc: (q - c m) t / sin(t), where c = cos(t). The weights add up to 1,
// and the sum is at least as long as the largest weight, since all inputs are on its side.

MARROW_INLINE F inverse_root(F x) { return splat(1.0f) / square_root(x); }

// What an input is to be multiplied by in the sum of the rotation vectors, from its cosine to m and its weight with the
// sign that aligns it to the largest. Within kNearArc of m a short polynomial does, and the sign is right for m too.
struct ArcWeight {
  F value;
  M is_far;
};
MARROW_INLINE ArcWeight near_arc_weight(F cosine, F aligned) {
  const F versine = splat(1.0f) - times_sign_of(cosine, aligned);
  return {aligned * near_inverse_sinc(versine), splat(kNearArc) < versine};
}
MARROW_INLINE F arc_weight(F cosine, F aligned) {
  const ArcWeight short_arc = near_arc_weight(cosine, aligned);
  const F long_arc = magnitude(aligned) * exact_inverse_sinc(half_sine2(cosine));
  return select(short_arc.is_far, times_sign_of(long_arc, cosine), short_arc.value);
}

// The rotation vector v to go by is the sum of the inputs times their arc weights, less `along` m, where along is the
// sum of the cosines times the arc weights. The end is m cos|v| + v sin|v| / |v|. Of a short step that is p = m + v,
// made unit: the tangent differs from the arc by |v|^3 / 3, less than 2e-8 to kNearStep. No step is longer where all
// inputs are within 41 degrees of m.
inline constexpr float kNearStep = 1.0f / 65536.0f;  // of |v|^2
MARROW_INLINE F squared_step(const Quats& p) { return dot(p, p) - splat(1.0f); }
MARROW_INLINE Quats near_end(const Quats& p, F step2) { return scale(p, splat(1.0f) - splat(0.5f) * step2); }
MARROW_INLINE Quats mean_end(const Quats& p, const Quats& total, F inverse) {
  const F step2 = squared_step(p), sinc = sinc_of_square(step2);
  const Quats long_arc = weighted_sum(p, sinc, total, (cosine_of_square(step2) - sinc) * inverse);
  return select(splat(kNearStep) < step2, long_arc, near_end(p, step2));
}

// ---- Even rotations ----------------------------------------------------------------------------------------------
//
// All go through each step together: the steps of one wait for each other for longer than the processor can look ahead,
// the same step of many does not.

template <typename At>
MARROW_INLINE Quats load_rotation(const float* floats, const At& at) {
  return load_quats(floats + at.offset + kRotation, kBlockJoints);
}

// The sum of the inputs times weights.
template <typename Run, typename At>
MARROW_INLINE Quats sum_rotations(const Run& all, const At& at, const float (*weights)[kLanesTogether]) {
  Quats sum = scale(load_rotation(all.inputs[0].floats, at), load(weights[0] + at.k));
  for (uint32_t i = 1; i < all.count(); ++i) {
    sum = add(sum, scale(load_rotation(all.inputs[i].floats, at), load(weights[i] + at.k)));
  }
  return sum;
}

template <typename Run, typename At>
MARROW_INLINE void store_rotation(const Run& all, const At& at, Quats value) {
  if (!all.whole) value = toward(load_rotation(all.below, at), value, all.amount(at));
  store_quats(all.out + at.offset + kRotation, kBlockJoints, value);
}

static MARROW_NOINLINE void copy_even_rotations(const BlendLayerJob& job, const EvenLayer& layer, const BlockRun& run) {
  const EvenRun<1> all(job, layer, run);
  all.for_each([&](const auto& at) { store_rotation(all, at, load_rotation(all.inputs[0].floats, at)); });
}

static MARROW_NOINLINE void slerp_even_rotations(const BlendLayerJob& job, const EvenLayer& layer,
                                                 const BlockRun& run) {
  const EvenRun<2> all(job, layer, run);
  alignas(32) float cosines[kLanesTogether], weights[2][kLanesTogether];
  const float* const a = layer.inputs[layer.largest].floats;
  const float* const b = layer.inputs[1 - layer.largest].floats;
  const float u = layer.inputs[1 - layer.largest].weight;
  const EvenSlerp short_arc(kNearSlerpRest, u);
  all.for_each([&](const auto& at) { store(cosines + at.k, dot(load_rotation(a, at), load_rotation(b, at))); });
  // Few are far apart: all get the short polynomials, and if need be all get both.
  uint32_t far_lanes = 0;
  all.for_each_lane([&](uint32_t k) {
    const F cosine = load(cosines + k), y = half_sine2(cosine);
    const SlerpWeights w = short_arc.near_weights(y);
    store(weights[0] + k, w.a);
    store(weights[1] + k, times_sign_of(w.b, cosine));
    far_lanes |= bits_of(splat(kNearSlerp) < y);
  });
  if (far_lanes != 0) {
    const EvenSlerp both(kFarSlerpRest, u);
    all.for_each_lane([&](uint32_t k) {
      const SlerpWeights w = pair_weights(short_arc, both, load(cosines + k));
      store(weights[0] + k, w.a);
      store(weights[1] + k, w.b);
    });
  }
  all.for_each([&](const auto& at) {
    const F wa = load(weights[0] + at.k), wb = load(weights[1] + at.k);
    store_rotation(all, at, weighted_sum(load_rotation(a, at), wa, load_rotation(b, at), wb));
  });
}

template <uint32_t kCount>
static MARROW_NOINLINE void mean_of_even_rotations(const BlendLayerJob& job, const EvenLayer& layer,
                                                   const BlockRun& run) {
  const EvenRun<kCount> all(job, layer, run);
  constexpr uint32_t kMost = EvenRun<kCount>::kMost;
  alignas(32) float weights[kMost][kLanesTogether];  // with the signs that align the inputs to the largest
  alignas(32) float cosines[kMost][kLanesTogether];  // between the inputs and the center
  alignas(32) float arcs[kMost][kLanesTogether];
  alignas(32) float totals[4][kLanesTogether], inverses[kLanesTogether], centers[kLanesTogether];
  const F zero = splat(0.0f), one = splat(1.0f);
  const uint32_t count = all.count(), largest_index = layer.largest;
  const float* const largest_floats = layer.inputs[largest_index].floats;
  const auto total_at = [&](uint32_t k) { return load_quats(totals[0] + k, kLanesTogether); };

  all.for_each([&](const auto& at) {
    const Quats largest = load_rotation(largest_floats, at);
    for (uint32_t i = 0; i < count; ++i) {
      F w = splat(all.inputs[i].weight);
      if (i != largest_index) w = times_sign_of(w, dot(load_rotation(all.inputs[i].floats, at), largest));
      store(weights[i] + at.k, w);
    }
  });
  all.for_each([&](const auto& at) {
    const Quats total = sum_rotations(all, at, weights);
    store_quats(totals[0] + at.k, kLanesTogether, total);
    store(inverses + at.k, dot(total, total));
  });
  all.for_each([&](const auto& at) {
    const Quats total = total_at(at.k);
    for (uint32_t i = 0; i < count; ++i) {
      store(cosines[i] + at.k, dot(load_rotation(all.inputs[i].floats, at), total));
    }
    store(inverses + at.k, inverse_root(load(inverses + at.k)));
  });
  // Few are far from the center: all get the short polynomial, and if need be all get both.
  uint32_t far_lanes = 0;
  for (uint32_t i = 0; i < count; ++i) {
    all.for_each_lane([&](uint32_t k) {
      const F cosine = load(cosines[i] + k) * load(inverses + k);
      const ArcWeight arc = near_arc_weight(cosine, load(weights[i] + k));
      store(cosines[i] + k, cosine);
      store(arcs[i] + k, arc.value);
      far_lanes |= bits_of(arc.is_far);
    });
  }
  for (uint32_t i = 0; far_lanes != 0 && i < count; ++i) {
    all.for_each_lane([&](uint32_t k) { store(arcs[i] + k, arc_weight(load(cosines[i] + k), load(weights[i] + k))); });
  }
  all.for_each_lane([&](uint32_t k) {
    F along = zero;
    for (uint32_t i = 0; i < count; ++i) along = along + load(arcs[i] + k) * load(cosines[i] + k);
    store(centers + k, (one - along) * load(inverses + k));
  });
  const auto point_at = [&](const auto& at) {
    return add(sum_rotations(all, at, arcs), scale(total_at(at.k), load(centers + at.k)));
  };
  // Likewise for long steps, but what lies below may be in the place of the result: where it is needed, there is no
  // second time.
  bool again = !layer.whole;
  if (layer.whole) {
    uint32_t far_steps = 0;
    all.for_each([&](const auto& at) {
      const Quats p = point_at(at);
      const F step2 = squared_step(p);
      far_steps |= bits_of(splat(kNearStep) < step2);
      store_rotation(all, at, near_end(p, step2));
    });
    again = far_steps != 0;
  }
  if (again) {
    all.for_each([&](const auto& at) {
      store_rotation(all, at, mean_end(point_at(at), total_at(at.k), load(inverses + at.k)));
    });
  }
}

MARROW_INLINE void replace_even_rotations(const BlendLayerJob& job, const EvenLayer& even, const BlockRun& run) {
  const auto replace = even.count == 1   ? copy_even_rotations
                       : even.count == 2 ? slerp_even_rotations
                       : even.count == 3 ? mean_of_even_rotations<3>
                                         : mean_of_even_rotations<0>;
  replace(job, even, run);
}

// ---- Other rotations ---------------------------------------------------------------------------------------------

// The same steps lane by lane, with 0 as the weight of an input that has no rotation. Returns the lanes that the layer
// reaches.
MARROW_INLINE uint32_t replace_rotations(const EvenLayer& even, const PropertyLanes& here, F layer) {
  const F zero = splat(0.0f), one = splat(1.0f);
  const Sums sums = sum_inputs(here);
  const F amount = select(zero < sums.weight, sums.fill * layer, zero);
  const Quats below = load_quats(here.job.below + here.offset, kBlockJoints);
  if (bits_of(zero < amount) == 0) {
    store_quats(here.job.out + here.offset, kBlockJoints, below);
    return 0;
  }
  const F sum = select(zero < sums.weight, sums.weight, one);
  const auto rotation = [&](uint32_t i) { return load_quats(here.job.inputs[i].floats + here.offset, kBlockJoints); };
  const auto weight = [&](uint32_t i) { return here.weight(here.job.inputs[i]); };
  // The input of the largest weight, of equals the first.
  Quats largest = below;
  F best = zero, takes_part = zero;
  for (uint32_t i = 0; i < here.job.input_count; ++i) {
    const F w = weight(i);
    largest = select(best < w, rotation(i), largest);
    best = select(best < w, w, best);
    takes_part = takes_part + select(zero < w, one, zero);
  }
  Quats mean;
  if (even.count == 2) {
    const Quats a = load_quats(even.inputs[even.largest].floats + here.offset, kBlockJoints);
    const Quats b = load_quats(even.inputs[1 - even.largest].floats + here.offset, kBlockJoints);
    const float u = even.inputs[1 - even.largest].weight;
    const SlerpWeights w = pair_weights({kNearSlerpRest, u}, {kFarSlerpRest, u}, dot(a, b));
    mean = weighted_sum(a, w.a, b, w.b);
  } else {
    const auto aligned = [&](uint32_t i) { return times_sign_of(weight(i) / sum, dot(rotation(i), largest)); };
    Quats total = {zero, zero, zero, zero};
    for (uint32_t i = 0; i < here.job.input_count; ++i) total = add(total, scale(rotation(i), aligned(i)));
    const F inverse = inverse_root(dot(total, total));
    Quats arcs = {zero, zero, zero, zero};
    F along = zero;
    for (uint32_t i = 0; i < here.job.input_count; ++i) {
      const Quats q = rotation(i);
      const F cosine = dot(q, total) * inverse, arc = arc_weight(cosine, aligned(i));
      arcs = add(arcs, scale(q, arc));
      along = along + arc * cosine;
    }
    const Quats p = add(arcs, scale(total, (one - along) * inverse));
    mean = mean_end(p, total, inverse);
  }
  const Quats value = select(one < takes_part, mean, largest);
  store_quats(here.job.out + here.offset, kBlockJoints, toward(below, value, amount));
  return bits_of(zero < amount);
}

}  // namespace marrow::MARROW_LANES_NAMESPACE
