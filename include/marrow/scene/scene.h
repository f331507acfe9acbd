// Scene: nodes in a tree, and the characters that live in it.
//
//   Scene scene;
//   Instance hero = scene.instantiate(model);
//   hero.mixer().play(model.clips()[walk]);
//   Node sword = scene.instantiate(sword_model);
//   hero.bone("hand_R").add(sword);
//   ...
//   scene.update(dt);        // all characters, then all nodes that they moved
//   draw(hero.palette(0), hero.node().world());
//
// The scene owns its nodes and instances; Node and Instance are handles to them, and must not be used after it is gone
// (`clear` empties a scene and leaves them to be found out). Moving a scene leaves all handles good; what was moved
// from may only be assigned to or destroyed.
//
// Errors. A null or destroyed node or instance is a mistake of the caller: an assert. A command with a bad value, on a
// an inner node of an instance or the root where that is not possible, or with a node of another scene changes nothing,
// and leaves an error in `last_error`. Functions that make a node or an instance return its handle, null if refused.
// Functions that act by a name or read bytes return a Result.
//
// An update costs what has changed since the last one, and what is below that: what stands still costs nothing.
// It allocates nothing. Results are deterministic to the bit, and do not depend on threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "marrow/model/model.h"
#include "marrow/scene/executor.h"
#include "marrow/scene/instance.h"
#include "marrow/scene/node.h"

namespace marrow {

// What becomes of the children of a node that is destroyed.
enum class Children : std::uint8_t {
  destroy,  // they are destroyed with it, and so on down
  keep,     // they become children of its parent, and stay where they are in the world
};

class Scene {
 public:
  Scene();
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  // Reserves memory for `nodes` nodes and instances in all. Up to this number, creating one does not move the others in
  // memory.
  void reserve(std::size_t nodes);

  // The node that all others are below. It cannot be destroyed or added to another.
  [[nodiscard]] Node root() const;

  // Makes a node, a child of `parent`, or of the root if that is null. Returns null if the transform is not usable
  // (Node::set_local), or the parent is of another scene.
  Node add_node(std::string_view name = {}, const Transform& local = {}, Node parent = {});

  // Makes a character, or a thing: one more of what the model holds, at rest. Its root is a node like any other.
  // Returns null as add_node does.
  Instance instantiate(const Model& model, const InstanceOptions& options = {});

  // Ends the life of a node, and of its instance if it is the root of one. Refused for inner nodes of an instance, for
  // the root of the scene and for nodes of another scene.
  bool destroy(Node node, Children children = Children::destroy);

  // Destroys everything but the root.
  void clear();

  // How many there are, inner nodes of instances and the root not counted.
  [[nodiscard]] std::size_t node_count() const;
  [[nodiscard]] std::size_t instance_count() const;

  // Returns the node of an id; null if it was destroyed, or the id is not of this scene.
  [[nodiscard]] Node node(NodeId id) const;

  // The instances, in no particular order: for (Instance instance : scene.instances()). Good until one is made or
  // destroyed.
  [[nodiscard]] std::span<const Instance> instances() const;

  // Brings the world matrices of all nodes up to date, and finishes the instances whose poses were edited. Returns how
  // many matrices were out of date.
  std::size_t refresh();

  // Moves all instances that have an animator or a stage by `dt_s` first, see below. Returns false, having changed
  // nothing, if the time is not finite, or if called by an event handler.
  bool update(double dt_s, const Executor& executor = {});

  // The error of the last command that had one; null if none had since `clear_error`. Valid until the next command.
  [[nodiscard]] const Error* last_error() const;
  void clear_error();

 private:
  std::unique_ptr<SceneImpl> impl_;
};

// Moves instances by `dt_s`: Instance::update for each, on the executor's threads. The nodes that they carry follow
// with Scene::update. They may be of several scenes, but none twice. The handlers of mixers' events are called on the
// thread of the caller, one after the other in the order of the span, while no other runs: they may do anything with
// the scene but update it. What one destroys lives until it returns. Returns false, having changed nothing, if the time
// is not finite; each of the scenes then has the error.
bool update_instances(std::span<const Instance> instances, double dt_s, const Executor& executor = {});

}  // namespace marrow
