#include "model_facts.h"

#include <algorithm>
#include <set>

namespace marrow::tool {

MeshFacts mesh_facts(const Mesh& mesh) {
  MeshFacts facts;
  std::set<const Vertices*> seen;
  for (const MeshPart& part : mesh.parts) {
    const Vertices& vertices = *part.vertices;
    if (seen.insert(&vertices).second) facts.vertices += vertices.positions.size();
    switch (part.topology) {
      case Topology::triangles: facts.triangles += part.indices.size() / 3; break;
      case Topology::lines: facts.lines += part.indices.size() / 2; break;
      case Topology::points: facts.points += part.indices.size(); break;
    }
    facts.influences = std::max(facts.influences, vertices.influences);
    facts.uv_sets = std::max(facts.uv_sets, vertices.uvs.size());
    facts.colors = facts.colors || !vertices.colors.empty();
    facts.normals = facts.normals && !vertices.normals.empty();
    facts.tangents = facts.tangents && !vertices.tangents.empty();
  }
  return facts;
}

ModelFacts::ModelFacts(const Model& model)
    : box(PosedModel(model).bounds()),
      node_of_joint(model.skeleton().joint_count(), model.nodes().size()),
      skins_of_joint(model.skeleton().joint_count()),
      nodes_of_skin(model.skins().size()),
      children(model.nodes().size()) {
  for (const Mesh& mesh : model.meshes()) {
    meshes.push_back(mesh_facts(mesh));
    vertices += meshes.back().vertices;
    triangles += meshes.back().triangles;
  }
  for (std::uint32_t s = 0; s < model.skins().size(); ++s) {
    for (const std::uint32_t joint : model.skins()[s].joints()) {
      std::vector<std::uint32_t>& skins = skins_of_joint[joint];
      if (skins.empty() || skins.back() != s) skins.push_back(s);
    }
  }
  const std::span<const ModelNode> nodes = model.nodes();
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].joint != kNone) node_of_joint[static_cast<std::size_t>(nodes[n].joint)] = n;
    if (nodes[n].skin != kNone) nodes_of_skin[static_cast<std::size_t>(nodes[n].skin)].push_back(n);
    (nodes[n].parent == kNone ? roots : children[static_cast<std::size_t>(nodes[n].parent)]).push_back(n);
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const bool a_joint = nodes[a].joint != kNone, b_joint = nodes[b].joint != kNone;
    if (a_joint && b_joint) return nodes[a].joint < nodes[b].joint;
    return a_joint != b_joint ? a_joint : a < b;
  };
  std::sort(roots.begin(), roots.end(), before);
  for (std::vector<std::uint32_t>& siblings : children) std::sort(siblings.begin(), siblings.end(), before);
}

}  // namespace marrow::tool
