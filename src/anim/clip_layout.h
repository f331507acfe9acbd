// How a clip's keys lie in memory, as the kernels see it. Internal; no standard headers, see src/math/lanes.h.
//
// Offsets into a pose count floats from its start (all blocks, then all morph weights), so that every property of eight
// joints is a run of 1, 3 or 4 vectors of 8 floats at some offset: a slot. For each sample every slot of the pose is
// written by one or more of these, each for some of its lanes:
//
//   Copy      slots that the clip does not touch: from the rest pose
//   Constant  values that never change
//   Group     tracks on one timeline: a row of values for each key, looked up once for all
//   Own       tracks with timelines of their own: up to eight in a slot, each at its own key
//
// Files hold these structures as they are (model/model_file.h), so they have no hidden gaps, and a change of one is a
// change of the format.
#pragma once

#include <stdint.h>

namespace marrow {

// The property of an octet and its interpolation. The digit is the number of floats of a value.
enum class OctetKind : uint8_t {
  step1,
  step3,
  step4,
  linear1,
  linear3,
  slerp,       // any two keys less than half a turn apart
  slerp_near,  // neighbouring keys are close: a shorter series does
  cubic1,
  cubic3,
  cubic4,  // and normalised after
};

// The largest squared half chord |b - a|^2 / 4 of neighbouring keys a and b that slerp_near (lanes_math.h) is exact
// for.
inline constexpr float kNearChord = 1.0f / 80.0f;

// Times of this size and beyond stand for "before all keys" and "after all keys".
inline constexpr float kBeyondTime = 1e30f;

// Zeros behind the last value and time: the kernels read a key behind the last, of at most 12 floats, and three floats
// as four.
inline constexpr uint32_t kReadAhead = 16;

struct CopyRange {
  uint32_t offset, count;  // floats, multiples of 8
};

struct ConstantSlot {
  uint32_t target;  // offset into the pose
  uint32_t values;  // offset into the clip's values: size * 8 floats
  uint8_t size;     // 1, 3 or 4
  uint8_t lanes;    // which have the constant; the others are at rest
  uint8_t unused[2] = {};
};

// Eight lanes of one property, whose keys are on one timeline.
struct Octet {
  uint32_t target;  // offset into the pose
  uint32_t in_row;  // offset into a row: size * 8 floats, or in-tangents, values, out-tangents for cubics
  uint8_t lanes;    // which to write; the others in the rows hold something harmless
  uint8_t unused[3] = {};
};

// Octets of one kind in sequence.
struct Run {
  uint32_t first_octet, octet_count;
  OctetKind kind;
  uint8_t unused[3] = {};
};

struct Group {
  uint32_t times;      // offset into the clip's times
  uint32_t key_count;  // at least 2
  double rate;         // keys a second on an even timeline, else 0
  uint32_t cursor;     // offset into the cursor's words, on an uneven timeline
  uint32_t row_size;   // floats
  uint64_t rows;       // offset into the clip's values
  uint32_t first_run, run_count;
};

// The keys of all lanes lie one after another; a lane's are [first_key, end_key). Lanes without a track share another's
// keys, so that reading them does no harm.
struct OwnOctet {
  uint64_t values;     // offset into the clip's values; 3 or 4 floats a key, three times that for cubics
  uint32_t times;      // offset into the clip's times
  uint32_t target;     // offset into the pose
  uint8_t lanes;       // which to write
  uint8_t step_lanes;  // which do not interpolate
  OctetKind kind;      // linear3, slerp, cubic3 or cubic4
  uint8_t unused = 0;
  uint32_t first_key[8], end_key[8];
  uint32_t unused_at_end = 0;
  double rate[8];  // keys a second on an even timeline, else 0
};

// Where each lane of an OwnOctet was: between `key` and the next, whose times are t0 and t1. Before all keys it is the
// first and t0 is -kBeyondTime; after all keys it is the last and t1 is kBeyondTime.
struct OwnCursor {
  uint32_t key[8];
  float t0[8], t1[8];
};

static_assert(sizeof(CopyRange) == 8 && sizeof(ConstantSlot) == 12 && sizeof(Octet) == 12 && sizeof(Run) == 12 &&
              sizeof(Group) == 40 && sizeof(OwnOctet) == 152);

struct ClipLayout {
  const float* times;
  const float* values;
  const CopyRange* copies;
  const ConstantSlot* constants;
  const Group* groups;
  const Run* runs;
  const Octet* octets;
  const OwnOctet* own_octets;
  uint32_t copy_count, constant_count, group_count, own_count;
  uint32_t own_cursors;  // offset into the cursor's words of an OwnCursor for each OwnOctet
};

}  // namespace marrow
