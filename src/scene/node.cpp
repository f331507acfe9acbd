#include "marrow/scene/node.h"

#include "marrow/math/quat.h"
#include "src/scene/imports.h"
#include "src/scene/scene_impl.h"

namespace marrow {

namespace {

bool are_usable(Vec3 v) { return is_usable(v.x) && is_usable(v.y) && is_usable(v.z); }

}  // namespace

std::optional<Transform> usable_transform(const Transform& t) {
  const platform::FloatScope scope;
  const Quat& q = t.rotation;
  if (!are_usable(t.translation) || !are_usable(t.scale) || !are_usable({q.x, q.y, q.z}) || !is_usable(q.w)) {
    return std::nullopt;
  }
  const double square = static_cast<double>(q.x) * q.x + static_cast<double>(q.y) * q.y +
                        static_cast<double>(q.z) * q.z + static_cast<double>(q.w) * q.w;
  if (square == 0) return std::nullopt;
  Transform out = t;
  if (square < 1 - 1e-6 || square > 1 + 1e-6) out.rotation = normalize(q);  // else it keeps its bits
  return out;
}

Error transform_error(const Transform& t, const Place& parameter) {
  constexpr const char* kWhy = "the transform has a value that is not finite or beyond 1e18";
  const Quat& q = t.rotation;
  if (!are_usable(t.translation)) return not_finite(kWhy, parameter / "translation");
  if (!are_usable(t.scale)) return not_finite(kWhy, parameter / "scale");
  const Place rotation = parameter / "rotation";
  if (!are_usable({q.x, q.y, q.z}) || !is_usable(q.w)) return not_finite(kWhy, rotation);
  return {ErrorCode::invalid_argument, "the rotation has no length", rotation};
}

Node::operator bool() const { return scene_ != nullptr && scene_->is_alive(id_); }

std::string_view Node::name() const {
  MARROW_ASSERT(*this, kDeadNode);
  if (is_inner()) return scene_->slot(id_).instance->record->name(id_.inner - 1);
  return scene_->names[id_.index - 1];
}

Node Node::set_name(std::string_view name) const {
  if (!check_alive(*this)) return *this;
  if (is_inner())
    return scene_->refuse("an inner node of an instance cannot be renamed; its name is that of the model", "node"),
           *this;
  scene_->names[id_.index - 1] = name;
  return *this;
}

Node Node::parent() const {
  MARROW_ASSERT(*this, kDeadNode);
  const NodeSlot& s = scene_->slot(id_);
  if (is_inner()) {
    const std::uint32_t parent = s.instance->record->inner(id_.inner - 1).parent;
    return scene_->make_node(id_.index - 1, parent == kNoInner ? 0 : parent + 1);
  }
  return s.parent == kNoSlot ? Node{} : scene_->make_node(s.parent, s.parent_inner);
}

Node::ChildRange Node::children() const {
  MARROW_ASSERT(*this, kDeadNode);
  return ChildRange(*this);
}

Node Node::find(std::string_view name) const {
  MARROW_ASSERT(*this, kDeadNode);
  // Depth first: to the first child, else to the next sibling of the nearest ancestor that has one.
  for (Node at = *this; at;) {
    if (at.name() == name) return at;
    const ChildRange children = at.children();
    if (!children.empty()) {
      at = *children.begin();
      continue;
    }
    for (;;) {
      if (at == *this) return {};
      const Node parent = at.parent();
      ChildRange::Iterator next = {parent, at};
      if (++next != parent.children().end()) {
        at = *next;
        break;
      }
      at = parent;
    }
  }
  return {};
}

Instance Node::instance() const {
  MARROW_ASSERT(*this, kDeadNode);
  if (!scene_->slot(id_).instance) return {};
  return {scene_, {id_.index, id_.generation, 0}};
}

PlaceResult Node::add(Node child, Preserve preserve) const {
  if (!check_alive(*this)) return {};
  if (!check_alive(child, "the node to add is null or was destroyed")) return {};
  return scene_->reparent(child, id_, preserve);
}

PlaceResult Node::remove(Node child, Preserve preserve) const {
  if (!check_alive(*this)) return {};
  if (!check_alive(child, "the node to remove is null or was destroyed")) return {};
  if (child.is_inner() || !(child.parent() == *this)) {
    return scene_->refuse("the node is not a child of this one, or is an inner node of an instance", "child"),
           PlaceResult{};
  }
  return scene_->reparent(child, scene_->make_node(0).id_, preserve);
}

Transform Node::local() const {
  MARROW_ASSERT(*this, kDeadNode);
  const NodeSlot& s = scene_->slot(id_);
  if (!is_inner()) return s.local;
  return exactly([&] { return s.instance->local(id_.inner - 1); });
}

Node Node::set_local(const Transform& transform) const {
  if (!check_alive(*this)) return *this;
  const std::optional<Transform> usable = usable_transform(transform);
  if (!usable) return scene_->refuse(transform_error(transform, "local")), *this;
  if (is_inner()) return instance().set_override(*this, *usable, 1), *this;
  scene_->slot(id_).local = *usable;
  scene_->mark(id_.index - 1, kMoved);
  return *this;
}

Affine Node::world() const {
  MARROW_ASSERT(*this, kDeadNode);
  return exactly([&] { return scene_->world_of(id_); });
}

PlaceResult Node::set_world(const Affine& world) const {
  if (!check_alive(*this)) return {};
  if (is_inner()) {
    return scene_->refuse("an inner node of an instance has no world matrix of its own; set its local transform",
                          "node"),
           PlaceResult{};
  }
  for (const auto& row : world.m) {
    for (const float x : row) {
      if (is_usable(x)) continue;
      return scene_->refuse(not_finite("the matrix has a value that is not finite or beyond 1e18", "world")),
             PlaceResult{};
    }
  }
  return exactly([&] {
    const std::optional<SceneImpl::Fit> fit = SceneImpl::fit_world(scene_->parent_world_of(id_.index - 1), world);
    if (!fit) return scene_->refuse(not_finite(kBeyondNumbers, "world")), PlaceResult{};
    scene_->slot(id_).local = fit->local;
    scene_->mark(id_.index - 1, kMoved);
    return fit->placed;
  });
}

bool Node::visible() const {
  MARROW_ASSERT(*this, kDeadNode);
  const NodeSlot& s = scene_->slot(id_);
  return is_inner() ? !s.instance->is_hidden(id_.inner - 1) : s.visible;
}

bool Node::shown() const {
  MARROW_ASSERT(*this, kDeadNode);
  for (Node at = *this; at; at = at.parent()) {
    if (!at.visible()) return false;
  }
  return true;
}

Node Node::set_visible(bool visible) const {
  if (!check_alive(*this)) return *this;
  NodeSlot& s = scene_->slot(id_);
  if (!is_inner()) {
    s.visible = visible;
    return *this;
  }
  std::vector<bool>& hidden = s.instance->hidden;
  if (hidden.size() < id_.inner && !visible) hidden.resize(id_.inner, false);
  if (hidden.size() >= id_.inner) hidden[id_.inner - 1] = !visible;
  return *this;
}

// ---- Children --------------------------------------------------------------------------------------------------
//
// Inner nodes first, then those of the list of the slot that are the children of this inner node.

Node Node::child_from(std::uint32_t inner, std::uint32_t slot) const {
  if (inner != kNoInner) return {scene_, {id_.index, id_.generation, inner + 1}};
  while (slot != kNoSlot && scene_->slots[slot].parent_inner != id_.inner) slot = scene_->slots[slot].next;
  return slot == kNoSlot ? Node{} : scene_->make_node(slot);
}

Node::ChildRange::Iterator Node::ChildRange::begin() const {
  const NodeSlot& s = parent_.scene_->slot(parent_.id_);
  std::uint32_t inner = kNoInner;
  if (s.instance) {
    const ModelRecord& record = *s.instance->record;
    inner = parent_.is_inner() ? record.inner(parent_.id_.inner - 1).first_child : record.first_root();
  }
  return {parent_, parent_.child_from(inner, s.first_child)};
}

Node::ChildRange::Iterator& Node::ChildRange::Iterator::operator++() {
  MARROW_ASSERT(node_ && node_.parent() == parent_,
                "a child was destroyed or went elsewhere while children were counted");
  const NodeSlot& s = parent_.scene_->slot(parent_.id_);
  if (node_.is_inner()) {
    node_ = parent_.child_from(s.instance->record->inner(node_.id_.inner - 1).next_sibling, s.first_child);
  } else {
    node_ = parent_.child_from(kNoInner, parent_.scene_->slot(node_.id_).next);
  }
  return *this;
}

std::uint32_t Node::ChildRange::size() const {
  std::uint32_t count = 0;
  for (Iterator i = begin(); i != end(); ++i) ++count;
  return count;
}

}  // namespace marrow
