// Moving all actions of a mixer by a step of time.
#include <algorithm>
#include <limits>

#include "src/mixer/mixer_impl.h"

namespace marrow {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

// Returns the largest number instead of infinity, and 0 instead of NaN, the result of 0 times infinity.
double bounded(double x) { return x != x ? 0 : std::clamp(x, -kLargest, kLargest); }

// The way of an action that goes in step with another.
Travel travel_along(const ActionState& a, double duration, const ActionState& leader, const Travel& way,
                    double leader_duration) {
  if (way.direction == 0) return {};
  const auto scaled = [&](double rem) { return exact::rem_in_phase(rem, leader_duration, duration); };
  Playhead head = a.head;
  head.place.rem = scaled(leader.head.place.rem);
  ClipPlace to = {clamp_pass(head.place.pass + (way.to.pass - leader.head.place.pass)), scaled(way.to.rem)};
  if (way.finishes && to.rem == duration) to = {to.pass + 1, 0};  // where the leader ends, this one only lands
  Travel along = exact::travel_to(head, to, way.direction, duration);
  along.distance = std::max(along.distance, scaled(way.distance));  // of the whole step, beyond the end of the leader
  return along;
}

}  // namespace

bool MixerImpl::advance(double dt_s) {
  if (!is_finite(dt_s)) return refuse(ErrorCode::not_finite, "the time step is not finite", "dt_s"), false;
  if (dispatching)
    return refuse(ErrorCode::invalid_argument, "an event handler cannot advance its own mixer", ""), false;
  events.clear();
  named_marks.clear();
  root_motion = {};
  const double dt = bounded(dt_s * time_scale);
  if (dt != 0) move_all(dt);
  return true;
}

void MixerImpl::move_all(double dt) {
  for (LayerState& layer : layers) exact::advance(layer.weight, dt);
  const auto way_over = [&](const ActionState& a, double seconds) {
    return a.moves() ? exact::travel_by(a.head, bounded(a.speed * exact::integral(a.warp, seconds)), duration(a))
                     : Travel();
  };

  for (std::uint32_t s = 0; s < slots.live_end(); ++s) {
    const ActionState& a = slots[s].action;
    if (!a.active()) continue;
    Step& step = steps[s];
    step.dt = dt > 0 && exact::running_to(a.fade, 0) ? std::min(dt, exact::remaining(a.fade)) : dt;
    step.way = way_over(a, step.dt);
  }
  for (std::uint32_t s = 0; s < slots.live_end(); ++s) {
    const ActionState& a = slots[s].action;
    if (!a.moves() || a.leader.is_null()) continue;
    const std::uint32_t c = root_leader(s);
    const ActionState& leader = slots[c].action;
    if (c == s || !(duration(a) > 0 && duration(leader) > 0)) continue;
    // Where the fade-out of one of them ends within the update, the leader's way is not as long as that of this one.
    const Travel way = steps[s].dt == steps[c].dt ? steps[c].way : way_over(leader, steps[s].dt);
    steps[s].way = travel_along(a, duration(a), leader, way, duration(leader));
  }

  RootSum sum;
  for (std::uint32_t s = 0; s < slots.live_end(); ++s) {
    ActionState& a = slots[s].action;
    if (!a.active()) continue;
    const Step& step = steps[s];
    const std::optional<Marks>& marks = clips[a.clip].marks;
    if (step.way.ends != 0 || (step.way.direction != 0 && marks)) {
      events.add_events(step.way, a.head.loop, duration(a), marks ? &*marks : nullptr,
                        {handle_of(s), step.dt, a.weight, a.fade});
    }
    const bool roots = root && a.layer == 0;
    const PlanarMotion motion =
        roots ? planar_motion(root->data(), clips[a.clip].root->data(), step.way, a.head.loop, duration(a))
              : PlanarMotion();
    exact::apply_travel(step.way, duration(a), a.head);
    if (step.way.finishes) a.state = PlayState::finished;
    exact::advance(a.warp, dt);
    const bool faded = exact::advance(a.fade, dt);
    if (faded) a.crossing = false;
    if (faded && a.fade.to == 0) {
      stop(s);
    } else if (roots && a.contributes()) {
      sum.add(motion, clips[a.clip].root->data(), static_cast<double>(a.weight), exact::value(a.fade),
              layers[0].fill == Fill::weight);
    }
  }
  if (root) {
    const LayerState& base = layers[0];
    const float mask = base.mask == 0 ? 1.0f : masks[base.mask - 1].mask[root->options().joint];
    root_motion = sum.total(root->data(), exact::value(base.weight) * static_cast<double>(mask));
  }
}

void MixerImpl::dispatch() {
  if (!handler || events.events().empty()) return;
  // The handler may put another in its place; it must live until it returns.
  struct Scope {
    MixerImpl& mixer;
    Mixer::EventHandler running;
    explicit Scope(MixerImpl& m) : mixer(m), running(std::move(m.handler)) {
      mixer.dispatching = true;
      mixer.handler_replaced = false;
    }
    ~Scope() {
      mixer.dispatching = false;
      if (!mixer.handler_replaced) mixer.handler = std::move(running);
    }
  };
  Scope scope(*this);
  for (std::size_t i = 0; i < events.events().size(); ++i) {
    const Event event = events.events()[i];
    scope.running(event);
    if (!handler_replaced) continue;
    if (!handler) return;
    scope.running = std::move(handler);
    handler_replaced = false;
  }
}

}  // namespace marrow
