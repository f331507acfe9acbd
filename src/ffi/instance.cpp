// Instances: their updates, poses and matrices.
#include "marrow/scene/instance.h"

#include "src/ffi/arguments.h"
#include "src/ffi/busy.h"
#include "src/ffi/placing.h"
#include "src/ffi/pose.h"
#include "src/ffi/snapshot.h"

using namespace marrow;
using namespace marrow::ffi;

namespace {

template <typename Body>
marrow_status with_instance(marrow_instance instance, const Body& body) noexcept {
  return with<FoundInstance>(instance, [&](FoundInstance& found) { return body(*found.scene, found.instance); });
}

marrow_status check_options(const marrow_instance_options& options) {
  MARROW_FFI_TRY(check_choice(options.actions, kMaxActions, "actions"));
  MARROW_FFI_TRY(check_choice(options.max_actions, kMaxActions, "max_actions"));
  MARROW_FFI_TRY(check_choice(options.layers, kMaxLayers, "layers"));
  MARROW_FFI_TRY(check_choice(options.events, kMaxEvents, "events"));
  MARROW_FFI_TRY(check_text(options.name, "name"));
  return check_choice(options.reserved, 0, "reserved");
}

// Finds a bone that must be of the instance.
marrow_status find_inner(const Instance& instance, const SceneEntry& scene, marrow_node handle, Node& out) {
  FoundNode found;
  MARROW_FFI_TRY(find_beside(scene, handle, found));
  if (!found.node.is_inner() || !(found.node.instance() == instance)) {
    return fail(MARROW_ERROR_FOREIGN_HANDLE, "the node is no inner node of this instance", "bone");
  }
  out = found.node;
  return MARROW_OK;
}

// The results of skinning: as many floats as the vertices have, or none if they are not wanted.
template <typename T>
marrow_status check_skinned(float* out, std::uint64_t floats, std::size_t vertices, bool there, const char* parameter,
                            std::span<T>& span) {
  if (out == nullptr && floats == 0) return MARROW_OK;
  if (!there) return fail(MARROW_ERROR_INVALID_ARGUMENT, "the vertices have none", parameter);
  MARROW_FFI_TRY(check_array(out, floats, vertices * (sizeof(T) / sizeof(float)), parameter));
  span = {reinterpret_cast<T*>(out), vertices};
  return MARROW_OK;
}

}  // namespace

marrow_status marrow_instance_create(marrow_scene scene, marrow_model model, const marrow_instance_options* options,
                                     marrow_instance* instance) noexcept {
  return with_scene(scene, [&](SceneEntry& entry) -> marrow_status {
    ModelEntry* of = nullptr;
    MARROW_FFI_TRY(find(model, of));
    if (instance == nullptr) return null_pointer("instance");
    marrow_instance_options own = MARROW_INSTANCE_OPTIONS_INIT;
    MARROW_FFI_TRY(read_options(options, own, "options"));
    MARROW_FFI_TRY(check_options(own));
    InstanceOptions in;
    MARROW_FFI_TRY(find_parent(entry, own.parent, in.parent));
    if (own.name != nullptr) in.name = own.name;
    in.local = transform_or_identity(own.local);
    // Handles of actions have no more numbers.
    const std::size_t clips = of->model.clips().size();
    const auto most = static_cast<std::uint32_t>(std::clamp<std::size_t>(clips + 16, 128, kMaxActions));
    in.mixer = {own.actions, own.max_actions == 0 ? most : own.max_actions, own.layers, own.events};
    Instance made;
    MARROW_FFI_TRY(command(entry.scene, [&] { made = entry.scene.instantiate(of->model, in); }));
    NewNode keeper(entry, made);
    MARROW_FFI_TRY(give_instance(entry, made, instance));
    return keeper.keep();
  });
}

marrow_status marrow_instance_destroy(marrow_instance instance) noexcept {
  return with_instance(instance, [](SceneEntry& entry, const Instance& i) -> marrow_status {
    const NodeId id = i.node().id();
    MARROW_FFI_TRY(command(entry.scene, [&] { entry.scene.destroy(i); }));
    forget_node(entry, id);
    return MARROW_OK;
  });
}

marrow_status marrow_instance_node(marrow_instance instance, marrow_node* node) noexcept {
  return with_instance(instance, [&](SceneEntry& entry, const Instance& i) -> marrow_status {
    if (node == nullptr) return null_pointer("node");
    return give_node(entry, i.node(), node);
  });
}

marrow_status marrow_instance_find_bone(marrow_instance instance, const char* name, marrow_node* bone) noexcept {
  return with_instance(instance, [&](SceneEntry& entry, const Instance& i) -> marrow_status {
    if (name == nullptr) return null_pointer("name");
    if (bone == nullptr) return null_pointer("bone");
    const Node found = i.bone(name);
    return found ? give_node(entry, found, bone) : fail(unknown_bone(i.model(), name));
  });
}

marrow_status marrow_instance_bone(marrow_instance instance, uint32_t joint, marrow_node* bone) noexcept {
  return with_instance(instance, [&](SceneEntry& entry, const Instance& i) -> marrow_status {
    if (bone == nullptr) return null_pointer("bone");
    MARROW_FFI_TRY(check_index(joint, i.model().skeleton().joint_count(), "joint"));
    return give_node(entry, i.bone(joint), bone);
  });
}

marrow_status marrow_instance_model_node(marrow_instance instance, uint32_t model_node, marrow_node* node) noexcept {
  return with_instance(instance, [&](SceneEntry& entry, const Instance& i) -> marrow_status {
    if (node == nullptr) return null_pointer("node");
    MARROW_FFI_TRY(check_index(model_node, i.model().nodes().size(), "model_node"));
    return give_node(entry, i.model_node(model_node), node);
  });
}

marrow_status marrow_instance_mixer(marrow_instance instance, marrow_mixer* mixer) noexcept {
  return with_instance(instance, [&](SceneEntry& entry, const Instance& i) -> marrow_status {
    if (mixer == nullptr) return null_pointer("mixer");
    marrow_mixer handle = 0;
    MARROW_FFI_TRY(give_mixer(entry, i, &handle));
    limit_action_generations(i.mixer(), kActionGenerations);  // makes the mixer, now that there is a handle for it
    *mixer = handle;
    return MARROW_OK;
  });
}

// ---- Updates ---------------------------------------------------------------------------------------------------

marrow_status marrow_instance_update(marrow_instance instance, double seconds) noexcept {
  return with_instance(instance, [&](SceneEntry& entry, const Instance& i) -> marrow_status {
    MARROW_FFI_TRY(check_finite(seconds, "seconds"));
    const Busy busy(entry);
    i.update(seconds);
    return MARROW_OK;
  });
}

marrow_status marrow_instance_advance(marrow_instance instance, double seconds) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    MARROW_FFI_TRY(check_finite(seconds, "seconds"));
    i.advance(seconds);
    return MARROW_OK;
  });
}

marrow_status marrow_instance_evaluate(marrow_instance instance) noexcept {
  return with_instance(instance, [](const SceneEntry&, const Instance& i) { return i.evaluate(), MARROW_OK; });
}

marrow_status marrow_instance_finish(marrow_instance instance) noexcept {
  return with_instance(instance, [](SceneEntry& entry, const Instance& i) {
    const Busy busy(entry);
    return i.finish(), MARROW_OK;
  });
}

// ---- Poses and matrices ----------------------------------------------------------------------------------------

marrow_status marrow_instance_pose(marrow_instance instance, const marrow_pose* out) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    MARROW_FFI_TRY(check_pose(out, i.model().skeleton()));
    write_pose(i.pose(), *out);
    return MARROW_OK;
  });
}

marrow_status marrow_instance_set_pose(marrow_instance instance, const marrow_pose* pose) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    MARROW_FFI_TRY(check_pose(pose, i.model().skeleton()));
    MARROW_FFI_TRY(check_values(*pose, i.model().skeleton()));
    read_pose(*pose, i.edit_pose());
    return MARROW_OK;
  });
}

marrow_status marrow_instance_joint_matrices(marrow_instance instance, marrow_affine* out, uint64_t capacity,
                                             uint64_t* count) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) {
    return copy_out(i.model_from_joint(), out, capacity, count);
  });
}

marrow_status marrow_instance_node_matrices(marrow_instance instance, marrow_affine* out, uint64_t capacity,
                                            uint64_t* count) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    const std::size_t size = i.model().nodes().size();
    const Output output = check_output(size, out, capacity, count);
    if (!output.write) return output.status;
    MARROW_FFI_TRY(check_array(out, capacity, size, "out"));
    i.node_matrices({reinterpret_cast<Affine*>(out), size});
    return MARROW_OK;
  });
}

marrow_status marrow_instance_palette(marrow_instance instance, uint32_t skin, marrow_affine* out, uint64_t capacity,
                                      uint64_t* count) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    MARROW_FFI_TRY(check_index(skin, i.model().skins().size(), "skin"));
    return copy_out(i.palette(skin), out, capacity, count);
  });
}

marrow_status marrow_instance_morphs(marrow_instance instance, uint32_t model_node, float* out, uint64_t capacity,
                                     uint64_t* count) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    MARROW_FFI_TRY(check_index(model_node, i.model().nodes().size(), "model_node"));
    return copy_out(i.morph_weights(model_node), out, capacity, count);
  });
}

// ---- Overrides and attachments ---------------------------------------------------------------------------------

marrow_status marrow_instance_set_override(marrow_instance instance, marrow_node bone,
                                           const marrow_transform* transform, float weight) noexcept {
  return with_instance(instance, [&](SceneEntry& entry, const Instance& i) -> marrow_status {
    Node node;
    MARROW_FFI_TRY(find_inner(i, entry, bone, node));
    if (transform == nullptr) return null_pointer("transform");
    MARROW_FFI_TRY(check_share(weight, "weight"));
    return command(entry.scene, [&] { i.set_override(node, same_bits<Transform>(*transform), weight); });
  });
}

marrow_status marrow_instance_clear_override(marrow_instance instance, marrow_node bone) noexcept {
  return with_instance(instance, [&](const SceneEntry& entry, const Instance& i) -> marrow_status {
    Node node;
    MARROW_FFI_TRY(find_inner(i, entry, bone, node));
    i.clear_override(node);
    return MARROW_OK;
  });
}

marrow_status marrow_instance_clear_overrides(marrow_instance instance) noexcept {
  return with_instance(instance, [](const SceneEntry&, const Instance& i) { return i.clear_overrides(), MARROW_OK; });
}

marrow_status marrow_instance_has_override(marrow_instance instance, marrow_node bone, uint32_t* has) noexcept {
  return with_instance(instance, [&](const SceneEntry& entry, const Instance& i) -> marrow_status {
    Node node;
    MARROW_FFI_TRY(find_inner(i, entry, bone, node));
    if (has == nullptr) return null_pointer("has");
    *has = i.has_override(node) ? 1 : 0;
    return MARROW_OK;
  });
}

marrow_status marrow_instance_attach(marrow_instance instance, marrow_node thing, const char* bone,
                                     const marrow_transform* offset) noexcept {
  return with_instance(instance, [&](const SceneEntry& entry, const Instance& i) -> marrow_status {
    FoundNode other;
    MARROW_FFI_TRY(find_beside(entry, thing, other));
    if (bone == nullptr) return null_pointer("bone");
    const Result<void> attached = i.attach(other.node, bone, transform_or_identity(offset));
    return attached ? MARROW_OK : refused(attached.error());
  });
}

marrow_status marrow_instance_detach(marrow_instance instance, marrow_node thing,
                                     marrow_place_result* result) noexcept {
  return with_instance(instance, [&](SceneEntry& entry, const Instance& i) -> marrow_status {
    FoundNode other;
    MARROW_FFI_TRY(find_beside(entry, thing, other));
    return place(entry, result, [&] { return i.detach(other.node); });
  });
}

// ---- Snapshots -------------------------------------------------------------------------------------------------

marrow_status marrow_instance_snapshot_size(marrow_instance instance, uint64_t* size) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    if (size == nullptr) return null_pointer("size");
    *size = i.snapshot_size();
    return MARROW_OK;
  });
}

marrow_status marrow_instance_save(marrow_instance instance, void* out, uint64_t capacity, uint64_t* count) noexcept {
  return with_instance(instance,
                       [&](const SceneEntry&, const Instance& i) { return save_block(i, out, capacity, count); });
}

marrow_status marrow_instance_restore(marrow_instance instance, const void* block, uint64_t size) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) { return restore_block(i, block, size); });
}

// ---- Meshes ----------------------------------------------------------------------------------------------------

marrow_status marrow_instance_set_skinning(marrow_instance instance, uint32_t mesh, uint32_t skinning) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    MARROW_FFI_TRY(check_index(mesh, i.model().meshes().size(), "mesh"));
    MARROW_FFI_TRY(check_choice(skinning, MARROW_DUAL_QUATERNION, "skinning"));
    i.set_skinning(mesh, skinning == MARROW_DUAL_QUATERNION ? Skinning::dual_quaternion : Skinning::linear);
    return MARROW_OK;
  });
}

marrow_status marrow_instance_skin(marrow_instance instance, uint32_t model_node, uint32_t part, float* positions,
                                   uint64_t position_floats, float* normals, uint64_t normal_floats, float* tangents,
                                   uint64_t tangent_floats) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    MARROW_FFI_TRY(check_index(model_node, i.model().nodes().size(), "model_node"));
    const std::int32_t mesh = i.model().nodes()[model_node].mesh;
    if (mesh == kNone) return fail(MARROW_ERROR_INVALID_ARGUMENT, "the node has no mesh", "model_node");
    const std::vector<MeshPart>& parts = i.model().meshes()[static_cast<std::size_t>(mesh)].parts;
    MARROW_FFI_TRY(check_index(part, parts.size(), "part"));
    const Vertices& v = *parts[part].vertices;
    const std::size_t count = v.positions.size();
    SkinnedVertices out;
    MARROW_FFI_TRY(check_skinned(positions, position_floats, count, true, "positions", out.positions));
    MARROW_FFI_TRY(check_skinned(normals, normal_floats, count, !v.normals.empty(), "normals", out.normals));
    MARROW_FFI_TRY(check_skinned(tangents, tangent_floats, count, !v.tangents.empty(), "tangents", out.tangents));
    i.skin(model_node, part, out);
    return MARROW_OK;
  });
}

marrow_status marrow_instance_bounds(marrow_instance instance, marrow_box* box) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    if (box == nullptr) return null_pointer("box");
    *box = same_bits<marrow_box>(i.bounds());
    return MARROW_OK;
  });
}

marrow_status marrow_instance_world_bounds(marrow_instance instance, marrow_box* box) noexcept {
  return with_instance(instance, [&](const SceneEntry&, const Instance& i) -> marrow_status {
    if (box == nullptr) return null_pointer("box");
    *box = same_bits<marrow_box>(i.world_bounds());
    return MARROW_OK;
  });
}
