// Instance: one living character, or thing: a model (model.h) with a pose of its own.
//
// Everything of it that changes is in the instance: its mixer, its pose, the matrices of its joints, and a palette for
// each skin. Any number of instances share one model. An Instance is a small handle; the scene owns what it refers to.
// Different instances may be updated by different threads at once; the handlers of their events, which are called on
// those threads then, must leave the scene alone (update_instances in scene.h calls them on one).
//
//   instance.update(dt)   is   advance(dt), evaluate(), finish()
//
// advance moves time, fades and events, which is enough for what is out of sight; evaluate writes the pose; finish
// makes matrices of it. Between evaluate and finish the pose may be edited, for look-at, inverse kinematics or physics.
//
// Commands return the instance, so that calls can be chained. Errors are as with nodes (node.h): a bad value, an inner
// node of another instance or a node of another scene changes nothing, and leaves an error in Scene::last_error; a null
// or destroyed instance or node is a mistake of the caller. Functions that act by a name, read bytes or add a stage
// return a Result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "marrow/anim/pose.h"
#include "marrow/math/box.h"
#include "marrow/mixer/mixer.h"
#include "marrow/model/model.h"
#include "marrow/play/animator.h"
#include "marrow/scene/node.h"
#include "marrow/scene/pose_stage.h"
#include "marrow/skin/skinning.h"

namespace marrow {

struct InstanceImpl;

// A stage of an instance; no other stage of that instance gets the same number.
struct StageId {
  std::uint32_t number = 0;
};
inline constexpr std::size_t kMaxStageBytes = std::size_t{1} << 20;

// How an instance is made.
struct InstanceOptions {
  std::string_view name;  // of its root; empty: that of the model
  Transform local;        // of its root
  Node parent;            // null: the root of the scene
  MixerOptions mixer;     // the capacity of its mixer
};

class Instance {
 public:
  // No instance.
  Instance() = default;

  // True if this refers to an instance that has not been destroyed.
  explicit operator bool() const;
  friend bool operator==(const Instance& a, const Instance& b) { return a.scene_ == b.scene_ && a.id_ == b.id_; }

  // Its root.
  [[nodiscard]] Node node() const { return {scene_, id_}; }
  operator Node() const { return node(); }

  [[nodiscard]] const Model& model() const;

  // A number that no other instance of any scene has, or had, in this process; for tables of what belongs to one.
  [[nodiscard]] std::uint64_t serial() const;

  // A number that changes whenever the matrices do; for copies of them elsewhere, such as on a GPU.
  [[nodiscard]] std::uint64_t version() const;

  // What plays its clips. It has no pose of its own: `update` of the instance is what evaluates it. The first call
  // makes it, and changes the scene; an instance that never had one costs an update of the scene nothing.
  [[nodiscard]] Mixer& mixer() const;
  [[nodiscard]] bool has_mixer() const;

  // Sets what drives the instance instead of a mixer, or nothing (play/animator.h). The animator before it is
  // destroyed.
  Instance set_animator(const Animator& animator) const;
  [[nodiscard]] const Animator& animator() const;

  // Play a clip of the model by its name, the first of that name, in the base layer: as Mixer::play, which adds to what
  // plays, Mixer::switch_to and Mixer::cross_fade_to. Fail as those do, if the model has no such clip, and if the
  // animator is no mixer.
  Result<Action> play(std::string_view clip, const PlayOptions& options = {}) const;
  Result<Action> switch_to(std::string_view clip, const PlayOptions& options = {}) const;
  Result<Action> cross_fade_to(std::string_view clip, double seconds, const FadeOptions& options = {}) const;

  // The events and the root motion of the last advance, of any animator.
  [[nodiscard]] std::span<const Event> events() const;
  [[nodiscard]] RootMotion root_motion() const;

  // Adds a stage between the pose and the matrices, after those that are there (pose_stage.h). Bone overrides come
  // last. Fails if the name is null or empty, if the function is null, and with more than 1 MiB of state.
  // `remove_stage` is an error if the instance has no such stage.
  Result<StageId> add_stage(const PoseStage& stage) const;
  Instance remove_stage(StageId id) const;
  [[nodiscard]] std::size_t stage_count() const;

  // Reports that the data of a stage has changed: the next finish, or Scene::refresh(), runs the stages again. An
  // instance that is still (StageResult) takes part in updates again.
  Instance touch() const;

  // The node of a joint, by name or number; null if there is none. Where no joint has the name, any other node of the
  // model that has it.
  [[nodiscard]] Node bone(std::string_view name) const;
  [[nodiscard]] Node bone(std::uint32_t joint) const;

  // The node of the model's node, which is a bone if that is a joint.
  [[nodiscard]] Node model_node(std::uint32_t index) const;

  // The number of a bone's joint, and that of a node of the model; fails for nodes that are not of this instance, or
  // are no bone. The root of the instance is not a node of the model.
  [[nodiscard]] Result<std::uint32_t> joint_of(Node bone) const;
  [[nodiscard]] Result<std::uint32_t> model_node_of(Node node) const;

  // The steps of an update. `update` and `advance` return false, having changed nothing, if the time is not finite, or
  // if called by a handler of this instance's events.
  bool update(double dt_s) const;
  bool advance(double dt_s) const;
  void evaluate() const;
  void finish() const;

  // The local pose, before stages and overrides. `edit_pose` marks it as edited: the next finish, or Scene::refresh(),
  // updates the matrices. Call it for each edit: a write through an older reference reaches the matrices only in
  // `finish`. An animator writes the whole pose again in its next evaluate; without one, edits stay.
  [[nodiscard]] const Pose& pose() const;
  [[nodiscard]] Pose& edit_pose() const;

  // The pose that the matrices were made of: with what stages and overrides changed.
  [[nodiscard]] const Pose& finished_pose() const;

  // The matrices as last finished: of all joints, and of the joints of a skin times their inverse binds. In model
  // space, that is, relative to the instance's root.
  [[nodiscard]] std::span<const Affine> model_from_joint() const;
  [[nodiscard]] std::span<const Affine> palette(std::uint32_t skin) const;
  [[nodiscard]] std::span<const Affine> palettes() const;  // one skin after the other

  // Writes the matrices of all nodes of the model, relative to the root; the span is as long as the model's nodes. Like
  // the transforms of bones (node.h), the matrices leave stages out until the instance is finished.
  void node_matrices(std::span<Affine> model_from_node) const;

  // The morph weights of a node of the model; none if it has no morph targets. After a change they are those of the
  // pose before stages, until the instance is finished.
  [[nodiscard]] std::span<const float> morph_weights(std::uint32_t model_node) const;

  // Overrides the local transform of a bone, or of another node of this instance, until it is cleared: it goes from the
  // pose's to this one by `weight`, from 0 to 1 (rotations along the shorter arc). Refused for nodes that are not of
  // this instance, and for values that are no transform or weight.
  Instance set_override(Node node, const Transform& transform, float weight = 1) const;
  Instance clear_override(Node node) const;
  Instance clear_overrides() const;
  [[nodiscard]] bool has_override(Node node) const;

  // Makes `thing` a child of the bone, with a transform relative to it: bone(name).add(thing) and thing.set_local in
  // one. Fails, having changed nothing, if the model has no node of that name, if the offset is not a usable transform
  // (Node::set_local), and in the cases that Node::add refuses.
  Result<void> attach(Node thing, std::string_view bone, const Transform& offset = {}) const;

  // Takes a thing off again that is attached to an inner node of this instance: it stays where it is in the world, as a
  // child of the scene's root. Refused if it is not attached to one.
  PlaceResult detach(Node thing) const;

  // How the vertices of a mesh of the model are blended: linear unless told otherwise. With dual quaternions `finish`
  // makes a palette of them for each skin; before that there are none. Refused if the model has no such mesh.
  Instance set_skinning(std::uint32_t mesh, Skinning skinning) const;
  [[nodiscard]] Skinning skinning(std::uint32_t mesh) const;
  struct DualPalette {
    std::span<const DualJoint> joints;
    bool stretches = false;
  };
  [[nodiscard]] DualPalette dual_palette(std::uint32_t skin) const;

  // Writes the vertices of a part of the mesh of a node of the model (model.h) in model space: moved by the skin if the
  // node has one, else by the node, and by morph targets before that. The instance should be finished. The spans are as
  // long as the part's vertices, or empty for what is not wanted.
  void skin(std::uint32_t model_node, std::uint32_t part, const SkinnedVertices& out) const;

  // A box around all meshes that are shown: in model space, and in the world. The instance should be finished. The
  // second is also around the instances that are attached to it, and to them. Without meshes it is around the joints.
  // No vertex is ever outside; none is looked at. The first call for a model finds the boxes of its joints.
  [[nodiscard]] Box bounds() const;
  [[nodiscard]] Box world_bounds() const;

  // The state of the instance as a block of bytes without pointers: that of the animator, the state bytes of the
  // stages, the time that they wait for, and the overrides. Not in it are the pose, node transforms, visibility and
  // what is attached. Call update(0) after `restore`; the owner of a pose without an animator writes the pose again.
  // `snapshot_size` is the most that `save` writes now; a further stage or override needs more. `save` returns how many
  // bytes it wrote, and fails if the buffer is too small, or the animator has no functions for it. `restore` fails on a
  // block that is damaged, of another version, skeleton or animator, or with other stages; then nothing has changed.
  [[nodiscard]] std::size_t snapshot_size() const;
  [[nodiscard]] Result<std::size_t> save(std::span<std::byte> out) const;
  Result<void> restore(std::span<const std::byte> block) const;

  // The memory that this instance takes, with its mixer; of what it shares with others nothing.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class Node;
  friend class Scene;
  friend struct SceneImpl;
  friend struct BatchAccess;
  Instance(SceneImpl* scene, NodeId id) : scene_(scene), id_(id) {}
  [[nodiscard]] InstanceImpl& get() const;
  [[nodiscard]] bool has_inner(const Node& node) const;
  template <typename Start>
  Result<Action> start_clip(std::string_view name, const Start& start) const;

  SceneImpl* scene_ = nullptr;
  NodeId id_;
};

}  // namespace marrow
