// What placing nodes of a scene has in common. Internal.
#pragma once

#include "src/ffi/arguments.h"
#include "src/ffi/registry.h"

namespace marrow::ffi {

inline Transform transform_or_identity(const marrow_transform* transform) {
  return transform == nullptr ? Transform{} : same_bits<Transform>(*transform);
}

// Finds a node that must be of the scene.
[[nodiscard]] inline marrow_status find_beside(const SceneEntry& scene, marrow_node handle, FoundNode& out) {
  MARROW_FFI_TRY(find(handle, out));
  if (out.scene == &scene) return MARROW_OK;
  return fail(MARROW_ERROR_FOREIGN_HANDLE, "the node is of another scene", "node");
}

// Finds the parent of a node to be; null for 0, which is the root.
[[nodiscard]] inline marrow_status find_parent(const SceneEntry& scene, marrow_node handle, Node& out) {
  if (handle == 0) return MARROW_OK;
  FoundNode found;
  MARROW_FFI_TRY(find_beside(scene, handle, found));
  out = found.node;
  return MARROW_OK;
}

// Runs a command that places a node, and writes its result.
template <typename Body>
marrow_status place(SceneEntry& scene, marrow_place_result* out, const Body& body) {
  PlaceResult placed;
  MARROW_FFI_TRY(command(scene.scene, [&] { placed = body(); }));
  if (out != nullptr) *out = {placed.rotation_error, placed.position_error};
  return MARROW_OK;
}

// A node that goes again unless it is kept.
class NewNode {
 public:
  NewNode(SceneEntry& scene, const Node& node) : scene_(&scene), node_(node) {}
  ~NewNode() {
    if (node_) scene_->scene.destroy(node_);
  }
  NewNode(const NewNode&) = delete;
  NewNode& operator=(const NewNode&) = delete;

  marrow_status keep() {
    node_ = {};
    return MARROW_OK;
  }

 private:
  SceneEntry* scene_;
  Node node_;
};

}  // namespace marrow::ffi
