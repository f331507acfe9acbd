// The registry: which handle is what. Internal.
//
// A handle is a number in four parts, from the top:
//
//   model, scene, ... kind 4   0          20   generation 20   slot 20
//   node, instance    kind 4   inner      20   generation 20   slot 20
//   mixer             kind 4   0          32   generation 12   slot 16
//   action            kind 4   mixer's slot 16, generation 12   index 10   generation 22
//
// Slots and generations are those of two tables (shared_slot_table.h). No slot and generation is given out twice. The
// nodes of a scene have a slot each; an inner node of an instance has that of the instance's root and its own number.
// An instance has the slot of its root. The handle of an action holds the mixer's own slot and generation for it,
// because a snapshot brings released actions back.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/names.h"
#include "marrow/guest/guest_host.h"
#include "marrow/marrow_host.h"
#include "marrow/scene/scene.h"
#include "src/ffi/arguments.h"
#include "src/ffi/errors.h"
#include "src/ffi/shared_slot_table.h"

namespace marrow::ffi {

enum class Kind : std::uint8_t { none, model, scene, node, instance, mixer, action, host, host_state };

// Poses for functions that need some for as long as they run.
class PosePool {
 public:
  [[nodiscard]] std::unique_ptr<Pose> take(const Skeleton& skeleton);
  void give_back(std::unique_ptr<Pose> pose);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Pose>> poses_;
};

struct ModelEntry {
  Model model;
  std::vector<std::string> warnings;
  PosePool poses;
};

struct SceneEntry {
  Scene scene;
  marrow_scene handle = 0;
  std::atomic<bool> busy{false};  // being updated

  // For each slot of the scene's nodes which handle it was given last.
  struct Given {
    std::uint32_t generation = 0;  // of the node
    SlotRef node, mixer;
  };
  std::vector<Given> given;
};

struct HostEntry {
  GuestHost host;
  marrow_host_options options;
  bool busy = false;  // telling the caller something

  explicit HostEntry(const marrow_host_options& options);
  HostEntry(const HostEntry&) = delete;
  HostEntry& operator=(const HostEntry&) = delete;
};

// Making and ending handles.
[[nodiscard]] marrow_status add(std::unique_ptr<ModelEntry> model, marrow_model* out);
[[nodiscard]] marrow_status add(std::unique_ptr<SceneEntry> scene, marrow_scene* out);
[[nodiscard]] marrow_status add(std::unique_ptr<HostEntry> host, marrow_host* out);
[[nodiscard]] marrow_status add(std::unique_ptr<GuestState> state, marrow_host_state* out);
[[nodiscard]] marrow_status remove_model(marrow_model model);
[[nodiscard]] marrow_status remove_scene(marrow_scene scene);
[[nodiscard]] marrow_status remove_host(marrow_host host);
[[nodiscard]] marrow_status remove_host_state(marrow_host_state state);

// Gives out handles to what is in a scene; 0 for what is null.
[[nodiscard]] marrow_status give_node(SceneEntry& scene, const Node& node, marrow_node* out);
[[nodiscard]] marrow_status give_instance(SceneEntry& scene, const Instance& instance, marrow_instance* out);
[[nodiscard]] marrow_status give_mixer(SceneEntry& scene, const Instance& instance, marrow_mixer* out);

// Returns the handle of an action; 0 for one that is null. There always is one: no mixer has more slots for actions, or
// more generations of a slot, than handles have bits for.
[[nodiscard]] marrow_action handle_of(marrow_mixer mixer, ActionHandle action);

// The largest capacities of a mixer. Handles have no bits for more.
inline constexpr std::uint32_t kActionGenerations = 1u << 22;
inline constexpr std::uint32_t kMaxActions = 1023, kMaxLayers = 255, kMaxEvents = 65535;

// Frees the slots of a node that was destroyed.
void forget_node(SceneEntry& scene, const NodeId& id);

// Finding what handles refer to: each says in a status why it cannot.
struct FoundNode {
  SceneEntry* scene = nullptr;
  Node node;
};
struct FoundInstance {
  SceneEntry* scene = nullptr;
  Instance instance;
  std::uint64_t* batch = nullptr;  // the last batch update that it took part in
};
struct FoundMixer {
  SceneEntry* scene = nullptr;
  Instance instance;
  Mixer* mixer = nullptr;
  marrow_mixer handle = 0;
};
struct FoundAction {
  FoundMixer of;
  Action action;
};
[[nodiscard]] marrow_status find(marrow_model handle, ModelEntry*& out);
[[nodiscard]] marrow_status find(marrow_scene handle, SceneEntry*& out);
[[nodiscard]] marrow_status find(marrow_node handle, FoundNode& out);
[[nodiscard]] marrow_status find(marrow_instance handle, FoundInstance& out);
[[nodiscard]] marrow_status find(marrow_mixer handle, FoundMixer& out);
[[nodiscard]] marrow_status find(marrow_action handle, FoundAction& out);
[[nodiscard]] marrow_status find(marrow_host handle, HostEntry*& out);
[[nodiscard]] marrow_status find(marrow_host_state handle, GuestState*& out);

// An entry point: finds what a handle refers to, and runs the body with it.
template <typename Found, typename Body>
marrow_status with(std::uint64_t handle, const Body& body) noexcept {
  return guarded([&]() -> marrow_status {
    Found found{};
    MARROW_FFI_TRY(find(handle, found));
    return body(found);
  });
}
template <typename Body>
marrow_status with_model(marrow_model model, const Body& body) noexcept {
  return with<ModelEntry*>(model, [&](ModelEntry* entry) { return body(*entry); });
}
// Runs body(item) for an item of one of a model's tables: &Model::clips, for example.
template <typename Item, typename Body>
marrow_status with_item(marrow_model model, std::span<const Item> (Model::*table)() const, std::uint32_t index,
                        const char* parameter, const Body& body) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    const std::span<const Item> items = (entry.model.*table)();
    MARROW_FFI_TRY(check_index(index, items.size(), parameter));
    return body(items[index]);
  });
}
// Finds the number of the first clip of a name.
inline marrow_status find_clip_by_name(const Model& model, const char* name, std::uint32_t& out) {
  const Clip* const found = model.find_clip(name);
  if (found == nullptr) {
    return fail(unknown_name("clip", name, model.clips(), [](const Clip& own) { return own.name(); }));
  }
  out = static_cast<std::uint32_t>(found - model.clips().data());
  return MARROW_OK;
}
template <typename Body>
marrow_status with_scene(marrow_scene scene, const Body& body) noexcept {
  return with<SceneEntry*>(scene, [&](SceneEntry* entry) { return body(*entry); });
}

template <typename Body>
marrow_status with_host(marrow_host host, const Body& body) noexcept {
  return with<HostEntry*>(host, [&](HostEntry* entry) { return body(*entry); });
}

}  // namespace marrow::ffi
