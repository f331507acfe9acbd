// The meshes of an instance: its vertices, and the boxes around them.
#include <algorithm>

#include "marrow/math/affine.h"
#include "src/scene/imports.h"
#include "src/scene/scene_impl.h"

namespace marrow {

Instance Instance::set_skinning(std::uint32_t mesh, Skinning skinning) const {
  if (!check_alive(*this)) return *this;
  InstanceImpl& instance = get();
  const Model& model = instance.record->model();
  if (mesh >= model.meshes().size()) return scene_->refuse("the model has no such mesh", "mesh"), *this;
  if (instance.skinning.size() <= mesh) instance.skinning.resize(mesh + std::size_t{1}, Skinning::linear);
  if (skinning == Skinning::dual_quaternion && instance.duals.empty()) {  // first: it may run out of memory
    instance.stretches.resize(model.skins().size());
    instance.duals.resize(instance.record->palette_size());
    instance.make_duals();
  }
  instance.skinning[mesh] = skinning;
  const bool needed = std::find(instance.skinning.begin(), instance.skinning.end(), Skinning::dual_quaternion) !=
                      instance.skinning.end();
  if (!needed) instance.duals.clear();
  return *this;
}

Skinning Instance::skinning(std::uint32_t mesh) const {
  const InstanceImpl& instance = get();
  return mesh < instance.skinning.size() ? instance.skinning[mesh] : Skinning::linear;
}

Instance::DualPalette Instance::dual_palette(std::uint32_t skin) const {
  InstanceImpl& instance = get();
  MARROW_ASSERT(skin < instance.record->model().skins().size(), "the model has no such skin");
  if (instance.duals.empty()) return {};
  return {instance.dual(skin), instance.stretches[skin]};
}

void Instance::skin(std::uint32_t model_node, std::uint32_t part, const SkinnedVertices& out) const {
  const InstanceImpl& instance = get();
  ModelRecord& record = *instance.record;
  const Model& model = record.model();
  MARROW_ASSERT(model_node < model.nodes().size() && model.nodes()[model_node].mesh != kNone,
                "the model has no such node, or it has no mesh");
  const ModelNode& node = model.nodes()[model_node];
  const auto mesh = static_cast<std::uint32_t>(node.mesh);
  MARROW_ASSERT(part < model.meshes()[mesh].parts.size(), "the mesh has no such part");
  const Vertices& vertices = *model.meshes()[mesh].parts[part].vertices;
  const std::span<const float> weights = morph_weights(model_node);
  if (node.skin == kNone || vertices.influences == 0) {
    const Affine matrix = exactly([&] { return instance.model_from_inner(record.inner_of_node(model_node)); });
    return skin_rigidly(vertices, weights, matrix, out);
  }
  const auto skin = static_cast<std::uint32_t>(node.skin);
  const InfluenceGroups* const groups = record.groups(vertices);
  if (skinning(mesh) == Skinning::linear) return skin_vertices(vertices, weights, palette(skin), out, groups);
  const DualPalette dual = dual_palette(skin);
  skin_vertices(vertices, weights, dual.joints, dual.stretches, out, groups);
}

Box Instance::bounds() const {
  const InstanceImpl& instance = get();
  ModelRecord& record = *instance.record;
  const Model& model = record.model();
  Box all;
  // Usually everything is seen, and blended linearly: then the meshes of a skin are one.
  const bool together = instance.hidden.empty() && instance.duals.empty();
  for (std::uint32_t skin = 0; together && skin < model.skins().size(); ++skin) {
    all = enclose(all, record.skin_bounds(skin).box(palette(skin)));
  }
  for (std::size_t i = 0; i < record.mesh_nodes().size(); ++i) {
    const std::uint32_t index = record.mesh_nodes()[i];
    const ModelNode& node = model.nodes()[index];
    if (!instance.is_shown(record.inner_of_node(index))) continue;
    const ModelRecord::NodeBounds& bounds = record.bounds(i);
    const std::span<const float> weights = morph_weights(index);
    if (bounds.rigid.box_count() > 0) {
      const Affine matrix = exactly([&] { return instance.model_from_inner(record.inner_of_node(index)); });
      all = enclose(all, bounds.rigid.box(std::span(&matrix, 1), weights));
    }
    if (bounds.skinned.box_count() == 0 || (together && !bounds.morphs)) continue;
    const auto skin = static_cast<std::uint32_t>(node.skin);
    if (skinning(static_cast<std::uint32_t>(node.mesh)) == Skinning::linear) {
      all = enclose(all, bounds.skinned.box(palette(skin), weights));
    } else {
      const DualPalette dual = dual_palette(skin);
      all = enclose(all, bounds.skinned.box(palette(skin), dual.joints, dual.stretches, weights));
    }
  }
  if (!record.mesh_nodes().empty()) return all;
  for (const Affine& joint : instance.joints()) all = enclose(all, translation_of(joint));
  return all;
}

Box Instance::world_bounds() const {
  Box all = transform_box(node().world(), bounds());
  // Down through everything that was added to it, or to its inner nodes.
  const std::uint32_t top = id_.index - 1;
  for (std::uint32_t at = scene_->slots[top].first_child; at != kNoSlot;) {
    const NodeSlot& s = scene_->slots[at];
    // What is hidden hides what is below it.
    const bool seen =
        s.visible && (s.parent_inner == 0 || scene_->slots[s.parent].instance->is_shown(s.parent_inner - 1));
    if (seen && s.instance) {
      const Node carried = scene_->make_node(at);
      all = enclose(all, transform_box(carried.world(), carried.instance().bounds()));
    }
    at = seen && s.first_child != kNoSlot ? s.first_child : scene_->next_beside(at, top);
  }
  return all;
}

}  // namespace marrow
