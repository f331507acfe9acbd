#include "marrow/clip/remap.h"

#include <optional>
#include <utility>

#include "marrow/anim/clip_keys.h"
#include "src/clip/joint_names.h"
#include "src/math/exact.h"

namespace marrow {
namespace {

Result<RemappedClip> remap_keys(const Skeleton& from, const Clip& clip, const Skeleton& to, const NameRule& rule) {
  const std::vector<std::optional<std::uint32_t>> joints = map_joints(from, to, rule);
  RemappedClip result;
  ClipKeys keys = read_keys(from, clip);
  std::vector<std::optional<NotMapped>> problem(from.joint_count());
  std::vector<std::optional<std::uint32_t>> owner(to.joint_count());
  std::vector<TrackKeys> tracks;
  for (TrackKeys& track : keys.tracks) {
    const std::uint32_t joint = track.joint;
    if (!joints[joint]) {
      problem[joint] = NotMapped::no_such_joint;
      continue;
    }
    std::optional<std::uint32_t>& taken_by = owner[*joints[joint]];
    if (taken_by.value_or(joint) != joint) {
      problem[joint] = NotMapped::joint_taken;
    } else if (track.property == Property::morph && from.morph_count(joint) != to.morph_count(*joints[joint])) {
      problem[joint] = NotMapped::other_morph_count;
    } else {
      taken_by = joint;
      track.joint = *joints[joint];
      tracks.push_back(std::move(track));
    }
  }
  keys.tracks = std::move(tracks);
  for (std::uint32_t joint = 0; joint < from.joint_count(); ++joint) {
    if (problem[joint]) result.unmapped.push_back({joint, *problem[joint]});
  }
  for (std::uint32_t joint = 0; joint < to.joint_count(); ++joint) {
    if (!owner[joint]) result.resting.push_back(joint);
  }
  Result<Clip> made = create_clip(to, keys);
  if (!made) return made.error();
  result.clip = *made;
  return result;
}

}  // namespace

const char* to_string(NotMapped reason) {
  switch (reason) {
    case NotMapped::no_such_joint: return "no joint has that name";
    case NotMapped::joint_taken: return "another joint went to the joint of that name";
    case NotMapped::other_morph_count: return "the joint of that name has another number of morph weights";
  }
  return "unknown";
}

Result<RemappedClip> remap(const Skeleton& from, const Clip& clip, const Skeleton& to, const NameRule& rule) {
  return exactly([&] { return remap_keys(from, clip, to, rule); });
}

}  // namespace marrow
