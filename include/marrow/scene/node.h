// Node: a place in a scene (scene.h), with a name, a transform, and children.
//
// A Node is a small value handle. Copy it freely. The scene owns the node. The bones of an
// instance are nodes too, and so are the other nodes of its file: they are the inner nodes of the instance
// (instance.h), views without memory of their own, and live as long as it does. They cannot get another parent, but any
// node can be added to them.
//
// Commands return the node, so that calls can be chained; those that place a node return a PlaceResult. A command with
// a bad value (NaN, beyond 1e18), on an inner node or the root where that is not possible, or with a node of another
// scene changes nothing, and leaves an error in Scene::last_error. To read a null or destroyed node, or to call a
// command on it, fails an assert. In builds without asserts the command then does nothing.
//
// Reading a node gives current values, also before Scene::update; after it, reading is faster. There is one exception:
// the bones of an instance whose pose, overrides or stages have changed are read without its stages (pose_stage.h)
// until it is finished. One thread at a time may change a scene; while none does, any number may read.
#pragma once

#include <cstdint>
#include <string_view>

#include "marrow/math/types.h"

namespace marrow {

struct SceneImpl;
class Instance;

// What a node is known by in the state of a game: plain data without a pointer; all zero is no node. See Scene::node.
struct NodeId {
  std::uint32_t index = 0;       // slot + 1
  std::uint32_t generation = 0;  // that of the slot when the node was made
  std::uint32_t inner = 0;       // for a node of an instance: its number there + 1

  friend bool operator==(const NodeId& a, const NodeId& b) {
    return a.index == b.index && a.generation == b.generation && a.inner == b.inner;
  }
};

// What stays the same when a node gets another parent.
enum class Preserve : std::uint8_t { local, world };

// How placing a node went.
struct PlaceResult {
  bool done = false;

  // How far the world matrix is from the one that was wanted: the largest difference between two entries of their 3x3
  // parts, as a part of the largest entry. Rounding alone makes it 1e-6 or so. More means that the matrix wanted has
  // shear with respect to the parent, which no transform has, so that the nearest transform was taken; or that the
  // parent flattens everything.
  float rotation_error = 0;

  // How far the node is from where it should be.
  float position_error = 0;

  explicit operator bool() const { return done; }
};

class Node {
 public:
  // No node.
  Node() = default;

  // True if this refers to a node that has not been destroyed.
  explicit operator bool() const;
  friend bool operator==(const Node& a, const Node& b) { return a.scene_ == b.scene_ && a.id_ == b.id_; }

  [[nodiscard]] NodeId id() const { return id_; }
  [[nodiscard]] std::string_view name() const;
  Node set_name(std::string_view name) const;  // not of an inner node of an instance

  // The parent; null for the root of the scene.
  [[nodiscard]] Node parent() const;

  // The children: for (Node child : node.children()). Of a bone: the bones and other nodes of its instance that are
  // below it, then what was added, in that order. To add or remove children meanwhile is a mistake of the
  // caller: collect them first.
  class ChildRange;
  [[nodiscard]] ChildRange children() const;

  // The first node of that name below this one, or it itself, depth first; null if there is none.
  [[nodiscard]] Node find(std::string_view name) const;

  // The instance that this node is the root of, or an inner node of; null if there is none.
  [[nodiscard]] Instance instance() const;
  [[nodiscard]] bool is_inner() const { return id_.inner != 0; }

  // Makes `child` the last child of this node, with its whole subtree. Its local transform stays, or its place in the
  // world. Refused if this node is below the child, and for inner nodes of an instance and the root of the scene.
  PlaceResult add(Node child, Preserve preserve = Preserve::local) const;

  // Takes a child out: it becomes one of the scene's root. Refused if it is no child of this node.
  PlaceResult remove(Node child, Preserve preserve = Preserve::local) const;

  // The transform relative to the parent. Of a bone it is that of the pose, with the override if it has one; to set it
  // is to override it with weight 1 (Instance::set_override). Refused if not finite or beyond 1e18, or if the rotation
  // has no length; the rotation is normalised.
  [[nodiscard]] Transform local() const;
  Node set_local(const Transform& transform) const;

  // The matrix from this node to the world.
  [[nodiscard]] Affine world() const;
  PlaceResult set_world(const Affine& world) const;

  // Whether the node wants to be seen, and whether it is: all those above it want to be seen, too. Nodes of a model
  // that are not in its file's scene begin without.
  [[nodiscard]] bool visible() const;
  [[nodiscard]] bool shown() const;
  Node set_visible(bool visible) const;

 private:
  friend struct SceneImpl;
  friend class Scene;
  friend class Instance;
  Node(SceneImpl* scene, NodeId id) : scene_(scene), id_(id) {}
  [[nodiscard]] Node child_from(std::uint32_t inner, std::uint32_t slot) const;

  SceneImpl* scene_ = nullptr;
  NodeId id_;
};

class Node::ChildRange {
 public:
  class Iterator {
   public:
    Node operator*() const { return node_; }
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return !(node_ == other.node_); }

   private:
    friend class Node;
    friend class ChildRange;
    Iterator(Node parent, Node node) : parent_(parent), node_(node) {}
    Node parent_, node_;
  };
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const { return {parent_, {}}; }
  [[nodiscard]] bool empty() const { return !(begin() != end()); }
  [[nodiscard]] std::uint32_t size() const;

 private:
  friend class Node;
  explicit ChildRange(Node parent) : parent_(parent) {}
  Node parent_;
};

}  // namespace marrow
