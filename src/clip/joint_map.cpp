#include "marrow/clip/joint_map.h"

#include <map>
#include <string_view>

#include "marrow/core/assert.h"
#include "marrow/core/hash.h"

namespace marrow {
namespace {

std::uint64_t hash_names(const Skeleton& skeleton) {
  std::uint64_t hash = 0;
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) hash = hash_text(skeleton.name(joint), hash);
  return hash;
}

Error no_joint(const char* leads, std::size_t count, std::uint32_t joint, const char* place) {
  return {ErrorCode::invalid_argument,
          std::string("the map leads ") + leads + " a skeleton of " + std::to_string(count) +
              " joints, which has no joint " + std::to_string(joint),
          place};
}

Result<void> check_joints(const char* leads, std::size_t count, std::uint64_t names, const Skeleton& skeleton) {
  if (skeleton.joint_count() != count) {
    return Error{ErrorCode::size_mismatch,
                 std::string("the map leads ") + leads + " a skeleton of " + std::to_string(count) +
                     " joints, but this one has " + std::to_string(skeleton.joint_count()),
                 "map"};
  }
  if (hash_names(skeleton) != names) {
    return Error{ErrorCode::invalid_argument,
                 std::string("the map leads ") + leads + " a skeleton whose joints have other names", "map"};
  }
  return {};
}

}  // namespace

const char* to_string(NotMapped reason) {
  switch (reason) {
    case NotMapped::left_out: return "the map leaves it out";
    case NotMapped::no_such_joint: return "no joint has that name";
    case NotMapped::one_way: return "the joint on the other side has another partner";
    case NotMapped::joint_taken: return "another joint went to the same joint";
    case NotMapped::other_morph_count: return "the target has another number of morph weights";
  }
  return "unknown";
}

JointMap::JointMap(std::size_t from_count, std::uint64_t from_names, std::size_t to_count, std::uint64_t to_names)
    : entries_(from_count),
      to_count_(static_cast<std::uint32_t>(to_count)),
      from_names_(from_names),
      to_names_(to_names) {}

JointMap::JointMap(const Skeleton& from, const Skeleton& to)
    : JointMap(from.joint_count(), hash_names(from), to.joint_count(), hash_names(to)) {}

JointMap JointMap::by_name(const Skeleton& from, const Skeleton& to, const NameRule& rule) {
  std::map<std::string_view, std::vector<std::uint32_t>> named;
  for (std::uint32_t joint = 0; joint < to.joint_count(); ++joint) named[to.name(joint)].push_back(joint);

  JointMap map(from, to);
  std::map<std::string_view, std::size_t> seen;
  for (std::uint32_t joint = 0; joint < from.joint_count(); ++joint) {
    const std::string_view own_name = from.name(joint);
    const std::size_t number = seen[own_name]++;
    const std::string ruled_name = rule ? rule(own_name) : std::string();
    const std::string_view name = rule ? ruled_name : own_name;
    const auto found = named.find(name);
    if (found != named.end() && number < found->second.size()) {
      map.entries_[joint].target = found->second[number];
    } else if (!name.empty()) {
      map.entries_[joint].reason = NotMapped::no_such_joint;
    }
  }
  return map;
}

JointMap JointMap::identity(const Skeleton& skeleton) {
  JointMap map(skeleton, skeleton);
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) map.entries_[joint].target = joint;
  return map;
}

JointMap JointMap::mirror_pairs(const Skeleton& skeleton, const NameRule& rule) {
  const JointMap named = by_name(skeleton, skeleton, rule ? rule : NameRule(opposite_name));
  JointMap map = named;
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const std::optional<std::uint32_t> partner = named.target(joint);
    if (partner && named.target(*partner) != joint) map.entries_[joint] = {kNoTarget, NotMapped::one_way};
  }
  return map;
}

Result<void> JointMap::set(std::uint32_t joint, std::uint32_t target) {
  if (joint >= entries_.size()) return no_joint("from", entries_.size(), joint, "joint");
  if (target >= to_count_) return no_joint("to", to_count_, target, "target");
  entries_[joint] = {target};
  return {};
}

Result<void> JointMap::clear(std::uint32_t joint) {
  if (joint >= entries_.size()) return no_joint("from", entries_.size(), joint, "joint");
  entries_[joint] = {};
  return {};
}

std::uint32_t JointMap::from_count() const { return static_cast<std::uint32_t>(entries_.size()); }
std::uint32_t JointMap::to_count() const { return to_count_; }

std::optional<std::uint32_t> JointMap::target(std::uint32_t joint) const {
  MARROW_ASSERT(joint < entries_.size(), "the skeleton that the map leads from has no such joint");
  const std::uint32_t target = entries_[joint].target;
  if (target == kNoTarget) return std::nullopt;
  return target;
}

std::optional<NotMapped> JointMap::reason(std::uint32_t joint) const {
  if (target(joint)) return std::nullopt;
  return entries_[joint].reason;
}

std::optional<std::uint32_t> JointMap::source(std::uint32_t target) const {
  MARROW_ASSERT(target < to_count_, "the skeleton that the map leads to has no such joint");
  for (std::uint32_t joint = 0; joint < entries_.size(); ++joint) {
    if (entries_[joint].target == target) return joint;
  }
  return std::nullopt;
}

std::vector<UnmappedJoint> JointMap::unmapped() const {
  std::vector<UnmappedJoint> joints;
  for (std::uint32_t joint = 0; joint < entries_.size(); ++joint) {
    if (const std::optional<NotMapped> why = reason(joint)) joints.push_back({joint, *why});
  }
  return joints;
}

std::vector<std::uint32_t> JointMap::unreached() const {
  const JointMap back = inverse();
  std::vector<std::uint32_t> joints;
  for (std::uint32_t joint = 0; joint < to_count_; ++joint) {
    if (!back.target(joint)) joints.push_back(joint);
  }
  return joints;
}

JointMap JointMap::inverse() const {
  JointMap map(to_count_, to_names_, entries_.size(), from_names_);
  for (std::uint32_t joint = 0; joint < entries_.size(); ++joint) {
    const std::optional<std::uint32_t> to = target(joint);
    if (to && !map.target(*to)) map.entries_[*to].target = joint;
  }
  return map;
}

Result<JointMap> JointMap::then(const JointMap& next) const {
  if (next.from_count() != to_count_ || next.from_names_ != to_names_) {
    return Error{ErrorCode::invalid_argument, "the next map does not start at the skeleton where this map ends",
                 "next"};
  }
  JointMap map(entries_.size(), from_names_, next.to_count_, next.to_names_);
  for (std::uint32_t joint = 0; joint < entries_.size(); ++joint) {
    const Entry& entry = entries_[joint];
    map.entries_[joint] = entry.target == kNoTarget ? entry : next.entries_[entry.target];
  }
  return map;
}

Result<void> JointMap::check(const Skeleton& from, const Skeleton& to) const {
  if (Result<void> checked = check_joints("from", entries_.size(), from_names_, from); !checked) return checked;
  return check_joints("to", to_count_, to_names_, to);
}

std::string to_string(const JointMap& map, const Skeleton& from, const Skeleton& to) {
  if (const Result<void> checked = map.check(from, to); !checked) return to_string(checked.error()) + "\n";
  const JointMap back = map.inverse();
  std::string text, unmapped, unreached;
  for (std::uint32_t joint = 0; joint < map.from_count(); ++joint) {
    const std::string name(from.name(joint));
    if (const std::optional<std::uint32_t> target = map.target(joint)) {
      text += name + " -> " + std::string(to.name(*target));
      const std::uint32_t first = *back.target(*target);
      if (first != joint) text += " (shared with " + std::string(from.name(first)) + ")";
      text += "\n";
    } else {
      unmapped += "  " + name + ": " + to_string(*map.reason(joint)) + "\n";
    }
  }
  for (const std::uint32_t joint : map.unreached()) unreached += "  " + std::string(to.name(joint)) + "\n";
  if (!unmapped.empty()) text += "without a target:\n" + unmapped;
  if (!unreached.empty()) text += "without a source:\n" + unreached;
  return text;
}

}  // namespace marrow
