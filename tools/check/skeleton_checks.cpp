#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "check.h"
#include "marrow/anim/sampling.h"
#include "scales.h"
#include "text.h"

namespace marrow::tool {
namespace {

constexpr double kZeroLength = 1e-6;  // of the model's size

void check_names(const Subject& subject, Findings& out) {
  const Skeleton& skeleton = subject.model.skeleton();
  std::unordered_map<std::string_view, std::uint32_t> first;
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    const auto [it, is_new] = first.emplace(skeleton.name(j), j);
    if (is_new) continue;
    out.push_back({Rule::duplicate_joint_name, subject.joint_place(j),
                   in_quotes(skeleton.name(j)) + ", as " + to_string(subject.joint_place(it->second))});
  }
}

void check_scales(const Subject& subject, Findings& out) {
  const Skeleton& skeleton = subject.model.skeleton();
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    const Vec3 scale = skeleton.rest(j).scale;
    const auto add = [&](Rule rule) {
      out.push_back(
          {rule, subject.joint_place(j), in_quotes(skeleton.name(j)) + ", " + text_of(scale, subject.model.up())});
    };
    if (is_negative(scale)) add(Rule::negative_scale);
    if (is_uneven(scale) && !skeleton.children(j).empty()) add(Rule::uneven_scale);
  }
}

bool is_zero(const Vec3& v, double limit) {
  return std::hypot(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)) <= limit;
}

// For each joint, whether it is at the place of its parent at rest and whatever is played.
std::vector<bool> find_zero_length(const Subject& subject) {
  const Skeleton& skeleton = subject.model.skeleton();
  const double limit = kZeroLength * subject.size;
  std::vector<bool> zero(skeleton.joint_count(), false);
  for (std::uint32_t j = skeleton.root_count(); j < skeleton.joint_count(); ++j) {
    const auto parent = static_cast<std::uint32_t>(skeleton.parent(j));
    zero[j] = subject.in_skin[j] && subject.in_skin[parent] && is_zero(skeleton.rest(j).translation, limit);
  }
  if (std::find(zero.begin(), zero.end(), true) == zero.end()) return zero;
  Pose pose(skeleton);
  for (const Clip& clip : subject.model.clips()) {
    sample(clip, 0, pose);
    for (const TrackInfo& track : clip.tracks()) {
      if (track.property != Property::translation) continue;
      if (!track.constant || !is_zero(pose.transform(track.joint).translation, limit)) zero[track.joint] = false;
    }
  }
  return zero;
}

}  // namespace

Findings check_skeleton(const Subject& subject) {
  Findings out;
  check_names(subject, out);
  check_scales(subject, out);
  const Skeleton& skeleton = subject.model.skeleton();
  const std::vector<bool> zero = find_zero_length(subject);
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    if (!zero[j]) continue;
    const auto parent = static_cast<std::uint32_t>(skeleton.parent(j));
    out.push_back({Rule::zero_length_bone, subject.joint_place(j),
                   in_quotes(skeleton.name(j)) + " in " + in_quotes(skeleton.name(parent))});
  }
  return out;
}

}  // namespace marrow::tool
