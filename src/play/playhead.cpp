#include "marrow/play/playhead.h"

#include <algorithm>
#include <limits>

#include "src/play/imports.h"
#include "src/play/time_arithmetic.h"

namespace marrow {
namespace {

constexpr double kMostPairs = 0x1p60;

// The end of the clip at which a pass ends, going forward; going backward it is the other.
ClipEnd end_of_pass(Loop loop, std::int64_t pass, int direction) {
  return runs_backward(loop, pass) == (direction > 0) ? ClipEnd::start : ClipEnd::end;
}

// Where a way begins: a playhead on an end of the clip that an earlier way has covered has that pass behind it.
ClipPlace start_of_way(const Playhead& head, int direction, double duration) {
  const ClipPlace p = head.place;
  if (head.reached != ClipEnd::none) {
    if (direction > 0 && p.rem == duration) return {clamp_pass(p.pass + 1), 0};
    if (direction < 0 && p.rem == 0) return {clamp_pass(p.pass - 1), duration};
  }
  return p;
}

Travel travel(const Playhead& head, ClipPlace from, ClipPlace to, int direction, double distance, double duration) {
  Travel way;
  way.from = from;
  way.to = to;
  way.direction = direction;
  way.distance = distance;
  const ClipEnd from_end = from.rem == 0          ? end_of_pass(head.loop, from.pass, -1)
                           : from.rem == duration ? end_of_pass(head.loop, from.pass, 1)
                                                  : ClipEnd::none;
  way.from_reached = head.reached != ClipEnd::none && head.reached == from_end;
  const std::int64_t crossed = direction > 0 ? to.pass - from.pass : from.pass - to.pass + (to.rem == 0 ? 1 : 0);
  way.ends = static_cast<std::uint64_t>(crossed);

  const std::uint64_t repetitions = head.loop == Loop::once ? 1 : head.repetitions;
  if (repetitions == 0) return way;
  const std::uint64_t left = repetitions > head.passes ? repetitions - head.passes : 1;
  if (way.ends < left) return way;
  way.ends = left;
  way.finishes = true;
  const auto passes = static_cast<std::int64_t>(left - 1);
  way.to = direction > 0 ? ClipPlace{from.pass + passes, duration} : ClipPlace{from.pass - passes, 0};
  return way;
}

// A clip of no length is at its only place for ever; a last pass of it ends with the first step.
Travel travel_nowhere(const Playhead& head, int direction, double distance) {
  Travel way;
  way.from = way.to = head.place;
  way.direction = direction;
  way.distance = distance;
  way.from_reached = head.reached != ClipEnd::none;
  way.finishes = head.loop == Loop::once || head.repetitions != 0;
  way.ends = way.finishes ? 1 : 0;
  return way;
}

}  // namespace

std::int64_t clamp_pass(std::int64_t pass) { return std::clamp(pass, -kMostPasses, kMostPasses); }

bool runs_backward(Loop loop, std::int64_t pass) { return loop == Loop::ping_pong && (pass & 1) != 0; }

namespace exact {

double remainder(double a, double b) {
  // Long division: every step takes away the divisor times a power of two. All of it is exact.
  double step = b;
  while (step <= 0.5 * a) step *= 2;
  for (;;) {
    if (a >= step) a -= step;
    if (a < b) return a;
    step *= 0.5;
  }
}

double clip_time(Loop loop, ClipPlace place, double duration) {
  return runs_backward(loop, place.pass) ? duration - place.rem : place.rem;
}

double clip_time(const Playhead& head, double duration) { return exact::clip_time(head.loop, head.place, duration); }

ClipPlace place_after(ClipPlace place, double delta, double duration) {
  const double size = delta < 0 ? -delta : delta;
  double within = size;
  std::int64_t passes = 0;
  if (size >= duration) {
    // In pairs of passes, so that even where there are too many to count it stays clear which way the last one goes.
    within = remainder(size, 2 * duration);
    const double pairs = (size - within) / (2 * duration);
    // A whole number but for rounding, which must not take it to the one below.
    passes = pairs < kMostPairs ? 2 * static_cast<std::int64_t>(pairs + 0.25) : kMostPasses;
    if (within >= duration) {
      within -= duration;
      ++passes;
    }
  }
  if (delta < 0) {
    place.pass = clamp_pass(place.pass - passes);
    place.rem -= within;
    if (place.rem < 0) {
      place.rem += duration;
      place.pass = clamp_pass(place.pass - 1);
      ++passes;
    }
    // By rounding, or whole passes from the end of one: the start of a pass, not the end of that before.
    if (place.rem == duration && passes > 0) place = {clamp_pass(place.pass + 1), 0};
  } else {
    place.pass = clamp_pass(place.pass + passes);
    place.rem += within;
    if (place.rem >= duration) {
      place.rem -= duration;
      place.pass = clamp_pass(place.pass + 1);
    }
  }
  return place;
}

Travel travel_by(const Playhead& head, double delta, double duration) {
  if (delta == 0) return {};
  const int direction = delta > 0 ? 1 : -1;
  const double distance = delta > 0 ? delta : -delta;
  if (duration == 0) return travel_nowhere(head, direction, distance);
  const ClipPlace from = start_of_way(head, direction, duration);
  return travel(head, from, exact::place_after(from, delta, duration), direction, distance, duration);
}

Travel travel_to(const Playhead& head, ClipPlace to, int direction, double duration) {
  const ClipPlace from = start_of_way(head, direction, duration);
  const double ahead = (static_cast<double>(to.pass - from.pass) * duration + (to.rem - from.rem)) * direction;
  if (!(ahead > 0)) return {};  // a hair behind, by rounding
  return travel(head, from, to, direction, ahead, duration);
}

double rem_in_phase(double rem, double duration, double other_duration) { return rem / duration * other_duration; }

void apply_travel(const Travel& way, double duration, Playhead& head) {
  if (way.direction == 0) return;
  // The step is too small to leave the place: the place stays covered.
  if (duration > 0 && way.ends == 0 && way.to.pass == way.from.pass && way.to.rem == way.from.rem) return;
  head.place = way.to;
  // Only the parity matters: folding the pass keeps it from overflowing.
  if (head.place.pass > kMostPasses / 2 || head.place.pass < -kMostPasses / 2) head.place.pass &= 1;
  head.passes += std::min(way.ends, std::numeric_limits<std::uint64_t>::max() - head.passes);
  head.reached = ClipEnd::none;
  if (duration == 0) {
    head.reached = ClipEnd::start;
  } else if (way.direction > 0) {
    if (way.finishes) {
      head.reached = end_of_pass(head.loop, way.to.pass, 1);
    } else if (way.to.rem == 0) {
      head.reached = end_of_pass(head.loop, way.to.pass - 1, 1);
    }
  } else if (way.to.rem == 0) {
    head.reached = end_of_pass(head.loop, way.to.pass, -1);
  }
}

void seek_playhead(double time_s, double duration, Playhead& head) {
  const double time = std::clamp(time_s, 0.0, duration);
  head.place.rem = runs_backward(head.loop, head.place.pass) ? duration - time : time;
  head.reached = ClipEnd::none;
}

void set_playhead_loop(Loop loop, std::uint32_t repetitions, double duration, Playhead& head) {
  if ((loop == Loop::ping_pong) != (head.loop == Loop::ping_pong)) {
    head.place = {0, exact::clip_time(head.loop, head.place, duration)};  // in a pass that runs forward
  }
  head.loop = loop;
  head.repetitions = repetitions;
}

double distance_along(const Travel& way, ClipPlace place, double duration) {
  if (place.rem == duration) place = {place.pass + 1, 0};  // one place, one distance
  const double passes = static_cast<double>(place.pass - way.from.pass) * duration;
  const double distance = (passes + (place.rem - way.from.rem)) * way.direction;
  return distance > 0 ? distance : 0;
}

}  // namespace exact

Travel advance_playhead(Playhead& head, double seconds, double duration) {
  return exactly([&] {
    const Travel way = exact::travel_by(head, seconds, duration);
    exact::apply_travel(way, duration, head);
    return way;
  });
}
Travel travel_by(const Playhead& head, double seconds, double duration) {
  return exactly([&] { return exact::travel_by(head, seconds, duration); });
}
void apply_travel(const Travel& travel, double duration, Playhead& head) {
  exactly([&] { exact::apply_travel(travel, duration, head); });
}
Travel travel_to(const Playhead& head, ClipPlace to, int direction, double duration) {
  return exactly([&] { return exact::travel_to(head, to, direction, duration); });
}
void rewind_playhead(bool backward, double duration, Playhead& head) {
  head.place = {0, backward ? duration : 0};
  head.passes = 0;
  head.reached = ClipEnd::none;
}
void seek_playhead(double time_s, double duration, Playhead& head) {
  exactly([&] { exact::seek_playhead(time_s, duration, head); });
}
void set_playhead_loop(Loop loop, std::uint32_t repetitions, double duration, Playhead& head) {
  exactly([&] { exact::set_playhead_loop(loop, repetitions, duration, head); });
}
double clip_time(Loop loop, ClipPlace place, double duration) {
  return exactly([&] { return exact::clip_time(loop, place, duration); });
}
double clip_time(const Playhead& head, double duration) {
  return exactly([&] { return exact::clip_time(head, duration); });
}
ClipPlace place_after(ClipPlace place, double seconds, double duration) {
  return exactly([&] { return exact::place_after(place, seconds, duration); });
}
double rem_in_phase(double rem, double duration, double other_duration) {
  return exactly([&] { return exact::rem_in_phase(rem, duration, other_duration); });
}
double distance_along(const Travel& travel, ClipPlace place, double duration) {
  return exactly([&] { return exact::distance_along(travel, place, duration); });
}

}  // namespace marrow
