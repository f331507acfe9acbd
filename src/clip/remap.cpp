#include "marrow/clip/remap.h"

#include <optional>
#include <utility>

#include "marrow/anim/clip_keys.h"
#include "src/clip/imports.h"

namespace marrow {
namespace {

Result<RemappedClip> remap_keys(const Skeleton& from, const Clip& clip, const Skeleton& to, const JointMap& map) {
  if (const Result<void> checked = map.check(from, to); !checked) return checked.error();
  RemappedClip result;
  ClipKeys keys = clip_keys(from, clip);
  std::vector<std::optional<NotMapped>> problem(from.joint_count());
  std::vector<std::optional<std::uint32_t>> owner(to.joint_count());
  std::vector<TrackKeys> tracks;
  for (TrackKeys& track : keys.tracks) {
    const std::uint32_t joint = track.joint;
    const std::optional<std::uint32_t> target = map.target(joint);
    if (!target) {
      problem[joint] = map.reason(joint);
      continue;
    }
    std::optional<std::uint32_t>& taken_by = owner[*target];
    if (taken_by.value_or(joint) != joint) {
      problem[joint] = NotMapped::joint_taken;
    } else if (track.property == Property::morph && from.morph_count(joint) != to.morph_count(*target)) {
      problem[joint] = NotMapped::other_morph_count;
    } else {
      taken_by = joint;
      track.joint = *target;
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

Result<RemappedClip> remap(const Skeleton& from, const Clip& clip, const Skeleton& to, const JointMap& map) {
  return exactly([&] { return remap_keys(from, clip, to, map); });
}

}  // namespace marrow
