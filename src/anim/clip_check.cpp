// Checks the arrays of a clip that may come from anywhere; clip_layout.h says what they are.
#include <algorithm>

#include "src/anim/clip_data.h"
#include "src/anim/pose_slot.h"
#include "src/anim/skeleton_data.h"

namespace marrow {
namespace {

// How far from 1 the squared length of a rotation may be. Those of a clip are off by rounding alone.
constexpr float kUnit = 1e-6f;

// The largest squared half chord of keys for slerp_near, with room for rounding (lanes_math.h).
constexpr float kNear = 1.0f / 79.0f;

std::uint32_t size_of(BatchKind kind) {
  switch (kind) {
    case BatchKind::step1:
    case BatchKind::linear1:
    case BatchKind::cubic1: return 1;
    case BatchKind::step3:
    case BatchKind::linear3:
    case BatchKind::cubic3: return 3;
    default: return 4;
  }
}

// True if `count` things from `first` on are inside of `size`.
bool is_inside(std::uint64_t first, std::uint64_t count, std::uint64_t size) {
  return first <= size && count <= size - first;
}

bool are_usable(std::span<const float> values) {
  unsigned bad = 0;
  for (const float x : values)
    bad |= static_cast<unsigned>(!(x >= -kMaxMagnitude)) | static_cast<unsigned>(!(x <= kMaxMagnitude));
  return bad == 0;
}

bool are_key_times(std::span<const float> times) {
  unsigned bad = 0;
  for (std::size_t k = 1; k < times.size(); ++k) bad |= static_cast<unsigned>(!(times[k] >= times[k - 1]));
  return bad == 0 && times.front() >= -kMaxKeyTime && times.back() <= kMaxKeyTime;
}

// The largest dot product of two keys' difference, and how far lengths are from 1, of eight rotations side by side.
struct RotationBounds {
  float off[8] = {}, chord[8] = {}, least_dot[8];

  RotationBounds() { std::fill_n(least_dot, 8, 1.0f); }

  // Written so that the compiler can take all lanes at once.
  void add(const float* q, const float* before) {
    for (int i = 0; i < 8; ++i) {
      const float x = q[i], y = q[8 + i], z = q[16 + i], w = q[24 + i];
      const float px = before[i], py = before[8 + i], pz = before[16 + i], pw = before[24 + i];
      const float length = x * x + y * y + z * z + w * w - 1.0f;
      const float away = length < 0 ? -length : length;
      const float dot = x * px + y * py + z * pz + w * pw;
      const float dx = x - px, dy = y - py, dz = z - pz, dw = w - pw;
      const float far = (dx * dx + dy * dy + dz * dz + dw * dw) * 0.25f;
      off[i] = away > off[i] ? away : off[i];
      least_dot[i] = dot < least_dot[i] ? dot : least_dot[i];
      chord[i] = far > chord[i] ? far : chord[i];
    }
  }

  [[nodiscard]] bool fit(std::uint32_t lanes, BatchKind kind) const {
    for (std::uint32_t i = 0; i < 8; ++i) {
      if ((lanes >> i & 1u) == 0) continue;
      if (!(off[i] <= kUnit)) return false;
      if (kind == BatchKind::slerp && !(least_dot[i] >= -kUnit)) return false;
      if (kind == BatchKind::slerp_near && !(chord[i] <= kNear)) return false;
    }
    return true;
  }
};

class Checker {
 public:
  Checker(const Skeleton& skeleton, const ClipData& data)
      : skeleton_(skeleton),
        data_(data),
        floats_(static_cast<std::uint32_t>(skeleton.data().float_count())),
        writers_(floats_ / 8 * 8),
        still_(floats_ / 8) {}

  Result<void> check() {
    if (data_.times.size() < kReadAhead || data_.value_count < kReadAhead) return wrong("has too few keys");
    if (!(data_.duration >= 0 && data_.duration <= static_cast<double>(kMaxKeyTime))) {
      return wrong("has a duration that is not between 0 and 1e9 seconds");
    }
    if (!are_usable({data_.values.get(), data_.value_count})) {
      return Error{ErrorCode::not_finite, "the clip has a value that is not finite or beyond 1e18", "values"};
    }
    if (!are_usable(data_.times)) return wrong("has a time that is not finite");
    if (!check_copies()) return wrong("is at rest where it has no joints");
    if (!check_constants()) return wrong("has constants that do not fit the skeleton");
    if (!check_groups()) return wrong("has groups of tracks that do not fit the skeleton or the keys");
    if (!check_owns()) return wrong("has tracks that do not fit the skeleton or the keys");
    if (!check_cover()) return wrong("leaves a part of the pose as it was");
    if (!check_tracks()) return wrong("has tracks without keys");
    return {};
  }

 private:
  // What writes a lane of a slot. The first lane of the slot at `target` is writers_[target].
  struct Writer {
    std::uint8_t how = 0;  // kNothing, kConstant, kGroup or kOwn
    BatchKind kind = BatchKind::step1;
    std::uint32_t index = 0;  // of the group or the own batch
  };
  enum : std::uint8_t { kNothing, kConstant, kGroup, kOwn };

  static Error wrong(const char* what) { return {ErrorCode::malformed, std::string("the clip ") + what, ""}; }

  // Returns the floats of a value in the slot that begins at `target`; 0 if none does.
  [[nodiscard]] std::uint32_t slot_size(std::uint32_t target) const {
    const std::uint32_t blocks = skeleton_.data().block_count() * kBlockFloats;
    if (target >= blocks) return target < floats_ && (target - blocks) % 8 == 0 ? 1 : 0;
    switch (target % kBlockFloats) {
      case 0: return 3;
      case 3 * kBlockJoints: return 4;
      case 7 * kBlockJoints: return 3;
      default: return 0;
    }
  }

  // Notes what writes the lanes of a slot; false if something else does.
  bool claim(std::uint32_t target, std::uint32_t lanes, const Writer& writer) {
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      if ((lanes >> lane & 1u) == 0) continue;
      if (writers_[target + lane].how != kNothing) return false;
      writers_[target + lane] = writer;
    }
    return true;
  }

  bool check_copies() {
    std::uint64_t end = 0;
    for (const CopyRange& range : data_.copies) {
      if (range.offset < end || range.offset % 8 != 0 || range.count % 8 != 0) return false;
      if (!is_inside(range.offset, range.count, floats_)) return false;
      end = range.offset + std::uint64_t{range.count};
      std::fill_n(still_.begin() + range.offset / 8, range.count / 8, true);
    }
    return true;
  }

  bool check_constants() {
    for (const ConstantSlot& slot : data_.constants) {
      const std::uint32_t size = slot_size(slot.target);
      if (size == 0 || size != slot.size) return false;
      if (!is_inside(slot.values, std::uint64_t{size} * 8, data_.value_count)) return false;
      if (!claim(slot.target, slot.lanes, {kConstant, BatchKind::step1, 0})) return false;
      const auto still = still_.begin() + slot.target / 8;
      if (std::find(still, still + size, true) != still + size) return false;
      std::fill_n(still, size, true);
      if (size != 4) continue;
      RotationBounds bounds;
      bounds.add(data_.values.get() + slot.values, data_.values.get() + slot.values);
      if (!bounds.fit(slot.lanes, BatchKind::step4)) return false;
    }
    return true;
  }

  // Groups have the runs, and runs the batches, that follow those of the one before.
  bool check_groups() {
    std::uint32_t runs = 0, batches = 0, cursors = 0;
    for (std::uint32_t g = 0; g < data_.groups.size(); ++g) {
      const Group& group = data_.groups[g];
      if (group.key_count < 2 || !is_inside(group.times, group.key_count, data_.times.size() - kReadAhead))
        return false;
      const std::span<const float> times(data_.times.data() + group.times, group.key_count);
      if (!are_key_times(times) || group.rate != even_rate(times)) return false;
      if (group.cursor != (group.rate == 0 ? cursors++ : 0)) return false;
      if (!is_inside(group.rows, std::uint64_t{group.key_count} * group.row_size, data_.value_count)) return false;
      if (group.first_run != runs || !is_inside(runs, group.run_count, data_.runs.size())) return false;
      for (runs += group.run_count; const Run& run : run_of(group)) {
        if (run.kind > BatchKind::cubic4 || run.first_batch != batches) return false;
        if (!is_inside(batches, run.batch_count, data_.batches.size())) return false;
        for (batches += run.batch_count; const Batch& batch : batch_of(run)) {
          if (!check_batch(g, run.kind, batch)) return false;
        }
      }
    }
    return runs == data_.runs.size() && batches == data_.batches.size();
  }

  [[nodiscard]] std::span<const Run> run_of(const Group& group) const {
    return {data_.runs.data() + group.first_run, group.run_count};
  }
  [[nodiscard]] std::span<const Batch> batch_of(const Run& run) const {
    return {data_.batches.data() + run.first_batch, run.batch_count};
  }

  bool check_batch(std::uint32_t index, BatchKind kind, const Batch& batch) {
    const Group& group = data_.groups[index];
    const std::uint32_t size = size_of(kind);
    if (slot_size(batch.target) != size) return false;
    if (!is_inside(batch.in_row, std::uint64_t{size} * 8 * (is_cubic(kind) ? 3 : 1), group.row_size)) return false;
    if (!claim(batch.target, batch.lanes, {kGroup, kind, index})) return false;
    if (size != 4 || is_cubic(kind)) return true;
    RotationBounds bounds;
    const float* row = data_.values.get() + group.rows + batch.in_row;
    bounds.add(row, row);
    for (std::uint32_t key = 1; key < group.key_count; ++key, row += group.row_size) {
      bounds.add(row + group.row_size, row);
    }
    return bounds.fit(batch.lanes, kind);
  }

  bool check_owns() {
    for (std::uint32_t i = 0; i < data_.owns.size(); ++i) {
      const OwnBatch& own = data_.owns[i];
      const BatchKind kind = own.kind;
      if (kind != BatchKind::linear3 && kind != BatchKind::slerp && kind != BatchKind::cubic3 &&
          kind != BatchKind::cubic4) {
        return false;
      }
      const std::uint32_t size = size_of(kind), stride = size * (is_cubic(kind) ? 3 : 1);
      if (slot_size(own.target) != size || (own.step_lanes & ~own.lanes) != 0) return false;
      if (is_cubic(kind) && own.step_lanes != 0) return false;
      if (!claim(own.target, own.lanes, {kOwn, kind, i})) return false;
      for (std::uint32_t lane = 0; lane < 8; ++lane) {
        const std::uint32_t first = own.first_key[lane], end = own.end_key[lane];
        if (first >= end || !is_inside(own.times, end, data_.times.size() - kReadAhead)) return false;
        if (!is_inside(own.values, std::uint64_t{end} * stride, data_.value_count - kReadAhead)) return false;
        if ((own.lanes >> lane & 1u) == 0) {
          if (first != 0 || end != 1 || own.rate[lane] != 0) return false;
          continue;
        }
        const std::span<const float> times(data_.times.data() + own.times + first, end - first);
        if (!are_key_times(times) || own.rate[lane] != even_rate(times)) return false;
        const float* keys = data_.values.get() + own.values + std::size_t{first} * stride;
        if (kind == BatchKind::slerp && !check_rotations(keys, end - first, (own.step_lanes >> lane & 1u) != 0)) {
          return false;
        }
      }
    }
    return true;
  }

  static bool check_rotations(const float* q, std::uint32_t count, bool step) {
    float off = 0, least = 1;
    const float* before = q;
    for (std::uint32_t key = 0; key < count; ++key, before = q, q += 4) {
      const float length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0f;
      const float away = length < 0 ? -length : length;
      const float dot = q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3];
      off = away > off ? away : off;
      least = dot < least ? dot : least;
    }
    return off <= kUnit && (step || least >= -kUnit);
  }

  // Every float of a pose is written by each sample.
  bool check_cover() {
    for (std::uint32_t target = 0; target < floats_;) {
      const std::uint32_t size = slot_size(target);
      if (size == 0) return false;
      const auto still = still_.begin() + target / 8;
      const auto parts = std::count(still, still + size, true);
      if (parts != 0 && parts != size) return false;
      for (std::uint32_t lane = 0; parts == 0 && lane < 8; ++lane) {
        if (writers_[target + lane].how == kNothing) return false;
      }
      target += size * 8;
    }
    return true;
  }

  bool check_tracks() {
    std::vector<std::uint8_t> seen(skeleton_.joint_count(), 0);
    for (const TrackInfo& track : data_.tracks) {
      const unsigned bit = 1u << static_cast<unsigned>(track.property);
      if ((seen[track.joint] & bit) != 0) return false;
      seen[track.joint] = static_cast<std::uint8_t>(seen[track.joint] | bit);
      const bool morph = track.property == Property::morph;
      const std::uint32_t weights = morph ? skeleton_.morph_count(track.joint) : 1;
      const std::uint32_t target = slot_target(skeleton_, track.joint, track.property);
      const std::uint32_t lane = morph ? 0 : track.joint % kBlockJoints;
      if (weights == 0) return false;
      const Writer& first = writers_[target + lane];
      if (!fits_writer(track, first, lane)) return false;
      for (std::uint32_t k = 1; k < weights; ++k) {
        const Writer& writer = writers_[target + k];
        if (writer.how != first.how || writer.kind != first.kind || writer.index != first.index) return false;
      }
    }
    return true;
  }

  bool fits_writer(const TrackInfo& track, const Writer& writer, std::uint32_t lane) const {
    if (track.constant != (writer.how == kConstant)) return false;
    const bool step = track.interpolation == Interpolation::step;
    const bool cubic = track.interpolation == Interpolation::cubic_spline;
    switch (writer.how) {
      case kConstant: return true;
      case kGroup:
        return is_cubic(writer.kind) == cubic && (writer.kind <= BatchKind::step4) == step &&
               track.key_count == data_.groups[writer.index].key_count;
      case kOwn: {
        const OwnBatch& own = data_.owns[writer.index];
        return is_cubic(writer.kind) == cubic && ((own.step_lanes >> lane & 1u) != 0) == step &&
               track.key_count == own.end_key[lane] - own.first_key[lane];
      }
      default: return false;
    }
  }

  const Skeleton& skeleton_;
  const ClipData& data_;
  std::uint32_t floats_;  // of a pose
  std::vector<Writer> writers_;
  std::vector<bool> still_;  // what a copy or a constant writes first, for each eight floats
};

}  // namespace

Result<void> check_layout(const Skeleton& skeleton, const ClipData& data) { return Checker(skeleton, data).check(); }

}  // namespace marrow
