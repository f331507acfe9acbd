// Model: what a file holds, checked and ready to be shared by any number of instances.
//
// Immutable, cheap to copy, safe to use from any number of threads. Read from a file (gltf/reader.h), or built by hand:
// fill in ModelParts and call Model::create.
//
// A Scene (scene/scene.h) makes living instances of it. All of it in a pose, on the CPU, by the functions alone:
//
//   local_to_model(pose, joints);         // a matrix for each joint
//   node_matrices(model, joints, nodes);  // and for each node
//   for (s = 0; s < model.skins().size(); ++s) palette(model.skins()[s], joints, palettes[s]);
//   for (n = 0; n < model.nodes().size(); ++n) {
//     const ModelNode& node = model.nodes()[n];
//     if (node.mesh == kNone || !node.shown) continue;
//     std::span<const float> weights;
//     if (node.joint != kNone) weights = pose.morph_weights(node.joint);
//     for (const MeshPart& part : model.meshes()[node.mesh].parts) {
//       if (node.skin != kNone && part.vertices->influences > 0) {
//         skin_vertices(*part.vertices, weights, palettes[node.skin], out);
//       } else {
//         skin_rigidly(*part.vertices, weights, nodes[n], out);
//       }
//     }
//   }
//
// So parts without influences follow their node, also where it has a skin, and the others the skin's palette. Where
// there are influences but no skin nothing bends.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/anim/pose.h"
#include "marrow/anim/skeleton.h"
#include "marrow/anim/skin.h"
#include "marrow/core/result.h"
#include "marrow/model/material.h"
#include "marrow/model/mesh.h"

namespace marrow {

// Which way is up.
enum class Up : std::uint8_t { z, y };

inline constexpr std::int32_t kNone = -1;

// A node of the file. Those that are joints are moved by a pose; the others stay at rest below what they are in.
struct ModelNode {
  std::string name;
  std::int32_t parent = kNone;  // in the nodes, which may be in any order
  Transform rest;               // relative to the parent
  std::int32_t joint = kNone;   // in the skeleton
  std::int32_t mesh = kNone;
  std::int32_t skin = kNone;
  bool shown = true;  // false for what is not in the file's scene
};

// What a model is made of. Plain data.
struct ModelParts {
  std::string name;
  Up up = Up::z;
  Skeleton skeleton;
  std::vector<Skin> skins;
  std::vector<Clip> clips;
  std::vector<Mesh> meshes;
  std::vector<Material> materials;
  std::vector<Image> images;
  std::vector<ModelNode> nodes;
};

struct ModelData;

class Model {
 public:
  // A model of nothing.
  Model();

  // Copies share the data; a move is a copy.
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;

  // Makes a model. Fails, naming the place, on an index out of range, nodes that contain themselves, a joint that two
  // nodes claim or whose parent is not that of its node, a rest transform with a value that is not finite or beyond
  // 1e18, skins and clips for another skeleton, broken vertices (see check_vertices), indices beyond the vertices,
  // vertices with joints that the skin of their node does not have, and a mesh on a joint that has morph weights, but
  // not one for each morph target.
  [[nodiscard]] static Result<Model> create(ModelParts parts);

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] Up up() const;
  [[nodiscard]] const Skeleton& skeleton() const;
  [[nodiscard]] std::span<const Skin> skins() const;
  [[nodiscard]] std::span<const Clip> clips() const;
  [[nodiscard]] std::span<const Mesh> meshes() const;
  [[nodiscard]] std::span<const Material> materials() const;
  [[nodiscard]] std::span<const Image> images() const;
  [[nodiscard]] std::span<const ModelNode> nodes() const;

  // All of it, to copy and make another model of.
  [[nodiscard]] const ModelParts& parts() const;

  // Returns the first clip of that name; null if there is none. Lives as long as the model, or a copy of it, does.
  [[nodiscard]] const Clip* find_clip(std::string_view name) const;

  // Returns the number of the first node of that name; fails if there is none.
  [[nodiscard]] Result<std::uint32_t> node(std::string_view name) const;

  // All nodes, parents before their children.
  [[nodiscard]] std::span<const std::uint32_t> nodes_in_order() const;

 private:
  friend Result<Model> restore_model(ModelParts parts);
  explicit Model(std::shared_ptr<const ModelData> data) : data_(std::move(data)) {}

  std::shared_ptr<const ModelData> data_;
};

// Returns the error for a name that neither a joint nor a node of a model has, with similar names: for what
// Instance::bone returns null for.
[[nodiscard]] Error unknown_bone(const Model& model, std::string_view name);

// Writes the matrix of every node relative to the model: for joints that of `model_from_joint` (hierarchy.h), for the
// others parent * rest. `model_from_node` is as long as the nodes.
void node_matrices(const Model& model, std::span<const Affine> model_from_joint, std::span<Affine> model_from_node);

}  // namespace marrow
