// What a Skeleton is made of. Internal to the library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/anim/pose_block.h"
#include "marrow/anim/skeleton.h"

namespace marrow {

// Finds joints by name: open addressing over the names' hashes.
class NameTable {
 public:
  void build(const std::vector<std::string>& names);
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name, const std::vector<std::string>& names) const;

 private:
  std::vector<std::uint32_t> slots_;  // index + 1; 0 is free; the size is a power of two
};

struct SkeletonData {
  std::uint32_t joint_count = 0;
  std::uint32_t root_count = 0;
  std::uint32_t morph_size = 0;
  std::vector<std::string> names;
  NameTable table;
  std::vector<std::int32_t> parents;
  std::vector<std::uint32_t> first_child;  // joint_count + 1: those of joint j are [first_child[j], first_child[j + 1])
  std::vector<Transform> rest;
  std::vector<std::uint32_t> morph_offsets;
  std::vector<std::uint32_t> morph_counts;
  std::uint64_t morph_layout = 0;  // a hash of the number of joints and of the morph weights of each
  std::uint64_t hash = 0;

  // The rest pose as a Pose has it: all blocks, then all morph weights.
  std::vector<PoseBlock> rest_memory;

  [[nodiscard]] std::uint32_t block_count() const { return (joint_count + kBlockJoints - 1) / kBlockJoints; }
  [[nodiscard]] std::size_t float_count() const {
    return block_count() * (sizeof(PoseBlock) / sizeof(float)) + morph_size;
  }
  [[nodiscard]] const float* rest_floats() const { return reinterpret_cast<const float*>(rest_memory.data()); }
};

// Makes a skeleton of the joints of another, as they were there: in order, with names, and with rotations that are
// taken to the bit. Fails as Skeleton::create does, and on joints that are not like this.
[[nodiscard]] Result<Skeleton> restore_skeleton(std::span<const JointDesc> joints);

// Writes or reads one joint's transform in blocks.
void store_transform(PoseBlock* blocks, std::uint32_t joint, const Transform& t);
[[nodiscard]] Transform load_transform(const PoseBlock* blocks, std::uint32_t joint);

}  // namespace marrow
