// What a Scene is made of. Internal.
//
// Nodes lie in one array of slots; slot 0 is the root. The children of a node, and of all inner nodes of an instance,
// are one list that goes through the slots. A node whose transform changed is put on a list, and so is an instance
// whose pose did if it carries something; `update` goes through that list alone, and down from there.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "marrow/scene/scene.h"
#include "src/scene/imports.h"
#include "src/scene/instance_impl.h"

namespace marrow {

inline constexpr std::uint32_t kNoSlot = 0xffffffffu;

// What has happened to a node since the last update.
enum : std::uint8_t {
  kMoved = 1,  // its world matrix is out of date, and those of all below
  kPosed = 2,  // those of what its inner nodes carry are
};

struct NodeSlot {
  Transform local;
  Affine world;
  std::uint32_t parent = kNoSlot, parent_inner = 0;  // inner node + 1; 0 for the node itself
  std::uint32_t first_child = kNoSlot, last_child = kNoSlot, previous = kNoSlot, next = kNoSlot;
  std::uint32_t last_carried = kNoSlot;  // the last child of an inner node; those of the node itself come after it
  std::uint32_t stamp = 0;               // of the update in which `pending` was found out
  std::uint8_t changes = 0;
  bool pending = false;  // the world matrix is going to be written by that update
  bool listed = false;   // in the list of changed slots
  bool visible = true;
  std::unique_ptr<InstanceImpl> instance;
};

// Whether what happened to a node makes the world matrix of a child out of date.
inline bool moves_with(const NodeSlot& parent, const NodeSlot& child) {
  return parent.pending || ((parent.changes & kPosed) != 0 && child.parent_inner != 0);
}

// Returns the transform with its rotation normalised; nothing if it has a value that is not finite or beyond 1e18, or a
// rotation without length.
[[nodiscard]] std::optional<Transform> usable_transform(const Transform& t);

// Returns why a transform is not usable.
[[nodiscard]] Error transform_error(const Transform& t, const Place& parameter);

// A null or destroyed handle is a mistake of the caller. A command that gets one changes nothing where asserts are left
// out.
inline constexpr const char* kDeadNode = "the node is null or was destroyed";
inline constexpr const char* kDeadInstance = "the instance is null or was destroyed";
inline bool check_alive(const Node& node, [[maybe_unused]] const char* mistake = kDeadNode) {
  const bool alive(node);
  MARROW_ASSERT(alive, mistake);
  return alive;
}
inline bool check_alive(const Instance& instance) {
  const bool alive(instance);
  MARROW_ASSERT(alive, kDeadInstance);
  return alive;
}
inline Error dead_instance() { return {ErrorCode::invalid_argument, kDeadInstance, "instance"}; }

inline constexpr const char* kBeyondNumbers = "the local transform would have a value beyond 1e18";

inline Error not_finite(const char* why, Place parameter) { return {ErrorCode::not_finite, why, std::move(parameter)}; }

struct SceneImpl {
  SceneImpl();

  // Handles.
  [[nodiscard]] bool is_alive(const NodeId& id) const;
  [[nodiscard]] Node make_node(std::uint32_t slot, std::uint32_t inner = 0) {
    return {this, {slot + 1, slots.generation(slot), inner}};
  }
  [[nodiscard]] NodeSlot& slot(const NodeId& id) { return slots[id.index - 1]; }
  [[nodiscard]] const NodeSlot& slot(const NodeId& id) const { return slots[id.index - 1]; }

  // Keeps the error of a command that changes nothing. Safe from any thread.
  void refuse(Error error);
  void refuse(const char* why, const char* parameter) { refuse({ErrorCode::invalid_argument, why, parameter}); }

  // The tree (tree.cpp).
  [[nodiscard]] std::uint32_t new_slot();
  void link(std::uint32_t child, std::uint32_t parent, std::uint32_t inner);
  void unlink(std::uint32_t child);
  void free_slot(std::uint32_t slot);
  void free_subtree(std::uint32_t slot);

  // The node after one and all below it, in a walk through everything below `top`; none after the last.
  [[nodiscard]] std::uint32_t next_beside(std::uint32_t slot, std::uint32_t top) const;
  void destroy(const NodeId& id, Children children);
  [[nodiscard]] bool is_below(std::uint32_t slot, std::uint32_t ancestor) const;
  [[nodiscard]] std::optional<Error> reparent_error(Node child, const NodeId& parent) const;
  PlaceResult reparent(Node child, const NodeId& parent, Preserve preserve);
  [[nodiscard]] std::optional<PlaceResult> move(std::uint32_t child, const NodeId& parent, Preserve preserve);

  // Matrices (worlds.cpp). These expect the floating-point state that results are defined in.
  [[nodiscard]] bool has_changes() const {
    return !changed.empty() || queue.load(std::memory_order_acquire) != nullptr;
  }
  [[nodiscard]] Affine world_of(const NodeId& id) const;
  [[nodiscard]] Affine parent_world_of(std::uint32_t slot) const;

  // The transform that puts a child of a node with a world matrix at another, as near as can be; nothing if that is
  // beyond numbers.
  struct Fit {
    Transform local;
    PlaceResult placed;
  };
  [[nodiscard]] static std::optional<Fit> fit_world(const Affine& parent, const Affine& world);
  std::size_t update();

  // Adds an instance to the list of active ones or removes it, after a change. `reserve_active` allocates beforehand.
  void reserve_active();
  void update_active(const Instance& handle, InstanceImpl& instance, bool was_active);

  // The last steps of an instance's update; safe from any thread for different instances.
  void pose_instance(InstanceImpl& instance, MixScratch* scratch);

  // Calls the handler of an instance's events, which may end its life.
  void dispatch_events(InstanceImpl& instance);

  void mark(std::uint32_t slot, std::uint8_t changes);
  void enqueue(InstanceImpl& instance);  // safe from any thread
  void collect_queue();

  SlotTable<NodeSlot> slots;
  std::vector<std::string> names;  // by slot

  std::vector<std::uint32_t> changed;  // slots, each once; capacity for all
  std::vector<std::uint32_t> climbed;  // by is_pending
  std::uint32_t stamp = 0;
  std::atomic<InstanceImpl*> queue{nullptr};

  std::vector<Instance> instances;
  std::vector<Instance> active;  // those that move with time: with an animator or stages
  std::vector<Instance> batch;   // of an update that is under way

  // While a handler of events runs, nothing is destroyed but what is to be is put down.
  struct Doomed {
    NodeId id;
    Children children;
  };
  std::atomic<int> dispatching{0};  // handlers that run
  std::vector<Doomed> doomed;

  std::unordered_map<const void*, std::weak_ptr<ModelRecord>> records;  // by the data of the model

  std::optional<Error> last_error;
  std::mutex error_mutex;  // threads may update instances at once

 private:
  void take_out(std::vector<Instance>& list, std::uint32_t InstanceImpl::*index, const InstanceImpl& instance);
  [[nodiscard]] bool is_pending(std::uint32_t slot);
  void write_world(std::uint32_t slot);
  std::size_t propagate(std::uint32_t slot);
};

}  // namespace marrow
