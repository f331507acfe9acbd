// The tree of a scene: slots, and the lists of children that go through them.
#include "src/scene/imports.h"
#include "src/scene/scene_impl.h"

namespace marrow {

SceneImpl::SceneImpl() { (void)new_slot(); }  // of the root

bool SceneImpl::is_alive(const NodeId& id) const {
  if (!slots.is_alive({id.index - 1, id.generation})) return false;  // null is beyond all slots
  const NodeSlot& s = slot(id);
  return id.inner == 0 || (s.instance && id.inner <= s.instance->record->inner_count());
}

std::uint32_t SceneImpl::new_slot() {
  if (!slots.next_free()) {
    MARROW_ASSERT(slots.size() < kNoSlot, "a scene holds at most 2^32 - 1 nodes");
    // Allocates before any change, so that running out of memory changes nothing. The lists are reserved too, so that
    // neither destroying nor updating allocates.
    if (slots.size() == slots.capacity()) slots.reserve(slots.size() < 4 ? 8 : std::size_t{2} * slots.size());
    names.reserve(slots.capacity());
    changed.reserve(slots.capacity());
    climbed.reserve(slots.capacity());
    names.emplace_back();
    slots.grow(slots.size() + 1);
  }
  return slots.take();
}

void SceneImpl::link(std::uint32_t child, std::uint32_t parent, std::uint32_t inner) {
  // What inner nodes carry comes before the children of the node itself.
  NodeSlot &c = slots[child], &p = slots[parent];
  c.parent = parent;
  c.parent_inner = inner;
  c.previous = inner == 0 ? p.last_child : p.last_carried;
  c.next = c.previous == kNoSlot ? p.first_child : slots[c.previous].next;
  (c.previous == kNoSlot ? p.first_child : slots[c.previous].next) = child;
  (c.next == kNoSlot ? p.last_child : slots[c.next].previous) = child;
  if (inner != 0) p.last_carried = child;
}

void SceneImpl::unlink(std::uint32_t child) {
  NodeSlot& c = slots[child];
  NodeSlot& p = slots[c.parent];
  (c.previous == kNoSlot ? p.first_child : slots[c.previous].next) = c.next;
  (c.next == kNoSlot ? p.last_child : slots[c.next].previous) = c.previous;
  if (p.last_carried == child) p.last_carried = c.previous;
  c.parent = c.previous = c.next = kNoSlot;
  c.parent_inner = 0;
}

// The last of a list takes the place of one that goes.
void SceneImpl::take_out(std::vector<Instance>& list, std::uint32_t InstanceImpl::*index,
                         const InstanceImpl& instance) {
  const std::uint32_t at = instance.*index;
  list[at] = list.back();
  (*slot(list[at].id_).instance).*index = at;
  list.pop_back();
}

// The slot must have no children any more, and be in no list but that of changes.
void SceneImpl::free_slot(std::uint32_t index) {
  NodeSlot& s = slots[index];
  if (s.instance) {
    take_out(instances, &InstanceImpl::list_index, *s.instance);
    if (s.instance->is_active()) take_out(active, &InstanceImpl::active_index, *s.instance);
    s.instance.reset();
  }
  const bool listed = s.listed;
  s = NodeSlot();
  s.listed = listed;
  names[index].clear();
  slots.free(index);
}

std::uint32_t SceneImpl::next_beside(std::uint32_t at, std::uint32_t top) const {
  while (at != top && slots[at].next == kNoSlot) at = slots[at].parent;
  return at == top ? kNoSlot : slots[at].next;
}

void SceneImpl::free_subtree(std::uint32_t top) {
  unlink(top);
  // Down to a leaf, which goes, and on from its parent.
  for (std::uint32_t at = top;;) {
    if (slots[at].first_child != kNoSlot) {
      at = slots[at].first_child;
      continue;
    }
    const std::uint32_t parent = slots[at].parent;
    if (at != top) unlink(at);
    free_slot(at);
    if (at == top) return;
    at = parent;
  }
}

void SceneImpl::destroy(const NodeId& id, Children children) {
  if (!is_alive(id)) return;
  collect_queue();
  const std::uint32_t top = id.index - 1;
  if (children == Children::keep) {
    const NodeId parent = make_node(slots[top].parent, slots[top].parent_inner).id_;
    while (slots[top].first_child != kNoSlot) {
      const std::uint32_t child = slots[top].first_child;
      if (!move(child, parent, Preserve::world)) (void)move(child, parent, Preserve::local);
    }
  }
  free_subtree(top);
}

bool SceneImpl::is_below(std::uint32_t index, std::uint32_t ancestor) const {
  if (slots[ancestor].first_child == kNoSlot) return index == ancestor;
  while (index != ancestor && index != kNoSlot) index = slots[index].parent;
  return index == ancestor;
}

// Returns why a node cannot be added to another. Both must be alive.
std::optional<Error> SceneImpl::reparent_error(Node child, const NodeId& parent) const {
  const auto error = [](ErrorCode code, const char* why) { return Error{code, why, "child"}; };
  if (child.scene_ != this) return error(ErrorCode::invalid_argument, "the node to add is of another scene");
  if (child.is_inner()) {
    return error(ErrorCode::invalid_argument, "an inner node of an instance cannot be added to another node");
  }
  const std::uint32_t index = child.id_.index - 1;
  if (index == 0) {
    return error(ErrorCode::invalid_argument, "the root of the scene cannot be added to another node");
  }
  if (is_below(parent.index - 1, index)) {
    return error(ErrorCode::cycle, "a node cannot be added to itself or to a node below it");
  }
  return std::nullopt;
}

PlaceResult SceneImpl::reparent(Node child, const NodeId& parent, Preserve preserve) {
  if (std::optional<Error> error = reparent_error(child, parent)) return refuse(std::move(*error)), PlaceResult{};
  if (const std::optional<PlaceResult> placed = move(child.id_.index - 1, parent, preserve)) return *placed;
  return refuse(not_finite(kBeyondNumbers, "child")), PlaceResult{};
}

// Returns nothing, having changed nothing, if the new place has a value beyond 1e18.
std::optional<PlaceResult> SceneImpl::move(std::uint32_t child, const NodeId& parent, Preserve preserve) {
  Fit fit = {slots[child].local, {true, 0, 0}};
  if (preserve == Preserve::world) {
    const std::optional<Fit> fitted =
        exactly([&] { return fit_world(world_of(parent), world_of(make_node(child).id_)); });
    if (!fitted) return std::nullopt;
    fit = *fitted;
  }
  unlink(child);
  link(child, parent.index - 1, parent.inner);
  slots[child].local = fit.local;
  mark(child, kMoved);
  return fit.placed;
}

}  // namespace marrow
