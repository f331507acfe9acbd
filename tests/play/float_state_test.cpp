// What play computes does not depend on the floating-point state of the host, and the host gets its state back.
#include "support/float_state.h"

#ifdef MARROW_TEST_FLOAT_STATES

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fixtures/random.h"
#include "marrow/play/event_list.h"
#include "marrow/play/marks.h"
#include "mixer/scene.h"

namespace marrow {
namespace {

// Numbers with the function that they come from.
class Numbers {
 public:
  void add(const char* function, double x) { list_.emplace_back(function, __builtin_bit_cast(std::uint64_t, x)); }
  void add(const char* function, std::uint64_t x) { list_.emplace_back(function, x); }
  void add(const char* function, ClipPlace place) {
    add(function, static_cast<std::uint64_t>(place.pass));
    add(function, place.rem);
  }
  void add(const char* function, const Travel& travel) {
    add(function, travel.from);
    add(function, travel.to);
    add(function, travel.distance);
    add(function, travel.ends);
    add(function, std::uint64_t{travel.finishes});
  }

  // Returns the functions whose numbers differ.
  [[nodiscard]] std::string differences(const Numbers& expected) const {
    if (list_.size() != expected.list_.size()) return "the number of results";
    std::string functions;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      const std::string function = std::string(list_[i].first) + " ";
      if (list_[i].second != expected.list_[i].second && functions.find(function) == std::string::npos) {
        functions += function;
      }
    }
    return functions;
  }

 private:
  std::vector<std::pair<const char*, std::uint64_t>> list_;
};

// Arguments with all bits of a double in use; with `scale`, small enough to be denormal.
struct Arguments {
  Arguments(test::Random& random, double scale) {
    duration = scale * random.range(0.1, 3);
    other_duration = scale * random.range(0.1, 3);
    seconds = scale * random.range(-5, 5);
    time = scale * random.range(-0.1, 3);
    head.place = {static_cast<std::int64_t>(random.below(7)) - 3, duration * random.unit()};
    head.loop = static_cast<Loop>(random.below(3));
    head.repetitions = random.below(4);
    direction = seconds < 0 ? -1 : 1;
    to = {head.place.pass + direction, duration * random.unit()};
    ramp = {random.unit(), random.unit(), other_duration * random.unit(), other_duration, Easing::linear};
    eased = ramp;
    eased.easing = static_cast<Easing>(1 + random.below(3));
  }
  double duration, other_duration, seconds, time;
  int direction;  // of seconds
  Playhead head;
  ClipPlace to;
  Ramp ramp, eased;
};

void call_playhead(const Arguments& a, Numbers& out) {
  Playhead head = a.head;
  out.add("advance_playhead", advance_playhead(head, a.seconds, a.duration));
  out.add("advance_playhead", head.place);
  const Travel travel = travel_by(a.head, a.seconds, a.duration);
  out.add("travel_by", travel);
  head = a.head;
  apply_travel(travel, a.duration, head);
  out.add("apply_travel", head.place);
  out.add("apply_travel", static_cast<std::uint64_t>(head.reached));
  out.add("travel_to", travel_to(a.head, a.to, a.direction, a.duration));
  head = a.head;
  seek_playhead(a.time, a.duration, head);
  out.add("seek_playhead", head.place);
  head = a.head;
  set_playhead_loop(head.loop == Loop::ping_pong ? Loop::repeat : Loop::ping_pong, 0, a.duration, head);
  out.add("set_playhead_loop", head.place);
  out.add("clip_time", clip_time(a.head, a.duration));
  out.add("clip_time(place)", clip_time(Loop::ping_pong, {1, a.head.place.rem}, a.duration));
  out.add("place_after", place_after(a.head.place, a.seconds, a.duration));
  out.add("rem_in_phase", rem_in_phase(a.head.place.rem, a.duration, a.other_duration));
  out.add("distance_along", distance_along(travel, a.to, a.duration));
}

void call_ramp(const Arguments& a, Numbers& out) {
  out.add("running", std::uint64_t{a.ramp.running()});
  out.add("running_to", std::uint64_t{a.ramp.running_to(a.ramp.to)});
  out.add("remaining", a.ramp.remaining());
  out.add("gets_to", std::uint64_t{a.ramp.gets_to(a.ramp.to, a.time)});
  out.add("value", a.eased.value());
  out.add("value_at", a.eased.value_at(a.time));
  out.add("integral", a.ramp.integral(a.time));
  Ramp ramp = a.eased;
  ramp.start(a.time, a.duration, Easing::linear);
  out.add("start", ramp.from);
  ramp = a.ramp;
  out.add("advance", std::uint64_t{ramp.advance(a.time)});
  out.add("advance", ramp.elapsed);
}

void call_events(const Arguments& a, const Marks& marks, EventList& events, std::vector<PassedMark>& passed,
                 Numbers& out) {
  const Travel travel = travel_by(a.head, a.seconds, marks.clip().duration());
  out.add("passed_marks", passed_marks(marks, travel, a.head.loop, 4, passed));
  for (const PassedMark& mark : passed) out.add("passed_marks", mark.distance);
  const auto add_all = [&](const char* function) {
    for (const Event& event : events.events()) {
      out.add(function, event.offset_s);
      out.add(function, std::uint64_t{__builtin_bit_cast(std::uint32_t, event.weight)});
    }
    events.clear();
  };
  events.add_events(travel, a.head.loop, marks.clip().duration(), &marks, {{1, 1}, a.seconds, 0.7f, a.ramp});
  add_all("add_events");
  Event event;
  for (const double offset : {a.duration, a.other_duration}) {
    event.offset_s = offset;
    events.add(event);
  }
  add_all("add");
}

TEST_CASE("playheads, ramps, marks and events do not depend on the floating-point state of the host") {
  const test::Dial dial;
  const Marks marks = Marks::create(dial.clip(0.7), std::vector<Mark>{{0.1, ""}, {0.3, ""}, {0.6, ""}}).value();
  test::Random random(5);
  std::vector<Arguments> arguments;
  for (int i = 0; i < 400; ++i) arguments.emplace_back(random, i % 4 == 0 ? 0x1p-1050 : 1.0);
  EventList events(8);
  std::vector<PassedMark> passed;
  const auto results = [&] {
    Numbers out;
    for (const Arguments& a : arguments) {
      call_playhead(a, out);
      call_ramp(a, out);
      call_events(a, marks, events, passed, out);
    }
    return out;
  };
  const Numbers expected = results();
  for (const test::FloatState state : test::kHostStates) {
    CAPTURE(state);
    Numbers actual;
    CHECK(test::run_under(state, [&] { actual = results(); }) == state);
    CHECK(actual.differences(expected) == "");
  }
}

TEST_CASE("a mark just before the clip is refused in every floating-point state") {
  const test::Dial dial;
  const Clip clip = dial.clip(1);
  const Mark mark = {-0x1p-1060, "early"};
  for (const test::FloatState state : test::kHostStates) {
    std::optional<Result<Marks>> marks;
    CHECK(test::run_under(state, [&] { marks.emplace(Marks::create(clip, {&mark, 1})); }) == state);
    CHECK(!marks->ok());
  }
}

}  // namespace
}  // namespace marrow

#endif
