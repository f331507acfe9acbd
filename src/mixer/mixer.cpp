#include "marrow/mixer/mixer.h"

#include <algorithm>

#include "marrow/core/hash.h"
#include "src/mixer/imports.h"
#include "src/mixer/mixer_impl.h"

namespace marrow {
namespace {

constexpr std::size_t kMasksPerLayer = 4;  // that are remembered
constexpr std::uint32_t kDefaultMaxActions = 128;
constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

std::string count_of(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Error full_mixer(std::size_t count, const std::string& noun, const std::string& use, const std::string& option) {
  return {ErrorCode::limit_exceeded,
          "mixer is full: " + count_of(count, noun) + use + "; raise MixerOptions::" + option, Place(option)};
}

Error full_of_actions(const SlotTable<ActionSlot>& slots) {
  const std::uint32_t live = slots.live_count(), retired = slots.size() - live;  // none is free
  const std::string use = retired == 0 ? std::string(", all playing or held")
                                       : ", " + std::to_string(live) + " playing or held and " +
                                             std::to_string(retired) + " retired after all their generations";
  return full_mixer(slots.size(), "action", use, "max_actions");
}

Error misfit(const Clip& clip, const Skeleton& skeleton) {
  const std::uint32_t joints = clip.joint_count(), own = skeleton.joint_count();
  const std::string difference = joints == own
                                     ? std::string("other morph weights than this mixer's")
                                     : count_of(joints, "joint") + "; this mixer's has " + std::to_string(own);
  return {ErrorCode::size_mismatch, "clip \"" + std::string(clip.name()) + "\" is for a skeleton with " + difference,
          "clip"};
}

}  // namespace

MixerImpl::MixerImpl(const Skeleton& skeleton_, const MixerOptions& options)
    : skeleton(skeleton_), capacity{0, options.max_actions == 0 ? kDefaultMaxActions : 0, 0, 0} {
  reserve(options);
  layers.emplace_back();
}

void MixerImpl::reserve(const MixerOptions& options) {
  const std::uint32_t actions = std::max(capacity.actions, options.actions);
  capacity = {actions, std::max({capacity.max_actions, options.max_actions, actions}),
              std::max({capacity.layers, options.layers, 1u}), std::max(capacity.events, options.events)};
  resize_actions(actions);
  layers.reserve(capacity.layers);
  restored_layers.reserve(capacity.layers);
  masks.reserve(kMasksPerLayer * std::size_t{capacity.layers});
  events.reserve(capacity.events);
  named_marks.reserve(capacity.events);
  if (scratch_handler) scratch_handler({scratch_poses, capacity.layers});
}

void MixerImpl::resize_actions(std::uint32_t actions) {
  steps.resize(actions);
  restored_slots.resize(actions);
  restored_actions.resize(actions);
  slots.grow(actions);
  capacity.actions = slots.size();
}

std::uint32_t MixerImpl::count_active() const {
  std::uint32_t active = 0;
  for (std::uint32_t s = 0; s < slots.live_end(); ++s) active += slots[s].action.active() ? 1 : 0;
  return active;
}

// Sees to scratch memory for so many actions that play at the same time. To be called before the state changes: memory
// may run out.
void MixerImpl::require_scratch(std::uint32_t actions) {
  if (actions <= scratch_poses) return;
  std::uint32_t poses = scratch_poses;
  while (poses < actions) poses *= 2;
  if (scratch_handler) scratch_handler({poses, capacity.layers});
  scratch_poses = poses;
}

Result<std::uint32_t> MixerImpl::get_clip(const Clip& clip) {
  const auto known = [id = clip.id()](const ClipEntry& e) { return e.clip.id() == id; };
  if (const auto at = std::find_if(clips.begin(), clips.end(), known); at != clips.end()) {
    return static_cast<std::uint32_t>(at - clips.begin());
  }
  if (!clip.fits(skeleton)) return misfit(clip, skeleton);
  // Clips of the library with the same contents come first, in their order: then snapshots tell them apart by the same
  // numbers in every mixer.
  std::uint32_t twin = 0;
  std::optional<std::uint32_t> found;
  const auto add = [&](const Clip& one) {
    ClipEntry entry{one, one.duration(), twin++, std::nullopt, std::nullopt};
    if (root) entry.root.emplace(skeleton, one, root->options().joint);
    clips.push_back(std::move(entry));
    if (one.id() == clip.id()) found = static_cast<std::uint32_t>(clips.size() - 1);
  };
  for (const ClipEntry& entry : clips) twin += entry.clip.hash() == clip.hash() ? 1 : 0;
  if (twin == 0) {
    for (const Clip& one : library) {
      if (one.hash() == clip.hash() && one.fits(skeleton)) add(one);
    }
  }
  if (!found) add(clip);
  return *found;
}

bool MixerImpl::can_be_reused(std::uint32_t slot) const {
  const ActionState& a = slots[slot].action;
  if (!slots.is_live(slot) || a.active() || a.held || !slots.can_be_reused(slot)) return false;
  for (std::uint32_t s = 0; s < slots.live_end(); ++s) {
    if (slots.is_live(s) && slots[s].action.leader == handle_of(slot)) return false;
  }
  return true;
}

Error MixerImpl::full_error() const { return full_of_actions(slots); }

std::optional<std::uint32_t> MixerImpl::find_slot() {
  if (!slots.next_free() && slots.size() < capacity.max_actions) {
    resize_actions(std::min(capacity.max_actions, std::max(2 * slots.size(), 8u)));
  }
  if (slots.next_free()) return slots.next_free();
  std::optional<std::uint32_t> first;
  for (std::uint32_t s = 0; s < slots.live_end(); ++s) {
    if (first && slots[s].action.stopped >= slots[*first].action.stopped) continue;
    if (can_be_reused(s)) first = s;
  }
  return first;
}

void MixerImpl::clear_slot(std::uint32_t slot) {
  if (!slots.is_live(slot)) return;
  remember(slots[slot].action);
  vacate(slot);
}

void MixerImpl::remember(const ActionState& a) {
  const RememberedOptions options = {a.clip, a.layer, a.speed, a.weight, a.head.loop, a.head.repetitions};
  constexpr RememberedOptions kDefaults;
  if (a.separate || (a.speed == kDefaults.speed && a.weight == kDefaults.weight && a.head.loop == kDefaults.loop &&
                     a.head.repetitions == kDefaults.repetitions)) {
    return;
  }
  remembered.push_back(options);
}

// Gives an action that is new what was remembered for its clip and layer.
void MixerImpl::recall(std::uint32_t slot) {
  ActionState& a = slots[slot].action;
  const auto at = std::find_if(remembered.begin(), remembered.end(),
                               [&](const RememberedOptions& of) { return of.clip == a.clip && of.layer == a.layer; });
  if (at == remembered.end()) return;
  a.speed = at->speed;
  a.weight = at->weight;
  change_loop(slot, at->loop, at->repetitions);
  rewind_playhead(a.speed < 0, duration(a), a.head);
  remembered.erase(at);
}

Result<Action> MixerImpl::get_action(const Clip& clip, std::uint32_t layer, bool another, bool held) {
  const std::uint64_t id = clip.id();
  for (std::uint32_t s = 0; s < slots.live_end() && !another; ++s) {
    ActionState& a = slots[s].action;
    if (!slots.is_live(s) || a.separate || a.layer != layer || clips[a.clip].clip.id() != id) continue;
    a.held = a.held || held;
    return make_action(s);
  }
  const Result<std::uint32_t> entry = get_clip(clip);
  if (!entry) return entry.error();
  const std::optional<std::uint32_t> place = find_slot();
  if (!place) return full_error();
  const std::uint32_t free = *place;
  slots[free].cursor.reset(clip);  // first: memory may run out
  clear_slot(free);
  slots.take();
  ActionState& a = slots[free].action;
  a = {};
  a.clip = *entry;
  a.layer = layer;
  a.separate = another;
  a.held = held;
  a.stopped = ++stops;
  if (!another) recall(free);
  return make_action(free);
}

Action MixerImpl::action_or_error(const Clip& clip, std::uint32_t layer) {
  const Result<Action> got = get_action(clip, layer, false, false);
  if (!got) last_error = got.error();
  return got ? *got : make_null_action();
}

void MixerImpl::replace_marks(ClipEntry& entry, const Marks& marks) {
  const auto is_named = [&](const Event& e) {
    return e.kind == EventKind::mark && e.mark < entry.marks->size() &&
           e.name.data() == entry.marks->name(e.mark).data();
  };
  const std::span<const Event> listed = events.events();
  if (entry.marks && std::any_of(listed.begin(), listed.end(), is_named)) named_marks.push_back(*entry.marks);
  entry.marks = marks;
}

void MixerImpl::release(std::uint32_t slot) {
  stop(slot);
  if (slots.is_live(slot)) vacate(slot);
}

void MixerImpl::vacate(std::uint32_t slot) {
  slots[slot].action = {};
  slots.free(slot);
}

std::uint32_t MixerImpl::get_mask(const JointMask* mask) {
  if (mask == nullptr) return 0;
  Hasher hasher;
  hasher.add(mask->padded());
  const std::uint64_t hash = hasher.finish();
  const auto is_same = [&](const MaskEntry& e) {
    const std::span<const float> a = e.mask.padded(), b = mask->padded();
    return e.hash == hash && std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  auto at = std::find_if(masks.begin(), masks.end(), is_same);
  if (at != masks.end()) {
    at->last_used = ++uses;
  } else if (masks.size() < kMasksPerLayer * std::size_t{capacity.layers}) {
    at = masks.insert(masks.end(), {*mask, hash, ++uses});
  } else {
    // More than layers: some are in no use, and the one whose use is longest ago goes.
    const auto age = [&](const MaskEntry& e) {
      const auto number = static_cast<std::uint32_t>(&e - masks.data()) + 1;
      const bool used =
          std::any_of(layers.begin(), layers.end(), [&](const LayerState& l) { return l.mask == number; });
      return used ? uses + 1 : e.last_used;
    };
    at = std::min_element(masks.begin(), masks.end(),
                          [&](const MaskEntry& a, const MaskEntry& b) { return age(a) < age(b); });
    *at = {*mask, hash, ++uses};
  }
  return static_cast<std::uint32_t>(at - masks.begin()) + 1;
}

Result<void> MixerImpl::check_layer(float weight, const JointMask* mask) const {
  if (!is_usable(weight)) return Error{ErrorCode::not_finite, "the weight is not finite", "weight"};
  if (!(weight >= 0 && weight <= 1)) {
    return Error{ErrorCode::invalid_argument, "the weight of a layer is not from 0 to 1", "weight"};
  }
  if (mask != nullptr && mask->joint_count() != skeleton.joint_count()) {
    return Error{ErrorCode::size_mismatch, "the mask is for a skeleton with another number of joints", "mask"};
  }
  return {};
}

Result<Layer> MixerImpl::add_layer(const LayerOptions& options) {
  if (layers.size() >= capacity.layers) return full_mixer(layers.size(), "layer", "", "layers");
  if (const Result<void> checked = check_layer(options.weight, options.mask); !checked) return checked.error();
  LayerState layer;
  layer.mode = options.mode;
  layer.fill = options.fill;
  layer.mask = get_mask(options.mask);
  layer.weight.set(static_cast<double>(options.weight));
  layers.push_back(layer);
  return make_layer(static_cast<std::uint32_t>(layers.size() - 1));
}

Mixer::Mixer(const Skeleton& skeleton, const MixerOptions& options)
    : impl_(std::make_unique<MixerImpl>(skeleton, options)) {}
Mixer::~Mixer() = default;
Mixer::Mixer(Mixer&&) noexcept = default;
Mixer& Mixer::operator=(Mixer&&) noexcept = default;

void limit_action_generations(Mixer& mixer, std::uint32_t end) { mixer.impl_->slots.set_generation_end(end); }

void Mixer::set_library(std::span<const Clip> clips) { impl_->library = clips; }
void Mixer::reserve(const MixerOptions& options) { impl_->reserve(options); }
MixerOptions Mixer::capacity() const { return impl_->capacity; }
const Skeleton& Mixer::skeleton() const { return impl_->skeleton; }

Result<Action> Mixer::clip_action(const Clip& clip) { return base().clip_action(clip); }
Result<Action> Mixer::new_action(const Clip& clip) { return base().new_action(clip); }

Action Mixer::play(const Clip& clip, const PlayOptions& options) { return base().play(clip, options); }
Action Mixer::switch_to(const Clip& clip, const PlayOptions& options) { return base().switch_to(clip, options); }

void Mixer::cross_fade(Action from, Action to, double seconds, const FadeOptions& options) {
  const std::optional<std::uint32_t> out = impl_->slot_of(from, "from");
  const std::optional<std::uint32_t> in = out ? impl_->slot_of(to, "to") : std::nullopt;
  if (in) exactly([&] { impl_->cross_fade(out, *in, seconds, options); });
}

Action Mixer::cross_fade_to(Action to, double seconds, const FadeOptions& options) {
  if (const std::optional<std::uint32_t> in = impl_->slot_of(to, "to")) {
    exactly([&] { impl_->cross_fade(std::nullopt, *in, seconds, options); });
  }
  return to;
}

Action Mixer::cross_fade_to(const Clip& to, double seconds, const FadeOptions& options) {
  return base().cross_fade_to(to, seconds, options);
}

void Mixer::stop_all() {
  for (std::uint32_t l = 0; l < layer_count(); ++l) layer(l).stop_all();
}

void Mixer::release(Action action) {
  if (const std::optional<std::uint32_t> slot = impl_->slot_of(action, "action")) {
    exactly([&] { impl_->release(*slot); });
  }
}

Action Mixer::action(ActionHandle handle) const {
  const std::optional<std::uint32_t> slot = impl_->find(handle);
  return slot ? impl_->make_action(*slot) : Action();
}

Action Mixer::current() const { return base().current(); }

Layer Mixer::base() const { return layer(0); }

Layer Mixer::layer(std::uint32_t index) const {
  MARROW_ASSERT(index < impl_->layers.size(), "the mixer has no such layer");
  return index < impl_->layers.size() ? impl_->make_layer(index) : Layer();
}

std::uint32_t Mixer::layer_count() const { return static_cast<std::uint32_t>(impl_->layers.size()); }

Result<Layer> Mixer::add_layer(const LayerOptions& options) {
  return exactly([&] { return impl_->add_layer(options); });
}

void Mixer::set_time_scale(double scale) {
  if (!is_finite(scale)) return impl_->refuse(ErrorCode::not_finite, "the time scale is not finite", "scale");
  impl_->time_scale = scale;
}
double Mixer::time_scale() const { return impl_->time_scale; }

bool Mixer::advance(double dt_s) {
  if (!advance_deferred(dt_s)) return false;
  dispatch_events();
  return true;
}

bool Mixer::advance_deferred(double dt_s) {
  return exactly([&] { return impl_->advance(dt_s); });
}

void Mixer::dispatch_events() { impl_->dispatch(); }

bool Mixer::has_pending_events() const { return impl_->handler != nullptr && !impl_->events.events().empty(); }

void Mixer::evaluate(MixScratch& scratch, Pose& out) const {
  if (!scratch.fits(scratch_size())) scratch = MixScratch(impl_->skeleton, scratch_size());
  exactly([&] { impl_->evaluate(scratch.data(), out); });
}

ScratchSize Mixer::scratch_size() const { return {impl_->scratch_poses, impl_->capacity.layers}; }
void Mixer::on_scratch_growth(ScratchHandler handler) { impl_->scratch_handler = std::move(handler); }

bool Mixer::update(double dt_s, MixScratch& scratch, Pose& out) {
  if (!advance(dt_s)) return false;
  evaluate(scratch, out);
  return true;
}

std::span<const Event> Mixer::events() const { return impl_->events.events(); }
std::uint64_t Mixer::dropped_events() const { return impl_->events.dropped(); }
void Mixer::on_event(EventHandler handler) {
  impl_->handler = std::move(handler);
  impl_->handler_replaced = true;
}

Result<void> Mixer::set_marks(const Marks& marks) {
  const Result<std::uint32_t> entry = impl_->get_clip(marks.clip());
  if (!entry) return entry.error();
  impl_->replace_marks(impl_->clips[*entry], marks);
  return {};
}

Result<void> Mixer::set_root_motion(const RootMotionOptions& options) {
  const Result<RootSetup> setup = RootSetup::create(impl_->skeleton, options);
  if (!setup) return setup.error();
  std::vector<RootCurve> curves;  // of all clips first: if memory runs out nothing has changed
  for (const ClipEntry& entry : impl_->clips) curves.emplace_back(impl_->skeleton, entry.clip, options.joint);
  impl_->root = *setup;
  impl_->root_motion = {};
  for (std::size_t i = 0; i < curves.size(); ++i) impl_->clips[i].root = std::move(curves[i]);
  return {};
}

void Mixer::clear_root_motion() {
  impl_->root.reset();
  impl_->root_motion = {};
  for (ClipEntry& entry : impl_->clips) entry.root.reset();
}

const RootMotion& Mixer::root_motion() const { return impl_->root_motion; }

std::size_t Mixer::memory_bytes() const {
  const MixerImpl& m = *impl_;
  const auto bytes_of = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  std::size_t bytes = sizeof(MixerImpl) + m.slots.memory_bytes() + bytes_of(m.layers) +
                      m.clips.size() * sizeof(ClipEntry) + bytes_of(m.masks) + m.events.memory_bytes() +
                      bytes_of(m.named_marks) + bytes_of(m.steps) + bytes_of(m.restored_slots) +
                      bytes_of(m.restored_actions) + bytes_of(m.restored_layers) + bytes_of(m.remembered) +
                      bytes_of(m.restored_options);
  for (std::uint32_t s = 0; s < m.slots.size(); ++s) bytes += m.slots[s].cursor.memory_bytes();
  return bytes;
}

const Error* Mixer::last_error() const { return impl_->last_error ? &*impl_->last_error : nullptr; }
void Mixer::clear_error() { impl_->last_error.reset(); }

Mixer::ActionRange Mixer::actions() const { return ActionRange(impl_.get()); }

// The mixer may grow while its actions are listed, so that the end is no slot.
Mixer::ActionRange::Iterator::Iterator(MixerImpl* mixer, std::uint32_t slot) : mixer_(mixer), slot_(slot) {
  while (slot_ < mixer_->slots.size() && !mixer_->slots.is_live(slot_)) ++slot_;
  if (slot_ >= mixer_->slots.size()) slot_ = kNoSlot;
}
Action Mixer::ActionRange::Iterator::operator*() const { return mixer_->make_action(slot_); }
Mixer::ActionRange::Iterator& Mixer::ActionRange::Iterator::operator++() { return *this = Iterator(mixer_, slot_ + 1); }
Mixer::ActionRange::Iterator Mixer::ActionRange::begin() const { return {mixer_, 0}; }
Mixer::ActionRange::Iterator Mixer::ActionRange::end() const { return {mixer_, kNoSlot}; }
std::uint32_t Mixer::ActionRange::size() const { return mixer_->slots.live_count(); }

}  // namespace marrow
