// JointMap: maps joints of one skeleton to joints of another, or of the same one.
//
// Build a map once and use it for all clips: remap, add_clips and mirror take one. A joint has at most one target; two
// joints may share a target. A map knows its skeletons by the names of their joints in order. It serves every skeleton
// with those names, whatever its hierarchy and rest pose; with any other, functions return an Error.
//
// A plain value: a copy is independent. Any number of threads may read a map while none changes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "marrow/anim/skeleton.h"
#include "marrow/clip/joint_names.h"
#include "marrow/core/result.h"

namespace marrow {

// Why a joint has no target (the first three), or why remap dropped its tracks (all).
enum class NotMapped : std::uint8_t {
  left_out,           // never set, cleared, or the name rule gave an empty name
  no_such_joint,      // no joint has the name that it should go to
  one_way,            // the joint on the other side has another partner
  joint_taken,        // another joint of the clip went to the same joint
  other_morph_count,  // the target has another number of morph weights: only these were dropped
};

// Returns a sentence, e.g. "no joint has that name".
[[nodiscard]] const char* to_string(NotMapped reason);

struct UnmappedJoint {
  std::uint32_t joint;  // of the skeleton that the map or the clip came from
  NotMapped reason;

  friend bool operator==(const UnmappedJoint&, const UnmappedJoint&) = default;
};

class JointMap {
 public:
  // Creates a map without targets. Call set() to add them.
  JointMap(const Skeleton& from, const Skeleton& to);

  // Maps each joint to the joint of the same name, or of the name that `rule` gives. If several
  // joints share a name, the first goes to the first, the second to the second.
  //   rule: called once for each joint, in order; an empty name leaves the joint out
  [[nodiscard]] static JointMap by_name(const Skeleton& from, const Skeleton& to, const NameRule& rule = {});

  // Maps each joint to itself.
  [[nodiscard]] static JointMap identity(const Skeleton& skeleton);

  // Maps each joint to its partner on the other side, and a joint of the middle to itself. A joint has no target if its
  // partner does not exist or has another partner. The map, applied twice, gives each mapped joint again.
  //   rule: gives the name on the other side; opposite_name if empty
  [[nodiscard]] static JointMap mirror_pairs(const Skeleton& skeleton, const NameRule& rule = {});

  // Sets or removes the target of one joint. Fails on a joint that the skeletons do not have; the map is then
  // unchanged.
  [[nodiscard]] Result<void> set(std::uint32_t joint, std::uint32_t target);
  [[nodiscard]] Result<void> clear(std::uint32_t joint);

  [[nodiscard]] std::uint32_t from_count() const;  // joints of the skeleton that the map leads from
  [[nodiscard]] std::uint32_t to_count() const;    // joints of the skeleton that it leads to

  // Returns the joint that `joint` goes to; nothing if it has no target.
  [[nodiscard]] std::optional<std::uint32_t> target(std::uint32_t joint) const;

  // Returns why `joint` has no target; nothing if it has one.
  [[nodiscard]] std::optional<NotMapped> reason(std::uint32_t joint) const;

  // Returns the first joint that goes to `target`; nothing if none does. Searches all joints: for many, use inverse().
  [[nodiscard]] std::optional<std::uint32_t> source(std::uint32_t target) const;

  // Returns the joints without a target, in order.
  [[nodiscard]] std::vector<UnmappedJoint> unmapped() const;

  // Returns the joints that no joint goes to, in order.
  [[nodiscard]] std::vector<std::uint32_t> unreached() const;

  // Returns the map in the other direction. A shared target leads to the first joint that shares it.
  [[nodiscard]] JointMap inverse() const;

  // Returns the composition: each joint goes to the target that `next` has for its target in this map. Fails if `next`
  // does not start at the skeleton where this map ends.
  [[nodiscard]] Result<JointMap> then(const JointMap& next) const;

  // Fails, saying what differs, if the map was made for skeletons with other joints.
  [[nodiscard]] Result<void> check(const Skeleton& from, const Skeleton& to) const;

  friend bool operator==(const JointMap&, const JointMap&) = default;

 private:
  struct Entry {
    std::uint32_t target = kNoTarget;
    NotMapped reason = NotMapped::left_out;  // without a target
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  static constexpr std::uint32_t kNoTarget = 0xffffffffu;

  // With every joint left out.
  JointMap(std::size_t from_count, std::uint64_t from_names, std::size_t to_count, std::uint64_t to_names);

  std::vector<Entry> entries_;  // one for each joint of the first skeleton
  std::uint32_t to_count_;
  std::uint64_t from_names_, to_names_;  // hashes
};

// Returns the map as text, with a line for each joint: "hand_L -> LeftHand". Then come the joints without a target,
// with the reasons, and the joints that no joint goes to. If the skeletons are not those of the map, returns the error
// of check() as text.
[[nodiscard]] std::string to_string(const JointMap& map, const Skeleton& from, const Skeleton& to);

}  // namespace marrow
