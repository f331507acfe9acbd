// Events of a travel without a mixer.
#include "marrow/play/event_list.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "mixer/scene.h"

namespace marrow {
namespace {

struct Steps {
  test::Dial dial;
  Clip clip = dial.clip(2);
  Marks marks = Marks::create(clip, std::vector<Mark>{{1.5, "right"}, {0.5, "left"}}).value();
  Playhead head;
  EventList events{8};

  // The events of a step, as "name@offset".
  std::string step(double dt, const EventSource& source = {}) {
    events.clear();
    EventSource of = source;
    of.dt_s = dt;
    const Travel way = advance_playhead(head, dt, clip.duration());
    events.add_events(way, head.loop, clip.duration(), &marks, of);
    std::string text;
    for (const Event& event : events.events()) {
      const std::string name(event.kind == EventKind::mark ? std::string(event.name) : to_string(event.kind));
      text += name + "@" + std::to_string(event.offset_s).substr(0, 4) + " ";
    }
    return text;
  }
};

TEST_CASE("a step has the events that its way passes, in order of time") {
  Steps s;
  CHECK(s.step(1) == "left@0.50 ");
  CHECK(s.step(1) == "right@0.50 looped@1.00 ");
  CHECK(s.step(2) == "left@0.50 right@1.50 looped@2.00 ");
  CHECK(s.step(0) == "");
  CHECK(s.step(-1) == "right@-0.5 ");
}

TEST_CASE("steps that meet at a mark report it once") {
  Steps s;
  CHECK(s.step(0.5) == "");
  CHECK(s.step(0.5) == "left@0.00 ");
}

TEST_CASE("the last pass reports that it finished, at the moment when it did") {
  Steps s;
  s.head.loop = Loop::once;
  CHECK(s.step(3) == "left@0.50 right@1.50 finished@2.00 ");
}

TEST_CASE("an event has the weight that a fade gives it at its moment, and says what played") {
  Steps s;
  Ramp fade;
  fade.set(0);
  fade.start(1, 2, Easing::linear);
  s.step(1, {{3, 4}, 0, 0.5f, fade});
  REQUIRE(s.events.events().size() == 1);
  CHECK(s.events.events()[0].weight == 0.125f);
  CHECK(s.events.events()[0].action == ActionHandle{3, 4});
}

TEST_CASE("a full list keeps the earliest events, and counts the others") {
  Steps s;
  const Travel way = advance_playhead(s.head, 2e6, 2);
  s.events.add_events(way, s.head.loop, 2, &s.marks, {{1, 1}, 2e6, 1, {}});
  CHECK(s.events.events().size() == 8);
  CHECK(s.events.events()[0].offset_s == 0.5);
  CHECK(s.events.events()[7].offset_s == 6.5);  // the loops are one event
  CHECK(s.events.dropped() == 2'000'001u - 8);
}

TEST_CASE("marks can be had without events") {
  Steps s;
  std::vector<PassedMark> passed;
  CHECK(passed_marks(s.marks, advance_playhead(s.head, 3, 2), s.head.loop, 16, passed) == 3);
  REQUIRE(passed.size() == 3);
  CHECK(passed[2].mark == 1);
  CHECK(passed[2].distance == 2.5);
}

}  // namespace
}  // namespace marrow
