// World matrices: reading them at any time, and bringing all up to date.
#include "marrow/math/affine.h"
#include "src/scene/imports.h"
#include "src/scene/nearest_transform.h"
#include "src/scene/path.h"
#include "src/scene/scene_impl.h"

namespace marrow {
namespace {

// Of an inner node + 1 of a node's instance, or of the node itself.
Affine world_of_inner(const NodeSlot& s, const Affine& world, std::uint32_t inner) {
  return inner == 0 ? world : product(world, s.instance->model_from_inner(inner - 1));
}

}  // namespace

void SceneImpl::mark(std::uint32_t index, std::uint8_t changes) {
  NodeSlot& s = slots[index];
  s.changes |= changes;
  if (s.listed) return;
  s.listed = true;
  changed.push_back(index);
}

void SceneImpl::enqueue(InstanceImpl& instance) {
  if (instance.queued.exchange(true, std::memory_order_relaxed)) return;
  instance.next_queued = queue.load(std::memory_order_relaxed);
  while (!queue.compare_exchange_weak(instance.next_queued, &instance, std::memory_order_release,
                                      std::memory_order_relaxed)) {
  }
}

void SceneImpl::collect_queue() {
  InstanceImpl* next = queue.exchange(nullptr, std::memory_order_acquire);
  while (next != nullptr) {
    InstanceImpl& instance = *next;
    next = instance.next_queued;
    instance.queued.store(false, std::memory_order_relaxed);
    mark(instance.slot, kPosed);
  }
}

// ---- Reading ---------------------------------------------------------------------------------------------------

Affine SceneImpl::world_of(const NodeId& id) const {
  if (!has_changes()) return world_of_inner(slot(id), slot(id).world, id.inner);
  Path path;
  for (std::uint32_t at = id.index - 1; at != 0; at = slots[at].parent) path.push(at);
  Affine world = composed(slots[0].local);
  const NodeSlot* above = &slots[0];
  while (!path.empty()) {
    const NodeSlot& s = slots[path.pop()];
    world = product(world_of_inner(*above, world, s.parent_inner), composed(s.local));
    above = &s;
  }
  return world_of_inner(*above, world, id.inner);
}

Affine SceneImpl::parent_world_of(std::uint32_t index) const {
  const NodeSlot& s = slots[index];
  if (s.parent == kNoSlot) return {};
  return world_of({s.parent + 1, slots.generation(s.parent), s.parent_inner});
}

// ---- Placing ---------------------------------------------------------------------------------------------------

std::optional<SceneImpl::Fit> SceneImpl::fit_world(const Affine& parent, const Affine& world) {
  const std::optional<Transform> local = usable_transform(nearest_transform(local_from_world(parent, world)));
  if (!local) return std::nullopt;
  const Affine got = product(parent, composed(*local));
  const double apart = length(subtract(widen(translation_of(got)), widen(translation_of(world))));
  const PlaceResult placed = {true, shape_difference(got, world), static_cast<float>(apart)};
  if (!(placed.rotation_error <= 1e18f && placed.position_error <= 1e18f)) return std::nullopt;
  return Fit{*local, placed};
}

// ---- Updating --------------------------------------------------------------------------------------------------

// Whether the world matrix of a node was out of date when this update began. Each node is asked once in an update.
bool SceneImpl::is_pending(std::uint32_t index) {
  climbed.clear();
  for (std::uint32_t at = index; at != kNoSlot && slots[at].stamp != stamp; at = slots[at].parent) {
    climbed.push_back(at);
  }
  while (!climbed.empty()) {
    NodeSlot& s = slots[climbed.back()];
    climbed.pop_back();
    s.stamp = stamp;
    s.pending = (s.changes & kMoved) != 0 || (s.parent != kNoSlot && moves_with(slots[s.parent], s));
  }
  return slots[index].pending;
}

void SceneImpl::write_world(std::uint32_t index) {
  NodeSlot& s = slots[index];
  const Affine local = composed(s.local);
  s.changes = 0;
  if (s.parent == kNoSlot) {
    s.world = local;
    return;
  }
  const NodeSlot& p = slots[s.parent];
  s.world = product(world_of_inner(p, p.world, s.parent_inner), local);
}

// Brings what is out of date from a node on down up to date. Returns how many were.
std::size_t SceneImpl::propagate(std::uint32_t top) {
  const bool moved = (slots[top].changes & kMoved) != 0;
  std::size_t written = moved ? 1 : 0;
  if (moved) write_world(top);
  slots[top].changes = 0;
  for (std::uint32_t at = slots[top].first_child; at != kNoSlot;) {
    // Those of the node itself come after those of its inner nodes, and stay if only the pose has changed.
    if (!moved && slots[at].parent == top && slots[at].parent_inner == 0) break;
    write_world(at);
    ++written;
    if (slots[at].first_child != kNoSlot) {
      at = slots[at].first_child;
      continue;
    }
    at = next_beside(at, top);
  }
  return written;
}

std::size_t SceneImpl::update() {
  collect_queue();
  if (changed.empty()) return 0;
  if (++stamp == 0) {  // come round: no node may have a stamp from then
    for (std::uint32_t s = 0; s < slots.size(); ++s) slots[s].stamp = 0;
    stamp = 1;
  }
  for (const std::uint32_t index : changed) {
    NodeSlot& s = slots[index];
    s.listed = false;
    if (s.instance && s.instance->unfinished) s.instance->finish();
  }
  std::size_t written = 0;
  for (const std::uint32_t index : changed) {
    const NodeSlot& s = slots[index];
    if (s.changes == 0) continue;  // destroyed, or done from above
    if (s.parent != kNoSlot && (is_pending(s.parent) || moves_with(slots[s.parent], s))) continue;  // to be
    written += propagate(index);
  }
  changed.clear();
  return written;
}

}  // namespace marrow
