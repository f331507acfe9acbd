#include "src/scene/model_record.h"

#include <algorithm>

#include "marrow/math/simd.h"

namespace marrow {

ModelRecord::ModelRecord(const Model& model) : model_(model) {
  const Skeleton& skeleton = model.skeleton();
  const std::span<const ModelNode> nodes = model.nodes();
  inner_.resize(skeleton.joint_count());
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.parent(joint) != kNoParent) inner_[joint].parent = static_cast<std::uint32_t>(skeleton.parent(joint));
  }
  inner_of_node_.resize(nodes.size());
  for (const std::uint32_t i : model.nodes_in_order()) {
    const ModelNode& node = nodes[i];
    if (node.joint != kNone) {
      inner_of_node_[i] = static_cast<std::uint32_t>(node.joint);
    } else {
      inner_of_node_[i] = static_cast<std::uint32_t>(inner_.size());
      Inner& inner = inner_.emplace_back();
      if (node.parent != kNone) inner.parent = inner_of_node_[static_cast<std::size_t>(node.parent)];
    }
    inner_[inner_of_node_[i]].node = static_cast<std::int32_t>(i);
  }
  // From the last on, each goes before those that are there already.
  for (std::uint32_t p = inner_count(); p-- > 0;) {
    std::uint32_t& first = inner_[p].parent == kNoInner ? first_root_ : inner_[inner_[p].parent].first_child;
    inner_[p].next_sibling = first;
    first = p;
  }
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].mesh != kNone) mesh_nodes_.push_back(i);
    if (nodes[i].shown) continue;
    hidden_.resize(inner_count(), false);
    hidden_[inner_of_node_[i]] = true;
  }
  bounds_ = std::make_unique<Once<NodeBounds>[]>(mesh_nodes_.size());
  skin_bounds_ = std::make_unique<Once<SkinBounds>[]>(model.skins().size());
  palette_offsets_.push_back(0);
  for (const Skin& skin : model.skins()) palette_offsets_.push_back(palette_offsets_.back() + skin.size());
}

std::string_view ModelRecord::name(std::uint32_t inner) const {
  if (inner < joint_count()) return model_.skeleton().name(inner);
  return model_.nodes()[static_cast<std::size_t>(inner_[inner].node)].name;
}

std::optional<std::uint32_t> ModelRecord::find(std::string_view wanted) const {
  if (model_.skeleton().has_joint(wanted)) return *model_.skeleton().joint(wanted);
  for (std::uint32_t inner = joint_count(); inner < inner_count(); ++inner) {
    if (name(inner) == wanted) return inner;
  }
  return std::nullopt;
}

const Transform& ModelRecord::rest(std::uint32_t inner) const {
  if (inner < joint_count()) return model_.skeleton().rest(inner);
  return model_.nodes()[static_cast<std::size_t>(inner_[inner].node)].rest;
}

namespace {

// Adds the vertices of the parts of a mesh that follow the skin of their node, or those that do not, each once.
void collect(const Mesh& mesh, bool skinned, bool has_skin, std::vector<const Vertices*>& to) {
  for (const MeshPart& part : mesh.parts) {
    const Vertices* const vertices = part.vertices.get();
    if ((has_skin && vertices->influences > 0) != skinned) continue;
    if (std::find(to.begin(), to.end(), vertices) == to.end()) to.push_back(vertices);
  }
}

bool has_targets(const Mesh& mesh) { return !mesh.morph_names.empty(); }

}  // namespace

const ModelRecord::NodeBounds& ModelRecord::bounds(std::size_t mesh_node) {
  return bounds_[mesh_node].get(mutex_, [&] {
    const ModelNode& node = model_.nodes()[mesh_nodes_[mesh_node]];
    const Mesh& mesh = model_.meshes()[static_cast<std::size_t>(node.mesh)];
    std::vector<const Vertices*> skinned, rigid;
    collect(mesh, true, node.skin != kNone, skinned);
    collect(mesh, false, node.skin != kNone, rigid);
    return NodeBounds{SkinBounds(skinned), SkinBounds::rigid(rigid), has_targets(mesh)};
  });
}

const SkinBounds& ModelRecord::skin_bounds(std::uint32_t skin) {
  return skin_bounds_[skin].get(mutex_, [&] {
    std::vector<const Vertices*> parts;
    for (const std::uint32_t index : mesh_nodes_) {
      const ModelNode& node = model_.nodes()[index];
      const Mesh& mesh = model_.meshes()[static_cast<std::size_t>(node.mesh)];
      if (node.skin == static_cast<std::int32_t>(skin) && !has_targets(mesh)) collect(mesh, true, true, parts);
    }
    return SkinBounds(parts);
  });
}

namespace {

// With more joints in a group, vertices one by one are faster, as measured with each kind of lanes.
double most_joints_of_a_group() {
  switch (active_lanes()) {
    case Lanes::eight: return 7;
    case Lanes::four: return 4.5;
    default: return 14;
  }
}

}  // namespace

const InfluenceGroups* ModelRecord::groups(const Vertices& vertices) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<InfluenceGroups>& found = groups_[&vertices];
  if (!found) found = std::make_unique<InfluenceGroups>(vertices);
  return found->joints_per_group() <= most_joints_of_a_group() ? found.get() : nullptr;
}

std::unique_ptr<MixScratch> ModelRecord::take_scratch(const ScratchSize& size) {
  ScratchSize need = size;  // and that of the one that is too small, so that those who take turns fit in one
  {
    const std::lock_guard lock(mutex_);
    if (!scratches_.empty()) {
      std::unique_ptr<MixScratch> scratch = std::move(scratches_.back());
      scratches_.pop_back();
      if (scratch->fits(size)) return scratch;
      need.poses = std::max(need.poses, scratch->size().poses);
      need.layers = std::max(need.layers, scratch->size().layers);
    } else {
      scratches_.reserve(++scratch_count_);  // so that give_back, which destructors call, never allocates
    }
  }
  return std::make_unique<MixScratch>(model_.skeleton(), need);
}

void ModelRecord::reserve_scratch(const ScratchSize& size) {
  const std::lock_guard lock(mutex_);
  for (std::unique_ptr<MixScratch>& scratch : scratches_) {
    if (scratch->fits(size)) continue;
    const ScratchSize own = scratch->size();
    scratch = std::make_unique<MixScratch>(
        model_.skeleton(), ScratchSize{std::max(size.poses, own.poses), std::max(size.layers, own.layers)});
  }
}

void ModelRecord::give_back(std::unique_ptr<MixScratch> scratch) {
  const std::lock_guard lock(mutex_);
  scratches_.push_back(std::move(scratch));
}

}  // namespace marrow
