#include "marrow/anim/clip.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "marrow/core/hash.h"
#include "marrow/core/serial.h"
#include "marrow/math/quat.h"
#include "src/anim/clip_data.h"
#include "src/anim/imports.h"
#include "src/anim/key_checks.h"
#include "src/anim/pose_slot.h"
#include "src/anim/skeleton_data.h"
#include "src/anim/track_keys.h"

namespace marrow {
namespace {

// How far from 1 the squared length of a quaternion can be after it was normalised and rounded: 2^-24 in each part,
// twice that in the square, and a little for normalize's own 0.501 ulp.
constexpr double kUnitRounding = 1.2e-7;

// Says which track, and which key of it, an error is about.
struct TrackPlace {
  const Skeleton& skeleton;
  const ClipDesc& clip;
  std::size_t index;

  [[nodiscard]] Error error(ErrorCode code, const std::string& what, const Place& where = {}) const {
    const TrackDesc& track = clip.tracks[index];
    std::string message = "clip \"";
    message.append(clip.name).append("\": the ").append(to_string(track.property)).append(" track of joint ");
    if (track.joint < skeleton.joint_count()) {
      message.append("\"").append(skeleton.name(track.joint)).append("\"");
    } else {
      message.append(std::to_string(track.joint));
    }
    message.append(" ").append(what);
    return {code, std::move(message), where.within({"tracks", index})};
  }
};

Result<void> check_times(const TrackPlace& place, std::span<const float> times) {
  if (are_key_times(times)) return {};
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!(times[k] >= -kMaxKeyTime && times[k] <= kMaxKeyTime)) {
      return place.error(ErrorCode::not_finite,
                         "has a time at key " + std::to_string(k) + " that is not finite or beyond 1e9 seconds",
                         {"times", k});
    }
    if (k > 0 && times[k] < times[k - 1]) {
      return place.error(ErrorCode::not_sorted, "has a key " + std::to_string(k) + " earlier than the one before it",
                         {"times", k});
    }
  }
  return {};
}

double dot4(Quatd p, Quatd q) { return (p.x * q.x + p.y * q.y) + (p.z * q.z + p.w * q.w); }

// Returns q with unit length, or as it is if it has that up to the rounding of its parts: what is normalised again and
// again drifts, and a clip made of the keys of another should have its bits.
Quat normalize_once(Quat q) {
  const Quatd wide = widen(q);
  const double off = dot4(wide, wide) - 1.0;
  return off >= -kUnitRounding && off <= kUnitRounding ? q : normalize(q);
}

Quatd quat_at(const float* v) { return widen(Quat{v[0], v[1], v[2], v[3]}); }

// True if normalize_keys would leave the keys as they are. Few files have others, so this does not stop at the first
// that is not: without a branch many keys are on their way at once.
bool are_normalized(std::span<const float> values) {
  unsigned bad = 0;
  Quatd before = quat_at(values.data());
  for (std::size_t at = 0; at < values.size(); at += 4) {
    const Quatd q = quat_at(values.data() + at);
    const double off = dot4(q, q) - 1.0;
    bad |= static_cast<unsigned>(!(off >= -kUnitRounding)) | static_cast<unsigned>(!(off <= kUnitRounding)) |
           static_cast<unsigned>(dot4(before, q) < 0);
    before = q;
  }
  return bad == 0;
}

// Makes all rotation keys unit, and with `continuous` each the nearer of the two signs to the one before.
Result<void> normalize_keys(const TrackPlace& place, std::span<float> values, bool continuous) {
  if (are_normalized(values)) return {};
  Quatd before = {0, 0, 0, 0};
  for (std::size_t at = 0; at < values.size(); at += 4) {
    float* const v = values.data() + at;
    Quat q = normalize_once({v[0], v[1], v[2], v[3]});
    if (v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0) {
      return place.error(ErrorCode::invalid_argument, "has a rotation of length zero at key " + std::to_string(at / 4),
                         {"values", at});
    }
    if (continuous && dot4(before, widen(q)) < 0) q = {-q.x, -q.y, -q.z, -q.w};
    before = widen(q);
    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
  }
  return {};
}

// True if every key has the same value, so that one can stand for all.
bool is_constant(const CheckedTrack& track) {
  const std::size_t keys = track.times.size();
  const bool cubic = track.interpolation == Interpolation::cubic_spline;
  const std::size_t stride = cubic ? track.size * std::size_t{3} : track.size;
  const float* first = track.values.data() + (cubic ? track.size : 0);
  if (keys == 1) return true;
  for (std::size_t k = 0; k < keys; ++k) {
    for (std::size_t i = 0; i < track.size; ++i) {
      if (first[k * stride + i] != first[i]) return false;
      if (cubic && (track.values[k * stride + i] != 0 || track.values[k * stride + 2 * track.size + i] != 0)) {
        return false;
      }
    }
  }
  return true;
}

// Leaves one key of a constant track, without tangents, and normalised for rotations of any interpolation.
void keep_one_value(CheckedTrack& track) {
  if (track.interpolation == Interpolation::cubic_spline) {
    track.values = track.values.subspan(track.size);
  }
  track.values = track.values.first(track.size);
  if (track.property == Property::rotation) {
    float* const v = track.values.data();
    const Quat q = normalize_once({v[0], v[1], v[2], v[3]});
    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
  }
}

bool have_same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && (a.data() == b.data() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

// Checks a track and copies its values to `buffer`, which has the size of the values. Most tracks have the times of the
// one before.
Result<CheckedTrack> check_track(const TrackPlace& place, const TrackDesc& desc, KeyChange change,
                                 std::span<float> buffer, const CheckedTrack* before) {
  if (desc.joint >= place.skeleton.joint_count()) {
    return place.error(ErrorCode::invalid_argument, "is for a joint that the skeleton does not have; it has " +
                                                        std::to_string(place.skeleton.joint_count()));
  }
  if (desc.property > Property::morph || desc.interpolation > Interpolation::cubic_spline) {
    return place.error(ErrorCode::invalid_argument, "has a property or an interpolation that does not exist");
  }
  CheckedTrack track;
  track.joint = desc.joint;
  track.property = desc.property;
  track.interpolation = desc.interpolation;
  track.size = value_size(place.skeleton, desc.joint, desc.property);
  track.times = desc.times;
  const bool cubic = desc.interpolation == Interpolation::cubic_spline;
  const std::size_t keys = desc.times.size();
  const std::size_t expected = keys * track.size * (cubic ? 3 : 1);
  if (track.size == 0)
    return place.error(ErrorCode::size_mismatch, "has nothing to move: the joint has no morph weights");
  if (keys == 0) return place.error(ErrorCode::size_mismatch, "has no keys");
  if (desc.values.size() != expected) {
    return place.error(ErrorCode::size_mismatch,
                       "has " + std::to_string(desc.values.size()) + " values where its " + std::to_string(keys) +
                           " keys need " + std::to_string(expected),
                       "values");
  }
  if (before != nullptr && have_same_bits(before->times, desc.times)) {
    track.times_hash = before->times_hash;
  } else {
    if (Result<void> checked = check_times(place, desc.times); !checked) return checked.error();
    track.times_hash = hash_bulk(std::as_bytes(desc.times));
  }
  if (!are_usable(desc.values)) {
    std::size_t i = 0;
    while (is_usable(desc.values[i])) ++i;
    return place.error(
        ErrorCode::not_finite,
        "has a value at key " + std::to_string(i / (expected / keys)) + " that is not finite or beyond 1e18",
        {"values", i});
  }
  std::copy(desc.values.begin(), desc.values.end(), buffer.begin());
  track.values = buffer;
  if (change != nullptr) change(desc.property, track.values);
  if (desc.property == Property::rotation && !cubic) {
    const bool continuous = desc.interpolation == Interpolation::linear;
    if (Result<void> checked = normalize_keys(place, track.values, continuous); !checked) return checked.error();
  }
  track.constant = is_constant(track);
  if (track.constant) keep_one_value(track);
  return track;
}

std::uint64_t content_hash(const ClipData& data, std::span<const CheckedTrack> tracks) {
  Hasher hasher;
  hasher.add(platform::bit_cast<std::uint64_t>(data.duration));
  hasher.add(std::uint64_t{data.joint_count});
  hasher.add(data.morph_layout);
  for (const CheckedTrack& track : tracks) {
    hasher.add(std::uint64_t{track.joint});
    hasher.add(static_cast<std::uint64_t>(track.property) << 8 | static_cast<std::uint64_t>(track.interpolation));
    hasher.add(std::uint64_t{track.constant ? 0 : track.times.size()});
    hasher.add(track.constant ? hash_bulk({}) : track.times_hash);
    hasher.add(std::uint64_t{track.values.size()});
    hasher.add(hash_bulk(std::as_bytes(track.values)));
  }
  return hasher.finish();
}

Result<std::shared_ptr<const ClipData>> make_data(const Skeleton& skeleton, const ClipDesc& desc, KeyChange change,
                                                  KeyPool& pool) {
  auto data = std::make_shared<ClipData>();
  data->name = desc.name;
  data->joint_count = skeleton.joint_count();
  data->morph_size = skeleton.morph_size();
  data->morph_layout = skeleton.data().morph_layout;
  if (desc.duration.has_value()) {
    if (!(*desc.duration >= 0 && *desc.duration <= static_cast<double>(kMaxKeyTime))) {
      return Error{ErrorCode::invalid_argument,
                   "clip \"" + data->name + "\" has a duration that is not between 0 and 1e9 seconds", "duration"};
    }
    data->duration = *desc.duration;
  }

  std::vector<CheckedTrack> tracks;
  tracks.reserve(desc.tracks.size());
  data->tracks.reserve(desc.tracks.size());
  std::size_t total_keys = 0, total_values = 0;
  for (const TrackDesc& track : desc.tracks) total_values += track.values.size();
  if (pool.scratch.size() < total_values) pool.scratch.resize(total_values);
  std::span<float> buffer = pool.scratch;
  std::vector<std::uint8_t> seen(skeleton.joint_count(), 0);
  for (std::size_t i = 0; i < desc.tracks.size(); ++i) {
    const TrackPlace place{skeleton, desc, i};
    const std::size_t size = desc.tracks[i].values.size();
    Result<CheckedTrack> track =
        check_track(place, desc.tracks[i], change, buffer.first(size), tracks.empty() ? nullptr : &tracks.back());
    if (!track) return track.error();
    buffer = buffer.subspan(size);
    const unsigned bit = 1u << static_cast<unsigned>(track->property);
    if ((seen[track->joint] & bit) != 0) return place.error(ErrorCode::duplicate, "comes twice");
    seen[track->joint] = static_cast<std::uint8_t>(seen[track->joint] | bit);
    data->tracks.push_back({track->joint, track->property, track->interpolation,
                            static_cast<std::uint32_t>(track->times.size()), track->constant});
    total_keys += track->times.size();
    if (total_keys > kMaxKeys) return place.error(ErrorCode::limit_exceeded, "brings the keys of the clip above 2^28");
    const auto last = static_cast<double>(track->times.back());
    if (!desc.duration.has_value() && last > data->duration) data->duration = last;
    tracks.push_back(*track);
  }
  data->hash = content_hash(*data, tracks);
  build_layout(skeleton, tracks, pool, *data);
  data->id = next_serial();
  return std::shared_ptr<const ClipData>(std::move(data));
}

}  // namespace

const char* to_string(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::step: return "step";
    case Interpolation::linear: return "linear";
    case Interpolation::cubic_spline: return "cubic spline";
  }
  return "unknown";
}

Clip::Clip() : Clip(*create(Skeleton(), {})) {}

Result<Clip> Clip::create(const Skeleton& skeleton, const ClipDesc& desc) {
  KeyPool pool(1);
  return create_clip(skeleton, desc, nullptr, pool);
}

Result<Clip> create_clip(const Skeleton& skeleton, const ClipDesc& desc, KeyChange change, KeyPool& pool) {
  auto data = exactly([&] { return make_data(skeleton, desc, change, pool); });
  if (!data) return data.error();
  return Clip(std::move(*data));
}

Clip restore_clip(const Skeleton& skeleton, ClipData data) {
  data.joint_count = skeleton.joint_count();
  data.morph_size = skeleton.morph_size();
  data.morph_layout = skeleton.data().morph_layout;
  data.present = present_bits(skeleton.data(), std::as_const(data).tracks);
  data.id = next_serial();
  auto kept = std::make_shared<ClipData>(std::move(data));
  set_views(*kept);
  return Clip(std::move(kept));
}

std::string_view Clip::name() const { return data_->name; }
double Clip::duration() const { return data_->duration; }
std::span<const TrackInfo> Clip::tracks() const { return data_->tracks; }
std::uint32_t Clip::joint_count() const { return data_->joint_count; }
std::uint32_t Clip::morph_size() const { return data_->morph_size; }
bool Clip::fits(const Skeleton& skeleton) const { return marrow::fits(*data_, skeleton.data()); }
std::uint64_t Clip::hash() const { return data_->hash; }
std::uint64_t Clip::id() const { return data_->id; }

std::size_t Clip::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.size() * sizeof(v[0]); };
  const ClipData& d = *data_;
  return sizeof(ClipData) + bytes(d.times) + d.value_count * sizeof(float) + bytes(d.copies) + bytes(d.constants) +
         bytes(d.groups) + bytes(d.runs) + bytes(d.octets) + bytes(d.own_octets) + bytes(d.present) + bytes(d.tracks) +
         d.name.size();
}

}  // namespace marrow
