// The states of an action, one by one.
#include "marrow/mixer/action.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "mixer/scene.h"
#include "support/asserts.h"

namespace marrow {
namespace {

using test::Dial;
using test::x_of;

// A mixer, a clip, and the clip's action, stopped.
struct ActionStage {
  explicit ActionStage(double duration) : clip(dial.clip(duration)) {}
  Dial dial;
  test::PosedMixer mixer{dial.skeleton};
  Clip clip;
  Action action = mixer.clip_action(clip).value();
};

TEST_CASE("an action begins stopped, at speed 1, weight 1, repeating") {
  ActionStage stage(2);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = stage.action;
  CHECK(!action.active());
  CHECK(!action.playing());
  CHECK(!action.paused());
  CHECK(!action.finished());
  CHECK(action.speed() == 1);
  CHECK(action.weight() == 1.0f);
  CHECK(action.loop() == Loop::repeat);
  CHECK(action.repetitions() == 0);
  CHECK(action.fade() == 0.0f);
  CHECK(action.effective_weight() == 0.0f);
  CHECK(action.time() == 0);
  mixer.update(0.5);
  CHECK(x_of(mixer) == 0.0f);
  CHECK(action.time() == 0);
}

TEST_CASE("play starts, pause holds and keeps contributing, resume goes on, stop rewinds and leaves") {
  ActionStage stage(2);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = stage.action.play();
  mixer.update(0.5);
  CHECK(x_of(mixer) == 0.5f);
  CHECK(action.phase() == 0.25);
  action.pause();
  mixer.update(0.5);
  CHECK(action.playing());
  CHECK(action.paused());
  CHECK(x_of(mixer) == 0.5f);
  action.resume();
  mixer.update(0.5);
  CHECK(x_of(mixer) == 1.0f);
  action.stop();
  CHECK(action.time() == 0);
  mixer.update(0.5);
  CHECK(x_of(mixer) == 0.0f);
}

TEST_CASE("a negative speed starts at the end and plays backward") {
  ActionStage stage(2);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = stage.action.set_speed(-1).play();
  mixer.update(0);
  CHECK(x_of(mixer) == 2.0f);
  mixer.update(0.5);
  CHECK(x_of(mixer) == 1.5f);
  mixer.update(2);
  CHECK(x_of(mixer) == 1.5f);
  CHECK(action.passes() == 1);
}

TEST_CASE("once holds the end, says so, and starts again when played") {
  ActionStage stage(1);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = mixer.play(stage.clip, {.loop = Loop::once});
  mixer.update(0.75);
  CHECK(action.playing());
  mixer.update(0.75);
  CHECK(action.finished());
  CHECK(!action.playing());
  CHECK(action.active());
  CHECK(x_of(mixer) == 1.0f);
  mixer.update(100);
  CHECK(x_of(mixer) == 1.0f);
  action.play();
  CHECK(action.playing());
  mixer.update(0.25);
  CHECK(x_of(mixer) == 0.25f);
  action.set_speed(-1);
  mixer.update(1);
  CHECK(action.finished());
  CHECK(x_of(mixer) == 0.0f);
  action.play();
  CHECK(action.time() == 1);
}

TEST_CASE("a number of repetitions ends with the last") {
  ActionStage stage(1);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = mixer.play(stage.clip, {.loop = Loop::repeat, .repetitions = 3});
  mixer.update(2.5);
  CHECK(action.time() == 0.5);
  CHECK(action.playing());
  mixer.update(2.5);
  CHECK(action.finished());
  CHECK(action.time() == 1);
  CHECK(action.passes() == 3);
  action.set_loop(Loop::ping_pong, 2).play();
  mixer.update(1.25);
  CHECK(action.time() == 0.75);
  mixer.update(1);
  CHECK(action.finished());
  CHECK(action.time() == 0);
}

TEST_CASE("ping-pong keeps what goes beyond a turn, and the public speed its sign") {
  ActionStage stage(1);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = mixer.play(stage.clip, {.loop = Loop::ping_pong});
  mixer.update(0.75);
  mixer.update(0.75);
  CHECK(action.time() == 0.5);
  CHECK(action.speed() == 1);
  mixer.update(0.75);
  CHECK(action.time() == 0.25);
  action.set_loop(Loop::repeat);
  CHECK(action.time() == 0.25);
  mixer.update(0.25);
  CHECK(action.time() == 0.5);
}

TEST_CASE("how it loops may change at any time: it goes on forward from where it is") {
  ActionStage stage(1);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = mixer.play(stage.clip, {.loop = Loop::ping_pong});
  mixer.update(1.75);
  CHECK(action.time() == 0.25);  // on the way back
  action.set_loop(Loop::repeat);
  CHECK(action.time() == 0.25);
  mixer.update(1.25);
  CHECK(action.time() == 0.5);  // in the second pass
  action.set_loop(Loop::ping_pong);
  CHECK(action.time() == 0.5);
  mixer.update(0.25);
  CHECK(action.time() == 0.75);
  mixer.update(0.5);
  CHECK(action.time() == 0.75);
  action.set_loop(Loop::once);
  mixer.update(1);
  CHECK(action.finished());
  CHECK(action.time() == 1);
}

TEST_CASE("seek goes to a time of the clip, also before playing and after the end") {
  ActionStage stage(2);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = stage.action.seek(0.5).play();
  mixer.update(0.25);
  CHECK(action.time() == 0.75);
  CHECK(action.seek(5).time() == 2);
  CHECK(action.seek(-5).time() == 0);
  action.stop().play();
  CHECK(action.time() == 0);
  action.set_loop(Loop::once);
  mixer.update(5);
  CHECK(action.finished());
  action.seek(1.5);
  CHECK(action.playing());
  mixer.update(1);
  CHECK(action.finished());
  action.reset();
  CHECK(action.time() == 0);
  CHECK(action.playing());
  CHECK(action.passes() == 0);
}

TEST_CASE("values that make no sense are refused, and change nothing") {
  ActionStage stage(2);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = mixer.play(stage.clip).seek(0.5);
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto refused = [&](const auto& command) {
    mixer.clear_error();
    command();
    const std::string why = mixer.last_error() == nullptr ? "" : mixer.last_error()->message;
    CHECK(action.time() == 0.5);
    CHECK(action.speed() == 1);
    CHECK(action.weight() == 1.0f);
    CHECK(action.fade() == 1.0f);
    CHECK(action.active());
    CHECK(mixer.time_scale() == 1);
    return why;
  };
  for (const double bad : {nan, infinity, -infinity}) {
    CHECK(refused([&] { action.set_speed(bad); }) == "the speed is not finite");
    CHECK(refused([&] { action.set_weight(static_cast<float>(bad)); }) == "the weight is negative or not finite");
    CHECK(refused([&] { action.seek(bad); }) == "the time to seek to is not finite");
    CHECK(refused([&] { action.fade_in(bad); }) == "the length of a fade is negative or not finite");
    CHECK(refused([&] { action.fade_out(bad); }) == "the length of a fade is negative or not finite");
    CHECK(refused([&] { mixer.cross_fade_to(action, bad); }) == "the length of a fade is negative or not finite");
    CHECK(refused([&] { mixer.play(stage.clip, {.speed = bad}); }) == "the speed is not finite");
    CHECK(refused([&] { mixer.play(stage.clip, {.fade_in = bad}); }) ==
          "the length of a fade is negative or not finite");
    CHECK(refused([&] { mixer.set_time_scale(bad); }) == "the time scale is not finite");
    CHECK(refused([&] { CHECK(!mixer.update(bad)); }) == "the time step is not finite");
    CHECK(refused([&] { mixer.base().set_weight(static_cast<float>(bad)); }) ==
          "the weight of a layer is not between 0 and 1");
  }
  CHECK(refused([&] { action.set_weight(-1); }) == "the weight is negative or not finite");
  CHECK(refused([&] { action.fade_out(-1); }) == "the length of a fade is negative or not finite");
  CHECK(refused([&] { action.sync_with(action); }) == "an action cannot follow itself, or one that follows it");
  CHECK(refused([&] { action.set_speed(1); }) == "");
  CHECK(!mixer.play(stage.dial.clip(3), {.speed = nan}));
  CHECK(mixer.actions().size() == 1);  // nothing was taken up for it
}

TEST_CASE("a released action is found out") {
  ActionStage stage(2);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = mixer.play(stage.clip);
  CHECK(action);
  const ActionHandle handle = action.handle();
  CHECK(mixer.action(handle) == action);
  mixer.release(action);
  CHECK(!action);
  CHECK(mixer.action(handle) == Action());
  CHECK(mixer.current() == Action());
  const Action again = mixer.clip_action(stage.clip).value();
  CHECK(again);
  CHECK(!action);
  CHECK(!(again == action));
  CHECK(test::assert_message([&] { action.play(); }) == "the action was released, or never was one");
  CHECK(test::assert_message([&] { (void)action.time(); }) == "the action was released, or never was one");
  CHECK(test::assert_message([&] { Action().stop(); }) == "the action was released, or never was one");
  CHECK(test::assert_message([&] { mixer.cross_fade_to(action, 1); }) == "the action was released, or never was one");
  test::PosedMixer other(stage.dial.skeleton);
  CHECK(test::assert_message([&] { mixer.cross_fade_to(other.play(stage.clip), 1); }) ==
        "the action is another mixer's");
}

}  // namespace
}  // namespace marrow
