// Kernel: applies one layer of poses. blend.h says what comes out; see src/math/lanes.h for the rules of such a file.
#pragma once

#include "marrow/anim/blend_input.h"
#include "src/anim/kernels.h"
#include "src/math/staged_slerp.h"

namespace marrow::MARROW_LANES_NAMESPACE {

inline constexpr uint32_t kBlockFloats = sizeof(PoseBlock) / sizeof(float);

// Some lanes of one property, in all poses of a layer.
struct Place {
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
};

// A property of the joints from `lane` on of a block; its first float is `first` floats into the block.
MARROW_INLINE Place in_block(const BlendLayerJob& job, uint8_t PresentBits::*property, uint32_t first, uint32_t block,
                             uint32_t lane) {
  return {job, property, block, lane, static_cast<uint64_t>(block) * kBlockFloats + first + lane, false};
}

MARROW_INLINE float weight_of(const BlendInput& input) { return input.weight * input.fade; }

MARROW_INLINE Quats load_rotation(const Place& place, uint32_t input) {
  return load_quats(place.job.inputs[input].floats + place.offset, kBlockJoints);
}

// How much of the layer's value the lanes take: fill * layer weight * mask.
MARROW_INLINE F layer_share(const BlendLayerJob& job, uint32_t block, uint32_t lane) {
  const F weight = splat(job.weight);
  return job.mask == nullptr ? weight : weight * load(job.mask + block * kBlockJoints + lane);
}

// The sums over the inputs that have a property: of their weights and, up to 1, of what fills the layer.
struct Sums {
  F weight, fill;
};
MARROW_INLINE Sums sum_inputs(const Place& place) {
  const F zero = splat(0.0f);
  Sums sums = {zero, zero};
  for (uint32_t i = 0; i < place.job.input_count; ++i) {
    const BlendInput& input = place.job.inputs[i];
    const M present = mask(place.bits(input));
    const float weight = weight_of(input);
    sums.weight = sums.weight + select(present, splat(weight), zero);
    sums.fill = sums.fill + select(present, splat(place.job.fill_by_weight ? weight : input.fade), zero);
  }
  sums.fill = select(sums.fill < splat(1.0f), sums.fill, splat(1.0f));
  return sums;
}

// The weighted mean of vectors: goes from each input to the next by its share of the weight so far, so that one alone
// and equal ones keep their bits.
template <uint32_t kSize>
MARROW_INLINE void mean_of_vectors(const Place& place, F* value) {
  const F zero = splat(0.0f), one = splat(1.0f);
  F sum = zero;
  for (uint32_t i = 0; i < place.job.input_count; ++i) {
    const BlendInput& input = place.job.inputs[i];
    const float weight = weight_of(input);
    const uint32_t bits = place.bits(input);
    if (bits == 0 || !(0.0f < weight)) continue;
    const M present = mask(bits), first = sum == zero;
    const F w = select(present, splat(weight), zero);
    sum = sum + w;
    const F share = select(first, one, w / select(zero < sum, sum, one));
    const M takes = zero < w;
    for (uint32_t k = 0; k < kSize; ++k) {
      const F v = load(input.floats + place.offset + k * kBlockJoints);
      const F next = select(first, v, value[k] + (v - value[k]) * share);
      value[k] = select(takes, next, value[k]);
    }
  }
}

// The weighted mean of rotations on the sphere, in three steps; weight(i) is the weight of input i in the lanes. In the
// space of four dimensions the rotation vector from m to q is the part of q at right angles to m, made as long as the
// arc.

// Returns the normalised sum, with signs aligned to `largest`.
template <typename Weight>
MARROW_INLINE Quats mean_center(const Place& place, const Weight& weight, const Quats& largest) {
  const F zero = splat(0.0f), one = splat(1.0f);
  Quats total = {zero, zero, zero, zero};
  F sum = zero;
  for (uint32_t i = 0; i < place.job.input_count; ++i) {
    const F w = weight(i);
    total = add(total, scale(aligned(load_rotation(place, i), largest), w));
    sum = sum + w;
  }
  const F length2 = dot(total, total), tiny = sum * sum * splat(1e-12f);
  const M known = tiny < length2;
  return select(known, scale(total, one / square_root(select(known, length2, one))), largest);
}

// Returns the mean of the rotation vectors from m.
template <typename Weight>
MARROW_INLINE Quats mean_step(const Place& place, const Weight& weight, const Quats& m) {
  const F zero = splat(0.0f), one = splat(1.0f);
  Quats arcs = {zero, zero, zero, zero};
  F along = zero, sum = zero;
  for (uint32_t i = 0; i < place.job.input_count; ++i) {
    const Quats q = aligned(load_rotation(place, i), m);
    const F y = squared_half_chord(m, q), w = weight(i);
    const F arc = w * exact_inverse_sinc(y);
    arcs = add(arcs, scale(q, arc));
    along = along + arc * (one - (y + y));
    sum = sum + w;
  }
  return scale(add(arcs, scale(m, zero - along)), one / select(zero < sum, sum, one));
}

// Goes from m by a rotation vector.
MARROW_INLINE Quats mean_end(const Quats& m, const Quats& step) {
  const F x = dot(step, step);
  return renormalized(weighted_sum(m, cosine_of_square(x), step, sinc_of_square(x)));
}

MARROW_INLINE Quats mean_of_rotations(const Place& place, const Quats& below) {
  const F zero = splat(0.0f), one = splat(1.0f);
  const auto weight = [&](uint32_t i) {
    const BlendInput& input = place.job.inputs[i];
    return select(mask(place.bits(input)), splat(weight_of(input)), zero);
  };
  // The input of the largest weight, of equals the first.
  Quats largest = below;
  F best = zero, takes_part = zero;
  for (uint32_t i = 0; i < place.job.input_count; ++i) {
    const F w = weight(i);
    largest = select(best < w, load_rotation(place, i), largest);
    best = select(best < w, w, best);
    takes_part = takes_part + select(zero < w, one, zero);
  }
  const Quats m = mean_center(place, weight, largest);
  return select(one < takes_part, mean_end(m, mean_step(place, weight, m)), largest);
}

MARROW_INLINE Quats slerp_aligned(const Quats& a, const Quats& b, F u) { return slerp(a, aligned(b, a), u); }

// Goes from `below` to `value` by `amount`, where 0 and 1 give the bits of the one and the other.
MARROW_INLINE F toward(F below, F value, F amount) {
  const F between = below + (value - below) * amount;
  return select(amount == splat(1.0f), value, select(splat(0.0f) < amount, between, below));
}
MARROW_INLINE Quats toward(const Quats& below, const Quats& value, F amount) {
  const Quats between = slerp_aligned(below, value, amount);
  return select(amount == splat(1.0f), value, select(splat(0.0f) < amount, between, below));
}

template <uint32_t kSize>
MARROW_INLINE uint32_t replace_vectors(const Place& place, F layer) {
  const Sums sums = sum_inputs(place);
  const F zero = splat(0.0f);
  const F amount = select(zero < sums.weight, sums.fill * layer, zero);
  F value[kSize];
  const float* from = place.job.below + place.offset;
  for (uint32_t k = 0; k < kSize; ++k) value[k] = load(from + k * kBlockJoints);
  mean_of_vectors<kSize>(place, value);
  for (uint32_t k = 0; k < kSize; ++k) {
    const F below = load(from + k * kBlockJoints);
    store(place.job.out + place.offset + k * kBlockJoints, toward(below, value[k], amount));
  }
  return bits_of(zero < amount);
}

MARROW_INLINE uint32_t replace_rotations(const Place& place, F layer) {
  const Sums sums = sum_inputs(place);
  const F zero = splat(0.0f);
  const F amount = select(zero < sums.weight, sums.fill * layer, zero);
  const Quats below = load_quats(place.job.below + place.offset, kBlockJoints);
  Quats value = mean_of_rotations(place, below);
  if (bits_of(amount == splat(1.0f)) != kAllLanes) value = toward(below, value, amount);
  store_quats(place.job.out + place.offset, kBlockJoints, value);
  return bits_of(zero < amount);
}

// ---- Blocks in which every input has the property ----------------------------------------------------------------
//
// The common case: weights, shares and the largest input are the same for all lanes and are found once for a layer. The
// values are those of the general case above, but for two rotations, which are a slerp.

inline constexpr uint32_t kSimpleInputs = 16;    // layers of more go the general way
inline constexpr uint32_t kBlocksTogether = 16;  // rotations go step by step, see sampling_kernel.h

struct SimpleLayer {
  bool simple;  // all weights are above zero, and not too many
  float weight[kSimpleInputs];
  float share[kSimpleInputs];  // of the weights so far
  float fill;
  uint32_t largest;
};

MARROW_INLINE SimpleLayer simple_layer(const BlendLayerJob& job) {
  SimpleLayer layer;
  layer.simple = !job.adds && job.input_count > 0 && job.input_count <= kSimpleInputs;
  layer.largest = 0;
  float sum = 0, fill = 0;
  for (uint32_t i = 0; layer.simple && i < job.input_count; ++i) {
    const float weight = weight_of(job.inputs[i]);
    sum = sum + weight;
    fill = fill + (job.fill_by_weight ? weight : job.inputs[i].fade);
    layer.weight[i] = weight;
    layer.share[i] = weight / sum;
    if (layer.weight[layer.largest] < weight) layer.largest = i;
    layer.simple = 0.0f < weight;
  }
  layer.fill = fill < 1.0f ? fill : 1.0f;
  return layer;
}

// True if every input has the property in all of the `joints` lanes of the block that have a joint.
MARROW_INLINE bool all_have(const BlendLayerJob& job, uint8_t PresentBits::*property, uint32_t block, uint32_t joints) {
  uint32_t all = joints;
  for (uint32_t i = 0; i < job.input_count; ++i) all &= job.inputs[i].present[block].*property;
  return all == joints;
}

MARROW_INLINE void simple_vectors(const SimpleLayer& simple, const Place& place, F layer) {
  const BlendLayerJob& job = place.job;
  const F amount = splat(simple.fill) * layer;
  const bool whole = bits_of(amount == splat(1.0f)) == kAllLanes;
  for (uint32_t k = 0; k < 3; ++k) {
    const uint64_t at = place.offset + k * kBlockJoints;
    F value = load(job.inputs[0].floats + at);
    for (uint32_t i = 1; i < job.input_count; ++i) {
      value = value + (load(job.inputs[i].floats + at) - value) * splat(simple.share[i]);
    }
    store(job.out + at, whole ? value : toward(load(job.below + at), value, amount));
  }
}

// The rotations of blocks[0 .. count).
MARROW_INLINE void simple_rotations(const SimpleLayer& simple, const BlendLayerJob& job, const uint32_t* blocks,
                                    uint32_t count) {
  constexpr uint32_t kFloats = kBlocksTogether * kBlockJoints;
  alignas(32) float center[kBlocksTogether][4 * kBlockJoints], step[kBlocksTogether][4 * kBlockJoints];
  const auto for_each = [&](const auto& body) {
    for (uint32_t b = 0; b < count; ++b) {
      for (uint32_t lane = 0; lane < kBlockJoints; lane += MARROW_LANES) {
        body(b, lane, in_block(job, &PresentBits::rotation, 3 * kBlockJoints, blocks[b], lane));
      }
    }
  };
  const auto finish = [&](const Place& place, Quats value) {
    const F amount = splat(simple.fill) * layer_share(job, place.block, place.lane);
    if (bits_of(amount == splat(1.0f)) != kAllLanes) {
      value = toward(load_quats(job.below + place.offset, kBlockJoints), value, amount);
    }
    store_quats(job.out + place.offset, kBlockJoints, value);
  };
  if (job.input_count == 1) {
    for_each([&](uint32_t, uint32_t, const Place& place) { finish(place, load_rotation(place, 0)); });
  } else if (job.input_count == 2) {
    alignas(32) float ys[kFloats];
    StagedSlerp<kFloats> slerps;
    const uint32_t from = simple.largest, to = 1 - from;
    const float u = simple.weight[to] / (simple.weight[0] + simple.weight[1]);
    for_each([&](uint32_t b, uint32_t lane, const Place& place) {
      const Quats p = load_rotation(place, from), q = aligned(load_rotation(place, to), p);
      store(ys + b * kBlockJoints + lane, squared_half_chord(p, q));
      store_quats(step[b] + lane, kBlockJoints, q);
    });
    slerps.run(ys, count * kBlockJoints, [u](uint32_t) { return splat(u); });
    for_each([&](uint32_t b, uint32_t lane, const Place& place) {
      const SlerpWeights w = slerps.weights(b * kBlockJoints + lane);
      finish(place, weighted_sum(load_rotation(place, from), w.a, load_quats(step[b] + lane, kBlockJoints), w.b));
    });
  } else {
    const auto weight = [&](uint32_t i) { return splat(simple.weight[i]); };
    for_each([&](uint32_t b, uint32_t lane, const Place& place) {
      store_quats(center[b] + lane, kBlockJoints, mean_center(place, weight, load_rotation(place, simple.largest)));
    });
    for_each([&](uint32_t b, uint32_t lane, const Place& place) {
      store_quats(step[b] + lane, kBlockJoints, mean_step(place, weight, load_quats(center[b] + lane, kBlockJoints)));
    });
    for_each([&](uint32_t b, uint32_t lane, const Place& place) {
      finish(place, mean_end(load_quats(center[b] + lane, kBlockJoints), load_quats(step[b] + lane, kBlockJoints)));
    });
  }
}

// ---- Layers that add -------------------------------------------------------------------------------------------

// Calls body(input, w) for each input, w being its weight in the lanes, 0 where it has nothing. Returns the lanes in
// which any has.
template <typename Body>
MARROW_INLINE uint32_t for_each_addition(const Place& place, F layer, const Body& body) {
  uint32_t any = 0;
  for (uint32_t i = 0; i < place.job.input_count; ++i) {
    const BlendInput& input = place.job.inputs[i];
    const F w = select(mask(place.bits(input)), splat(weight_of(input)) * layer, splat(0.0f));
    const uint32_t adds = bits_of(splat(0.0f) < w);
    if (adds == 0) continue;
    any |= adds;
    body(input, w);
  }
  return any;
}

template <uint32_t kSize, bool kMultiply>
MARROW_INLINE uint32_t add_vectors(const Place& place, F layer) {
  F below[kSize], sum[kSize];
  for (uint32_t k = 0; k < kSize; ++k) sum[k] = below[k] = load(place.job.below + place.offset + k * kBlockJoints);
  const uint32_t any = for_each_addition(place, layer, [&](const BlendInput& input, F w) {
    for (uint32_t k = 0; k < kSize; ++k) {
      const F v = load(input.floats + place.offset + k * kBlockJoints);
      sum[k] = kMultiply ? sum[k] * (splat(1.0f) + w * (v - splat(1.0f))) : sum[k] + w * v;
    }
  });
  for (uint32_t k = 0; k < kSize; ++k) {
    store(place.job.out + place.offset + k * kBlockJoints, select(mask(any), sum[k], below[k]));
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

MARROW_INLINE uint32_t add_rotations(const Place& place, F layer) {
  const F zero = splat(0.0f), one = splat(1.0f);
  const Quats identity = {zero, zero, zero, one};
  F x = zero, y = zero, z = zero, count = zero, sum = zero;
  Quats last = identity;
  const uint32_t any = for_each_addition(place, layer, [&](const BlendInput& input, F w) {
    const Quats q = aligned(load_quats(input.floats + place.offset, kBlockJoints), identity);
    const F arc = w * exact_inverse_sinc(squared_half_chord(identity, q));
    x = x + q.x * arc;
    y = y + q.y * arc;
    z = z + q.z * arc;
    const M adds = zero < w;
    last = select(adds, q, last);
    count = count + select(adds, one, zero);
    sum = sum + w;
  });
  const Quats below = load_quats(place.job.below + place.offset, kBlockJoints);
  Quats result = below;
  if (any != 0) {
    // One rotation alone with weight 1 is applied as it is.
    const F whole = select(count == one, sum, zero);
    const Quats added = select(whole == one, last, rotation_of_vector(x, y, z));
    result = select(mask(any), multiply(below, added), below);
  }
  store_quats(place.job.out + place.offset, kBlockJoints, result);
  return any;
}

// ---- The whole layer -------------------------------------------------------------------------------------------

static void blend_layer(const BlendLayerJob& job) {
  const auto set = [](uint8_t& bits, uint32_t more, uint32_t lane) {
    bits = static_cast<uint8_t>(bits | more << lane);
  };
  const SimpleLayer simple = simple_layer(job);
  uint32_t waiting[kBlocksTogether], waiting_count = 0;  // blocks whose rotations are simple
  for (uint32_t block = 0; block < job.block_count; ++block) {
    PresentBits& present = job.present[block];
    const uint32_t last = job.joint_count - block * kBlockJoints;
    const uint32_t joints = last < kBlockJoints ? (1u << last) - 1u : 0xffu;
    const auto is_simple = [&](uint8_t PresentBits::*property) {
      return simple.simple && all_have(job, property, block, joints);
    };
    const bool translation_simple = is_simple(&PresentBits::translation);
    const bool rotation_simple = is_simple(&PresentBits::rotation);
    const bool scale_simple = is_simple(&PresentBits::scale);
    for (uint32_t lane = 0; lane < kBlockJoints; lane += MARROW_LANES) {
      const F layer = layer_share(job, block, lane);
      const Place translation = in_block(job, &PresentBits::translation, 0, block, lane);
      const Place rotation = in_block(job, &PresentBits::rotation, 3 * kBlockJoints, block, lane);
      const Place scaling = in_block(job, &PresentBits::scale, 7 * kBlockJoints, block, lane);
      if (job.adds) {
        set(present.translation, add_vectors<3, false>(translation, layer), lane);
        set(present.rotation, add_rotations(rotation, layer), lane);
        set(present.scale, add_vectors<3, true>(scaling, layer), lane);
        continue;
      }
      const uint32_t reached = bits_of(splat(0.0f) < splat(simple.fill) * layer) & joints >> lane;
      if (translation_simple) simple_vectors(simple, translation, layer);
      if (scale_simple) simple_vectors(simple, scaling, layer);
      set(present.translation, translation_simple ? reached : replace_vectors<3>(translation, layer), lane);
      set(present.rotation, rotation_simple ? reached : replace_rotations(rotation, layer), lane);
      set(present.scale, scale_simple ? reached : replace_vectors<3>(scaling, layer), lane);
    }
    if (rotation_simple) waiting[waiting_count++] = block;
    if (waiting_count == kBlocksTogether || (block + 1 == job.block_count && waiting_count != 0)) {
      simple_rotations(simple, job, waiting, waiting_count);
      waiting_count = 0;
    }
  }
  const uint64_t morphs = static_cast<uint64_t>(job.block_count) * kBlockFloats;
  for (uint32_t joint = 0; job.morph_size != 0 && joint < job.joint_count; ++joint) {
    const uint32_t block = joint / kBlockJoints, lane = joint % kBlockJoints;
    const F layer = splat(job.mask == nullptr ? job.weight : job.weight * job.mask[joint]);
    for (uint32_t k = 0; k < job.morph_counts[joint]; k += MARROW_LANES) {
      const Place place = {job, &PresentBits::morph, block, lane, morphs + job.morph_offsets[joint] + k, true};
      const uint32_t any = job.adds ? add_vectors<1, false>(place, layer) : replace_vectors<1>(place, layer);
      if (any != 0) set(job.present[block].morph, 1, lane);
    }
  }
}

}  // namespace marrow::MARROW_LANES_NAMESPACE
