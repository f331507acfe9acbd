// What can be asked of actions: playing, fading, crossfading, following.
#include <algorithm>

#include "src/mixer/mixer_impl.h"

namespace marrow {
namespace {

// Clip time a second over the clip's duration: passes a second.
double pace(const ActionState& a, double factor, double duration) { return a.speed * factor / duration; }

bool same_way(double a, double b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

// Puts `a` at the same fraction of the same pass as `leader`.
void place_in_phase(ActionState& a, double duration, const ActionState& leader, double leader_duration) {
  if (!(duration > 0 && leader_duration > 0)) return;
  a.head.place = {leader.head.place.pass, leader.head.place.rem / leader_duration * duration};
  a.head.reached = End::none;
}

}  // namespace

bool MixerImpl::is_duration(double seconds) {
  if (seconds >= 0 && is_finite(seconds)) return true;
  refuse("the length of a fade is negative or not finite");
  return false;
}

std::uint32_t MixerImpl::chief(std::uint32_t slot) const {
  for (;;) {
    const std::optional<std::uint32_t> leader = find(slots[slot].action.leader);
    if (!leader || slots[*leader].action.state != PlayState::playing) return slot;
    slot = *leader;
  }
}

void MixerImpl::start(std::uint32_t slot) {
  ActionState& a = slots[slot].action;
  if (!(a.state == PlayState::stopped && a.sought)) rewind(a.speed < 0, duration(a), a.head);
  a.head.passes = 0;
  a.state = PlayState::playing;
  a.paused = a.sought = a.leaving = false;
  a.warp.set(1);
  a.fade.set(1);
  const std::uint32_t leader = chief(slot);
  if (leader != slot) place_in_phase(a, duration(a), slots[leader].action, duration(slots[leader].action));
  place_followers(slot);
}

void MixerImpl::play(std::uint32_t slot) {
  ActionState& a = slots[slot].action;
  layers[a.layer].current = {slot + 1, slots[slot].generation};
  if (a.state != PlayState::playing) return start(slot);
  a.paused = a.leaving = false;
  if (a.fade.running_to(0)) {  // back up, as fast as it went down
    const double present = a.fade.value();
    a.fade.start(1, (1 - present) * a.fade.duration / std::max(a.fade.from, 1e-6), a.fade.easing);
  }
}

void MixerImpl::stop(std::uint32_t slot) {
  ActionState& a = slots[slot].action;
  a.state = PlayState::stopped;
  a.paused = a.sought = a.leaving = false;
  rewind(a.speed < 0, duration(a), a.head);
  a.fade.set(0);
  a.warp.set(1);
}

void MixerImpl::reset(std::uint32_t slot) {
  ActionState& a = slots[slot].action;
  rewind(a.speed < 0, duration(a), a.head);
  a.sought = false;
  if (a.state == PlayState::finished) a.state = PlayState::playing;
  place_followers(slot);
}

void MixerImpl::seek_to(std::uint32_t slot, double time_s) {
  if (!is_finite(time_s)) return refuse("the time to seek to is not finite");
  ActionState& a = slots[slot].action;
  seek(time_s, duration(a), a.head);
  if (a.state == PlayState::stopped) a.sought = true;
  if (a.state == PlayState::finished) a.state = PlayState::playing;
  place_followers(slot);
}

void MixerImpl::fade_in(std::uint32_t slot, double seconds, Easing easing) {
  if (!is_duration(seconds)) return;
  ActionState& a = slots[slot].action;
  if (!a.contributes()) {
    start(slot);
    a.fade.set(0);
  }
  a.fade.start(1, seconds, easing);
  a.paused = a.leaving = false;
  layers[a.layer].current = {slot + 1, slots[slot].generation};
}

void MixerImpl::fade_out(std::uint32_t slot, double seconds, Easing easing, bool leaving) {
  if (!is_duration(seconds)) return;
  ActionState& a = slots[slot].action;
  if (!a.active()) return;
  if (seconds == 0 || !(a.fade.value() > 0)) return stop(slot);
  a.fade.start(0, seconds, easing);
  a.leaving = leaving;
}

void MixerImpl::change_loop(std::uint32_t slot, Loop loop, std::uint32_t repetitions) {
  ActionState& a = slots[slot].action;
  set_loop(loop, repetitions, duration(a), a.head);
  place_followers(slot);
}

void MixerImpl::sync(std::uint32_t slot, ActionHandle leader) {
  for (std::optional<std::uint32_t> s = find(leader); s; s = find(slots[*s].action.leader)) {
    if (*s == slot) return refuse("an action cannot follow itself, or one that follows it");
  }
  ActionState& a = slots[slot].action;
  a.leader = leader;
  const std::uint32_t chief_slot = chief(slot);
  if (chief_slot == slot || !a.active()) return;
  place_in_phase(a, duration(a), slots[chief_slot].action, duration(slots[chief_slot].action));
  place_followers(slot);
}

void MixerImpl::place_followers(std::uint32_t leader) {
  for (std::uint32_t s = 0; s < slot_end; ++s) {
    ActionState& a = slots[s].action;
    if (s == leader || !slots[s].live || a.state != PlayState::playing || a.leader.is_null()) continue;
    const std::uint32_t chief_slot = chief(s);
    if (chief_slot == s || chief_slot != chief(leader)) continue;
    place_in_phase(a, duration(a), slots[chief_slot].action, duration(slots[chief_slot].action));
  }
}

// Brings both to one pace. The outgoing action's speed is bent towards the pace of the incoming one, and that of the
// incoming from the outgoing's present pace to its own; both along lines, so that they agree all the way.
void MixerImpl::warp(std::uint32_t from, std::uint32_t to, double seconds, bool set_incoming) {
  ActionState& out = slots[from].action;
  ActionState& in = slots[to].action;
  const double out_duration = duration(out), in_duration = duration(in);
  if (!(out_duration > 0 && in_duration > 0)) return;
  const double out_own = pace(out, 1, out_duration), out_now = pace(out, out.warp.value(), out_duration);
  const double in_own = pace(in, 1, in_duration);
  const double out_factor = in_own / out_own, in_factor = out_now / in_own;
  if (!same_way(out_own, in_own) || !same_way(out_now, in_own)) return;
  if (!is_finite(out_factor) || !is_finite(in_factor)) return;
  out.warp.start(out_factor, seconds, Easing::linear);
  if (!set_incoming) return;
  in.warp.set(in_factor);
  in.warp.start(1, seconds, Easing::linear);
}

void MixerImpl::cross_fade(std::optional<std::uint32_t> from, std::uint32_t to, double seconds,
                           const FadeOptions& options) {
  if (from == to || !is_duration(seconds)) return;
  const std::uint32_t layer = slots[to].action.layer;
  const ActionState& in = slots[to].action;
  const bool fresh = !in.contributes();
  const bool under_way = layers[layer].current == ActionHandle{to + 1, slots[to].generation} && in.active() && !fresh &&
                         in.fade.to == 1 && in.fade.remaining() <= seconds;

  // Who leaves; and who of them sets the pace.
  const auto none = static_cast<std::uint32_t>(slots.size());
  std::uint32_t lead = none;
  double most = 0;
  for (std::uint32_t s = 0; s < slot_end; ++s) {
    const ActionState& a = slots[s].action;
    if (s == to || !a.active()) continue;
    if (from ? s != *from && !(a.layer == layer && a.leaving) : a.layer != layer) continue;
    if (under_way && a.leaving) continue;
    const bool sooner = a.fade.running_to(0) && !a.leaving && a.fade.remaining() <= seconds;
    if (!from && sooner) continue;
    const double size = static_cast<double>(a.weight) * a.fade.value();
    if (size > most && (!from || s == *from)) {
      lead = s;
      most = size;
    }
    fade_out(s, seconds, options.easing, true);
  }
  if (under_way) return;
  fade_in(to, seconds, options.easing);
  slots[to].action.warp.start(1, seconds, Easing::linear);
  if (!options.warp || lead == none || seconds == 0) return;
  if (fresh && chief(to) == to) {  // what follows another is in the phase of that
    place_in_phase(slots[to].action, duration(in), slots[lead].action, duration(slots[lead].action));
    place_followers(to);
  }
  warp(lead, to, seconds, fresh);
  for (std::uint32_t s = 0; s < slot_end; ++s) {
    const ActionState& a = slots[s].action;
    if (s != to && s != lead && a.layer == layer && a.leaving) warp(s, to, seconds, false);
  }
}

Action MixerImpl::play_clip(const Clip& clip, std::uint32_t layer, const PlayOptions& options) {
  const Action action = value_of(get_action(clip, layer, false));
  if (!action) return {};
  const std::uint32_t slot = action.handle().index - 1;
  if (!is_finite(options.speed)) return refuse("the speed is not finite"), action;
  if (!is_weight(options.weight)) return refuse("the weight is negative or not finite"), action;
  if (!is_duration(options.fade_in)) return action;
  ActionState& a = slots[slot].action;
  a.speed = options.speed;
  a.weight = options.weight;
  change_loop(slot, options.loop, options.repetitions);
  if (options.fade_in > 0 && a.state != PlayState::finished) {
    fade_in(slot, options.fade_in, Easing::linear);
  } else {
    play(slot);
  }
  return action;
}

}  // namespace marrow
