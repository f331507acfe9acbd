// What `marrow info` tells of a model, counted.
#pragma once

#include <string>
#include <vector>

#include "marrow/model/model.h"
#include "posed_model.h"

namespace marrow::tool {

struct MeshFacts {
  std::size_t vertices = 0;  // parts may share some, which count once
  std::size_t triangles = 0, lines = 0, points = 0;
  std::uint32_t influences = 0;  // the most of a part
  std::size_t uv_sets = 0;
  bool colors = false, normals = true, tangents = true;  // normals and tangents if all parts have them
};
[[nodiscard]] MeshFacts mesh_facts(const Mesh& mesh);

struct ModelFacts {
  explicit ModelFacts(const Model& model);

  Box box;  // of the meshes at rest
  std::vector<MeshFacts> meshes;
  std::size_t vertices = 0, triangles = 0;

  std::vector<std::size_t> node_of_joint;                  // the number of nodes for a joint without one
  std::vector<std::vector<std::uint32_t>> skins_of_joint;  // those that have the joint
  std::vector<std::vector<std::uint32_t>> nodes_of_skin;   // those that use the skin
  std::vector<std::vector<std::uint32_t>> children;        // of each node: joints in the skeleton's order, then others
  std::vector<std::uint32_t> roots;
};

}  // namespace marrow::tool
