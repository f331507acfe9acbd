#include "src/export/bone_frames.h"

#include <algorithm>
#include <cmath>

#include "marrow/math/affine.h"
#include "marrow/math/quat.h"

namespace marrow {
namespace {

// Keys of different tracks that are meant to be at one time lie this far apart, in seconds or parts of the time.
constexpr float kSameTime = 1e-6f;

bool is_same_time(float a, float b) { return b - a <= kSameTime * std::max(1.0f, b); }

bool is_identity(const Affine& a) {
  const Affine identity;
  return std::equal(&a.m[0][0], &a.m[0][0] + 12, &identity.m[0][0]);
}

// What a map that keeps angles makes of a transform. A scale of zero leaves the rotation as it was, where matrices
// would forget it.
Transform placed(const Affine& above, const Transform& local) {
  if (is_identity(above)) return local;
  if (determinant(above) < 0) return to_transform(multiply(above, to_affine(local)));
  const Transform outer = to_transform(above);
  const float scale = outer.scale.x;
  return {transform_point(above, local.translation),
          normalize(multiply(outer.rotation, local.rotation)),
          {scale * local.scale.x, scale * local.scale.y, scale * local.scale.z}};
}

void sort_unique(std::vector<float>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

}  // namespace

BoneFrames::BoneFrames(const Model& model, const BoneList& list, const Clip& clip)
    : list_(list), clip_(clip), cursor_(clip), pose_(model.skeleton()) {}

void BoneFrames::at(double time_s, std::span<Transform> out) {
  sample(clip_, time_s, cursor_, pose_);
  for (std::size_t b = 0; b < out.size(); ++b) {
    const ExportedBone& bone = list_.bones[b];
    out[b] = bone.copy ? Transform{} : placed(list_.above[b], pose_.transform(bone.joint));
  }
}

void BoneFrames::at(double time_s, std::span<Affine> out) {
  sample(clip_, time_s, cursor_, pose_);
  for (std::size_t b = 0; b < out.size(); ++b) {
    const ExportedBone& bone = list_.bones[b];
    out[b] = bone.copy ? Affine{} : to_affine(pose_.transform(bone.joint));
    if (!is_identity(list_.above[b])) out[b] = multiply(list_.above[b], out[b]);
  }
}

BoneKeys bone_keys(const Model& model, const BoneList& list, const Clip& clip) {
  BoneKeys out;
  const auto end = static_cast<float>(clip.duration());
  out.keys = {0, end};
  std::vector<bool> steps(list.bones.size(), false), smooth(list.bones.size(), false);
  const ClipKeys keys = clip_keys(model.skeleton(), clip);
  const auto bone_of = [&](const TrackKeys& track) { return list.bone_of_joint[track.joint]; };
  const auto counts = [&](const TrackKeys& track) {
    return track.times.size() > 1 && track.property != Property::morph && bone_of(track) != kNone;
  };
  for (const TrackKeys& track : keys.tracks) {
    if (track.property == Property::morph) out.morphs = true;
    if (track.property != Property::morph && bone_of(track) == kNone) out.other_joints = true;
    if (!counts(track)) continue;
    auto& kind = track.interpolation == Interpolation::step ? steps : smooth;
    kind[static_cast<std::size_t>(bone_of(track))] = true;
  }
  for (const TrackKeys& track : keys.tracks) {
    if (!counts(track)) continue;
    for (std::size_t k = 0; k < track.times.size(); ++k) {
      const float time = track.times[k];
      if (time <= 0 || time > end) continue;
      out.keys.push_back(time);
      const bool step = track.interpolation == Interpolation::step;
      const float before = k == 0 ? -1 : track.times[k - 1];
      if (!step && !is_same_time(before, time)) continue;
      out.steps.push_back(time);
      if (step && !smooth[static_cast<std::size_t>(bone_of(track))]) continue;
      // Two keys of one track at the same time, or as good as, are a jump too.
      out.jumps.push_back(step || before == time ? std::nextafter(time, 0.0f) : std::max(before, 0.0f));
    }
  }
  sort_unique(out.keys);
  sort_unique(out.jumps);
  sort_unique(out.steps);
  for (std::size_t b = 0; b < list.bones.size(); ++b) {
    const bool all_steps = steps[b] && !smooth[b];
    out.interpolation.push_back(all_steps ? ExportedInterpolation::step : ExportedInterpolation::linear);
  }
  return out;
}

std::vector<float> frame_times(const BoneKeys& keys) {
  std::vector<float> times;
  for (const float time : keys.keys) {
    // Of those that belong together the last stays: there each track has reached its key. The first frame stays at 0.
    if (times.size() > 1 && is_same_time(times.back(), time)) {
      times.back() = time;
    } else {
      times.push_back(time);
    }
  }
  times.insert(times.end(), keys.jumps.begin(), keys.jumps.end());
  sort_unique(times);
  return times;
}

std::vector<float> even_times(double duration, double fps) {
  // A little more than a whole number is one, so that 30 frames a second come out as 30.
  const double wanted = duration * fps;
  auto intervals = static_cast<std::uint32_t>(wanted);
  if (wanted - intervals > 1e-4) ++intervals;
  if (duration > 0) intervals = std::max(intervals, 1u);
  std::vector<float> times = {0};
  for (std::uint32_t i = 1; i <= intervals; ++i) {
    times.push_back(static_cast<float>(i == intervals ? duration : duration * i / intervals));
  }
  return times;
}

}  // namespace marrow
