#include "posed_model.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "marrow/anim/hierarchy.h"
#include "marrow/math/affine.h"
#include "marrow/skin/skinning.h"

namespace marrow::tool {

double diagonal_of(const Box& box) {
  const Vec3 sides = size_of(box);
  return std::hypot(static_cast<double>(sides.x), static_cast<double>(sides.y), static_cast<double>(sides.z));
}

PosedModel::PosedModel(const Model& model)
    : model_(model), pose_(model.skeleton()), joints_(model.skeleton().joint_count()), nodes_(model.nodes().size()) {
  for (const Skin& skin : model.skins()) palettes_.emplace_back(skin.size());
  finish();
}

void PosedModel::finish() {
  local_to_model(pose_, joints_);
  node_matrices(model_, joints_, nodes_);
  for (std::size_t i = 0; i < palettes_.size(); ++i) palette(model_.skins()[i], joints_, palettes_[i]);
}

std::span<const float> PosedModel::morph_weights(std::size_t node) const {
  const std::int32_t joint = model_.nodes()[node].joint;
  if (joint == kNone) return {};
  return pose_.morph_weights(static_cast<std::uint32_t>(joint));
}

void PosedModel::positions(std::size_t node_index, std::size_t part, std::vector<Vec3>& out) const {
  const ModelNode& node = model_.nodes()[node_index];
  const Vertices& vertices = *model_.meshes()[static_cast<std::size_t>(node.mesh)].parts[part].vertices;
  out.resize(vertices.positions.size());
  if (vertices.influences > 0 && node.skin != kNone) {
    const std::vector<Affine>& palette = palettes_[static_cast<std::size_t>(node.skin)];
    return skin_vertices(vertices, morph_weights(node_index), palette, {out, {}, {}});
  }
  // Vertices with joints on a node without a skin follow the node, whatever joint they ask for.
  skin_rigidly(vertices, morph_weights(node_index), nodes_[node_index], {out, {}, {}});
}

Box PosedModel::bounds() const {
  Box box;
  std::vector<Vec3> points;
  std::set<std::pair<std::int32_t, const Vertices*>> seen;
  for (std::size_t n = 0; n < model_.nodes().size(); ++n) {
    const ModelNode& node = model_.nodes()[n];
    if (node.mesh == kNone || !node.shown) continue;
    const Mesh& mesh = model_.meshes()[static_cast<std::size_t>(node.mesh)];
    for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
      // Where a skin puts vertices does not depend on the node, but for the morph weights.
      const Vertices* const vertices = mesh.parts[p].vertices.get();
      const bool anywhere = node.skin != kNone && vertices->influences > 0 && vertices->targets.empty();
      if (anywhere && !seen.emplace(node.skin, vertices).second) continue;
      positions(n, p, points);
      for (const Vec3& point : points) box = enclose(box, point);
    }
  }
  if (!is_empty(box)) return box;
  for (const Affine& joint : joints_) box = enclose(box, translation_of(joint));
  return box;
}

}  // namespace marrow::tool
