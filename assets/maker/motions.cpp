#include "maker/motions.h"

#include <algorithm>
#include <optional>

#include "maker/motion_parts.h"
#include "maker/rig.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/clip/key_reduction.h"

namespace marrow::character {
namespace {

bool same(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
bool same(Quat a, Quat b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

// The keys of every frame; nothing if they are all `rest`.
template <typename Value, typename Get>
std::optional<TrackKeys> make_track(const Motion& motion, std::uint32_t joint, Property property, const Value& rest,
                                    const Get& get) {
  TrackKeys track{joint, property, Interpolation::linear, {}, {}};
  bool moves = false;
  for (std::size_t i = 0; i < motion.frames.size(); ++i) {
    const Value value = get(motion.frames[i]);
    moves = moves || !same(value, rest);
    track.times.push_back(static_cast<float>(static_cast<double>(i) / motion.frames_per_second));
    if constexpr (std::is_same_v<Value, Quat>) {
      track.values.insert(track.values.end(), {value.x, value.y, value.z, value.w});
    } else {
      track.values.insert(track.values.end(), {value.x, value.y, value.z});
    }
  }
  if (!moves) return {};
  return track;
}

// Ends a track as it begins, to the bit: fewer keys may have left the two a tolerance apart.
void close_loop(TrackKeys& track, double duration_s) {
  const std::size_t width = track.values.size() / track.times.size();
  if (track.times.size() < 2) return;
  const auto end = static_cast<float>(duration_s);
  if (track.times.back() < end) {
    track.times.push_back(end);
    track.values.resize(track.values.size() + width);
  }
  std::copy_n(track.values.begin(), width, track.values.end() - static_cast<std::ptrdiff_t>(width));
}

std::optional<std::uint32_t> face_of(const Skeleton& skeleton) {
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.morph_count(j) == 2) return j;
  }
  return {};
}

}  // namespace

Motion sample_motion(const std::string& name, int frame_count, bool loops,
                     const std::function<Moment(double time_s)>& at) {
  Motion motion{name, frame_count / kFramesPerSecond, kFramesPerSecond, loops, {}, true, {}};
  for (std::uint32_t j = 0; j < rig().joints.size(); ++j) motion.joints.push_back(j);
  for (int i = 0; i <= frame_count; ++i) {
    const Moment moment = at(i / kFramesPerSecond);
    motion.frames.push_back({pose(moment.body), static_cast<float>(moment.blink), static_cast<float>(moment.smile)});
  }
  return motion;
}

std::vector<Motion> make_motions() {
  return {make_idle(), make_walk(), make_run(), make_jump(), make_wave(), make_turn(), make_grip()};
}

Skeleton make_skeleton() {
  const std::vector<Transform> rest = rest_pose();
  const float faces[2] = {0, 0};
  std::vector<JointDesc> joints;
  for (std::size_t j = 0; j < rest.size(); ++j) {
    const RigJoint& joint = rig().joints[j];
    joints.push_back(
        {.name = joint.name, .parent = joint.parent, .children = {}, .rest = rest[j], .morph_weights = {}});
  }
  joints[rig().root].morph_weights = faces;
  return Skeleton::create(joints).value().skeleton;
}

Result<Clip> to_clip(const Motion& motion, const Skeleton& skeleton, double tolerance_m) {
  ClipKeys keys{motion.name, motion.duration_s, {}};
  for (const std::uint32_t j : motion.joints) {
    const Result<std::uint32_t> joint = skeleton.joint(rig().joints[j].name);
    if (!joint) return joint.error();
    const Transform& rest = skeleton.rest(*joint);
    auto place = make_track(motion, *joint, Property::translation, rest.translation,
                            [j](const Frame& frame) { return frame.local[j].translation; });
    auto turn = make_track(motion, *joint, Property::rotation, rest.rotation,
                           [j](const Frame& frame) { return frame.local[j].rotation; });
    if (place) keys.tracks.push_back(std::move(*place));
    if (turn) keys.tracks.push_back(std::move(*turn));
  }
  if (const std::optional<std::uint32_t> face = motion.face ? face_of(skeleton) : std::nullopt) {
    TrackKeys track{*face, Property::morph, Interpolation::linear, {}, {}};
    for (std::size_t i = 0; i < motion.frames.size(); ++i) {
      track.times.push_back(static_cast<float>(static_cast<double>(i) / motion.frames_per_second));
      track.values.insert(track.values.end(), {motion.frames[i].blink, motion.frames[i].smile});
    }
    keys.tracks.push_back(std::move(track));
  }
  const Result<Clip> clip = create_clip(skeleton, keys);
  if (!clip) return clip.error();
  ReductionOptions options;
  options.tolerance = tolerance_m;
  const Result<ReducedClip> reduced = reduce_keys(skeleton, *clip, options);
  if (!reduced) return reduced.error();
  ClipKeys fewer = clip_keys(skeleton, reduced->clip);
  if (motion.loops) {
    const Result<std::uint32_t> root = skeleton.joint(rig().joints[rig().root].name);
    if (!root) return root.error();
    for (TrackKeys& track : fewer.tracks) {
      if (track.joint != *root || track.property == Property::morph) close_loop(track, fewer.duration);
    }
  }
  return create_clip(skeleton, fewer);
}

}  // namespace marrow::character
