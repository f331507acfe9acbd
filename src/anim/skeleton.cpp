#include "marrow/anim/skeleton.h"

#include "marrow/core/hash.h"
#include "marrow/core/names.h"
#include "marrow/math/quat.h"
#include "src/anim/imports.h"
#include "src/anim/skeleton_data.h"

namespace marrow {
namespace {

constexpr std::uint32_t kUnclaimed = 0xffffffffu;

std::string joint_name(std::span<const JointDesc> joints, std::size_t index) {
  const std::string_view name = joints[index].name;
  return name.empty() ? "bone_" + std::to_string(index) : std::string(name);
}

Error joint_error(ErrorCode code, std::span<const JointDesc> joints, std::size_t index, const std::string& what) {
  return {code, "joint \"" + joint_name(joints, index) + "\" " + what, {"joints", index}};
}

Result<void> check_values(std::span<const JointDesc> joints, std::size_t index) {
  const Transform& rest = joints[index].rest;
  const float values[] = {rest.translation.x, rest.translation.y, rest.translation.z, rest.rotation.x, rest.rotation.y,
                          rest.rotation.z,    rest.rotation.w,    rest.scale.x,       rest.scale.y,    rest.scale.z};
  for (const float value : values) {
    if (!is_usable(value)) {
      return joint_error(ErrorCode::not_finite, joints, index,
                         "has a rest transform with a value that is not finite or beyond 1e18");
    }
  }
  for (const float weight : joints[index].morph_weights) {
    if (!is_usable(weight)) {
      return joint_error(ErrorCode::not_finite, joints, index, "has a morph weight that is not finite or beyond 1e18");
    }
  }
  if (rest.rotation.x == 0 && rest.rotation.y == 0 && rest.rotation.z == 0 && rest.rotation.w == 0) {
    return joint_error(ErrorCode::invalid_argument, joints, index, "has a rest rotation of length zero");
  }
  return {};
}

// The hierarchy of the input: each joint's parent, and its children in order.
struct Links {
  std::vector<std::uint32_t> parent;  // kUnclaimed for a root
  std::vector<std::vector<std::uint32_t>> children;
};

Result<Links> link(std::span<const JointDesc> joints) {
  const std::size_t count = joints.size();
  Links links{std::vector<std::uint32_t>(count, kUnclaimed), std::vector<std::vector<std::uint32_t>>(count)};

  // What parents say comes first: it has an order.
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::uint32_t child : joints[i].children) {
      if (child >= count) {
        return joint_error(
            ErrorCode::invalid_argument, joints, i,
            "has child " + std::to_string(child) + ", but there are " + std::to_string(count) + " joints");
      }
      if (links.parent[child] == i) {
        return joint_error(ErrorCode::duplicate, joints, i,
                           "lists its child \"" + joint_name(joints, child) + "\" twice");
      }
      if (links.parent[child] != kUnclaimed) {
        const std::string other = joint_name(joints, links.parent[child]);
        return joint_error(ErrorCode::two_parents, joints, child,
                           "has two parents, \"" + other + "\" and \"" + joint_name(joints, i) + "\"");
      }
      links.parent[child] = static_cast<std::uint32_t>(i);
      links.children[i].push_back(child);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t parent = joints[i].parent;
    if (parent == kNoParent) continue;
    if (parent < 0 || static_cast<std::size_t>(parent) >= count) {
      return joint_error(
          ErrorCode::invalid_argument, joints, i,
          "has parent " + std::to_string(parent) + ", but there are " + std::to_string(count) + " joints");
    }
    const auto claimed = static_cast<std::uint32_t>(parent);
    if (links.parent[i] == claimed) continue;
    if (links.parent[i] != kUnclaimed) {
      const std::string other = joint_name(joints, links.parent[i]);
      return joint_error(ErrorCode::two_parents, joints, i,
                         "has two parents, \"" + other + "\" and \"" + joint_name(joints, claimed) + "\"");
    }
    links.parent[i] = claimed;
    links.children[claimed].push_back(static_cast<std::uint32_t>(i));
  }
  return links;
}

std::uint64_t morph_layout(const SkeletonData& data) {
  Hasher hasher;
  hasher.add(std::span<const std::uint32_t>(data.morph_counts));
  return hasher.finish();
}

std::uint64_t content_hash(const SkeletonData& data) {
  Hasher hasher;
  hasher.add(std::uint64_t{data.joint_count});
  for (std::uint32_t j = 0; j < data.joint_count; ++j) {
    hasher.add(std::uint64_t{data.names[j].size()});
    hasher.add(std::string_view(data.names[j]));
    hasher.add(static_cast<std::uint64_t>(data.parents[j]));
    hasher.add(std::uint64_t{data.morph_counts[j]});
  }
  hasher.add(std::span<const float>(data.rest_floats(), data.float_count()));
  return hasher.finish();
}

enum class Rotations { normalize, keep };

Result<std::shared_ptr<const SkeletonData>> make_data(std::span<const JointDesc> joints, Rotations rotations,
                                                      std::vector<std::uint32_t>& joint_of_input) {
  // 2^26 joints of a pose still fit 32-bit float offsets.
  if (joints.size() > (1u << 26)) {
    return Error{ErrorCode::limit_exceeded, "a skeleton has at most 2^26 joints", "joints"};
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (Result<void> checked = check_values(joints, i); !checked) return checked.error();
  }
  Result<Links> linked = link(joints);
  if (!linked) return linked.error();

  // Breadth-first over all roots at once; `order` is the queue.
  const auto count = static_cast<std::uint32_t>(joints.size());
  std::vector<std::uint32_t> order;
  order.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (linked->parent[i] == kUnclaimed) order.push_back(i);
  }
  auto data = std::make_shared<SkeletonData>();
  data->joint_count = count;
  data->root_count = static_cast<std::uint32_t>(order.size());
  data->first_child.reserve(count + std::size_t{1});
  joint_of_input.assign(count, kUnclaimed);
  for (std::uint32_t j = 0; j < order.size(); ++j) {
    joint_of_input[order[j]] = j;
    data->first_child.push_back(static_cast<std::uint32_t>(order.size()));
    for (const std::uint32_t child : linked->children[order[j]]) order.push_back(child);
  }
  data->first_child.push_back(count);
  if (order.size() != count) {
    // Following parents from any joint that was not reached ends in the cycle that kept it.
    std::uint32_t at = 0;
    while (joint_of_input[at] != kUnclaimed) ++at;
    for (std::uint32_t steps = 0; steps < count; ++steps) at = linked->parent[at];
    return joint_error(ErrorCode::cycle, joints, at, "is its own ancestor");
  }

  std::uint64_t morph_size = 0;
  for (const std::uint32_t input : order) {
    const JointDesc& joint = joints[input];
    const std::uint32_t parent = linked->parent[input];
    data->names.push_back(joint_name(joints, input));
    data->parents.push_back(parent == kUnclaimed ? kNoParent : static_cast<std::int32_t>(joint_of_input[parent]));
    Transform rest = joint.rest;
    if (rotations == Rotations::normalize) rest.rotation = normalize(rest.rotation);
    data->rest.push_back(rest);
    data->morph_offsets.push_back(static_cast<std::uint32_t>(morph_size));
    data->morph_counts.push_back(static_cast<std::uint32_t>(joint.morph_weights.size()));
    morph_size += (joint.morph_weights.size() + 7) / 8 * 8;
    if (morph_size > (1u << 28)) {
      return joint_error(ErrorCode::limit_exceeded, joints, input, "brings the morph weights above 2^28");
    }
  }
  data->morph_size = static_cast<std::uint32_t>(morph_size);
  data->table.build(data->names);

  constexpr std::size_t kFloats = sizeof(PoseBlock) / sizeof(float);
  data->rest_memory.resize((data->float_count() + kFloats - 1) / kFloats);
  PoseBlock* blocks = data->rest_memory.data();
  for (std::uint32_t j = 0; j < data->block_count() * kBlockJoints; ++j) {
    store_transform(blocks, j, j < count ? data->rest[j] : Transform{});
  }
  float* morphs = reinterpret_cast<float*>(blocks + data->block_count());
  for (std::uint32_t j = 0; j < count; ++j) {
    const std::span<const float> weights = joints[order[j]].morph_weights;
    for (std::size_t k = 0; k < weights.size(); ++k) morphs[data->morph_offsets[j] + k] = weights[k];
  }
  data->morph_layout = morph_layout(*data);
  data->hash = content_hash(*data);
  return std::shared_ptr<const SkeletonData>(std::move(data));
}

}  // namespace

void NameTable::build(const std::vector<std::string>& names) {
  std::size_t size = 16;
  while (size < names.size() * 2) size *= 2;
  slots_.assign(size, 0);
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    std::size_t slot = hash_text(names[i]) & (size - 1);
    while (slots_[slot] != 0 && names[slots_[slot] - 1] != names[i]) slot = (slot + 1) & (size - 1);
    if (slots_[slot] == 0) slots_[slot] = i + 1;  // of equal names the first stays
  }
}

std::optional<std::uint32_t> NameTable::find(std::string_view name, const std::vector<std::string>& names) const {
  if (slots_.empty()) return std::nullopt;
  for (std::size_t slot = hash_text(name);; ++slot) {
    const std::uint32_t entry = slots_[slot & (slots_.size() - 1)];
    if (entry == 0) return std::nullopt;
    if (names[entry - 1] == name) return entry - 1;
  }
}

void store_transform(PoseBlock* blocks, std::uint32_t joint, const Transform& t) {
  PoseBlock& block = blocks[joint / kBlockJoints];
  const std::uint32_t lane = joint % kBlockJoints;
  block.translation[0][lane] = t.translation.x;
  block.translation[1][lane] = t.translation.y;
  block.translation[2][lane] = t.translation.z;
  block.rotation[0][lane] = t.rotation.x;
  block.rotation[1][lane] = t.rotation.y;
  block.rotation[2][lane] = t.rotation.z;
  block.rotation[3][lane] = t.rotation.w;
  block.scale[0][lane] = t.scale.x;
  block.scale[1][lane] = t.scale.y;
  block.scale[2][lane] = t.scale.z;
}

Transform load_transform(const PoseBlock* blocks, std::uint32_t joint) {
  const PoseBlock& block = blocks[joint / kBlockJoints];
  const std::uint32_t lane = joint % kBlockJoints;
  return {{block.translation[0][lane], block.translation[1][lane], block.translation[2][lane]},
          {block.rotation[0][lane], block.rotation[1][lane], block.rotation[2][lane], block.rotation[3][lane]},
          {block.scale[0][lane], block.scale[1][lane], block.scale[2][lane]}};
}

Skeleton::Skeleton() {
  auto data = std::make_shared<SkeletonData>();
  data->first_child = {0};
  data->morph_layout = morph_layout(*data);
  data->hash = content_hash(*data);
  data_ = std::move(data);
}

Result<Skeleton> restore_skeleton(std::span<const JointDesc> joints) {
  std::vector<std::uint32_t> joint_of_input;
  auto data = exactly([&] { return make_data(joints, Rotations::keep, joint_of_input); });
  if (!data) return data.error();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Quat q = joints[i].rest.rotation;
    const double length =
        static_cast<double>(q.x) * static_cast<double>(q.x) + static_cast<double>(q.y) * static_cast<double>(q.y) +
        static_cast<double>(q.z) * static_cast<double>(q.z) + static_cast<double>(q.w) * static_cast<double>(q.w);
    if (!(length > 1 - 1e-6 && length < 1 + 1e-6)) {
      return joint_error(ErrorCode::malformed, joints, i, "has a rest rotation that is not of unit length");
    }
    if (joint_of_input[i] != i) {
      return joint_error(ErrorCode::not_sorted, joints, i, "is not in breadth-first order");
    }
  }
  return Skeleton(std::move(*data));
}

Result<SkeletonBuild> Skeleton::create(std::span<const JointDesc> joints) {
  std::vector<std::uint32_t> joint_of_input;
  auto data = exactly([&] { return make_data(joints, Rotations::normalize, joint_of_input); });
  if (!data) return data.error();
  return SkeletonBuild{Skeleton(std::move(*data)), std::move(joint_of_input)};
}

std::uint32_t Skeleton::joint_count() const { return data_->joint_count; }
std::uint32_t Skeleton::root_count() const { return data_->root_count; }
bool Skeleton::has_joint(std::string_view name) const { return data_->table.find(name, data_->names).has_value(); }
Result<std::uint32_t> Skeleton::joint(std::string_view name) const {
  if (const std::optional<std::uint32_t> found = data_->table.find(name, data_->names)) return *found;
  return unknown_name("joint", name, data_->names, [](const std::string& own) { return std::string_view(own); });
}

#define MARROW_CHECK_JOINT(joint) MARROW_ASSERT((joint) < data_->joint_count, "the skeleton has no such joint")

std::string_view Skeleton::name(std::uint32_t joint) const {
  MARROW_CHECK_JOINT(joint);
  return data_->names[joint];
}
std::int32_t Skeleton::parent(std::uint32_t joint) const {
  MARROW_CHECK_JOINT(joint);
  return data_->parents[joint];
}
const Transform& Skeleton::rest(std::uint32_t joint) const {
  MARROW_CHECK_JOINT(joint);
  return data_->rest[joint];
}
std::span<const std::int32_t> Skeleton::parents() const { return data_->parents; }
Skeleton::Range Skeleton::children(std::uint32_t joint) const {
  MARROW_CHECK_JOINT(joint);
  return {data_->first_child[joint], data_->first_child[joint + 1]};
}
Skeleton::Range Skeleton::children(Range parents) const {
  MARROW_ASSERT(parents.first <= parents.last && parents.last <= data_->joint_count, "not a run of joints");
  return {data_->first_child[parents.first], data_->first_child[parents.last]};
}
Skeleton::Subtree Skeleton::subtree(std::uint32_t joint) const& {
  MARROW_CHECK_JOINT(joint);
  return {this, joint};
}
std::uint32_t Skeleton::morph_count(std::uint32_t joint) const {
  MARROW_CHECK_JOINT(joint);
  return data_->morph_counts[joint];
}
std::uint32_t Skeleton::morph_offset(std::uint32_t joint) const {
  MARROW_CHECK_JOINT(joint);
  return data_->morph_offsets[joint];
}
std::uint32_t Skeleton::morph_size() const { return data_->morph_size; }
std::span<const float> Skeleton::rest_morph_weights(std::uint32_t joint) const {
  MARROW_CHECK_JOINT(joint);
  const float* morphs = data_->rest_floats() + (data_->float_count() - data_->morph_size);
  return {morphs + data_->morph_offsets[joint], data_->morph_counts[joint]};
}
std::uint64_t Skeleton::hash() const { return data_->hash; }

}  // namespace marrow
