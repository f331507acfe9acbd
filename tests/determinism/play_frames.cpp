// Time without a mixer: playheads, ramps, marks, events and root motion, by steps that no duration is a multiple of.
#include <cstdlib>
#include <span>

#include "golden.h"
#include "marrow/core/hash.h"
#include "marrow/play/event_list.h"
#include "marrow/play/root_motion.h"

namespace marrow::golden {
namespace {

void add_number(Hasher& hasher, double x) { hasher.add(std::as_bytes(std::span(&x, 1))); }

void add_place(Hasher& hasher, ClipPlace place) {
  hasher.add(static_cast<std::uint64_t>(place.pass));
  add_number(hasher, place.rem);
}

void add_travel(Hasher& hasher, const Travel& travel) {
  add_place(hasher, travel.from);
  add_place(hasher, travel.to);
  hasher.add(static_cast<std::uint64_t>(travel.direction + 1));
  add_number(hasher, travel.distance);
  hasher.add(std::uint64_t{travel.from_reached} << 1 | std::uint64_t{travel.finishes});
  hasher.add(travel.ends);
}

void add_events(Hasher& hasher, const EventList& events) {
  for (const Event& event : events.events()) {
    hasher.add(static_cast<std::uint64_t>(event.kind));
    hasher.add(event.count << 8 | event.mark);
    add_number(hasher, event.offset_s);
    hasher.add({&event.weight, 1});
  }
  hasher.add(events.dropped());
}

void add_ramp(Hasher& hasher, const Ramp& ramp, double seconds) {
  for (const double x : {ramp.elapsed, ramp.value(), ramp.value_at(seconds), ramp.remaining()}) add_number(hasher, x);
  if (ramp.easing == Easing::linear) add_number(hasher, ramp.integral(seconds));
  hasher.add(std::uint64_t{ramp.running()} << 2 | std::uint64_t{ramp.running_to(0)} << 1 |
             std::uint64_t{ramp.gets_to(0, seconds)});
}

}  // namespace

void hash_play(const Scene& scene, Hasher& hasher) {
  // Numbers are not even compared here, only by the library. The smallest are denormal.
  const double steps[] = {0.0166666, 0.1, -0.07, 1e-310, 0.3, 13.7, -2.9, 0.0333333, -3e-320, 0.7};
  const int directions[] = {1, 1, -1, 1, 1, 1, -1, 1, -1, 1};
  const double lengths[] = {0.3, 1.1, 5e-324, 2.7, 0.9, 1e-300, 0.7};
  const Clip& clip = scene.clips[0];
  const double duration = clip.duration();
  const Mark list[] = {{0.0, "start"}, {0.1, "left"}, {0.6, "right"}, {0.1, "sound"}};
  const Result<Marks> marks = Marks::create(clip, list);
  const Result<RootSetup> setup = RootSetup::create(scene.skeleton, {});
  if (!marks || !setup) std::abort();
  const RootCurve curve(scene.skeleton, clip, 0);
  EventList events(8);
  for (const Loop loop : {Loop::once, Loop::repeat, Loop::ping_pong}) {
    for (std::uint32_t repetitions : {0u, 3u}) {
      Playhead head;
      set_playhead_loop(loop, repetitions, duration, head);
      Ramp ramp;
      ramp.set(0.1);
      for (std::size_t frame = 0; frame < 300; ++frame) {
        const double dt = steps[frame % 10], length = lengths[frame % 7];
        if (frame % 17 == 0) ramp.start(frame % 2 == 0 ? 0 : 0.9, length, static_cast<Easing>(frame / 17 % 4));
        if (frame % 29 == 0) seek_playhead(length, duration, head);
        if (frame % 41 == 0) rewind_playhead(frame % 2 == 0, duration, head);
        add_travel(hasher, travel_to(head, place_after(head.place, dt, duration), directions[frame % 10], duration));
        const Travel travel = advance_playhead(head, dt, duration);
        add_travel(hasher, travel);
        add_number(hasher, clip_time(head, duration));
        add_number(hasher, rem_in_phase(head.place.rem, duration, length));
        add_number(hasher, distance_along(travel, head.place, duration));
        events.clear();
        events.add_events(travel, loop, duration, &*marks, {{1, 1}, dt, 0.7f, ramp});
        add_events(hasher, events);
        add_ramp(hasher, ramp, length);
        hasher.add(std::uint64_t{ramp.advance(dt)});
        const RootMotion motion = root_motion(*setup, curve, travel, loop, duration);
        hasher.add({&motion.translation.x, 3});
        hasher.add({&motion.rotation.x, 4});
      }
    }
  }
}

}  // namespace marrow::golden
