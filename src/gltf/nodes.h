// The nodes of a glTF file, and the skeleton that is made of some of them. Internal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/gltf/document.h"

namespace marrow {

// What the file says of its nodes. All vectors are by the nodes' numbers.
struct GltfNodes {
  std::vector<ModelNode> nodes;  // in the model's axes; `joint` is set by make_skeleton
  std::vector<std::vector<std::uint32_t>> children;
  std::vector<std::vector<float>> morph_weights;  // at rest; as many as the mesh of the node has targets
};

// Reads all nodes. Fails on numbers out of range, two parents and cycles.
bool read_nodes(const GltfDocument& document, Load& load, GltfNodes& out);

// Returns how many morph targets a mesh has.
[[nodiscard]] std::size_t morph_count(JsonValue mesh);

// Makes a skeleton of the nodes that are `wanted`, those with morph targets, and all that are above them.
bool make_skeleton(std::vector<bool> wanted, Load& load, GltfNodes& nodes, Skeleton& out);

// Reads the skins; the skeleton has all their joints.
class Accessors;
bool read_skins(const GltfDocument& document, const GltfNodes& nodes, const Skeleton& skeleton, Accessors& accessors,
                Load& load, std::vector<Skin>& out);

// Marks the joints of all skins.
bool mark_skin_joints(const GltfDocument& document, Load& load, std::vector<bool>& wanted);

}  // namespace marrow
