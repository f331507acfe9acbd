#include "src/scene/model_record.h"

#include <algorithm>

namespace marrow {

ModelRecord::ModelRecord(const Model& model) : model_(model) {
  const Skeleton& skeleton = model.skeleton();
  const std::span<const ModelNode> nodes = model.nodes();
  parts_.resize(skeleton.joint_count());
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.parent(joint) != kNoParent) parts_[joint].parent = static_cast<std::uint32_t>(skeleton.parent(joint));
  }
  part_of_node_.resize(nodes.size());
  for (const std::uint32_t i : model.nodes_in_order()) {
    const ModelNode& node = nodes[i];
    if (node.joint != kNone) {
      part_of_node_[i] = static_cast<std::uint32_t>(node.joint);
    } else {
      part_of_node_[i] = static_cast<std::uint32_t>(parts_.size());
      Part& part = parts_.emplace_back();
      if (node.parent != kNone) part.parent = part_of_node_[static_cast<std::size_t>(node.parent)];
    }
    parts_[part_of_node_[i]].node = static_cast<std::int32_t>(i);
  }
  // From the last on, each goes before those that are there already.
  for (std::uint32_t p = part_count(); p-- > 0;) {
    std::uint32_t& first = parts_[p].parent == kNoPart ? first_root_ : parts_[parts_[p].parent].first_child;
    parts_[p].next_sibling = first;
    first = p;
  }
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].mesh != kNone && nodes[i].shown) mesh_nodes_.push_back(i);
  }
  bounds_.resize(mesh_nodes_.size());
  palette_offsets_.push_back(0);
  for (const Skin& skin : model.skins()) palette_offsets_.push_back(palette_offsets_.back() + skin.size());
}

std::string_view ModelRecord::name(std::uint32_t part) const {
  if (part < joint_count()) return model_.skeleton().name(part);
  return model_.nodes()[static_cast<std::size_t>(parts_[part].node)].name;
}

const Transform& ModelRecord::rest(std::uint32_t part) const {
  if (part < joint_count()) return model_.skeleton().rest(part);
  return model_.nodes()[static_cast<std::size_t>(parts_[part].node)].rest;
}

const ModelRecord::NodeBounds& ModelRecord::bounds(std::size_t mesh_node) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<NodeBounds>& found = bounds_[mesh_node];
  if (found) return *found;
  const ModelNode& node = model_.nodes()[mesh_nodes_[mesh_node]];
  // Where a skin puts vertices does not depend on the node that wears it.
  for (std::size_t other = 0; other < mesh_node; ++other) {
    const ModelNode& same = model_.nodes()[mesh_nodes_[other]];
    if (bounds_[other] && same.mesh == node.mesh && (same.skin == kNone) == (node.skin == kNone)) {
      found = std::make_unique<NodeBounds>(*bounds_[other]);
      return *found;
    }
  }
  std::vector<const Vertices*> skinned, rigid;
  for (const MeshPart& part : model_.meshes()[static_cast<std::size_t>(node.mesh)].parts) {
    std::vector<const Vertices*>& list = node.skin != kNone && part.vertices->influences > 0 ? skinned : rigid;
    if (std::find(list.begin(), list.end(), part.vertices.get()) == list.end()) list.push_back(part.vertices.get());
  }
  found = std::make_unique<NodeBounds>(NodeBounds{SkinBounds(skinned), SkinBounds::rigid(rigid)});
  return *found;
}

const InfluenceGroups* ModelRecord::groups(const Vertices& vertices) {
  constexpr double kMostJoints = 14;  // above, vertices one by one are faster
  const std::lock_guard lock(mutex_);
  std::unique_ptr<InfluenceGroups>& found = groups_[&vertices];
  if (!found) found = std::make_unique<InfluenceGroups>(vertices);
  return found->joints_per_group() <= kMostJoints ? found.get() : nullptr;
}

std::unique_ptr<ModelRecord::Scratch> ModelRecord::take_scratch(const MixerOptions& capacity) {
  {
    const std::lock_guard lock(mutex_);
    if (!scratches_.empty()) {
      std::unique_ptr<Scratch> scratch = std::move(scratches_.back());
      scratches_.pop_back();
      if (scratch->capacity.actions >= capacity.actions && scratch->capacity.layers >= capacity.layers) return scratch;
    }
  }
  MixScratch memory(model_.skeleton(), capacity.actions, capacity.layers);
  return std::make_unique<Scratch>(Scratch{std::move(memory), capacity});
}

void ModelRecord::give_back(std::unique_ptr<Scratch> scratch) {
  const std::lock_guard lock(mutex_);
  scratches_.push_back(std::move(scratch));
}

}  // namespace marrow
