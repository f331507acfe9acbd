// Checks the arrays of a clip that may come from anywhere; clip_layout.h says what they are.
#include "src/anim/clip_check.h"

#include <algorithm>

#include "src/anim/key_checks.h"
#include "src/anim/pose_slot.h"
#include "src/anim/skeleton_data.h"

namespace marrow {
namespace {

// How far from 1 the squared length of a rotation may be. Those of a clip are off by rounding alone.
constexpr float kUnit = 1e-6f;

// kNearChord with a margin for rounding: chords are summed in another order here.
constexpr float kNear = 1.0f / 79.0f;

std::uint32_t size_of(OctetKind kind) {
  switch (kind) {
    case OctetKind::step1:
    case OctetKind::linear1:
    case OctetKind::cubic1: return 1;
    case OctetKind::step3:
    case OctetKind::linear3:
    case OctetKind::cubic3: return 3;
    default: return 4;
  }
}

// True if `count` things from `first` on are inside of `size`.
bool is_inside(std::uint64_t first, std::uint64_t count, std::uint64_t size) {
  return first <= size && count <= size - first;
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
      const float quarter_chord2 = (dx * dx + dy * dy + dz * dz + dw * dw) * 0.25f;
      off[i] = away > off[i] ? away : off[i];
      least_dot[i] = dot < least_dot[i] ? dot : least_dot[i];
      chord[i] = quarter_chord2 > chord[i] ? quarter_chord2 : chord[i];
    }
  }

  [[nodiscard]] bool fit(std::uint32_t lanes, OctetKind kind) const {
    for (std::uint32_t i = 0; i < 8; ++i) {
      if ((lanes >> i & 1u) == 0) continue;
      if (!(off[i] <= kUnit)) return false;
      if (kind == OctetKind::slerp && !(least_dot[i] >= -kUnit)) return false;
      if (kind == OctetKind::slerp_near && !(chord[i] <= kNear)) return false;
    }
    return true;
  }
};

Error wrong(const char* what) { return {ErrorCode::malformed, std::string("the clip ") + what, ""}; }

bool are_rotations(const float* q, std::uint32_t count, bool step) {
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

std::span<const Run> runs_of(const ClipData& data, const Group& group) {
  return {data.runs.data() + group.first_run, group.run_count};
}
std::span<const Octet> octets_of(const ClipData& data, const Run& run) {
  return {data.octets.data() + run.first_octet, run.octet_count};
}

}  // namespace

ClipChecker::ClipChecker(const Skeleton& skeleton)
    : skeleton_(skeleton),
      floats_(static_cast<std::uint32_t>(skeleton.data().float_count())),
      writers_(floats_),
      whole_(floats_ / 8),
      seen_(skeleton.joint_count()) {}

Result<void> ClipChecker::check(const ClipData& data) {
  data_ = &data;
  Result<void> result = check_all();
  forget();
  return result;
}

Result<void> ClipChecker::check_all() {
  if (data_->times.size() < kReadAhead || data_->value_count < kReadAhead) return wrong("has too few keys");
  if (!(data_->duration >= 0 && data_->duration <= static_cast<double>(kMaxKeyTime))) {
    return wrong("has a duration that is not between 0 and 1e9 seconds");
  }
  if (!are_usable({data_->values.get(), data_->value_count})) {
    return Error{ErrorCode::not_finite, "the clip has a value that is not finite or beyond 1e18", "values"};
  }
  if (!are_usable(data_->times)) return wrong("has a time that is not finite");
  covered_ = 0;
  times_left_ = data_->times.size() - kReadAhead;
  values_left_ = data_->value_count - kReadAhead;
  if (!check_copies()) return wrong("is at rest where it has no joints");
  if (!check_constants()) return wrong("has constants that do not fit the skeleton");
  if (!check_groups()) return wrong("has groups of tracks that do not fit the skeleton or the keys");
  if (!check_owns()) return wrong("has tracks that do not fit the skeleton or the keys");
  if (!check_cover()) return wrong("leaves a part of the pose as it was");
  if (!check_tracks()) return wrong("has tracks without keys");
  return {};
}

// Takes back all notes of a clip, whatever it is.
void ClipChecker::forget() {
  const auto forget_slot = [&](std::uint32_t target) {
    if (slot_size(target) == 0) return;
    std::fill_n(writers_.begin() + target, 8, Writer{});
    whole_[target / 8] = false;
  };
  for (const ConstantSlot& slot : data_->constants) forget_slot(slot.target);
  for (const Octet& octet : data_->octets) forget_slot(octet.target);
  for (const OwnOctet& own : data_->own_octets) forget_slot(own.target);
  for (const TrackInfo& track : data_->tracks) seen_[track.joint] = 0;
}

// Returns the floats of a value in the slot that begins at `target`; 0 if none does.
std::uint32_t ClipChecker::slot_size(std::uint32_t target) const {
  const std::uint32_t blocks = skeleton_.data().block_count() * kBlockFloats;
  if (target >= blocks) return target < floats_ && (target - blocks) % 8 == 0 ? 1 : 0;
  switch (target % kBlockFloats) {
    case 0: return 3;
    case 3 * kBlockJoints: return 4;
    case 7 * kBlockJoints: return 3;
    default: return 0;
  }
}

bool ClipChecker::ends_slot(std::uint64_t at) const {
  return at == floats_ || (at < floats_ && slot_size(static_cast<std::uint32_t>(at)) != 0);
}

bool ClipChecker::is_copied(std::uint32_t target) const {
  const auto begins_behind = [](std::uint32_t at, const CopyRange& range) { return at < range.offset; };
  const auto next = std::upper_bound(data_->copies.begin(), data_->copies.end(), target, begins_behind);
  return next != data_->copies.begin() && target - (next - 1)->offset < (next - 1)->count;
}

// Notes what writes the lanes of a slot; false if something else does.
bool ClipChecker::claim(std::uint32_t target, std::uint32_t lanes, const Writer& writer) {
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    if (writers_[target + lane].how != kNothing) return false;
    writers_[target + lane] = writer;
  }
  return true;
}

// Counts a slot that is not copied as covered, once.
void ClipChecker::cover(std::uint32_t target) {
  if (whole_[target / 8]) return;
  whole_[target / 8] = true;
  covered_ += std::uint64_t{slot_size(target)} * 8;
}

// No two tracks have the same keys, so all that is looked at is no more than there is.
bool ClipChecker::take_keys(std::uint64_t times, std::uint64_t values) {
  if (times > times_left_ || values > values_left_) return false;
  times_left_ -= times;
  values_left_ -= values;
  return true;
}

// In order, and of whole slots.
bool ClipChecker::check_copies() {
  std::uint64_t end = 0;
  for (const CopyRange& range : data_->copies) {
    if (range.offset < end || range.count == 0 || slot_size(range.offset) == 0) return false;
    end = range.offset + std::uint64_t{range.count};
    if (!ends_slot(end)) return false;
    covered_ += range.count;
  }
  return true;
}

bool ClipChecker::check_constants() {
  for (const ConstantSlot& slot : data_->constants) {
    const std::uint32_t size = slot_size(slot.target);
    if (size == 0 || size != slot.size || is_copied(slot.target) || whole_[slot.target / 8]) return false;
    if (!is_inside(slot.values, std::uint64_t{size} * 8, data_->value_count)) return false;
    if (!take_keys(0, std::uint64_t{size} * 8)) return false;
    if (!claim(slot.target, slot.lanes, {kConstant, OctetKind::step1, 0})) return false;
    cover(slot.target);
    if (size != 4) continue;
    RotationBounds bounds;
    bounds.add(data_->values.get() + slot.values, data_->values.get() + slot.values);
    if (!bounds.fit(slot.lanes, OctetKind::step4)) return false;
  }
  return true;
}

// Groups have the runs, and runs the octets, that follow those of the one before.
bool ClipChecker::check_groups() {
  std::uint32_t runs = 0, octets = 0, cursors = 0;
  for (std::uint32_t g = 0; g < data_->groups.size(); ++g) {
    const Group& group = data_->groups[g];
    if (group.key_count < 2 || !is_inside(group.times, group.key_count, data_->times.size() - kReadAhead)) return false;
    const std::uint64_t values = std::uint64_t{group.key_count} * group.row_size;
    if (!is_inside(group.rows, values, data_->value_count) || !take_keys(group.key_count, values)) return false;
    const std::span<const float> times(data_->times.data() + group.times, group.key_count);
    if (!are_key_times(times) || group.rate != even_rate(times)) return false;
    if (group.cursor != (group.rate == 0 ? cursors++ : 0)) return false;
    if (group.first_run != runs || !is_inside(runs, group.run_count, data_->runs.size())) return false;
    std::uint64_t row_left = group.row_size;
    for (runs += group.run_count; const Run& run : runs_of(*data_, group)) {
      if (run.kind > OctetKind::cubic4 || run.first_octet != octets) return false;
      if (!is_inside(octets, run.octet_count, data_->octets.size())) return false;
      const std::uint64_t octet_size = std::uint64_t{size_of(run.kind)} * 8 * (is_cubic(run.kind) ? 3 : 1);
      if (run.octet_count > row_left / octet_size) return false;
      row_left -= run.octet_count * octet_size;
      for (octets += run.octet_count; const Octet& octet : octets_of(*data_, run)) {
        if (!is_inside(octet.in_row, octet_size, group.row_size) || !check_octet(g, run.kind, octet)) return false;
      }
    }
  }
  return runs == data_->runs.size() && octets == data_->octets.size();
}

bool ClipChecker::check_octet(std::uint32_t index, OctetKind kind, const Octet& octet) {
  const Group& group = data_->groups[index];
  const std::uint32_t size = size_of(kind);
  if (slot_size(octet.target) != size) return false;
  if (!claim(octet.target, octet.lanes, {kGroup, kind, index})) return false;
  if (size != 4 || is_cubic(kind)) return true;
  RotationBounds bounds;
  const float* row = data_->values.get() + group.rows + octet.in_row;
  bounds.add(row, row);
  for (std::uint32_t key = 1; key < group.key_count; ++key, row += group.row_size) {
    bounds.add(row + group.row_size, row);
  }
  return bounds.fit(octet.lanes, kind);
}

bool ClipChecker::check_owns() {
  for (std::uint32_t i = 0; i < data_->own_octets.size(); ++i) {
    if (!check_own(i)) return false;
  }
  return true;
}

bool ClipChecker::check_own(std::uint32_t index) {
  const OwnOctet& own = data_->own_octets[index];
  const OctetKind kind = own.kind;
  if (kind != OctetKind::linear3 && kind != OctetKind::slerp && kind != OctetKind::cubic3 &&
      kind != OctetKind::cubic4) {
    return false;
  }
  const std::uint32_t size = size_of(kind), stride = size * (is_cubic(kind) ? 3 : 1);
  if (slot_size(own.target) != size || (own.step_lanes & ~own.lanes) != 0) return false;
  if (is_cubic(kind) && own.step_lanes != 0) return false;
  if (!claim(own.target, own.lanes, {kOwn, kind, index})) return false;
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    const std::uint32_t first = own.first_key[lane], end = own.end_key[lane];
    if (first >= end || !is_inside(own.times, end, data_->times.size() - kReadAhead)) return false;
    if (!is_inside(own.values, std::uint64_t{end} * stride, data_->value_count - kReadAhead)) return false;
    if ((own.lanes >> lane & 1u) == 0) {
      if (first != 0 || end != 1 || own.rate[lane] != 0) return false;
      continue;
    }
    if (!take_keys(end - first, std::uint64_t{end - first} * stride)) return false;
    const std::span<const float> times(data_->times.data() + own.times + first, end - first);
    if (!are_key_times(times) || own.rate[lane] != even_rate(times)) return false;
    const float* keys = data_->values.get() + own.values + std::size_t{first} * stride;
    if (kind == OctetKind::slerp && !are_rotations(keys, end - first, (own.step_lanes >> lane & 1u) != 0)) return false;
  }
  return true;
}

// Every float of a pose is written by each sample: copied, constant, or all lanes by what moves.
bool ClipChecker::check_cover() {
  const auto cover_moving = [&](std::uint32_t target) {
    const auto first = writers_.begin() + target;
    const bool all = std::none_of(first, first + 8, [](const Writer& writer) { return writer.how == kNothing; });
    if (all && !is_copied(target)) cover(target);
  };
  for (const Octet& octet : data_->octets) cover_moving(octet.target);
  for (const OwnOctet& own : data_->own_octets) cover_moving(own.target);
  return covered_ == floats_;
}

bool ClipChecker::check_tracks() {
  for (const TrackInfo& track : data_->tracks) {
    const unsigned bit = 1u << static_cast<unsigned>(track.property);
    if ((seen_[track.joint] & bit) != 0) return false;
    seen_[track.joint] = static_cast<std::uint8_t>(seen_[track.joint] | bit);
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

bool ClipChecker::fits_writer(const TrackInfo& track, const Writer& writer, std::uint32_t lane) const {
  if (track.constant != (writer.how == kConstant)) return false;
  const bool step = track.interpolation == Interpolation::step;
  const bool cubic = track.interpolation == Interpolation::cubic_spline;
  switch (writer.how) {
    case kConstant: return true;
    case kGroup:
      return is_cubic(writer.kind) == cubic && (writer.kind <= OctetKind::step4) == step &&
             track.key_count == data_->groups[writer.index].key_count;
    case kOwn: {
      const OwnOctet& own = data_->own_octets[writer.index];
      return is_cubic(writer.kind) == cubic && ((own.step_lanes >> lane & 1u) != 0) == step &&
             track.key_count == own.end_key[lane] - own.first_key[lane];
    }
    default: return false;
  }
}

}  // namespace marrow
