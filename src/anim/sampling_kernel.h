// Kernel: the pose of a clip at a time. See clip_layout.h for the data and src/math/lanes.h for the rules.
#pragma once

#include "src/anim/clip_layout.h"
#include "src/anim/key_search.h"

namespace marrow::MARROW_LANES_NAMESPACE {

inline constexpr uint32_t kSlot = 8;  // floats of a vector in a slot

// Writes a vector to the lanes of `lanes` at p. Bit 0 of `lanes` is the first lane at p.
MARROW_INLINE void store_lanes(float* p, uint32_t lanes, F value) {
  if ((lanes & kAllLanes) == kAllLanes) {
    store(p, value);
  } else {
    store(p, select(mask(lanes), value, load(p)));
  }
}

MARROW_INLINE F lerp(F a, F b, F u) { return a + (b - a) * u; }

// The four weights of a cubic Hermite segment; the second value's is 1 minus the first's. `span` is its length in
// seconds, by which the tangents are scaled.
struct Hermite {
  F value1, tangent0, tangent1;
};
MARROW_INLINE Hermite hermite(F u, F span) {
  const F u2 = u * u, v = splat(1.0f) - u;
  return {u2 * (splat(3.0f) - (u + u)), span * (u * (v * v)), span * (splat(0.0f) - u2 * v)};
}
MARROW_INLINE F cubic(const Hermite& h, F value0, F tangent0, F value1, F tangent1) {
  return (value0 + (value1 - value0) * h.value1) + (tangent0 * h.tangent0 + tangent1 * h.tangent1);
}

// ---- Groups: one key and fraction for all ----------------------------------------------------------------------

struct GroupAt {
  const float* row0;  // the keys before and after
  const float* row1;
  float u, span;
};

template <uint32_t kSize>
MARROW_INLINE void copy_run(const Octet* octet, uint32_t count, const GroupAt& at, float* pose) {
  for (; count > 0; --count, ++octet) {
    const float* from = at.row0 + octet->in_row;
    float* to = pose + octet->target;
    for (uint32_t lane = 0; lane < kSlot; lane += MARROW_LANES) {
      for (uint32_t i = 0; i < kSize; ++i) {
        store_lanes(to + i * kSlot + lane, octet->lanes >> lane, load(from + i * kSlot + lane));
      }
    }
  }
}

template <uint32_t kSize>
MARROW_INLINE void linear_run(const Octet* octet, uint32_t count, const GroupAt& at, float* pose) {
  const F u = splat(at.u);
  for (; count > 0; --count, ++octet) {
    const float* p = at.row0 + octet->in_row;
    const float* q = at.row1 + octet->in_row;
    float* to = pose + octet->target;
    for (uint32_t lane = 0; lane < kSlot; lane += MARROW_LANES) {
      for (uint32_t i = 0; i < kSize; ++i) {
        const uint32_t k = i * kSlot + lane;
        store_lanes(to + k, octet->lanes >> lane, lerp(load(p + k), load(q + k), u));
      }
    }
  }
}

MARROW_INLINE void store_quat_lanes(float* to, uint32_t lanes, const Quats& q) {
  store_lanes(to, lanes, q.x);
  store_lanes(to + kSlot, lanes, q.y);
  store_lanes(to + 2 * kSlot, lanes, q.z);
  store_lanes(to + 3 * kSlot, lanes, q.w);
}

MARROW_INLINE void slerp_run(const Octet* octet, uint32_t count, const GroupAt& at, float* pose) {
  const F u = splat(at.u);
  for (; count > 0; --count, ++octet) {
    for (uint32_t lane = 0; lane < kSlot; lane += MARROW_LANES) {
      const Quats p = load_quats(at.row0 + octet->in_row + lane, kSlot);
      const Quats q = load_quats(at.row1 + octet->in_row + lane, kSlot);
      store_quat_lanes(pose + octet->target + lane, octet->lanes >> lane, slerp(p, q, u));
    }
  }
}

MARROW_INLINE void slerp_near_run(const Octet* octet, uint32_t count, const GroupAt& at, float* pose) {
  const NearSlerp weights(at.u);
  for (; count > 0; --count, ++octet) {
    for (uint32_t lane = 0; lane < kSlot; lane += MARROW_LANES) {
      const Quats p = load_quats(at.row0 + octet->in_row + lane, kSlot);
      const Quats q = load_quats(at.row1 + octet->in_row + lane, kSlot);
      store_quat_lanes(pose + octet->target + lane, octet->lanes >> lane, slerp_near(p, q, weights));
    }
  }
}

template <uint32_t kSize>
MARROW_INLINE void cubic_run(const Octet* octet, uint32_t count, const GroupAt& at, float* pose) {
  const Hermite h = hermite(splat(at.u), splat(at.span));
  constexpr uint32_t kValue = kSize * kSlot, kOut = 2 * kSize * kSlot;
  for (; count > 0; --count, ++octet) {
    const float* p = at.row0 + octet->in_row;
    const float* q = at.row1 + octet->in_row;
    float* to = pose + octet->target;
    for (uint32_t lane = 0; lane < kSlot; lane += MARROW_LANES) {
      F value[kSize];
      for (uint32_t i = 0; i < kSize; ++i) {
        const uint32_t k = i * kSlot + lane;
        value[i] = cubic(h, load(p + kValue + k), load(p + kOut + k), load(q + kValue + k), load(q + k));
      }
      if constexpr (kSize == 4) {
        store_quat_lanes(to + lane, octet->lanes >> lane, normalized({value[0], value[1], value[2], value[3]}));
      } else {
        for (uint32_t i = 0; i < kSize; ++i) store_lanes(to + i * kSlot + lane, octet->lanes >> lane, value[i]);
      }
    }
  }
}

static void sample_group(const ClipLayout& clip, const Group& group, double time, uint32_t* cursor, float* pose) {
  const float* times = clip.times + group.times;
  uint32_t from_scratch = 0;
  uint32_t& hint = cursor != nullptr && group.rate == 0 ? cursor[group.cursor] : from_scratch;
  const KeyPair keys = find_keys(times, 0, group.key_count, group.rate, time, hint);
  hint = keys.a;

  GroupAt at;
  at.row0 = clip.values + group.rows + static_cast<uint64_t>(keys.a) * group.row_size;
  at.row1 = clip.values + group.rows + static_cast<uint64_t>(keys.b) * group.row_size;
  at.u = 0;
  at.span = 0;
  if (keys.a != keys.b) {
    const double t0 = times[keys.a], t1 = times[keys.b];
    at.u = static_cast<float>((time - t0) / (t1 - t0));
    at.span = static_cast<float>(t1 - t0);
  }
  const bool on_key = at.u == 0;
  for (uint32_t r = 0; r < group.run_count; ++r) {
    const Run& run = clip.runs[group.first_run + r];
    const Octet* octet = clip.octets + run.first_octet;
    switch (run.kind) {
      case OctetKind::step1: copy_run<1>(octet, run.octet_count, at, pose); break;
      case OctetKind::step3: copy_run<3>(octet, run.octet_count, at, pose); break;
      case OctetKind::step4: copy_run<4>(octet, run.octet_count, at, pose); break;
      case OctetKind::linear1: linear_run<1>(octet, run.octet_count, at, pose); break;
      case OctetKind::linear3: linear_run<3>(octet, run.octet_count, at, pose); break;
      case OctetKind::slerp:
        on_key ? copy_run<4>(octet, run.octet_count, at, pose) : slerp_run(octet, run.octet_count, at, pose);
        break;
      case OctetKind::slerp_near:
        on_key ? copy_run<4>(octet, run.octet_count, at, pose) : slerp_near_run(octet, run.octet_count, at, pose);
        break;
      case OctetKind::cubic1: cubic_run<1>(octet, run.octet_count, at, pose); break;
      case OctetKind::cubic3: cubic_run<3>(octet, run.octet_count, at, pose); break;
      case OctetKind::cubic4: cubic_run<4>(octet, run.octet_count, at, pose); break;
    }
  }
}

// ---- Own timelines: a key and fraction for each lane -----------------------------------------------------------

// A time as the sum of two floats, so that its distance to a key is right to the last bit or so however long the clip:
// high - t0 is exact where it matters, and low is what high lost.
struct SplitTime {
  F high, low;
};

// Returns the nearest time that two floats can hold, so that doubles and lanes compare it with keys alike. What is lost
// is a part in 2^48.
MARROW_INLINE double split(double time, float& high, float& low) {
  high = static_cast<float>(time);
  low = static_cast<float>(time - static_cast<double>(high));
  return static_cast<double>(high) + static_cast<double>(low);
}

// Writes where the lane's track stands at `time`, wherever it was.
static MARROW_NOINLINE void find_lane(const float* all_times, const OwnOctet& octet, uint32_t lane, double time,
                                      OwnCursor& at) {
  const float* times = all_times + octet.times;
  const uint32_t first = octet.first_key[lane];
  const KeyPair keys = find_keys(times, first, octet.end_key[lane], octet.rate[lane], time, at.key[lane]);
  at.key[lane] = keys.a;
  at.t0[lane] = times[keys.a];
  at.t1[lane] = times[keys.b];
  if (keys.a == keys.b) {
    const bool before = time < static_cast<double>(times[first]);
    (before ? at.t0 : at.t1)[lane] = before ? -kBeyondTime : kBeyondTime;
  }
}

// The same for a lane whose time is not between the keys that it was at: when playing, it is behind the next most
// often.
MARROW_INLINE void seek_lane(const float* all_times, const OwnOctet& octet, uint32_t lane, double time, OwnCursor& at) {
  const float* times = all_times + octet.times;
  const uint32_t key = at.key[lane] + 1;
  const float t0 = times[key], t1 = times[key + 1];
  if (key + 1 < octet.end_key[lane] && !(time < static_cast<double>(t0)) && time < static_cast<double>(t1)) {
    at.key[lane] = key;
    at.t0[lane] = t0;
    at.t1[lane] = t1;
  } else {
    find_lane(all_times, octet, lane, time, at);
  }
}

// The lanes whose time is no longer between the keys that they were at. Both signs are exact: see SplitTime.
MARROW_INLINE uint32_t stale_lanes(const OwnCursor& at, const SplitTime& time) {
  const F zero = splat(0.0f), one = splat(1.0f);
  uint32_t stale = 0;
  for (uint32_t lane = 0; lane < kSlot; lane += MARROW_LANES) {
    const F since = (time.high - load(at.t0 + lane)) + time.low;
    const F past = (time.high - load(at.t1 + lane)) + time.low;
    stale |= bits_of(select(past < zero, since, zero - one) < zero) << lane;
  }
  return stale;
}

// How far the lanes are from their key to the next, and the time between these.
struct Between {
  F u, span;
};
MARROW_INLINE Between between_keys(const OwnOctet& octet, const OwnCursor& at, uint32_t lane, const SplitTime& time) {
  const F t0 = load(at.t0 + lane), length = load(at.t1 + lane) - t0, zero = splat(0.0f);
  const M inside = length < splat(kBeyondTime * 0.5f);
  F u = select(inside, ((time.high - t0) + time.low) / length, zero);
  if (octet.step_lanes != 0) u = select(mask(static_cast<uint32_t>(octet.step_lanes) >> lane), zero, u);
  return {u, select(inside, length, zero)};
}

// Beyond the ends u is 0, and what lies behind the last key does not matter as long as it is a number.

MARROW_INLINE void linear_owns(const ClipLayout& clip, const OwnOctet* octet, const OwnCursor* at, uint32_t count,
                               const SplitTime& time, float* pose) {
  for (; count > 0; --count, ++octet, ++at) {
    for (uint32_t lane = 0; lane < kSlot; lane += MARROW_LANES) {
      const F u = between_keys(*octet, *at, lane, time).u;
      F v[8];  // x y z, and x y z of the next
      load_row_pairs(clip.values + octet->values, at->key + lane, 3, v);
      float* to = pose + octet->target + lane;
      const uint32_t lanes = static_cast<uint32_t>(octet->lanes) >> lane;
      for (uint32_t i = 0; i < 3; ++i) store_lanes(to + i * kSlot, lanes, lerp(v[i], v[i + 3], u));
    }
  }
}

template <uint32_t kSize>
MARROW_INLINE void cubic_owns(const ClipLayout& clip, const OwnOctet* octet, const OwnCursor* at, uint32_t count,
                              const SplitTime& time, float* pose) {
  constexpr uint32_t kStride = 3 * kSize;  // in-tangent, value, out-tangent
  for (; count > 0; --count, ++octet, ++at) {
    const float* values = clip.values + octet->values;
    for (uint32_t lane = 0; lane < kSlot; lane += MARROW_LANES) {
      const Between between = between_keys(*octet, *at, lane, time);
      const Hermite h = hermite(between.u, between.span);
      const uint32_t* key = at->key + lane;
      Quats p, q, out, in;  // for vectors, w is what lies behind them in memory
      load_rows(values + kSize, key, kStride, p.x, p.y, p.z, p.w);
      load_rows(values + 2 * kSize, key, kStride, out.x, out.y, out.z, out.w);
      load_rows(values + kStride, key, kStride, in.x, in.y, in.z, in.w);
      load_rows(values + kStride + kSize, key, kStride, q.x, q.y, q.z, q.w);
      p.x = cubic(h, p.x, out.x, q.x, in.x);
      p.y = cubic(h, p.y, out.y, q.y, in.y);
      p.z = cubic(h, p.z, out.z, q.z, in.z);
      if constexpr (kSize == 4) {
        p.w = cubic(h, p.w, out.w, q.w, in.w);
        p = normalized(p);
      }
      float* to = pose + octet->target + lane;
      const uint32_t lanes = static_cast<uint32_t>(octet->lanes) >> lane;
      store_lanes(to, lanes, p.x);
      store_lanes(to + kSlot, lanes, p.y);
      store_lanes(to + 2 * kSlot, lanes, p.z);
      if constexpr (kSize == 4) store_lanes(to + 3 * kSlot, lanes, p.w);
    }
  }
}

inline constexpr uint32_t kSlerpsTogether = 16;

// Slerps of up to kSlerpsTogether octets.
MARROW_INLINE void slerp_owns(const ClipLayout& clip, const OwnOctet* octet, const OwnCursor* at, uint32_t count,
                              const SplitTime& time, float* pose) {
  constexpr uint32_t kFloats = kSlerpsTogether * kSlot;
  alignas(32) float keys[kSlerpsTogether][8 * kSlot], us[kFloats], ys[kFloats];
  StagedSlerp<kFloats> slerps;
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t lane = 0; lane < kSlot; lane += MARROW_LANES) {
      F v[8];
      load_row_pairs(clip.values + octet[i].values, at[i].key + lane, 4, v);
      for (uint32_t k = 0; k < 8; ++k) store(keys[i] + k * kSlot + lane, v[k]);
      store(us + i * kSlot + lane, between_keys(octet[i], at[i], lane, time).u);
      store(ys + i * kSlot + lane, squared_half_chord({v[0], v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7]}));
    }
  }
  slerps.run(ys, count * kSlot, [&us](uint32_t k) { return load(us + k); });
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t lane = 0; lane < kSlot; lane += MARROW_LANES) {
      const uint32_t k = i * kSlot + lane;
      const Quats p = load_quats(keys[i] + lane, kSlot), q = load_quats(keys[i] + 4 * kSlot + lane, kSlot);
      const SlerpWeights w = slerps.weights(k);
      store_quat_lanes(pose + octet[i].target + lane, static_cast<uint32_t>(octet[i].lanes) >> lane,
                       select(load(us + k) == splat(0.0f), p, weighted_sum(p, w.a, q, w.b)));
    }
  }
}

static void sample_owns(const ClipLayout& clip, double time, const SplitTime& split, uint32_t* cursor, float* pose) {
  // Many octets at a time: first the lanes that need new keys, found as the bits of words, so that the processor
  // mispredicts the end of one loop and not of one for each octet; then the arithmetic, when what was written lane by
  // lane has reached the cache and can be read as vectors without waiting.
  constexpr uint32_t kTogether = 48;
  OwnCursor scratch[kTogether];
  uint64_t stale[kTogether / 8];
  for (uint32_t begin = 0; begin < clip.own_count; begin += kTogether) {
    const uint32_t count = clip.own_count - begin < kTogether ? clip.own_count - begin : kTogether;
    const OwnOctet* octet = clip.own_octets + begin;
    OwnCursor* at = scratch;
    for (uint64_t& word : stale) word = 0;
    if (cursor != nullptr) {
      at = reinterpret_cast<OwnCursor*>(cursor + clip.own_cursors) + begin;
      for (uint32_t i = 0; i < count; ++i) {
        stale[i / 8] |= static_cast<uint64_t>(stale_lanes(at[i], split)) << (8 * (i % 8));
      }
    } else {
      for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t lane = 0; lane < kSlot; ++lane) at[i].key[lane] = octet[i].first_key[lane];
        stale[i / 8] |= uint64_t{0xff} << (8 * (i % 8));
      }
    }
    for (uint32_t word = 0; word * 8 < count; ++word) {
      for (uint64_t bits = stale[word]; bits != 0; bits &= bits - 1) {
        const uint32_t bit = platform::lowest_bit(bits);
        const uint32_t i = word * 8 + bit / 8;
        seek_lane(clip.times, octet[i], bit % 8, time, at[i]);
      }
    }
    for (uint32_t i = 0, run = 0; i < count; i += run) {
      const OctetKind kind = octet[i].kind;
      for (run = 1; run < kSlerpsTogether && i + run < count && octet[i + run].kind == kind;) ++run;
      switch (kind) {
        case OctetKind::linear3: linear_owns(clip, octet + i, at + i, run, split, pose); break;
        case OctetKind::slerp: slerp_owns(clip, octet + i, at + i, run, split, pose); break;
        case OctetKind::cubic3: cubic_owns<3>(clip, octet + i, at + i, run, split, pose); break;
        default: cubic_owns<4>(clip, octet + i, at + i, run, split, pose); break;
      }
    }
  }
}

// ---- The whole clip --------------------------------------------------------------------------------------------

static void sample_clip(const ClipLayout& clip, double time, uint32_t* cursor, const float* rest, float* pose) {
  // Beyond all keys, but not so far that it overflows a float.
  const double limit = static_cast<double>(kBeyondTime) * 0.1;
  float high, low;
  time = split(time < -limit ? -limit : time > limit ? limit : time, high, low);

  for (uint32_t i = 0; i < clip.copy_count; ++i) {
    const CopyRange& range = clip.copies[i];
    for (uint32_t k = range.offset; k < range.offset + range.count; k += MARROW_LANES) store(pose + k, load(rest + k));
  }
  for (uint32_t i = 0; i < clip.constant_count; ++i) {
    const ConstantSlot& slot = clip.constants[i];
    for (uint32_t k = 0; k < slot.size * kSlot; k += MARROW_LANES) {
      const M constant = mask(static_cast<uint32_t>(slot.lanes) >> (k % kSlot));
      const float* at_rest = rest + slot.target + k;
      store(pose + slot.target + k, select(constant, load(clip.values + slot.values + k), load(at_rest)));
    }
  }
  for (uint32_t i = 0; i < clip.group_count; ++i) sample_group(clip, clip.groups[i], time, cursor, pose);

  if (clip.own_count != 0) sample_owns(clip, time, {splat(high), splat(low)}, cursor, pose);
}

}  // namespace marrow::MARROW_LANES_NAMESPACE
