// What an event handler is told, and what it may do to the mixer that tells.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "mixer/scene.h"

namespace marrow {
namespace {

using test::Dial;

// Three marks within a second of playing; the handler that a test sets does `act` with the first event, and notes all.
struct Told {
  Dial dial;
  Clip clip = dial.clip(2), other = dial.clip(4);
  test::PosedMixer mixer;
  std::string names;

  explicit Told(const MixerOptions& options = {.actions = 2, .layers = 1, .events = 8})
      : mixer(dial.skeleton, options) {
    // Too long to be kept inside a string: a name that is gone is found out by the sanitizer.
    const Mark marks[] = {
        {0.25, "the first of three names"}, {0.5, "the second of three names"}, {0.75, "the third of three names"}};
    REQUIRE(mixer.set_marks(Marks::create(clip, marks).value()).ok());
    mixer.play(clip);
  }

  template <typename Act>
  std::string after_first(const Act& act) {
    names.clear();
    mixer.on_event([this, &act](const Event& event) {
      if (event.kind != EventKind::mark) return;
      names += std::string(event.name).substr(4, 3) + " ";
      if (names == "fir ") act(event);
    });
    CHECK(mixer.update(1));
    return names;
  }
};

TEST_CASE("the handler is called with the events of the update, in order, and not without any") {
  Told t;
  CHECK(t.after_first([](const Event&) {}) == "fir sec thi ");
  CHECK(t.mixer.events().size() == 3);
  t.mixer.update(0);
  t.mixer.update(0.5);
  CHECK(t.names == "fir sec thi ");
  t.mixer.on_event(nullptr);
  t.mixer.update(2);
  CHECK(t.names == "fir sec thi ");
}

TEST_CASE("a handler sees the actions where the update has left them, before the pose is written") {
  Told t;
  t.after_first([&](const Event& event) {
    CHECK(t.mixer.action(event.action).time() == 1);
    t.mixer.action(event.action).seek(1.5);
  });
  CHECK(test::x_of(t.mixer) == 1.5f);
}

TEST_CASE("a handler may start, stop, fade and release") {
  Told t;
  Action action = t.mixer.clip_action(t.clip).value();
  SUBCASE("start another") {
    CHECK(t.after_first([&](const Event&) { t.mixer.play(t.other); }) == "fir sec thi ");
    CHECK(t.mixer.clip_action(t.other).value().time() == 0);
  }
  SUBCASE("stop") {
    CHECK(t.after_first([&](const Event& event) { t.mixer.action(event.action).stop(); }) == "fir sec thi ");
    CHECK(!action.active());
  }
  SUBCASE("crossfade") {
    CHECK(t.after_first([&](const Event&) { t.mixer.cross_fade_to(t.other, 1); }) == "fir sec thi ");
    t.mixer.update(0.5);
    CHECK(action.fade() == 0.5f);
    CHECK(t.mixer.clip_action(t.other).value().fade() == 0.5f);
  }
  SUBCASE("release, and take the slot anew") {
    CHECK(t.after_first([&](const Event& event) {
      t.mixer.release(t.mixer.action(event.action));
      CHECK(!t.mixer.action(event.action));
      for (int i = 0; i < 6; ++i) t.mixer.release(t.mixer.play(t.dial.clip(3)));  // forgets the clip and its marks
    }) == "fir sec thi ");
    for (const Event& event : t.mixer.events()) CHECK(!t.mixer.action(event.action));
    CHECK(t.mixer.update(1));
  }
}

TEST_CASE("a handler may reserve more, and give other marks") {
  Told t;
  SUBCASE("capacity") {
    CHECK(t.after_first([&](const Event& event) {
      t.mixer.reserve({.actions = 200, .layers = 3, .events = 500});
      for (int i = 0; i < 100; ++i) t.mixer.new_action(t.clip).value().play();
      CHECK(event.name == "the first of three names");
    }) == "fir sec thi ");
    CHECK(t.mixer.capacity().events == 500);
    CHECK(t.mixer.update(1));
  }
  SUBCASE("marks") {
    const Mark one[] = {{0.5, "the new one"}};
    const Marks marks = Marks::create(t.clip, one).value(), none = Marks::create(t.clip, {}).value();
    REQUIRE(t.mixer.set_marks(marks).ok());
    t.mixer.on_event([&](const Event&) { CHECK(t.mixer.set_marks(none).ok()); });
    t.mixer.update(1);
    CHECK(t.mixer.events()[0].name == "the new one");
    t.mixer.update(2);
    CHECK(t.mixer.events().size() == 1);
    CHECK(marks.data().use_count() == 1);  // names are kept no longer than until the next update
  }
  SUBCASE("marks, with more events to come") {
    CHECK(t.after_first([&](const Event&) { CHECK(t.mixer.set_marks(Marks::create(t.clip, {}).value()).ok()); }) ==
          "fir sec thi ");
    CHECK(t.mixer.events()[2].name == "the third of three names");
  }
}

TEST_CASE("a handler may put another in its place") {
  Told t;
  int calls = 0;
  // What the handler owns must live until it returns.
  t.mixer.on_event([&t, &calls, own = std::string("too long to be kept inside")](const Event&) {
    t.mixer.on_event([&calls](const Event&) { calls += 100; });
    ++calls;
    CHECK(own == "too long to be kept inside");
  });
  t.mixer.update(1);
  CHECK(calls == 201);  // from the next event on
  calls = 0;
  t.mixer.update(2);
  CHECK(calls == 400);  // three marks and the loop
  t.mixer.on_event([&t, &calls](const Event&) {
    t.mixer.on_event(nullptr);
    ++calls;
  });
  calls = 0;
  t.mixer.update(2);
  CHECK(calls == 1);
}

TEST_CASE("a handler may restore a snapshot, which ends the telling") {
  Told t;
  std::vector<std::byte> block(t.mixer.snapshot_size());
  const Action action = t.mixer.clip_action(t.clip).value();
  action.seek(0.125);
  REQUIRE(t.mixer.save(block).ok());
  CHECK(t.after_first([&](const Event&) { CHECK(t.mixer.restore(block).ok()); }) == "fir ");
  CHECK(t.mixer.events().empty());
  CHECK(t.mixer.dropped_events() == 0);
  CHECK(action.time() == 0.125);
  t.mixer.update(0.25);
  CHECK(t.mixer.events().size() == 1);
}

TEST_CASE("a snapshot keeps in mind which end was told of") {
  for (const Loop loop : {Loop::repeat, Loop::ping_pong}) {
    Told t;
    const Mark marks[] = {{0, "start"}, {2, "end"}};
    REQUIRE(t.mixer.set_marks(Marks::create(t.clip, marks).value()).ok());
    const Action action = t.mixer.clip_action(t.clip).value().set_loop(loop).seek(1);
    t.mixer.update(1);
    CHECK(t.mixer.events().size() == 2);
    std::vector<std::byte> block(t.mixer.snapshot_size());
    REQUIRE(t.mixer.save(block).ok());
    action.seek(1);
    REQUIRE(t.mixer.restore(block).ok());
    t.mixer.update(-0.5);
    CHECK(t.mixer.events().empty());
  }
}

TEST_CASE("a handler cannot advance the mixer") {
  Told t;
  CHECK(t.after_first([&](const Event& event) {
    CHECK(!t.mixer.advance(1));
    CHECK(!t.mixer.update(1));
    CHECK(t.mixer.last_error()->message == "an event handler cannot advance its own mixer");
    CHECK(t.mixer.action(event.action).time() == 1);
  }) == "fir sec thi ");
  CHECK(t.mixer.update(1));
}

TEST_CASE("a handler that throws leaves a mixer that works") {
  Told t;
  t.mixer.on_event([](const Event&) { throw std::runtime_error("no"); });
  CHECK_THROWS_AS(t.mixer.advance(1), std::runtime_error);
  CHECK(t.mixer.events().size() == 3);
  t.mixer.on_event(nullptr);
  CHECK(t.mixer.update(1));
}

}  // namespace
}  // namespace marrow
