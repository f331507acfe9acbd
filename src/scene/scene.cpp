#include "marrow/scene/scene.h"

#include "src/scene/imports.h"
#include "src/scene/scene_impl.h"

namespace marrow {

Scene::Scene() : impl_(std::make_unique<SceneImpl>()) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

void Scene::reserve(std::size_t nodes) {
  impl_->slots.reserve(nodes + 1);
  impl_->names.reserve(nodes + 1);
  impl_->changed.reserve(nodes + 1);
  impl_->climbed.reserve(nodes + 1);
  impl_->instances.reserve(nodes);
}

Node Scene::root() const { return impl_->make_node(0); }

Node Scene::add_node(std::string_view name, const Transform& local, Node parent) {
  const bool at_root = parent == Node{};
  if (!at_root && !check_alive(parent, "the parent was destroyed")) return {};
  if (!at_root && parent.scene_ != impl_.get()) {
    return impl_->refuse("the parent is of another scene", "parent"), Node();
  }
  const std::optional<Transform> usable = usable_transform(local);
  if (!usable) return impl_->refuse(transform_error(local, "local")), Node();
  std::string own_name(name);  // it may be that of another node, and move when there is one more
  const std::uint32_t slot = impl_->new_slot();
  impl_->slots[slot].local = *usable;
  impl_->names[slot] = std::move(own_name);
  impl_->link(slot, at_root ? 0 : parent.id_.index - 1, at_root ? 0 : parent.id_.inner);
  impl_->mark(slot, kMoved);
  return impl_->make_node(slot);
}

Instance Scene::instantiate(const Model& model, const InstanceOptions& options) {
  // The node comes last: what runs out of memory has changed nothing.
  std::weak_ptr<ModelRecord>& known = impl_->records[&model.parts()];
  std::shared_ptr<ModelRecord> record = known.lock();
  if (!record) {
    record = std::make_shared<ModelRecord>(model);
    known = record;
    std::erase_if(impl_->records, [](const auto& entry) { return entry.second.expired(); });
  }
  auto instance = std::make_unique<InstanceImpl>(std::move(record), options.mixer);
  if (impl_->instances.size() == impl_->instances.capacity()) impl_->instances.reserve(2 * impl_->instances.size() + 8);
  const Node node = add_node(options.name.empty() ? model.name() : options.name, options.local, options.parent);
  if (!node) return {};
  instance->slot = node.id_.index - 1;
  instance->list_index = static_cast<std::uint32_t>(impl_->instances.size());
  impl_->slot(node.id_).instance = std::move(instance);
  impl_->instances.push_back(Instance(impl_.get(), node.id_));
  return impl_->instances.back();
}

bool Scene::destroy(Node node, Children children) {
  if (!check_alive(node)) return false;
  if (node.scene_ != impl_.get()) return impl_->refuse("the node is of another scene", "node"), false;
  if (node.is_inner()) {
    return impl_->refuse("an inner node of an instance cannot be destroyed; destroy the instance", "node"), false;
  }
  const std::uint32_t slot = node.id_.index - 1;
  if (slot == 0) return impl_->refuse("the root of the scene cannot be destroyed", "node"), false;
  if (impl_->dispatching.load(std::memory_order_acquire) > 0) {
    impl_->doomed.push_back({node.id_, children});
  } else {
    impl_->destroy(node.id_, children);
  }
  return true;
}

void Scene::clear() {
  for (std::uint32_t at = impl_->slots[0].first_child; at != kNoSlot;) {
    const Node node = impl_->make_node(at);
    at = impl_->slots[at].next;
    destroy(node);
  }
}

std::size_t Scene::node_count() const { return impl_->slots.live_count() - std::size_t{1}; }
std::size_t Scene::instance_count() const { return impl_->instances.size(); }

Node Scene::node(NodeId id) const { return impl_->is_alive(id) ? Node(impl_.get(), id) : Node(); }

std::span<const Instance> Scene::instances() const { return impl_->instances; }

std::size_t Scene::refresh() {
  return exactly([&] { return impl_->update(); });
}

bool Scene::update(double dt_s, const Executor& executor) {
  if (impl_->dispatching.load(std::memory_order_acquire) > 0) {
    return impl_->refuse("an event handler cannot update its own scene", ""), false;
  }
  if (!is_finite(dt_s)) return impl_->refuse(not_finite("the time step is not finite", "dt_s")), false;
  // A copy: handlers may make and destroy instances.
  impl_->batch.assign(impl_->active.begin(), impl_->active.end());
  marrow::update_instances(impl_->batch, dt_s, executor);
  refresh();
  return true;
}

void SceneImpl::refuse(Error error) {
  const std::lock_guard lock(error_mutex);
  last_error = std::move(error);
}

const Error* Scene::last_error() const { return impl_->last_error ? &*impl_->last_error : nullptr; }
void Scene::clear_error() { impl_->last_error.reset(); }

}  // namespace marrow
