#include "marrow/clip/clip_tools.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "marrow/anim/clip_keys.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/quat.h"
#include "src/clip/imports.h"

namespace marrow {
namespace {

// The keys from `from` to `to`, with one at each end, moved to start at 0.
TrackKeys trimmed(const TrackKeys& track, double from, double to) {
  TrackKeys out{track.joint, track.property, track.interpolation, {}, {}};
  for (std::size_t k = 0; k < track.times.size(); ++k) {
    const auto time = static_cast<double>(track.times[k]);
    if (time < from || time > to) continue;
    if (out.times.empty() && time > from) append_point(track, from, 0, out);
    append_key(track, k, static_cast<float>(time - from), out);
    if (track.interpolation != Interpolation::cubic_spline) continue;
    // Outside its keys a track stands still, and so it must do up to the new ones.
    const auto end = out.values.end();
    const auto size = static_cast<std::ptrdiff_t>(value_size(track));
    if (k == 0) std::fill(end - 3 * size, end - 2 * size, 0.0f);
    if (k + 1 == track.times.size()) std::fill(end - size, end, 0.0f);
  }
  if (out.times.empty()) append_point(track, from, 0, out);
  const auto last = static_cast<float>(to - from);
  if (out.times.back() < last) append_point(track, to, last, out);
  return out;
}

// A track that starts at 0 and ends at `duration`, the other way round.
TrackKeys reversed(const TrackKeys& track, double duration) {
  TrackKeys out{track.joint, track.property, track.interpolation, {}, {}};
  const std::size_t keys = track.times.size(), size = value_size(track);
  for (std::size_t k = keys; k-- > 0;) {
    // A step holds its value up to the next key: that is where it starts now.
    const bool step = track.interpolation == Interpolation::step;
    const double end = !step ? static_cast<double>(track.times[k])
                             : (k + 1 < keys ? static_cast<double>(track.times[k + 1]) : duration);
    append_key(track, k, std::max(static_cast<float>(duration - end), 0.0f), out);
    if (track.interpolation == Interpolation::cubic_spline) {
      float* in_tangent = out.values.data() + out.values.size() - 3 * size;
      float* out_tangent = in_tangent + 2 * size;
      for (std::size_t i = 0; i < size; ++i) {
        const float in = -out_tangent[i];
        out_tangent[i] = -in_tangent[i];
        in_tangent[i] = in;
      }
    }
  }
  return out;
}

// A track that stands still where the skeleton rests.
TrackKeys resting(const Skeleton& skeleton, std::uint32_t joint, Property property, double duration) {
  TrackKeys track{joint, property, Interpolation::step, {0.0f, static_cast<float>(duration)}, {}};
  const Transform& rest = skeleton.rest(joint);
  std::vector<float> value;
  switch (property) {
    case Property::translation: value = {rest.translation.x, rest.translation.y, rest.translation.z}; break;
    case Property::rotation: value = {rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w}; break;
    case Property::scale: value = {rest.scale.x, rest.scale.y, rest.scale.z}; break;
    case Property::morph:
      value.assign(skeleton.rest_morph_weights(joint).begin(), skeleton.rest_morph_weights(joint).end());
      break;
  }
  for (int i = 0; i < 2; ++i) track.values.insert(track.values.end(), value.begin(), value.end());
  return track;
}

// Two tracks that start at 0 and end at their clips' durations, one after the other.
TrackKeys joined(TrackKeys first, TrackKeys second, double seam) {
  const Interpolation richer = std::max(first.interpolation, second.interpolation);
  first = with_interpolation(first, richer);
  second = with_interpolation(second, richer);
  // Where the curve goes on without a jump one key does for both sides: the value of the two, the tangents of each.
  const std::size_t size = value_size(first), last = first.times.size() - 1;
  std::size_t start = 0;
  if (std::equal(key_value(first, last), key_value(first, last) + size, key_value(second, 0))) {
    std::copy_n(key_floats(second, 0) + key_size(second) - size, size,
                first.values.end() - static_cast<std::ptrdiff_t>(size));
    start = 1;
  }
  for (std::size_t k = start; k < second.times.size(); ++k) {
    append_key(second, k, static_cast<float>(static_cast<double>(second.times[k]) + seam), first);
  }
  return first;
}

// Calls change(keys) with the keys of a clip, and makes a clip of what it left.
template <typename Change>
Result<Clip> changed(const Skeleton& skeleton, const Clip& clip, const Change& change) {
  return exactly([&]() -> Result<Clip> {
    ClipKeys keys = clip_keys(skeleton, clip);
    if (Result<void> done = change(keys); !done) return done.error();
    return create_clip(skeleton, keys);
  });
}

Result<void> subtract_reference(const Skeleton& skeleton, const Pose& reference, TrackKeys& track) {
  const Transform from = reference.transform(track.joint);
  const std::span<const float> weights = reference.morph_weights(track.joint);
  const float scale[] = {from.scale.x, from.scale.y, from.scale.z};
  const float translation[] = {from.translation.x, from.translation.y, from.translation.z};
  switch (track.property) {
    case Property::translation:
      for_each_part(track, [&](float* v, bool tangent) {
        for (int i = 0; i < 3; ++i) v[i] = tangent ? v[i] : v[i] - translation[i];
      });
      break;
    case Property::rotation:  // a turn of the whole space of quaternions, so tangents turn too
      for_each_part(track, [&](float* v, bool) { store_quat(multiply(conjugate(from.rotation), to_quat(v)), v); });
      break;
    case Property::scale:
      for (const float s : scale) {
        if (s != 0) continue;
        return Error{ErrorCode::invalid_argument,
                     "the reference has a scale of zero at joint \"" + std::string(skeleton.name(track.joint)) +
                         "\", which the clip scales: no factor leads from there to the clip",
                     Place("reference") / "joints" / track.joint};
      }
      for_each_part(track, [&](float* v, bool) {
        for (int i = 0; i < 3; ++i) v[i] = v[i] / scale[i];
      });
      break;
    case Property::morph:
      for_each_part(track, [&](float* v, bool tangent) {
        for (std::size_t i = 0; i < weights.size(); ++i) v[i] = tangent ? v[i] : v[i] - weights[i];
      });
      break;
  }
  return {};
}

Result<Clip> with_joints(const Skeleton& skeleton, const Clip& clip, const JointMask& mask, bool wanted) {
  if (mask.joint_count() != skeleton.joint_count()) {
    return Error{ErrorCode::size_mismatch, "the mask was made for a skeleton with another number of joints", "mask"};
  }
  return changed(skeleton, clip, [&](ClipKeys& keys) -> Result<void> {
    std::erase_if(keys.tracks, [&](const TrackKeys& track) { return (mask[track.joint] > 0) != wanted; });
    return {};
  });
}

}  // namespace

Result<Clip> rename_clip(const Skeleton& skeleton, const Clip& clip, std::string_view name) {
  return changed(skeleton, clip, [&](ClipKeys& keys) -> Result<void> {
    keys.name = name;
    return {};
  });
}

Result<Clip> trim(const Skeleton& skeleton, const Clip& clip, double from_s, double to_s) {
  return changed(skeleton, clip, [&](ClipKeys& keys) -> Result<void> {
    const auto limit = static_cast<double>(kMaxKeyTime);
    if (!(from_s >= -limit && from_s <= limit)) {
      return invalid_argument(clip, "the start of the part is not a time within 1e9 seconds", "from_s");
    }
    if (!(to_s >= from_s && to_s <= limit)) {
      return invalid_argument(clip, "the end of the part is not a time within 1e9 seconds, or before its start",
                              "to_s");
    }
    for (TrackKeys& track : keys.tracks) track = trimmed(track, from_s, to_s);
    keys.duration = to_s - from_s;
    return {};
  });
}

Result<Clip> reverse_clip(const Skeleton& skeleton, const Clip& clip) {
  return changed(skeleton, clip, [&](ClipKeys& keys) -> Result<void> {
    for (TrackKeys& track : keys.tracks) track = reversed(trimmed(track, 0, keys.duration), keys.duration);
    return {};
  });
}

Result<Clip> concatenate(const Skeleton& skeleton, const Clip& first, const Clip& second) {
  return changed(skeleton, first, [&](ClipKeys& keys) -> Result<void> {
    const double seam = keys.duration;
    ClipKeys more = clip_keys(skeleton, second);
    std::map<std::pair<std::uint32_t, Property>, std::pair<const TrackKeys*, const TrackKeys*>> pairs;
    for (const TrackKeys& track : keys.tracks) pairs[{track.joint, track.property}].first = &track;
    for (const TrackKeys& track : more.tracks) pairs[{track.joint, track.property}].second = &track;
    std::vector<TrackKeys> tracks;
    for (const auto& [what, pair] : pairs) {
      const auto part = [&, joint = what.first, property = what.second](const TrackKeys* track, double duration) {
        return track != nullptr ? trimmed(*track, 0, duration) : resting(skeleton, joint, property, duration);
      };
      tracks.push_back(joined(part(pair.first, seam), part(pair.second, more.duration), seam));
    }
    keys.tracks = std::move(tracks);
    keys.duration = seam + more.duration;
    return {};
  });
}

Result<Clip> resample(const Skeleton& skeleton, const Clip& clip, double keys_per_second) {
  return changed(skeleton, clip, [&](ClipKeys& keys) -> Result<void> {
    const double wanted = keys.duration * keys_per_second;
    const auto moves = [](const TrackKeys& track) { return track.times.size() > 1; };
    const auto moving = static_cast<double>(std::count_if(keys.tracks.begin(), keys.tracks.end(), moves));
    if (!(keys_per_second > 0)) return invalid_argument(clip, "the rate of keys is not above zero", "keys_per_second");
    if (!((wanted + 2) * std::max(moving, 1.0) < static_cast<double>(kMaxKeys))) {
      return Error{ErrorCode::limit_exceeded, "clip \"" + keys.name + "\" would have more than 2^28 keys",
                   "keys_per_second"};
    }
    // A little more than a whole number is one, so that 30 keys a second come out as 30.
    auto intervals = static_cast<std::uint32_t>(wanted);
    if (wanted - intervals > 1e-4) ++intervals;
    if (keys.duration > 0) intervals = std::max(intervals, 1u);
    for (TrackKeys& track : keys.tracks) {
      if (!moves(track)) continue;
      const bool step = track.interpolation == Interpolation::step;
      TrackKeys even{track.joint, track.property, step ? Interpolation::step : Interpolation::linear, {}, {}};
      std::vector<float> value(value_size(track));
      for (std::uint32_t i = 0; i <= intervals; ++i) {
        const double time = i == intervals ? keys.duration : keys.duration * i / intervals;
        value_at(track, time, value.data());
        even.times.push_back(static_cast<float>(time));
        even.values.insert(even.values.end(), value.begin(), value.end());
      }
      track = std::move(even);
    }
    return {};
  });
}

Result<Clip> to_additive(const Skeleton& skeleton, const Clip& clip, const Pose& reference) {
  if (!clip.fits(reference.skeleton())) {
    return Error{ErrorCode::size_mismatch,
                 "the reference is a pose of a skeleton with another number of joints or morph weights", "reference"};
  }
  return changed(skeleton, clip, [&](ClipKeys& keys) -> Result<void> {
    for (TrackKeys& track : keys.tracks) {
      if (Result<void> done = subtract_reference(skeleton, reference, track); !done) return done;
    }
    return {};
  });
}

Result<Clip> to_additive(const Skeleton& skeleton, const Clip& clip, double reference_time_s) {
  if (!(reference_time_s == reference_time_s))
    return invalid_argument(clip, "the time of the reference is not a number", "reference_time_s");
  Pose reference(skeleton);
  sample(clip, reference_time_s, reference);
  return to_additive(skeleton, clip, reference);
}

Result<Clip> keep_joints(const Skeleton& skeleton, const Clip& clip, const JointMask& mask) {
  return with_joints(skeleton, clip, mask, true);
}

Result<Clip> drop_joints(const Skeleton& skeleton, const Clip& clip, const JointMask& mask) {
  return with_joints(skeleton, clip, mask, false);
}

}  // namespace marrow
