#include "marrow/scene/instance.h"

#include <algorithm>

#include "marrow/core/names.h"
#include "marrow/math/affine.h"
#include "src/scene/imports.h"
#include "src/scene/scene_impl.h"

namespace marrow {

Instance::operator bool() const { return scene_ != nullptr && scene_->is_alive(id_); }

InstanceImpl& Instance::get() const {
  MARROW_ASSERT(*this, kDeadInstance);
  return *scene_->slot(id_).instance;
}

const Model& Instance::model() const { return get().record->model(); }

std::uint64_t Instance::serial() const { return get().serial; }
std::uint64_t Instance::version() const { return get().version; }

void SceneImpl::reserve_active() {
  if (active.size() == active.capacity()) active.reserve(2 * active.size() + 8);
}

void SceneImpl::update_active(const Instance& handle, InstanceImpl& instance, bool was_active) {
  if (instance.is_active() == was_active) return;
  if (was_active) return take_out(active, &InstanceImpl::active_index, instance);
  instance.active_index = static_cast<std::uint32_t>(active.size());
  active.push_back(handle);
}

Mixer& Instance::mixer() const {
  InstanceImpl& instance = get();
  if (!instance.has_animator()) {
    scene_->reserve_active();
    instance.make_mixer();
    const bool was_active = instance.is_active();
    instance.set_animator(mixer_animator(*instance.mixer));
    scene_->update_active(*this, instance, was_active);
  }
  Mixer* const mixer = mixer_of(instance.animator);
  MARROW_ASSERT(mixer != nullptr, "the animator of the instance is no mixer; has_mixer() tells");
  return *mixer;
}

template <typename Start>
Result<Action> Instance::start_clip(std::string_view name, const Start& start) const {
  if (!check_alive(*this)) return dead_instance();
  const Model& model = get().record->model();
  const Clip* const clip = model.find_clip(name);
  if (clip == nullptr) return unknown_name("clip", name, model.clips(), [](const Clip& own) { return own.name(); });
  if (get().has_animator() && !has_mixer()) {
    return Error{ErrorCode::unsupported, "the animator of the instance is no mixer", {}};
  }
  const Action action = start(mixer(), *clip);
  if (!action) return *mixer().last_error();
  return action;
}

Result<Action> Instance::play(std::string_view clip, const PlayOptions& options) const {
  return start_clip(clip, [&](Mixer& mixer, const Clip& found) { return mixer.play(found, options); });
}
Result<Action> Instance::switch_to(std::string_view clip, const PlayOptions& options) const {
  return start_clip(clip, [&](Mixer& mixer, const Clip& found) { return mixer.switch_to(found, options); });
}
Result<Action> Instance::cross_fade_to(std::string_view clip, double seconds, const FadeOptions& options) const {
  return start_clip(clip,
                    [&](Mixer& mixer, const Clip& found) { return mixer.cross_fade_to(found, seconds, options); });
}

bool Instance::has_mixer() const { return get().has_animator() && mixer_of(get().animator) != nullptr; }

Instance Instance::set_animator(const Animator& animator) const {
  if (!check_alive(*this)) return *this;
  const AnimatorFunctions* const f = animator.functions;
  const bool whole = f == nullptr || (f->name != nullptr && f->advance != nullptr && f->evaluate != nullptr);
  MARROW_ASSERT(whole, "an animator needs a name, advance and evaluate");
  const bool runs = scene_->dispatching.load(std::memory_order_acquire) > 0;
  MARROW_ASSERT(!runs, "an event handler cannot replace the animator");
  if (!whole || runs) return *this;
  InstanceImpl& instance = get();
  scene_->reserve_active();
  const bool was_active = instance.is_active();
  instance.set_animator(animator);
  const Mixer* const mixer = mixer_of(animator);
  if (instance.mixer && mixer != &*instance.mixer) instance.mixer.reset();
  scene_->update_active(*this, instance, was_active);
  return *this;
}

const Animator& Instance::animator() const { return get().animator; }

std::span<const Event> Instance::events() const {
  const Animator& animator = get().animator;
  if (animator.functions == nullptr || animator.functions->events == nullptr) return {};
  return animator.functions->events(animator.self);
}

RootMotion Instance::root_motion() const {
  const Animator& animator = get().animator;
  if (animator.functions == nullptr || animator.functions->root_motion == nullptr) return {};
  return animator.functions->root_motion(animator.self);
}

// ---- Stages ----------------------------------------------------------------------------------------------------

Result<StageId> Instance::add_stage(const PoseStage& stage) const {
  if (!check_alive(*this)) return dead_instance();
  if (stage.run == nullptr || stage.name == nullptr || *stage.name == 0) {
    return Error{ErrorCode::invalid_argument, "a stage needs a name and a function", "stage"};
  }
  if (stage.state_bytes > kMaxStageBytes) {
    return Error{ErrorCode::limit_exceeded, "a stage has at most 1 MiB of state", "state_bytes"};
  }
  InstanceImpl& instance = get();
  scene_->reserve_active();
  StageSlot slot{stage, instance.next_stage_id, 0, {}};
  slot.state.resize((stage.state_bytes + sizeof(StageState) - 1) / sizeof(StageState));
  instance.make_edited();
  const bool was_active = instance.is_active();
  instance.stages.push_back(std::move(slot));
  scene_->update_active(*this, instance, was_active);
  touch();
  return StageId{instance.next_stage_id++};
}

Instance Instance::remove_stage(StageId id) const {
  if (!check_alive(*this)) return *this;
  InstanceImpl& instance = get();
  const auto at = std::find_if(instance.stages.begin(), instance.stages.end(),
                               [&](const StageSlot& slot) { return slot.id == id.number; });
  if (at == instance.stages.end()) return scene_->refuse("the instance has no such stage", "id"), *this;
  const PoseStage stage = at->stage;
  const bool was_active = instance.is_active();
  instance.stages.erase(at);
  scene_->update_active(*this, instance, was_active);
  touch();
  if (stage.destroy != nullptr) stage.destroy(stage.data);
  return *this;
}

std::size_t Instance::stage_count() const { return get().stages.size(); }

Instance Instance::touch() const {
  if (!check_alive(*this)) return *this;
  get().wake();
  scene_->enqueue(get());
  return *this;
}

// ---- Inner nodes ---------------------------------------------------------------------------------------------------

Node Instance::bone(std::string_view name) const {
  const std::optional<std::uint32_t> inner = get().record->find(name);
  return inner ? Node{scene_, {id_.index, id_.generation, *inner + 1}} : Node{};
}

Node Instance::bone(std::uint32_t joint) const {
  if (joint >= get().record->joint_count()) return {};
  return {scene_, {id_.index, id_.generation, joint + 1}};
}

Node Instance::model_node(std::uint32_t index) const {
  const ModelRecord& record = *get().record;
  if (index >= record.model().nodes().size()) return {};
  return {scene_, {id_.index, id_.generation, record.inner_of_node(index) + 1}};
}

Result<std::uint32_t> Instance::joint_of(Node bone) const {
  if (has_inner(bone) && bone.id_.inner <= get().record->joint_count()) return bone.id_.inner - 1;
  return Error{ErrorCode::invalid_argument, "the node is not a bone of this instance", "bone"};
}

Result<std::uint32_t> Instance::model_node_of(Node node) const {
  const std::int32_t found = has_inner(node) ? get().record->inner(node.id_.inner - 1).node : kNone;
  if (found != kNone) return static_cast<std::uint32_t>(found);
  return Error{ErrorCode::invalid_argument, "the node is not one of the model", "node"};
}

bool Instance::has_inner(const Node& node) const {
  return node && node.is_inner() && node.scene_ == scene_ && node.id_.index == id_.index &&
         node.id_.generation == id_.generation;
}

// ---- Updating --------------------------------------------------------------------------------------------------

bool Instance::update(double dt_s) const {
  if (!advance(dt_s)) return false;
  if (!*this) return true;  // a handler of its events has destroyed it
  InstanceImpl& instance = get();
  std::unique_ptr<MixScratch> scratch = instance.take_scratch();
  scene_->pose_instance(instance, scratch.get());
  if (scratch) instance.record->give_back(std::move(scratch));
  return true;
}

bool Instance::advance(double dt_s) const {
  if (!check_alive(*this)) return false;
  InstanceImpl& instance = get();
  if (!is_finite(dt_s)) return scene_->refuse(not_finite("the time step is not finite", "dt_s")), false;
  if (!instance.advance_deferred(dt_s)) {
    return scene_->refuse("an event handler cannot advance its own instance", ""), false;
  }
  scene_->dispatch_events(instance);
  return true;
}

void Instance::evaluate() const {
  if (!check_alive(*this)) return;
  InstanceImpl& instance = get();
  std::unique_ptr<MixScratch> scratch = instance.take_scratch();
  instance.evaluate(scratch.get());
  if (scratch) instance.record->give_back(std::move(scratch));
  if (instance.unfinished) scene_->enqueue(instance);
}

void Instance::finish() const {
  if (!check_alive(*this)) return;
  InstanceImpl& instance = get();
  instance.finish();
  if (scene_->slots[instance.slot].last_carried != kNoSlot) scene_->enqueue(instance);
}

const Pose& Instance::pose() const { return get().pose; }

const Pose& Instance::finished_pose() const { return get().finished_pose(); }

Pose& Instance::edit_pose() const {
  touch();
  return get().pose;
}

// ---- Results ---------------------------------------------------------------------------------------------------

std::span<const Affine> Instance::model_from_joint() const { return get().joints(); }
std::span<const Affine> Instance::palettes() const { return get().palettes(); }

std::span<const Affine> Instance::palette(std::uint32_t skin) const {
  MARROW_ASSERT(skin < get().record->model().skins().size(), "the model has no such skin");
  return get().palette(skin);
}

void Instance::node_matrices(std::span<Affine> model_from_node) const {
  const InstanceImpl& instance = get();
  const ModelRecord& record = *instance.record;
  if (instance.overrides.empty() && !instance.unfinished) {
    return marrow::node_matrices(record.model(), instance.joints(), model_from_node);
  }
  MARROW_ASSERT(model_from_node.size() == record.model().nodes().size(),
                "the output must have one matrix for each node");
  exactly([&] {
    for (std::uint32_t i = 0; i < model_from_node.size(); ++i) {
      model_from_node[i] = instance.model_from_inner(record.inner_of_node(i));
    }
    return 0;
  });
}

std::span<const float> Instance::morph_weights(std::uint32_t model_node) const {
  MARROW_ASSERT(model_node < model().nodes().size(), "the model has no such node");
  const InstanceImpl& instance = get();
  const std::int32_t joint = instance.record->model().nodes()[model_node].joint;
  if (joint == kNone) return {};
  const Pose& pose = instance.unfinished ? instance.pose : instance.finished_pose();
  return pose.morph_weights(static_cast<std::uint32_t>(joint));
}

std::size_t Instance::memory_bytes() const { return get().memory_bytes(); }

// ---- Overrides -------------------------------------------------------------------------------------------------

Instance Instance::set_override(Node node, const Transform& transform, float weight) const {
  if (!check_alive(*this) || !check_alive(node)) return *this;
  if (!has_inner(node)) return scene_->refuse("the node is not an inner node of this instance", "node"), *this;
  if (!is_usable(weight)) return scene_->refuse(not_finite("the weight is not finite", "weight")), *this;
  if (!(weight >= 0 && weight <= 1)) return scene_->refuse("the weight is not from 0 to 1", "weight"), *this;
  const std::optional<Transform> usable = usable_transform(transform);
  if (!usable) return scene_->refuse(transform_error(transform, "transform")), *this;
  InstanceImpl& instance = get();
  const std::uint32_t index = node.id_.inner - 1;
  const auto at = std::lower_bound(instance.overrides.begin(), instance.overrides.end(), index,
                                   [](const Override& by, std::uint32_t p) { return by.inner < p; });
  if (at != instance.overrides.end() && at->inner == index) {
    at->transform = *usable;
    at->weight = weight;
  } else {
    if (index < instance.record->joint_count()) instance.make_edited();
    instance.overrides.insert(at, {index, weight, *usable});
  }
  touch();
  return *this;
}

Instance Instance::clear_override(Node node) const {
  if (!check_alive(*this) || !check_alive(node)) return *this;
  if (!has_inner(node)) return scene_->refuse("the node is not an inner node of this instance", "node"), *this;
  if (std::erase_if(get().overrides, [&](const Override& by) { return by.inner == node.id_.inner - 1; }) > 0) {
    touch();
  }
  return *this;
}

Instance Instance::clear_overrides() const {
  if (!check_alive(*this) || get().overrides.empty()) return *this;
  get().overrides.clear();
  return touch();
}

bool Instance::has_override(Node node) const {
  return has_inner(node) && get().find_override(node.id_.inner - 1) != nullptr;
}

// ---- Attachments -----------------------------------------------------------------------------------------------

Result<void> Instance::attach(Node thing, std::string_view bone_name, const Transform& offset) const {
  if (!check_alive(*this)) return dead_instance();
  if (!check_alive(thing)) return Error{ErrorCode::invalid_argument, kDeadNode, "thing"};
  const Node to = bone(bone_name);
  if (!to) {
    Error error = unknown_bone(get().record->model(), bone_name);
    error.place = "bone";
    return error;
  }
  if (!usable_transform(offset)) return transform_error(offset, "offset");
  if (std::optional<Error> error = scene_->reparent_error(thing, to.id_)) {
    error->place = "thing";
    return std::move(*error);
  }
  to.add(thing);
  thing.set_local(offset);
  return {};
}

PlaceResult Instance::detach(Node thing) const {
  if (!check_alive(*this) || !check_alive(thing)) return {};
  if (thing.is_inner() || !has_inner(thing.parent())) {
    return scene_->refuse("the node is not attached to an inner node of this instance", "thing"), PlaceResult{};
  }
  return scene_->reparent(thing, scene_->make_node(0).id_, Preserve::world);
}

}  // namespace marrow
