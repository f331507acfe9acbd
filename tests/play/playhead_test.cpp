// Playheads and travels without a mixer.
#include "marrow/play/playhead.h"

#include <doctest/doctest.h>

#include <cmath>

#include "fixtures/random.h"
#include "src/play/time_arithmetic.h"

namespace marrow {
namespace {

TEST_CASE("remainders are exact, for numbers of any size") {
  test::Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const double a = std::ldexp(random.unit(), static_cast<int>(random.below(1200)) - 600);
    const double b = std::ldexp(random.unit() + 1e-9, static_cast<int>(random.below(1200)) - 600);
    REQUIRE(exact::remainder(a, b) == std::fmod(a, b));
  }
  CHECK(exact::remainder(1e308, 4e-324) == 0);
  CHECK(exact::remainder(3, 3) == 0);
  CHECK(exact::remainder(0, 3) == 0);
}

Playhead looping(Loop loop, std::uint32_t repetitions = 0) {
  Playhead head;
  head.loop = loop;
  head.repetitions = repetitions;
  return head;
}

TEST_CASE("a playhead that repeats wraps at the end of the clip, and counts the passes") {
  Playhead head;
  Travel way = advance_playhead(head, 1.5, 2);
  CHECK(clip_time(head, 2) == 1.5);
  CHECK(way.ends == 0);
  CHECK(way.distance == 1.5);
  way = advance_playhead(head, 1, 2);
  CHECK(clip_time(head, 2) == 0.5);
  CHECK(way.ends == 1);
  CHECK(head.passes == 1);
  way = advance_playhead(head, -1, 2);
  CHECK(clip_time(head, 2) == 1.5);
  CHECK(way.direction == -1);
  CHECK(head.passes == 2);
}

TEST_CASE("a playhead that plays once stands at the end, and its last travel finishes") {
  Playhead head = looping(Loop::once);
  CHECK(!advance_playhead(head, 1.9, 2).finishes);
  const Travel way = advance_playhead(head, 5, 2);
  CHECK(way.finishes);
  CHECK(way.to.rem == 2);
  CHECK(way.distance == 5);
  CHECK(clip_time(head, 2) == 2);
}

TEST_CASE("in ping-pong every other pass runs backward") {
  Playhead head = looping(Loop::ping_pong);
  advance_playhead(head, 2.5, 2);
  CHECK(clip_time(head, 2) == 1.5);
  CHECK(runs_backward(head.loop, head.place.pass));
  seek_playhead(0.25, 2, head);
  CHECK(clip_time(head, 2) == 0.25);
  advance_playhead(head, 0.75, 2);
  CHECK(clip_time(head, 2) == 0.5);
  CHECK(!runs_backward(head.loop, head.place.pass));
}

TEST_CASE("steps add up: the way of a step is that of its halves, whatever the loop") {
  test::Random random(7);
  for (int i = 0; i < 5000; ++i) {
    const Loop loops[] = {Loop::once, Loop::repeat, Loop::ping_pong};
    Playhead whole = looping(loops[random.below(3)], static_cast<std::uint32_t>(random.below(4)));
    const double duration = 0.125 * static_cast<double>(1 + random.below(32));
    // Multiples of 1/64, so that every sum is exact.
    seek_playhead(static_cast<double>(random.below(256)) / 64, duration, whole);
    Playhead halves = whole;
    const double sign = random.below(2) == 0 ? 1 : -1;
    const double a = sign * static_cast<double>(random.below(1024)) / 64,
                 b = sign * static_cast<double>(random.below(1024)) / 64;
    const Travel way = advance_playhead(whole, a + b, duration);
    const Travel first = advance_playhead(halves, a, duration);
    CAPTURE(i);
    if (first.finishes) continue;  // another step would start a further pass
    const Travel second = advance_playhead(halves, b, duration);
    CHECK(way.ends == first.ends + second.ends);
    CHECK(clip_time(whole, duration) == clip_time(halves, duration));
    CHECK(way.finishes == second.finishes);
  }
}

TEST_CASE("a clip of no length finishes with the first step, and never leaves its place") {
  Playhead head = looping(Loop::once);
  CHECK(advance_playhead(head, 0.1, 0).finishes);
  CHECK(clip_time(head, 0) == 0);
  Playhead endless;
  CHECK(advance_playhead(endless, 1e30, 0).ends == 0);
}

TEST_CASE("a step of years is exact, and takes no time") {
  Playhead head;
  const double years = 1e9 * 3 + 0.5;
  const Travel way = advance_playhead(head, years, 3);
  CHECK(way.ends == 1'000'000'000u);
  CHECK(clip_time(head, 3) == 0.5);
}

TEST_CASE("rewinding puts a playhead at the start, or backward at the end") {
  Playhead head;
  advance_playhead(head, 5, 2);
  rewind_playhead(false, 2, head);
  CHECK(clip_time(head, 2) == 0);
  CHECK(head.passes == 0);
  rewind_playhead(true, 2, head);
  CHECK(clip_time(head, 2) == 2);
  CHECK(advance_playhead(head, -0.5, 2).ends == 0);
  CHECK(clip_time(head, 2) == 1.5);
}

}  // namespace
}  // namespace marrow
