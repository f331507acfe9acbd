// Events one by one: which happen, when, and in what order. Random ways are in event_reference_test.cpp, handlers in
// event_handler_test.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "marrow/play/event.h"
#include "mixer/scene.h"

namespace marrow {
namespace {

using test::Dial;

// A clip of two seconds with a mark in the middle and one at each end, given out of order.
struct EventStage {
  Dial dial;
  Clip clip = dial.clip(2);
  test::PosedMixer mixer;

  explicit EventStage(const MixerOptions& options = {}) : mixer(dial.skeleton, options) {
    set_marks(clip, {{1, "middle"}, {2, "end"}, {0, "start"}});
  }

  void set_marks(const Clip& of, const std::vector<Mark>& marks) {
    REQUIRE(mixer.set_marks(Marks::create(of, marks).value()).ok());
  }

  // The events of an update: "middle at 0.5, looped 2 at 1".
  std::string advance(double dt_s) {
    REQUIRE(mixer.advance(dt_s));
    return events();
  }
  [[nodiscard]] std::string events() const {
    std::string text;
    for (const Event& e : mixer.events()) {
      if (!text.empty()) text += ", ";
      text += e.kind == EventKind::mark ? std::string(e.name) : to_string(e.kind);
      if (e.kind == EventKind::looped) text.append(" ").append(std::to_string(e.count));
      std::string offset = std::to_string(e.offset_s + 0.0);  // no -0
      offset.erase(offset.find_last_not_of('0') + 1);
      if (offset.back() == '.') offset.pop_back();
      text += " at " + offset;
    }
    return text;
  }
};

TEST_CASE("the kinds of events have names") {
  CHECK(std::string(to_string(EventKind::mark)) == "mark");
  CHECK(std::string(to_string(EventKind::looped)) == "looped");
  CHECK(std::string(to_string(EventKind::finished)) == "finished");
}

TEST_CASE("an update fires the marks from where it begins to just before where it ends") {
  EventStage s;
  const Action action = s.mixer.play(s.clip);
  CHECK(s.advance(0.5) == "start at 0");
  CHECK(s.advance(0.5) == "");
  CHECK(s.advance(0.25) == "middle at 0");
  CHECK(s.advance(0.25) == "");
  action.seek(0.5);
  CHECK(s.advance(1) == "middle at 0.5");
  const Event& event = s.mixer.events()[0];
  CHECK(event.action == action);
  CHECK(event.mark == 0);
  CHECK(event.name == "middle");
  CHECK(event.weight == 1.0f);
  CHECK(event.count == 1);
}

TEST_CASE("offsets are in the mixer's time, whatever the speed") {
  EventStage s;
  s.mixer.play(s.clip, {.speed = 4}).seek(0.5);
  CHECK(s.advance(0.25) == "middle at 0.125");
  s.mixer.set_time_scale(0.5);
  CHECK(s.advance(0.5) == "end at 0.125, start at 0.125, looped 1 at 0.125");
}

TEST_CASE("a step of no time fires nothing and forgets what was; a refused one forgets nothing") {
  EventStage s;
  const Action action = s.mixer.play(s.clip);
  CHECK(s.advance(0) == "");
  CHECK(s.advance(0.5) == "start at 0");
  CHECK(!s.mixer.advance(std::nan("")));
  CHECK(s.events() == "start at 0");
  CHECK(s.advance(0) == "");
  s.mixer.set_time_scale(0);
  action.seek(1);
  CHECK(s.advance(5) == "");
  s.mixer.set_time_scale(1);
  action.set_speed(0);
  CHECK(s.advance(5) == "");
  action.set_speed(1).pause();
  CHECK(s.advance(5) == "");
  action.resume();
  CHECK(s.advance(0.5) == "middle at 0");
}

TEST_CASE("looped says how many ends were reached, at the first of them") {
  EventStage s;
  s.set_marks(s.clip, {});
  const Action action = s.mixer.play(s.clip);
  CHECK(s.advance(1.5) == "");
  CHECK(s.advance(7) == "looped 4 at 0.5");
  CHECK(action.passes() == 4);
  CHECK(action.time() == 0.5);
}

TEST_CASE("landing right on the end reaches it, once; the start belongs to the next pass") {
  EventStage s;
  const Action action = s.mixer.play(s.clip).seek(1.5);
  CHECK(s.advance(0.5) == "end at 0.5, looped 1 at 0.5");
  CHECK(s.advance(0.5) == "start at 0");
  action.seek(1.5);
  CHECK(s.advance(0.75) == "end at 0.5, start at 0.5, looped 1 at 0.5");
  CHECK(s.mixer.events()[2].mark == 0);
  CHECK(s.mixer.events()[2].name == "");
  SUBCASE("also backward") {
    action.set_speed(-1);
    action.seek(0.5);
    CHECK(s.advance(0.5) == "start at 0.5, looped 1 at 0.5");
    CHECK(s.advance(0.5) == "end at 0");
  }
  SUBCASE("turned round there, neither end is told of again") {
    action.seek(1.5);
    CHECK(s.advance(0.5) == "end at 0.5, looped 1 at 0.5");
    action.set_speed(-1);
    CHECK(s.advance(0.5) == "");
    CHECK(action.time() == 1.5);
  }
}

TEST_CASE("a negative step and a negative speed both go backward, and undo each other") {
  EventStage s;
  const Action action = s.mixer.play(s.clip).seek(1.5);
  CHECK(s.advance(-1) == "middle at -0.5");
  CHECK(s.advance(-1) == "end at -0.5, start at -0.5, looped 1 at -0.5");
  action.set_speed(-1).seek(1.5);
  CHECK(s.advance(1) == "middle at 0.5");
  CHECK(s.advance(-1) == "middle at -0.5");
  action.stop().play();
  CHECK(s.advance(0.5) == "end at 0");
}

TEST_CASE("a mark fires again for who turns round on it") {
  EventStage s;
  const Action action = s.mixer.play(s.clip).seek(0.5);
  CHECK(s.advance(0.5) == "");
  CHECK(s.advance(-0.5) == "middle at 0");
  CHECK(s.advance(0.5) == "");
  CHECK(s.advance(0.5) == "middle at 0");
  CHECK(s.advance(-0.5) == "");
  CHECK(action.time() == 1);
}

TEST_CASE("a turn of a ping-pong fires its mark once") {
  EventStage s;
  const Action action = s.mixer.play(s.clip, {.loop = Loop::ping_pong}).seek(1.5);
  CHECK(s.advance(0.75) == "end at 0.5, looped 1 at 0.5");
  CHECK(s.advance(2) == "middle at 0.75, start at 1.75, looped 1 at 1.75");
  SUBCASE("right on it, and going on") {
    action.seek(1.5);
    CHECK(s.advance(0.5) == "end at 0.5, looped 1 at 0.5");
    CHECK(s.advance(1.5) == "middle at 1");
  }
  SUBCASE("right on it, and going back") {
    action.seek(1.5);
    CHECK(s.advance(0.5) == "end at 0.5, looped 1 at 0.5");
    CHECK(s.advance(-1.5) == "middle at -1");
  }
  SUBCASE("right on it, and going back by less than a number can tell") {
    action.seek(1.5);
    CHECK(s.advance(0.5) == "end at 0.5, looped 1 at 0.5");
    CHECK(s.advance(-1e-20) == "");
    CHECK(s.advance(-0.5) == "");
  }
  SUBCASE("right on it, and made to repeat") {
    action.seek(1.5);
    CHECK(s.advance(0.5) == "end at 0.5, looped 1 at 0.5");
    action.set_loop(Loop::repeat);
    CHECK(s.advance(0.5) == "start at 0");
  }
  SUBCASE("whole passes back from the end") {
    action.set_speed(-1).stop().play();
    CHECK(s.advance(4) == "end at 0, middle at 1, start at 2, looped 2 at 2, middle at 3, end at 4");
    CHECK(s.advance(0.5) == "");
  }
}

TEST_CASE("once fires finished at its end, and then nothing more") {
  EventStage s;
  const Action action = s.mixer.play(s.clip, {.loop = Loop::once}).seek(1.5);
  SUBCASE("landing on it") {
    CHECK(s.advance(0.5) == "end at 0.5, finished at 0.5");
    CHECK(action.finished());
  }
  SUBCASE("going beyond it") { CHECK(s.advance(8) == "end at 0.5, finished at 0.5"); }
  SUBCASE("backward") {
    action.set_speed(-1);
    CHECK(s.advance(2) == "middle at 0.5, start at 1.5, finished at 1.5");
  }
  CHECK(s.advance(1) == "");
  CHECK(s.advance(-1) == "");
  action.set_speed(1).play();
  CHECK(s.advance(2.5) == "start at 0, middle at 1, end at 2, finished at 2");
}

TEST_CASE("the last of some passes is finished, those before looped") {
  EventStage s;
  s.set_marks(s.clip, {{1, "middle"}});
  const Action action = s.mixer.play(s.clip, {.loop = Loop::repeat, .repetitions = 3});
  CHECK(s.advance(2) == "middle at 1, looped 1 at 2");
  CHECK(s.advance(9) == "middle at 1, looped 1 at 2, middle at 3, finished at 4");
  CHECK(action.time() == 2);
  action.play();
  CHECK(s.advance(6) == "middle at 1, looped 2 at 2, middle at 3, middle at 5, finished at 6");
  const Event& event = s.mixer.events()[4];
  CHECK(event.action == action);
  CHECK(event.count == 1);
  CHECK(event.mark == 0);
  CHECK(event.name == "");
  action.set_loop(Loop::ping_pong, 2).play();
  CHECK(s.advance(9) == "middle at 1, looped 1 at 2, middle at 3, finished at 4");
  CHECK(action.time() == 0);
  CHECK(s.advance(9) == "");
  action.set_loop(Loop::repeat, 1).play();
  CHECK(s.advance(9) == "middle at 1, finished at 2");
}

TEST_CASE("a clip of no length never loops, and finishes with the first step") {
  EventStage s;
  const Clip still = s.dial.still(1, 0);
  s.set_marks(still, {{0, "only"}});
  const Action action = s.mixer.play(still);
  CHECK(s.advance(0) == "");
  CHECK(s.advance(5) == "only at 0");
  CHECK(s.advance(5) == "");
  action.set_loop(Loop::ping_pong).stop().play();
  CHECK(s.advance(-5) == "only at 0");
  CHECK(s.advance(5) == "");
  for (const Loop loop : {Loop::once, Loop::repeat, Loop::ping_pong}) {
    action.set_loop(loop, 3).stop().play();
    CHECK(s.advance(0) == "");
    CHECK(s.advance(0.25) == "only at 0, finished at 0");
    CHECK(s.advance(0.25) == "");
  }
}

TEST_CASE("events fire at any weight, and carry that of their moment") {
  EventStage s;
  const Action action = s.mixer.play(s.clip, {.weight = 0});
  CHECK(s.advance(1.5) == "start at 0, middle at 1");
  CHECK(s.mixer.events()[1].weight == 0.0f);
  action.stop().set_weight(0.5f).fade_in(2);
  CHECK(s.advance(2) == "start at 0, middle at 1, end at 2, looped 1 at 2");
  CHECK(s.mixer.events()[0].weight == 0.0f);
  CHECK(s.mixer.events()[1].weight == 0.25f);
  CHECK(s.mixer.events()[2].weight == 0.5f);
  action.seek(0.5).fade_out(1);
  CHECK(s.advance(0.75) == "middle at 0.5");
  CHECK(s.mixer.events()[0].weight == 0.25f);
}

TEST_CASE("an action that fades out within an update goes and fires up to there") {
  EventStage s;
  const Action action = s.mixer.play(s.clip).seek(1.5);
  action.fade_out(0.75);
  CHECK(s.advance(4) == "end at 0.5, start at 0.5, looped 1 at 0.5");
  CHECK(!action.active());
  CHECK(s.advance(4) == "");
  action.seek(0.5).play().fade_out(0.5);
  CHECK(s.advance(4) == "");
  action.set_speed(4).seek(0).play().fade_out(0.375);
  CHECK(s.advance(4) == "start at 0, middle at 0.25");
}

TEST_CASE("one that follows fires at its leader's pace, up to the end of either") {
  EventStage s;
  const Clip slow = s.dial.clip(4);
  const Action leader = s.mixer.play(slow);
  const Action action = s.mixer.play(s.clip, {.speed = 7}).sync_with(leader);
  SUBCASE("without any end") { CHECK(s.advance(3) == "start at 0, middle at 2"); }
  SUBCASE("it fades out") {
    action.fade_out(1);
    CHECK(s.advance(3) == "start at 0");
  }
  SUBCASE("the leader fades out") {
    leader.fade_out(1);
    CHECK(s.advance(3) == "start at 0, middle at 2");
    CHECK(action.time() == 1.5);
  }
  SUBCASE("the leader finishes") {
    leader.set_loop(Loop::once);
    CHECK(s.advance(8) == "start at 0, middle at 2, finished at 4, end at 4, looped 1 at 4");
    action.set_speed(1);
    CHECK(s.advance(0.5) == "start at 0");
  }
}

TEST_CASE("marks given anew count from then on, for all actions of the clip") {
  EventStage s;
  const Action a = s.mixer.play(s.clip), b = s.mixer.new_action(s.clip).value().seek(0.25).play();
  s.set_marks(s.clip, {{0.5, "half"}});
  CHECK(s.advance(1) == "half at 0.25, half at 0.5");
  CHECK(s.mixer.events()[0].action == b);
  CHECK(s.mixer.events()[1].action == a);
}

TEST_CASE("events are ordered by offset, slot, mark, and the ends come after the marks") {
  EventStage s;
  s.set_marks(s.clip, {{2, "c"}, {1, "b"}, {0, "a"}, {1, "d"}});
  const Action first = s.mixer.play(s.clip, {.loop = Loop::once}).seek(1);
  const Action second = s.mixer.new_action(s.clip).value().set_speed(-1).play().seek(1);
  CHECK(s.advance(1) == "b at 0, d at 0, b at 0, d at 0, c at 1, finished at 1, a at 1, looped 1 at 1");
  CHECK(s.mixer.events()[1].action == first);
  CHECK(s.mixer.events()[2].action == second);
  second.set_speed(1).seek(1.5);
  CHECK(s.advance(1) == "c at 0.5, a at 0.5, looped 1 at 0.5");
}

TEST_CASE("the earliest events are kept, the others counted") {
  EventStage s({.events = 2});
  CHECK(s.mixer.capacity().events == 2);
  s.mixer.play(s.clip);
  s.mixer.new_action(s.clip).value().seek(0.75).play();
  CHECK(s.advance(2) == "start at 0, middle at 0.25");
  CHECK(s.mixer.dropped_events() == 6);
  CHECK(s.advance(0) == "");
  CHECK(s.mixer.dropped_events() == 0);
}

TEST_CASE("of many marks at one time those given first are kept") {
  EventStage s({.events = 2});
  s.set_marks(s.clip, {{1, "a"}, {1, "b"}, {1, "c"}, {1, "d"}, {1, "e"}, {1, "f"}, {1, "g"}, {1, "h"}});
  const Action action = s.mixer.play(s.clip).seek(0.5);
  CHECK(s.advance(1) == "a at 0.5, b at 0.5");
  CHECK(s.mixer.dropped_events() == 6);
  CHECK(s.advance(-1) == "a at -0.5, b at -0.5");
  CHECK(s.mixer.dropped_events() == 6);
  // The end of a pass and the start of the next are one time too.
  s.set_marks(s.clip, {{0, "a"}, {2, "b"}, {2, "c"}, {2, "d"}, {2, "e"}, {2, "f"}, {2, "g"}, {0, "h"}});
  action.seek(1.5);
  CHECK(s.advance(1) == "a at 0.5, b at 0.5");
  CHECK(s.mixer.dropped_events() == 7);
}

TEST_CASE("with a capacity of 0 all events are counted") {
  EventStage s({.events = 0});
  s.mixer.play(s.clip);
  CHECK(s.advance(2.5) == "");
  CHECK(s.mixer.dropped_events() == 5);
}

TEST_CASE("a step of years costs no more than one of a frame, and is counted right") {
  EventStage s({.events = 4});
  const Action action = s.mixer.play(s.clip);
  CHECK(s.advance(2e9) == "start at 0, middle at 1, end at 2, start at 2");
  CHECK(s.mixer.dropped_events() == 3'000'000'000u + 1 - 4);
  CHECK(action.passes() == 1'000'000'000u);
  action.seek(1);
  CHECK(s.advance(-2e9) == "middle at 0, end at -1, start at -1, looped 1000000000 at -1");
  CHECK(s.mixer.dropped_events() == 3'000'000'000u + 1 - 4);
  action.set_loop(Loop::ping_pong).stop().play();
  CHECK(s.advance(2e9) == "start at 0, middle at 1, end at 2, looped 1000000000 at 2");
  CHECK(s.mixer.dropped_events() == 2'000'000'000u + 1 + 1 - 4);
  action.set_loop(Loop::repeat, 4'000'000'000u).stop().play();
  CHECK(s.advance(1e10) == "start at 0, middle at 1, end at 2, start at 2");
  CHECK(s.mixer.dropped_events() == 12'000'000'000u + 2 - 4);
  CHECK(action.finished());
}

TEST_CASE("after a step beyond all counting it plays on") {
  for (const Loop loop : {Loop::repeat, Loop::ping_pong}) {
    for (const double step : {1e300, -1e300}) {
      CAPTURE(step);
      EventStage s;
      const Action action = s.mixer.play(s.clip, {.loop = loop});
      for (int i = 0; i < 3; ++i) s.advance(step);
      action.seek(1.5);
      s.advance(4);
      CHECK(action.time() == 1.5);
      std::uint64_t marks = 0, loops = 0;
      for (const Event& e : s.mixer.events()) (e.kind == EventKind::mark ? marks : loops) += e.count;
      CHECK(loops == 2);
      CHECK(marks == (loop == Loop::repeat ? 6 : 4));
    }
  }
}

}  // namespace
}  // namespace marrow
