// What can be asked of actions: playing, fading, crossfading, following.
#include <algorithm>

#include "src/mixer/mixer_impl.h"

namespace marrow {
namespace {

// Clip time a second over the clip's duration: passes a second.
double pace(const ActionState& a, double factor, double duration) { return a.speed * factor / duration; }

bool same_way(double a, double b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

}  // namespace

std::optional<std::uint32_t> MixerImpl::slot_of(const Action& action, const char* parameter) {
  MARROW_ASSERT(owner(action) != nullptr, "the action is null");
  const bool ours = owner(action) == this;
  const std::optional<std::uint32_t> slot = ours ? find(action.handle()) : std::nullopt;
  if (!slot && ours && action.handle().is_null()) {
    // What a command that failed returned. Its error stays, and is the reason.
    if (!last_error) refuse(ErrorCode::invalid_argument, "the action is null", parameter);
  } else if (!slot) {
    refuse(ErrorCode::invalid_argument, ours ? "the action was released or reused" : "the action is of another mixer",
           parameter);
  }
  return slot;
}

bool MixerImpl::check_speed(double speed) {
  if (is_finite(speed)) return true;
  return refuse(ErrorCode::not_finite, "the speed is not finite", "speed"), false;
}

bool MixerImpl::check_weight(float weight) {
  if (is_weight(weight)) return true;
  if (is_usable(weight)) return refuse(ErrorCode::invalid_argument, "the weight is negative", "weight"), false;
  return refuse(ErrorCode::not_finite, "the weight is not finite, or beyond 1e18", "weight"), false;
}

bool MixerImpl::check_duration(double seconds, const char* parameter) {
  if (seconds >= 0 && is_finite(seconds)) return true;
  if (is_finite(seconds)) return refuse(ErrorCode::invalid_argument, "the fade time is negative", parameter), false;
  return refuse(ErrorCode::not_finite, "the fade time is not finite", parameter), false;
}

std::uint32_t MixerImpl::root_leader(std::uint32_t slot) const {
  for (;;) {
    const std::optional<std::uint32_t> leader = find(slots[slot].action.leader);
    if (!leader || slots[*leader].action.state != PlayState::playing) return slot;
    slot = *leader;
  }
}

void MixerImpl::start(std::uint32_t slot) {
  ActionState& a = slots[slot].action;
  if (!(a.state == PlayState::stopped && a.sought)) rewind_playhead(a.speed < 0, duration(a), a.head);
  a.head.passes = 0;
  a.state = PlayState::playing;
  a.paused = a.sought = a.crossing = false;
  a.warp.set(1);
  a.fade.set(1);
  join_leader(slot);
  place_followers(slot);
}

// Puts an action at the same fraction of the same pass as another.
void MixerImpl::place_in_phase(std::uint32_t slot, std::uint32_t leader) {
  ActionState& a = slots[slot].action;
  const double length = duration(a), leader_length = duration(slots[leader].action);
  if (!(length > 0 && leader_length > 0)) return;
  const ClipPlace place = slots[leader].action.head.place;
  a.head.place = {place.pass, exact::rem_in_phase(place.rem, leader_length, length)};
  a.head.reached = ClipEnd::none;
}

void MixerImpl::join_leader(std::uint32_t slot) {
  if (const std::uint32_t leader = root_leader(slot); leader != slot) place_in_phase(slot, leader);
}

void MixerImpl::resume(std::uint32_t slot) {
  ActionState& a = slots[slot].action;
  if (a.paused && a.state == PlayState::playing) join_leader(slot);  // it went on in the meantime
  a.paused = false;
}

void MixerImpl::play(std::uint32_t slot) {
  ActionState& a = slots[slot].action;
  if (!a.active()) require_scratch(count_active() + 1);
  layers[a.layer].current = handle_of(slot);
  if (a.state != PlayState::playing) return start(slot);
  resume(slot);
  a.crossing = false;
  // Back up, as fast as that fade is.
  if (exact::running_to(a.fade, 0))
    exact::start(a.fade, 1, (1 - exact::value(a.fade)) * a.fade.duration, a.fade.easing);
}

void MixerImpl::stop(std::uint32_t slot) {
  ActionState& a = slots[slot].action;
  if (a.active()) a.stopped = ++stops;
  a.state = PlayState::stopped;
  a.paused = a.sought = a.crossing = false;
  rewind_playhead(a.speed < 0, duration(a), a.head);
  a.fade.set(0);
  a.warp.set(1);
  if (a.remnant) vacate(slot);
}

void MixerImpl::reset(std::uint32_t slot) {
  ActionState& a = slots[slot].action;
  rewind_playhead(a.speed < 0, duration(a), a.head);
  a.sought = false;
  if (a.state == PlayState::finished) a.state = PlayState::playing;
  place_followers(slot);
}

void MixerImpl::seek_to(std::uint32_t slot, double time_s) {
  if (!is_finite(time_s)) return refuse(ErrorCode::not_finite, "the time is not finite", "time_s");
  ActionState& a = slots[slot].action;
  exact::seek_playhead(time_s, duration(a), a.head);
  if (a.state == PlayState::stopped) a.sought = true;
  if (a.state == PlayState::finished) a.state = PlayState::playing;
  place_followers(slot);
}

// Whether the end that a finished action holds must fade out in an action of its own, so that the action can be played
// anew without a jump.
bool MixerImpl::needs_remnant(std::uint32_t slot, double seconds) const {
  const ActionState& a = slots[slot].action;
  return a.state == PlayState::finished && a.contributes() && seconds > 0;
}

// Sees to the slot of a remnant, if one is needed, and to scratch memory. Returns false, with an error, if there is no
// slot. May move the actions in memory.
bool MixerImpl::prepare_fade_in(std::uint32_t slot, double seconds) {
  const bool leaves = needs_remnant(slot, seconds);
  if (leaves) {
    const std::optional<std::uint32_t> place = find_slot();
    if (!place) return last_error = full_error(), false;
    clear_slot(*place);
  }
  require_scratch(count_active() + (leaves || !slots[slot].action.active() ? 1 : 0));
  return true;
}

void MixerImpl::leave_remnant(std::uint32_t slot, double seconds, Easing easing) {
  const std::uint32_t free = slots.take();
  ActionState& remnant = slots[free].action;
  remnant = slots[slot].action;
  remnant.leader = {};
  remnant.separate = remnant.remnant = true;
  remnant.held = false;
  fade_out(free, seconds, easing, true);
}

bool MixerImpl::fade_in(std::uint32_t slot, double seconds, Easing easing, bool crossing) {
  if (!check_duration(seconds) || !prepare_fade_in(slot, seconds)) return false;
  ActionState& a = slots[slot].action;
  if (!a.contributes() || a.state == PlayState::finished) {
    if (needs_remnant(slot, seconds)) leave_remnant(slot, seconds, easing);
    start(slot);
    a.fade.set(0);
  }
  resume(slot);
  layers[a.layer].current = handle_of(slot);
  if (!exact::gets_to(a.fade, 1, seconds)) exact::start(a.fade, 1, seconds, easing);
  a.crossing = crossing && exact::running(a.fade);
  return true;
}

void MixerImpl::fade_out(std::uint32_t slot, double seconds, Easing easing, bool crossing) {
  if (!check_duration(seconds)) return;
  ActionState& a = slots[slot].action;
  if (!a.active()) return;
  if (seconds == 0 || !(exact::value(a.fade) > 0)) return stop(slot);
  if (crossing || a.leaving() || !exact::gets_to(a.fade, 0, seconds)) exact::start(a.fade, 0, seconds, easing);
  a.crossing = crossing;
}

void MixerImpl::change_loop(std::uint32_t slot, Loop loop, std::uint32_t repetitions) {
  ActionState& a = slots[slot].action;
  exact::set_playhead_loop(loop, repetitions, duration(a), a.head);
  place_followers(slot);
}

void MixerImpl::sync(std::uint32_t slot, ActionHandle leader) {
  for (std::optional<std::uint32_t> s = find(leader); s; s = find(slots[*s].action.leader)) {
    if (*s != slot) continue;
    return refuse(ErrorCode::cycle, "an action cannot follow itself, or one that follows it", "leader");
  }
  ActionState& a = slots[slot].action;
  a.leader = leader;
  if (root_leader(slot) == slot || !a.active()) return;
  join_leader(slot);
  place_followers(slot);
}

void MixerImpl::place_followers(std::uint32_t leader) {
  for (std::uint32_t s = 0; s < slots.live_end(); ++s) {
    ActionState& a = slots[s].action;
    if (s == leader || !slots.is_live(s) || a.state != PlayState::playing || a.leader.is_null()) continue;
    if (root_leader(s) == root_leader(leader)) join_leader(s);
  }
}

// Brings both to one pace. The outgoing action's speed is bent towards the pace of the incoming one, and that of the
// incoming from the outgoing's present pace to its own; both along lines, so that they agree all the way.
void MixerImpl::warp(std::uint32_t from, std::uint32_t to, double seconds, bool set_incoming) {
  ActionState& out = slots[from].action;
  ActionState& in = slots[to].action;
  const double out_duration = duration(out), in_duration = duration(in);
  if (!(out_duration > 0 && in_duration > 0) || !out.moves()) return;
  const double out_own = pace(out, 1, out_duration), out_now = pace(out, exact::value(out.warp), out_duration);
  const double in_own = pace(in, 1, in_duration);
  const double out_factor = in_own / out_own, in_factor = out_now / in_own;
  if (!same_way(out_own, in_own) || !same_way(out_now, in_own)) return;
  if (!is_finite(out_factor) || !is_finite(in_factor)) return;
  exact::start(out.warp, out_factor, seconds, Easing::linear);
  if (!set_incoming) return;
  in.warp.set(in_factor);
  exact::start(in.warp, 1, seconds, Easing::linear);
}

bool MixerImpl::cross_fade(std::optional<std::uint32_t> from, std::uint32_t to, double seconds,
                           const FadeOptions& options) {
  if (from == to) return true;
  if (!check_duration(seconds) || !prepare_fade_in(to, seconds)) return false;
  ActionState& in = slots[to].action;
  const std::uint32_t layer = in.layer;
  const bool fresh = !in.contributes() || in.state == PlayState::finished;
  const bool under_way = layers[layer].current == handle_of(to) && !fresh && exact::gets_to(in.fade, 1, seconds);

  // Who leaves; and who of them sets the pace.
  const std::uint32_t none = slots.size();
  std::uint32_t lead = none;
  double most = 0;
  for (std::uint32_t s = 0; s < slots.live_end(); ++s) {
    const ActionState& a = slots[s].action;
    if (s == to || !a.active()) continue;
    if (from ? s != *from && !(a.layer == layer && a.crossing) : a.layer != layer) continue;
    if (under_way && a.leaving() && exact::remaining(a.fade) <= seconds) continue;
    const bool sooner = exact::running_to(a.fade, 0) && !a.leaving() && exact::remaining(a.fade) <= seconds;
    if (!from && sooner) continue;
    const double size = static_cast<double>(a.weight) * exact::value(a.fade);
    if (size > most && (!from || s == *from)) {
      lead = s;
      most = size;
    }
    fade_out(s, seconds, options.easing, true);
  }
  fade_in(to, seconds, options.easing, true);
  if (under_way) return true;
  exact::start(in.warp, 1, seconds, Easing::linear);
  if (!options.warp || lead == none || seconds == 0 || !slots[lead].action.moves()) return true;
  if (fresh && root_leader(to) == to) {  // a follower has the phase of its leader
    place_in_phase(to, lead);
    place_followers(to);
  }
  warp(lead, to, seconds, fresh);
  for (std::uint32_t s = 0; s < slots.live_end(); ++s) {
    const ActionState& a = slots[s].action;
    if (s != to && s != lead && a.layer == layer && a.leaving()) warp(s, to, seconds, false);
  }
  return true;
}

// Returns the action of a clip, to be faded in over so many seconds, with the options set. Null, with an error and
// nothing changed, if that fails.
Action MixerImpl::prepare(const Clip& clip, std::uint32_t layer, const PlayOptions& options, double seconds) {
  if (options.speed && !check_speed(*options.speed)) return make_null_action();
  if (options.weight && !check_weight(*options.weight)) return make_null_action();
  const Action action = action_or_error(clip, layer);
  if (!action) return action;
  const std::uint32_t slot = action.handle().index - 1;
  if (!prepare_fade_in(slot, seconds)) return make_null_action();
  ActionState& a = slots[slot].action;
  a.speed = options.speed.value_or(a.speed);
  a.weight = options.weight.value_or(a.weight);
  if (options.loop || options.repetitions) {
    change_loop(slot, options.loop.value_or(a.head.loop), options.repetitions.value_or(a.head.repetitions));
  }
  return action;
}

Action MixerImpl::play_clip(const Clip& clip, std::uint32_t layer, const PlayOptions& options) {
  if (!check_duration(options.fade_in, "fade_in")) return make_null_action();
  const Action action = prepare(clip, layer, options, options.fade_in);
  if (!action) return action;
  const std::uint32_t slot = action.handle().index - 1;
  if (options.fade_in > 0) {
    fade_in(slot, options.fade_in, Easing::linear, false);
  } else {
    play(slot);
  }
  return action;
}

Action MixerImpl::cross_fade_to_clip(const Clip& clip, std::uint32_t layer, double seconds,
                                     const FadeOptions& options) {
  if (!check_duration(seconds)) return make_null_action();
  const Action action = prepare(clip, layer, {}, seconds);
  if (action) cross_fade(std::nullopt, action.handle().index - 1, seconds, options);
  return action;
}

Action MixerImpl::switch_to_clip(const Clip& clip, std::uint32_t layer, const PlayOptions& options) {
  if (!(options.fade_in == 0)) {
    return refuse(ErrorCode::invalid_argument, "a switch takes no time; use cross_fade_to", "fade_in"),
           make_null_action();
  }
  const Action action = prepare(clip, layer, options, 0);
  if (action) cross_fade(std::nullopt, action.handle().index - 1, 0, {});
  return action;
}

}  // namespace marrow
