// Nodes.
#include "marrow/scene/node.h"

#include "src/ffi/arguments.h"
#include "src/ffi/placing.h"
#include "src/ffi/registry.h"

using namespace marrow;
using namespace marrow::ffi;

static_assert(static_cast<int>(Children::destroy) == MARROW_CHILDREN_DESTROY &&
              static_cast<int>(Children::keep) == MARROW_CHILDREN_KEEP);
static_assert(static_cast<int>(Preserve::local) == MARROW_PRESERVE_LOCAL &&
              static_cast<int>(Preserve::world) == MARROW_PRESERVE_WORLD);

namespace {

template <typename Body>
marrow_status with_node(marrow_node node, const Body& body) noexcept {
  return with<FoundNode>(node, [&](FoundNode& found) { return body(*found.scene, found.node); });
}

}  // namespace

marrow_status marrow_node_create(marrow_scene scene, const char* name, const marrow_transform* local,
                                 marrow_node parent, marrow_node* node) noexcept {
  return with_scene(scene, [&](SceneEntry& entry) -> marrow_status {
    if (node == nullptr) return null_pointer("node");
    MARROW_FFI_TRY(check_text(name, "name"));
    Node above;
    MARROW_FFI_TRY(find_parent(entry, parent, above));
    Node made;
    MARROW_FFI_TRY(command(entry.scene, [&] {
      made = entry.scene.add_node(name == nullptr ? "" : name, transform_or_identity(local), above);
    }));
    NewNode keeper(entry, made);
    MARROW_FFI_TRY(give_node(entry, made, node));
    return keeper.keep();
  });
}

marrow_status marrow_node_destroy(marrow_node node, uint32_t children) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    MARROW_FFI_TRY(check_choice(children, MARROW_CHILDREN_KEEP, "children"));
    MARROW_FFI_TRY(command(entry.scene, [&] { entry.scene.destroy(n, static_cast<Children>(children)); }));
    forget_node(entry, n.id());
    return MARROW_OK;
  });
}

marrow_status marrow_node_name(marrow_node node, char* out, uint64_t capacity, uint64_t* count) noexcept {
  return with_node(node,
                   [&](const SceneEntry&, const Node& n) { return copy_text_out(n.name(), out, capacity, count); });
}

marrow_status marrow_node_set_name(marrow_node node, const char* name) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    if (name == nullptr) return null_pointer("name");
    MARROW_FFI_TRY(check_text(name, "name"));
    return command(entry.scene, [&] { n.set_name(name); });
  });
}

// ---- The tree --------------------------------------------------------------------------------------------------

marrow_status marrow_node_scene(marrow_node node, marrow_scene* scene) noexcept {
  return with_node(node, [&](const SceneEntry& entry, const Node&) -> marrow_status {
    if (scene == nullptr) return null_pointer("scene");
    *scene = entry.handle;
    return MARROW_OK;
  });
}

marrow_status marrow_node_parent(marrow_node node, marrow_node* parent) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    if (parent == nullptr) return null_pointer("parent");
    return give_node(entry, n.parent(), parent);
  });
}

marrow_status marrow_node_instance(marrow_node node, marrow_instance* instance) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    if (instance == nullptr) return null_pointer("instance");
    return give_instance(entry, n.instance(), instance);
  });
}

marrow_status marrow_node_children(marrow_node node, marrow_node* out, uint64_t capacity, uint64_t* count) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    const Output output = check_output(n.children().size(), out, capacity, count);
    if (!output.write) return output.status;
    marrow_node handle = 0;
    for (const Node child : n.children()) MARROW_FFI_TRY(give_node(entry, child, &handle));  // all, or none is told
    for (const Node child : n.children()) MARROW_FFI_TRY(give_node(entry, child, out++));
    return MARROW_OK;
  });
}

marrow_status marrow_node_find(marrow_node node, const char* name, marrow_node* found) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    if (name == nullptr) return null_pointer("name");
    if (found == nullptr) return null_pointer("found");
    const Node at = n.find(name);
    if (!at) return fail(MARROW_ERROR_NOT_FOUND, "no node has that name", name);
    return give_node(entry, at, found);
  });
}

marrow_status marrow_node_add(marrow_node node, marrow_node child, uint32_t preserve,
                              marrow_place_result* result) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    FoundNode other;
    MARROW_FFI_TRY(find_beside(entry, child, other));
    MARROW_FFI_TRY(check_choice(preserve, MARROW_PRESERVE_WORLD, "preserve"));
    return place(entry, result, [&] { return n.add(other.node, static_cast<Preserve>(preserve)); });
  });
}

marrow_status marrow_node_remove(marrow_node node, marrow_node child, uint32_t preserve,
                                 marrow_place_result* result) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    FoundNode other;
    MARROW_FFI_TRY(find_beside(entry, child, other));
    MARROW_FFI_TRY(check_choice(preserve, MARROW_PRESERVE_WORLD, "preserve"));
    return place(entry, result, [&] { return n.remove(other.node, static_cast<Preserve>(preserve)); });
  });
}

// ---- Transforms ------------------------------------------------------------------------------------------------

marrow_status marrow_node_local(marrow_node node, marrow_transform* local) noexcept {
  return with_node(node, [&](const SceneEntry&, const Node& n) -> marrow_status {
    if (local == nullptr) return null_pointer("local");
    *local = same_bits<marrow_transform>(n.local());
    return MARROW_OK;
  });
}

marrow_status marrow_node_set_local(marrow_node node, const marrow_transform* local) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    if (local == nullptr) return null_pointer("local");
    return command(entry.scene, [&] { n.set_local(same_bits<Transform>(*local)); });
  });
}

marrow_status marrow_node_world(marrow_node node, marrow_affine* world) noexcept {
  return with_node(node, [&](const SceneEntry&, const Node& n) -> marrow_status {
    if (world == nullptr) return null_pointer("world");
    *world = same_bits<marrow_affine>(n.world());
    return MARROW_OK;
  });
}

marrow_status marrow_node_set_world(marrow_node node, const marrow_affine* world,
                                    marrow_place_result* result) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    if (world == nullptr) return null_pointer("world");
    return place(entry, result, [&] { return n.set_world(same_bits<Affine>(*world)); });
  });
}

marrow_status marrow_node_visible(marrow_node node, uint32_t* visible, uint32_t* shown) noexcept {
  return with_node(node, [&](const SceneEntry&, const Node& n) -> marrow_status {
    if (visible == nullptr && shown == nullptr) return null_pointer("visible");
    if (visible != nullptr) *visible = n.visible() ? 1 : 0;
    if (shown != nullptr) *shown = n.shown() ? 1 : 0;
    return MARROW_OK;
  });
}

marrow_status marrow_node_set_visible(marrow_node node, uint32_t visible) noexcept {
  return with_node(node, [&](SceneEntry& entry, const Node& n) -> marrow_status {
    MARROW_FFI_TRY(check_choice(visible, 1, "visible"));
    return command(entry.scene, [&] { n.set_visible(visible != 0); });
  });
}
