// Skeleton: a hierarchy of named joints with a rest pose.
//
// Immutable after creation; a Skeleton is a reference to shared data, cheap to copy and safe to use from any number of
// threads. Joints are in breadth-first order, siblings in the order of the input: parents come before their children,
// the children of a joint are neighbours, and so is each generation of its descendants.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/math/types.h"

namespace marrow {

inline constexpr std::int32_t kNoParent = -1;

// One joint as the caller has it. The hierarchy may be told from below (`parent`), from above (`children`) or both, as
// long as they agree. Indices are into the caller's array. The spans and the name need to live only for the call.
struct JointDesc {
  std::string_view name;  // empty: the joint is called bone_<index>
  std::int32_t parent = kNoParent;
  std::span<const std::uint32_t> children;
  Transform rest;                        // relative to the parent; the rotation is normalised
  std::span<const float> morph_weights;  // the morph targets' weights at rest, for a node whose mesh has any
};

struct SkeletonBuild;
struct SkeletonData;

class Skeleton {
 public:
  // A skeleton with no joints.
  Skeleton();

  // Copies share the data; a move is a copy, so that no skeleton is ever without.
  Skeleton(const Skeleton&) = default;
  Skeleton& operator=(const Skeleton&) = default;

  // Makes a skeleton of joints in any order. Fails, naming the joint, on a parent or child index out of range, two
  // parents, a cycle, a rotation of length zero, or a value that is not finite or above
  // 1e18, and on more than 2^26 joints or 2^28 morph weights.
  [[nodiscard]] static Result<SkeletonBuild> create(std::span<const JointDesc> joints);

  [[nodiscard]] std::uint32_t joint_count() const;
  [[nodiscard]] std::uint32_t root_count() const;  // the roots are the first joints

  // Returns the first joint of that name. Fails if there is none.
  [[nodiscard]] Result<std::uint32_t> joint(std::string_view name) const;
  [[nodiscard]] bool has_joint(std::string_view name) const;

  [[nodiscard]] std::string_view name(std::uint32_t joint) const;
  [[nodiscard]] std::int32_t parent(std::uint32_t joint) const;  // kNoParent for a root
  [[nodiscard]] const Transform& rest(std::uint32_t joint) const;

  // All parents, a joint each.
  [[nodiscard]] std::span<const std::int32_t> parents() const;

  // A run of joints that are neighbours: for (std::uint32_t j : skeleton.children(joint)).
  struct Range {
    std::uint32_t first, last;  // last is one past the end
    struct Iterator {
      std::uint32_t joint;
      std::uint32_t operator*() const { return joint; }
      Iterator& operator++() { return ++joint, *this; }
      bool operator!=(Iterator other) const { return joint != other.joint; }
    };
    [[nodiscard]] Iterator begin() const { return {first}; }
    [[nodiscard]] Iterator end() const { return {last}; }
    [[nodiscard]] std::uint32_t size() const { return last - first; }
    [[nodiscard]] bool empty() const { return first == last; }
  };
  [[nodiscard]] Range children(std::uint32_t joint) const;

  // Returns the children of all joints of a run, in order. From {j, j + 1} on, this gives the generations below j one
  // by one until it comes out empty.
  [[nodiscard]] Range children(Range parents) const;

  // The joint and all below it, generation by generation: for (std::uint32_t j : skeleton.subtree(joint)).
  class Subtree;
  [[nodiscard]] Subtree subtree(std::uint32_t joint) const&;
  void subtree(std::uint32_t joint) const&& = delete;  // the skeleton must outlive it

  // Morph weights. A pose holds those of all joints in one array, each joint's starting at a multiple of eight.
  [[nodiscard]] std::uint32_t morph_count(std::uint32_t joint) const;
  [[nodiscard]] std::uint32_t morph_offset(std::uint32_t joint) const;
  [[nodiscard]] std::uint32_t morph_size() const;  // of that array
  [[nodiscard]] std::span<const float> rest_morph_weights(std::uint32_t joint) const;

  // A hash of everything above: equal for skeletons with the same joints.
  [[nodiscard]] std::uint64_t hash() const;

  // For the library's other modules.
  [[nodiscard]] const SkeletonData& data() const { return *data_; }

 private:
  friend Result<Skeleton> restore_skeleton(std::span<const JointDesc> joints);
  explicit Skeleton(std::shared_ptr<const SkeletonData> data) : data_(std::move(data)) {}

  std::shared_ptr<const SkeletonData> data_;
};

// What Skeleton::create returns: the skeleton, and where each joint of the input went.
struct SkeletonBuild {
  Skeleton skeleton;
  std::vector<std::uint32_t> joint_of_input;
};

class Skeleton::Subtree {
 public:
  struct End {};
  class Iterator {
   public:
    std::uint32_t operator*() const { return joint_; }
    Iterator& operator++() {
      if (++joint_ == generation_.last) {
        generation_ = skeleton_->children(generation_);
        joint_ = generation_.first;
      }
      return *this;
    }
    bool operator!=(End) const { return !generation_.empty(); }

   private:
    friend class Subtree;
    Iterator(const Skeleton* skeleton, std::uint32_t joint)
        : skeleton_(skeleton), generation_{joint, joint + 1}, joint_(joint) {}
    const Skeleton* skeleton_;
    Range generation_;
    std::uint32_t joint_;
  };
  [[nodiscard]] Iterator begin() const { return {skeleton_, joint_}; }
  [[nodiscard]] End end() const { return {}; }

 private:
  friend class Skeleton;
  Subtree(const Skeleton* skeleton, std::uint32_t joint) : skeleton_(skeleton), joint_(joint) {}
  const Skeleton* skeleton_;
  std::uint32_t joint_;
};

}  // namespace marrow
