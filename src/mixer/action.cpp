#include "marrow/mixer/action.h"

#include "marrow/mixer/layer.h"
#include "src/mixer/imports.h"
#include "src/mixer/mixer_impl.h"

namespace marrow {
namespace {

constexpr ActionState kUnplayed{};

// Returns the slot of an action; none if it was released.
std::optional<std::uint32_t> find(const Action& action) {
  const MixerImpl* const mixer = MixerImpl::owner(action);
  MARROW_ASSERT(mixer != nullptr, "the action is null");
  return mixer == nullptr ? std::nullopt : mixer->find(action.handle());
}

// Returns the state of an action. A released action reads as one that was never played.
const ActionState& state_of(const Action& action) {
  const std::optional<std::uint32_t> slot = find(action);
  return slot ? MixerImpl::owner(action)->slots[*slot].action : kUnplayed;
}

// Runs body(mixer, slot, state) for an action. Leaves an error if it was released.
template <typename Body>
Action command(const Action& action, const Body& body) {
  MixerImpl* const mixer = MixerImpl::owner(action);
  MARROW_ASSERT(mixer != nullptr, "the action is null");
  if (mixer == nullptr) return action;
  if (const std::optional<std::uint32_t> slot = mixer->slot_of(action, "action")) {
    exactly([&] { body(*mixer, *slot, mixer->slots[*slot].action); });
  }
  return action;
}

}  // namespace

Action::operator bool() const { return mixer_ != nullptr && mixer_->find(handle_).has_value(); }

const Clip& Action::clip() const {
  static const Clip none;
  return find(*this) ? mixer_->clips[state_of(*this).clip].clip : none;
}

Layer Action::layer() const { return find(*this) ? mixer_->make_layer(state_of(*this).layer) : Layer(); }

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
  return command(*this,
                 [&](MixerImpl& m, std::uint32_t slot, ActionState&) { m.fade_in(slot, seconds, easing, false); });
}
Action Action::fade_out(double seconds, Easing easing) const {
  return command(*this,
                 [&](MixerImpl& m, std::uint32_t slot, ActionState&) { m.fade_out(slot, seconds, easing, false); });
}

Action Action::set_speed(double speed) const {
  return command(*this, [&](MixerImpl& m, std::uint32_t, ActionState& a) {
    if (m.check_speed(speed)) a.speed = speed;
  });
}

Action Action::set_weight(float weight) const {
  return command(*this, [&](MixerImpl& m, std::uint32_t, ActionState& a) {
    if (m.check_weight(weight)) a.weight = weight;
  });
}

Action Action::set_loop(Loop loop, std::uint32_t repetitions) const {
  return command(*this,
                 [&](MixerImpl& m, std::uint32_t slot, ActionState&) { m.change_loop(slot, loop, repetitions); });
}

Action Action::sync_with(Action leader) const {
  return command(*this, [&](MixerImpl& m, std::uint32_t slot, ActionState&) {
    if (MixerImpl::owner(leader) == nullptr || m.slot_of(leader, "leader")) m.sync(slot, leader.handle());
  });
}

double Action::time() const {
  return exactly([&] { return exact::clip_time(state_of(*this).head, clip().duration()); });
}
double Action::phase() const {
  return exactly([&] {
    const double duration = clip().duration();
    return duration > 0 ? exact::clip_time(state_of(*this).head, duration) / duration : 0.0;
  });
}
double Action::speed() const { return state_of(*this).speed; }
float Action::weight() const { return state_of(*this).weight; }
Loop Action::loop() const { return state_of(*this).head.loop; }
std::uint32_t Action::repetitions() const { return state_of(*this).head.repetitions; }
std::uint64_t Action::passes() const { return state_of(*this).head.passes; }
Action Action::leader() const {
  const ActionHandle leader = state_of(*this).leader;
  return mixer_ != nullptr && mixer_->find(leader) ? Action(mixer_, leader) : Action();
}

bool Action::playing() const { return state_of(*this).state == PlayState::playing; }
bool Action::paused() const { return state_of(*this).paused; }
bool Action::finished() const { return state_of(*this).state == PlayState::finished; }
bool Action::active() const { return state_of(*this).active(); }

float Action::fade() const {
  return exactly([&] { return static_cast<float>(exact::value(state_of(*this).fade)); });
}
float Action::effective_weight() const {
  return exactly([&] { return weight() * fade(); });
}
double Action::fade_remaining() const {
  return exactly([&] { return exact::remaining(state_of(*this).fade); });
}
bool Action::fading() const {
  return exactly([&] { return exact::running(state_of(*this).fade); });
}

}  // namespace marrow
