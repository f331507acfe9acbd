#include "src/ffi/registry.h"

namespace marrow::ffi {
namespace {

// What a slot of the first table holds.
struct Entry {
  Kind kind = Kind::none;
  void* object = nullptr;  // what `kind` says; of a node the SceneEntry that it is in
  NodeId node;
  std::uint64_t batch = 0;  // the last batch update that it took part in

  [[nodiscard]] SceneEntry& scene() const { return *static_cast<SceneEntry*>(object); }
};
using Objects = SharedSlotTable<Entry, 20, 20>;

// The instance that a mixer is of.
struct MixerOf {
  SceneEntry* scene = nullptr;
  NodeId node;
};
using Mixers = SharedSlotTable<MixerOf, 16, 12>;

constexpr unsigned kKindShift = 60, kInnerShift = 40;
constexpr std::uint32_t kInnerEnd = 1u << 20;
static_assert(kMaxActions < 1u << 10 && kActionGenerations <= 1u << 22);

// Never destroyed: handles may be used until the very end of a program.
Objects& objects() {
  static auto* const table = new Objects;
  return *table;
}
Mixers& mixers() {
  static auto* const table = new Mixers;
  return *table;
}

std::uint64_t make_handle(Kind kind, SlotRef ref, std::uint32_t inner = 0) {
  return static_cast<std::uint64_t>(kind) << kKindShift | std::uint64_t{inner} << kInnerShift |
         std::uint64_t{ref.generation} << 20 | ref.slot;
}

Kind kind_of(std::uint64_t handle) { return static_cast<Kind>(handle >> kKindShift); }

std::uint32_t bits(std::uint64_t handle, unsigned shift, unsigned count) {
  return static_cast<std::uint32_t>(handle >> shift & ((std::uint64_t{1} << count) - 1));
}

SlotRef ref_of(std::uint64_t handle) { return {bits(handle, 0, 20), bits(handle, 20, 20)}; }
std::uint32_t inner_of(std::uint64_t handle) { return bits(handle, kInnerShift, 20); }

const char* name_of(Kind kind) {
  constexpr const char* kNames[] = {"", "model", "scene", "node", "instance", "mixer", "action", "host", "state"};
  return kNames[static_cast<int>(kind)];
}

marrow_status check_kind(std::uint64_t handle, Kind kind) {
  if (handle == 0) return fail(MARROW_ERROR_BAD_HANDLE, "the handle is 0", name_of(kind));
  if (kind_of(handle) == kind) return MARROW_OK;
  return fail(MARROW_ERROR_BAD_HANDLE, "the handle is to something of another kind", name_of(kind));
}

marrow_status dead(Kind kind) {
  return fail(MARROW_ERROR_DEAD_HANDLE, "what the handle referred to is gone", name_of(kind));
}
marrow_status made_up(Kind kind) {
  return fail(MARROW_ERROR_BAD_HANDLE, "the handle was never given out", name_of(kind));
}
marrow_status full(Kind kind) {
  return fail(MARROW_ERROR_LIMIT_EXCEEDED, "there are more than handles can tell apart", name_of(kind));
}
marrow_status check_busy(const SceneEntry& scene) {
  if (!scene.busy.load(std::memory_order_relaxed)) return MARROW_OK;
  return fail(MARROW_ERROR_BUSY, "the scene is being updated", "scene");
}

// Finds the entry of a handle; `owner` is the kind of its entry, which for instances is that of their node.
marrow_status find_entry(std::uint64_t handle, Kind kind, Kind owner, Entry*& out) {
  MARROW_FFI_TRY(check_kind(handle, kind));
  if (owner != Kind::node && inner_of(handle) != 0) return made_up(kind);
  Entry* const entry = objects().find(ref_of(handle));
  if (entry == nullptr) return objects().is_dead(ref_of(handle)) ? dead(kind) : made_up(kind);
  if (entry->kind != owner) return made_up(kind);
  out = entry;
  return MARROW_OK;
}

}  // namespace

std::unique_ptr<Pose> PosePool::take(const Skeleton& skeleton) {
  {
    const std::lock_guard lock(mutex_);
    if (!poses_.empty()) {
      std::unique_ptr<Pose> pose = std::move(poses_.back());
      poses_.pop_back();
      return pose;
    }
  }
  return std::make_unique<Pose>(skeleton);
}

void PosePool::give_back(std::unique_ptr<Pose> pose) {
  const std::lock_guard lock(mutex_);
  poses_.push_back(std::move(pose));
}

// ---- Making and ending -----------------------------------------------------------------------------------------

// Gives the table an object to own.
template <typename T>
static marrow_status add_object(Kind kind, std::unique_ptr<T> object, std::uint64_t* out) {
  const std::optional<SlotRef> ref = objects().add({kind, object.get(), {}, 0});
  if (!ref) return full(kind);
  object.release();  // NOLINT(bugprone-unused-return-value): the table has it
  *out = make_handle(kind, *ref);
  return MARROW_OK;
}

// Finds an object that the table owns.
template <typename T>
static marrow_status find_object(std::uint64_t handle, Kind kind, T*& out) {
  Entry* entry = nullptr;
  MARROW_FFI_TRY(find_entry(handle, kind, kind, entry));
  out = static_cast<T*>(entry->object);
  return MARROW_OK;
}

// Ends an object that find() finds.
template <typename T>
static marrow_status remove_object(std::uint64_t handle) {
  T* object = nullptr;
  MARROW_FFI_TRY(find(handle, object));
  objects().remove(ref_of(handle));
  delete object;
  return MARROW_OK;
}

marrow_status add(std::unique_ptr<ModelEntry> model, marrow_model* out) {
  return add_object(Kind::model, std::move(model), out);
}

marrow_status add(std::unique_ptr<SceneEntry> scene, marrow_scene* out) {
  SceneEntry& entry = *scene;
  MARROW_FFI_TRY(add_object(Kind::scene, std::move(scene), &entry.handle));
  *out = entry.handle;
  return MARROW_OK;
}

marrow_status add(std::unique_ptr<HostEntry> host, marrow_host* out) {
  return add_object(Kind::host, std::move(host), out);
}

marrow_status add(std::unique_ptr<GuestState> state, marrow_host_state* out) {
  return add_object(Kind::host_state, std::move(state), out);
}

marrow_status remove_model(marrow_model model) { return remove_object<ModelEntry>(model); }
marrow_status remove_host(marrow_host host) { return remove_object<HostEntry>(host); }
marrow_status remove_host_state(marrow_host_state state) { return remove_object<GuestState>(state); }

marrow_status remove_scene(marrow_scene handle) {
  SceneEntry* scene = nullptr;
  MARROW_FFI_TRY(find(handle, scene));
  for (const SceneEntry::Given& given : scene->given) {
    objects().remove(given.node);
    mixers().remove(given.mixer);
  }
  return remove_object<SceneEntry>(handle);
}

// ---- Giving out ------------------------------------------------------------------------------------------------

void forget_node(SceneEntry& scene, const NodeId& id) {
  if (id.index == 0 || id.index > scene.given.size()) return;
  SceneEntry::Given& given = scene.given[id.index - 1];
  if (given.generation != id.generation) return;
  objects().remove(given.node);
  mixers().remove(given.mixer);
  given = {};
}

// Finds the slots of a node of the scene; gives it one if it has none yet. The node that its slot in the scene had
// before is gone.
static marrow_status enter_node(SceneEntry& scene, const NodeId& id, SceneEntry::Given*& out) {
  if (scene.given.size() < id.index) scene.given.resize(id.index);
  SceneEntry::Given& given = scene.given[id.index - 1];
  if (given.generation != id.generation) {
    forget_node(scene, {id.index, given.generation, 0});
    const std::optional<SlotRef> ref = objects().add({Kind::node, &scene, {id.index, id.generation, 0}, 0});
    if (!ref) return full(Kind::node);
    given = {id.generation, *ref, {}};
  }
  out = &given;
  return MARROW_OK;
}

marrow_status give_node(SceneEntry& scene, const Node& node, marrow_node* out) {
  if (!node) {
    *out = 0;
    return MARROW_OK;
  }
  const NodeId id = node.id();
  if (id.inner >= kInnerEnd) return full(Kind::node);
  SceneEntry::Given* given = nullptr;
  MARROW_FFI_TRY(enter_node(scene, id, given));
  *out = make_handle(Kind::node, given->node, id.inner);
  return MARROW_OK;
}

marrow_status give_instance(SceneEntry& scene, const Instance& instance, marrow_instance* out) {
  if (!instance) {
    *out = 0;
    return MARROW_OK;
  }
  SceneEntry::Given* given = nullptr;
  MARROW_FFI_TRY(enter_node(scene, instance.node().id(), given));
  *out = make_handle(Kind::instance, given->node);
  return MARROW_OK;
}

marrow_status give_mixer(SceneEntry& scene, const Instance& instance, marrow_mixer* out) {
  SceneEntry::Given* given = nullptr;
  MARROW_FFI_TRY(enter_node(scene, instance.node().id(), given));
  if (!given->mixer) {
    std::optional<SlotRef> ref = mixers().add({&scene, instance.node().id()});
    if (!ref) {
      // Those of what was destroyed together with what was above it have not been missed so far.
      for (std::uint32_t i = 0; i < scene.given.size(); ++i) {
        const NodeId id = {i + 1, scene.given[i].generation, 0};
        if (scene.given[i].mixer && !scene.scene.node(id)) forget_node(scene, id);
      }
      ref = mixers().add({&scene, instance.node().id()});
    }
    if (!ref) return full(Kind::mixer);
    given->mixer = *ref;
  }
  *out = static_cast<std::uint64_t>(Kind::mixer) << kKindShift | std::uint64_t{given->mixer.generation} << 16 |
         given->mixer.slot;
  return MARROW_OK;
}

marrow_action handle_of(marrow_mixer mixer, ActionHandle action) {
  if (action.is_null()) return 0;
  return static_cast<std::uint64_t>(Kind::action) << kKindShift | std::uint64_t{bits(mixer, 0, 16)} << 44 |
         std::uint64_t{bits(mixer, 16, 12)} << 32 | std::uint64_t{action.index} << 22 | action.generation;
}

// ---- Finding ---------------------------------------------------------------------------------------------------

marrow_status find(marrow_model handle, ModelEntry*& out) { return find_object(handle, Kind::model, out); }

marrow_status find(marrow_scene handle, SceneEntry*& out) {
  SceneEntry* scene = nullptr;
  MARROW_FFI_TRY(find_object(handle, Kind::scene, scene));
  MARROW_FFI_TRY(check_busy(*scene));
  out = scene;
  return MARROW_OK;
}

marrow_status find(marrow_host handle, HostEntry*& out) {
  HostEntry* host = nullptr;
  MARROW_FFI_TRY(find_object(handle, Kind::host, host));
  if (host->busy) return fail(MARROW_ERROR_BUSY, "the host is telling its log something", "host");
  out = host;
  return MARROW_OK;
}

marrow_status find(marrow_host_state handle, GuestState*& out) { return find_object(handle, Kind::host_state, out); }

marrow_status find(marrow_node handle, FoundNode& out) {
  Entry* entry = nullptr;
  MARROW_FFI_TRY(find_entry(handle, Kind::node, Kind::node, entry));
  SceneEntry& scene = entry->scene();
  MARROW_FFI_TRY(check_busy(scene));
  if (!scene.scene.node(entry->node)) return dead(Kind::node);
  out = {&scene, scene.scene.node({entry->node.index, entry->node.generation, inner_of(handle)})};
  return out.node ? MARROW_OK : made_up(Kind::node);
}

marrow_status find(marrow_instance handle, FoundInstance& out) {
  Entry* entry = nullptr;
  MARROW_FFI_TRY(find_entry(handle, Kind::instance, Kind::node, entry));
  SceneEntry& scene = entry->scene();
  MARROW_FFI_TRY(check_busy(scene));
  const Node node = scene.scene.node(entry->node);
  if (!node) return dead(Kind::instance);
  out = {&scene, node.instance(), &entry->batch};
  return out.instance && inner_of(handle) == 0 ? MARROW_OK : made_up(Kind::instance);
}

static marrow_status find_mixer(SlotRef ref, Kind kind, FoundMixer& out) {
  const MixerOf* const of = mixers().find(ref);
  if (of == nullptr) return mixers().is_dead(ref) ? dead(kind) : made_up(kind);
  MARROW_FFI_TRY(check_busy(*of->scene));
  const Node node = of->scene->scene.node(of->node);
  if (!node) return dead(kind);
  out.scene = of->scene;
  out.instance = node.instance();
  out.mixer = &out.instance.mixer();
  out.handle = static_cast<std::uint64_t>(Kind::mixer) << kKindShift | std::uint64_t{ref.generation} << 16 | ref.slot;
  return MARROW_OK;
}

marrow_status find(marrow_mixer handle, FoundMixer& out) {
  MARROW_FFI_TRY(check_kind(handle, Kind::mixer));
  if (bits(handle, 28, 32) != 0) return made_up(Kind::mixer);
  return find_mixer({bits(handle, 0, 16), bits(handle, 16, 12)}, Kind::mixer, out);
}

marrow_status find(marrow_action handle, FoundAction& out) {
  MARROW_FFI_TRY(check_kind(handle, Kind::action));
  MARROW_FFI_TRY(find_mixer({bits(handle, 44, 16), bits(handle, 32, 12)}, Kind::action, out.of));
  const ActionHandle action = {bits(handle, 22, 10), bits(handle, 0, 22)};
  out.action = out.of.mixer->action(action);
  if (out.action) return MARROW_OK;
  const bool possible = action.index > 0 && action.index <= out.of.mixer->capacity().actions && action.generation > 0;
  return possible ? dead(Kind::action) : made_up(Kind::action);
}

}  // namespace marrow::ffi
