#include "marrow/mixer/action.h"

#include "marrow/mixer/layer.h"
#include "src/math/exact.h"
#include "src/mixer/mixer_impl.h"

namespace marrow {
namespace {

// Runs command(mixer, slot, state) for the action that a handle refers to.
template <typename Command>
Action command(const Action& action, const Command& body) {
  MixerImpl* const mixer = MixerImpl::owner(action);
  MARROW_ASSERT(action, "the action was released, or never was one");
  if (!action) return action;
  const std::uint32_t slot = action.handle().index - 1;
  exactly([&] { body(*mixer, slot, mixer->slots[slot].action); });
  return action;
}

// Returns read(mixer, state); of no action a default value.
template <typename Read>
auto ask(const Action& action, const Read& read) {
  MixerImpl* const mixer = MixerImpl::owner(action);
  MARROW_ASSERT(action, "the action was released, or never was one");
  using Value = decltype(read(*mixer, mixer->slots[0].action));
  if (!action) return Value{};
  return exactly([&]() -> Value { return read(*mixer, mixer->slots[action.handle().index - 1].action); });
}

}  // namespace

Action::operator bool() const { return mixer_ != nullptr && mixer_->find(handle_).has_value(); }

const Clip& Action::clip() const {
  MARROW_ASSERT(*this, "the action was released, or never was one");
  static const Clip none;
  return *this ? mixer_->clips[mixer_->slots[handle_.index - 1].action.clip].clip : none;
}

Layer Action::layer() const {
  return ask(*this, [](MixerImpl& m, const ActionState& a) { return m.make_layer(a.layer); });
}

Action Action::play() const {
  return command(*this, [](MixerImpl& m, std::uint32_t slot, ActionState&) { m.play(slot); });
}
Action Action::stop() const {
  return command(*this, [](MixerImpl& m, std::uint32_t slot, ActionState&) { m.stop(slot); });
}
Action Action::pause() const {
  return command(*this, [](MixerImpl&, std::uint32_t, ActionState& a) { a.paused = a.active(); });
}
Action Action::resume() const {
  return command(*this, [](MixerImpl& m, std::uint32_t slot, ActionState&) { m.resume(slot); });
}
Action Action::reset() const {
  return command(*this, [](MixerImpl& m, std::uint32_t slot, ActionState&) { m.reset(slot); });
}
Action Action::seek(double time_s) const {
  return command(*this, [&](MixerImpl& m, std::uint32_t slot, ActionState&) { m.seek_to(slot, time_s); });
}
Action Action::fade_in(double seconds, Easing easing) const {
  return command(*this, [&](MixerImpl& m, std::uint32_t slot, ActionState&) { m.fade_in(slot, seconds, easing); });
}
Action Action::fade_out(double seconds, Easing easing) const {
  return command(*this,
                 [&](MixerImpl& m, std::uint32_t slot, ActionState&) { m.fade_out(slot, seconds, easing, false); });
}

Action Action::set_speed(double speed) const {
  return command(*this, [&](MixerImpl& m, std::uint32_t, ActionState& a) {
    if (!is_finite(speed)) return m.refuse("the speed is not finite");
    a.speed = speed;
  });
}

Action Action::set_weight(float weight) const {
  return command(*this, [&](MixerImpl& m, std::uint32_t, ActionState& a) {
    if (!is_weight(weight)) return m.refuse("the weight is negative or not finite");
    a.weight = weight;
  });
}

Action Action::set_loop(Loop loop, std::uint32_t repetitions) const {
  return command(*this,
                 [&](MixerImpl& m, std::uint32_t slot, ActionState&) { m.change_loop(slot, loop, repetitions); });
}

Action Action::sync_with(Action leader) const {
  MARROW_ASSERT(leader == Action() || leader, "the action to follow was released");
  MARROW_ASSERT(leader == Action() || leader.mixer_ == mixer_, "the action to follow is another mixer's");
  return command(*this, [&](MixerImpl& m, std::uint32_t slot, ActionState&) { m.sync(slot, leader.handle()); });
}

double Action::time() const {
  return ask(*this, [](MixerImpl& m, const ActionState& a) { return exact::clip_time(a.head, m.duration(a)); });
}

double Action::phase() const {
  return ask(*this, [](MixerImpl& m, const ActionState& a) {
    const double duration = m.duration(a);
    return duration > 0 ? exact::clip_time(a.head, duration) / duration : 0.0;
  });
}

double Action::speed() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return a.speed; });
}
float Action::weight() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return a.weight; });
}
Loop Action::loop() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return a.head.loop; });
}
std::uint32_t Action::repetitions() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return a.head.repetitions; });
}
std::uint64_t Action::passes() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return a.head.passes; });
}
Action Action::leader() const {
  return ask(*this, [](MixerImpl& m, const ActionState& a) {
    const std::optional<std::uint32_t> slot = m.find(a.leader);
    return slot ? m.make_action(*slot) : Action();
  });
}
bool Action::playing() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return a.state == PlayState::playing; });
}
bool Action::paused() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return a.paused; });
}
bool Action::finished() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return a.state == PlayState::finished; });
}
bool Action::active() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return a.active(); });
}
float Action::fade() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return static_cast<float>(exact::value(a.fade)); });
}
float Action::effective_weight() const {
  return ask(*this,
             [](MixerImpl&, const ActionState& a) { return a.weight * static_cast<float>(exact::value(a.fade)); });
}
bool Action::fading() const {
  return ask(*this, [](MixerImpl&, const ActionState& a) { return exact::running(a.fade); });
}

}  // namespace marrow
