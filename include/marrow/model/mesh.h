// Mesh: the surfaces that a node shows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "marrow/skin/vertices.h"

namespace marrow {

enum class Topology : std::uint8_t { triangles, lines, points };  // always lists: 3, 2, 1 indices each

// What is drawn at once: one material. Parts may share vertices.
struct MeshPart {
  std::shared_ptr<const Vertices> vertices;
  Array<std::uint32_t> indices;
  Topology topology = Topology::triangles;
  std::int32_t material = -1;  // in the model's materials; -1 for the default
};

struct Mesh {
  std::string name;
  std::vector<MeshPart> parts;
  std::vector<std::string> morph_names;  // one for each morph target; the parts have as many targets, or none
};

}  // namespace marrow
