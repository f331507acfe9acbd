// The states of an action, one by one.
#include "marrow/mixer/action.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

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

// The error that a command leaves in a mixer, as "code place: message"; empty if it leaves none.
template <typename Command>
std::string error_of(Mixer& mixer, const Command& command) {
  mixer.clear_error();
  command();
  const Error* const error = mixer.last_error();
  return error == nullptr ? "" : std::string(to_string(error->code)) + " " + to_string(*error);
}

TEST_CASE("an invalid value leaves an error with its code and parameter, and changes nothing") {
  ActionStage stage(2);
  test::PosedMixer& mixer = stage.mixer;
  const Action action = mixer.play(stage.clip).seek(0.5);
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto refused = [&](const auto& command) {
    const std::string why = error_of(mixer, command);
    CHECK(action.time() == 0.5);
    CHECK(action.speed() == 1);
    CHECK(action.weight() == 1.0f);
    CHECK(action.fade() == 1.0f);
    CHECK(action.active());
    CHECK(mixer.base().weight() == 1.0f);
    CHECK(mixer.time_scale() == 1);
    return why;
  };
  const std::string no_fade_time = "not_finite seconds: the fade time is not finite";
  for (const double bad : {nan, infinity, -infinity}) {
    const auto bad_float = static_cast<float>(bad);
    CHECK(refused([&] { action.set_speed(bad); }) == "not_finite speed: the speed is not finite");
    CHECK(refused([&] { action.set_weight(bad_float); }) ==
          "not_finite weight: the weight is not finite, or beyond 1e18");
    CHECK(refused([&] { action.seek(bad); }) == "not_finite time_s: the time is not finite");
    CHECK(refused([&] { action.fade_in(bad); }) == no_fade_time);
    CHECK(refused([&] { action.fade_out(bad); }) == no_fade_time);
    CHECK(refused([&] { mixer.cross_fade_to(action, bad); }) == no_fade_time);
    CHECK(refused([&] { mixer.cross_fade_to(stage.clip, bad); }) == no_fade_time);
    CHECK(refused([&] { mixer.base().fade_out_all(bad); }) == no_fade_time);
    CHECK(refused([&] { mixer.play(stage.clip, {.speed = bad}); }) == "not_finite speed: the speed is not finite");
    CHECK(refused([&] { mixer.play(stage.clip, {.fade_in = bad}); }) ==
          "not_finite fade_in: the fade time is not finite");
    CHECK(refused([&] { mixer.set_time_scale(bad); }) == "not_finite scale: the time scale is not finite");
    CHECK(refused([&] { CHECK(!mixer.update(bad)); }) == "not_finite dt_s: the time step is not finite");
    CHECK(refused([&] { mixer.base().set_weight(bad_float); }) == "not_finite weight: the weight is not finite");
  }
  CHECK(refused([&] { action.set_weight(-1); }) == "invalid_argument weight: the weight is negative");
  CHECK(refused([&] { action.fade_out(-1); }) == "invalid_argument seconds: the fade time is negative");
  CHECK(refused([&] { mixer.base().set_weight(2); }) ==
        "invalid_argument weight: the weight of a layer is not from 0 to 1");
  const JointMask mask(test::Character().skeleton);
  CHECK(refused([&] { mixer.base().set_mask(&mask); }) ==
        "size_mismatch mask: the mask is for a skeleton with another number of joints");
  CHECK(refused([&] { action.sync_with(action); }) ==
        "cycle leader: an action cannot follow itself, or one that follows it");
  CHECK(refused([&] { action.set_speed(1); }) == "");
  CHECK(!mixer.play(stage.dial.clip(3), {.speed = nan}));
  CHECK(mixer.actions().size() == 1);  // nothing was taken up for it
}

TEST_CASE("a released action can be told, and an action that takes its slot is another one") {
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
}

TEST_CASE("a released or reused action reads as one that was never played") {
  for (const bool reused : {false, true}) {
    CAPTURE(reused);
    ActionStage stage(2);
    const Action other = stage.mixer.clip_action(stage.dial.clip(3)).value();
    const auto play = [&] {
      const Action action = stage.mixer.play(stage.clip).set_speed(2).set_weight(0.5f).set_loop(Loop::once, 3).seek(2);
      action.sync_with(other).fade_in(1);
      stage.mixer.update(0.5);
      return action;
    };
    const Action action = play();
    stage.mixer.release(action);
    if (reused) CHECK(play().handle().index == action.handle().index);
    CHECK(action.speed() == 1);
    CHECK(action.weight() == 1.0f);
    CHECK(action.loop() == Loop::repeat);
    CHECK(action.repetitions() == 0);
    CHECK(action.passes() == 0);
    CHECK(action.time() == 0);
    CHECK(action.phase() == 0);
    CHECK(action.fade() == 0.0f);
    CHECK(action.effective_weight() == 0.0f);
    CHECK(!action.fading());
    CHECK(!action.playing());
    CHECK(!action.paused());
    CHECK(!action.finished());
    CHECK(!action.active());
    CHECK(action.clip().duration() == 0);
    CHECK(!action.layer());
    CHECK(action.leader() == Action());
    CHECK(stage.mixer.last_error() == nullptr);
  }
}

// Calls check(name, command, parameter) for each command that takes an action.
template <typename Check>
void each_command(Mixer& mixer, const Action& action, const Action& good, const Check& check) {
  check(
      "play", [&] { action.play(); }, "action");
  check(
      "stop", [&] { action.stop(); }, "action");
  check(
      "pause", [&] { action.pause(); }, "action");
  check(
      "resume", [&] { action.resume(); }, "action");
  check(
      "reset", [&] { action.reset(); }, "action");
  check(
      "seek", [&] { action.seek(1); }, "action");
  check(
      "fade_in", [&] { action.fade_in(1); }, "action");
  check(
      "fade_out", [&] { action.fade_out(1); }, "action");
  check(
      "set_speed", [&] { action.set_speed(2); }, "action");
  check(
      "set_weight", [&] { action.set_weight(2); }, "action");
  check(
      "set_loop", [&] { action.set_loop(Loop::once); }, "action");
  check(
      "sync_with", [&] { action.sync_with(good); }, "action");
  check(
      "end of sync_with", [&] { action.sync_with({}); }, "action");
  check(
      "sync_with it", [&] { good.sync_with(action); }, "leader");
  check(
      "cross_fade from it", [&] { mixer.cross_fade(action, good, 1); }, "from");
  check(
      "cross_fade to it", [&] { mixer.cross_fade(good, action, 1); }, "to");
  check(
      "cross_fade_to", [&] { mixer.cross_fade_to(action, 1); }, "to");
  check(
      "release", [&] { mixer.release(action); }, "action");
}

TEST_CASE("a command on a released or reused action changes nothing, and leaves an error") {
  for (const bool reused : {false, true}) {
    CAPTURE(reused);
    ActionStage stage(2);
    test::PosedMixer& mixer = stage.mixer;
    const Action good = mixer.play(stage.clip);
    const Action action = mixer.play(stage.dial.clip(3));
    mixer.release(action);
    const Action heir = reused ? mixer.play(stage.dial.clip(4)) : Action();
    if (reused) CHECK(heir.handle().index == action.handle().index);
    mixer.update(0.5);
    std::vector<std::byte> before(mixer.snapshot_size()), after(before.size());
    const std::size_t size = mixer.save(before).value();
    each_command(mixer, action, good, [&](const std::string& name, const auto& command, const char* parameter) {
      CAPTURE(name);
      CHECK(error_of(mixer, command) ==
            "invalid_argument " + std::string(parameter) + ": the action was released or reused");
      REQUIRE(mixer.save(after).value() == size);
      CHECK(std::equal(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(size), after.begin()));
    });
  }
}

TEST_CASE("an action of another mixer leaves an error in the mixer that it was given to") {
  ActionStage stage(2);
  test::PosedMixer other(stage.dial.skeleton);
  const Action own = stage.mixer.play(stage.clip), foreign = other.play(stage.clip);
  Mixer& mixer = stage.mixer;
  const auto error = [](const char* parameter) {
    return "invalid_argument " + std::string(parameter) + ": the action is of another mixer";
  };
  CHECK(error_of(mixer, [&] { mixer.cross_fade(foreign, own, 1); }) == error("from"));
  CHECK(error_of(mixer, [&] { mixer.cross_fade(own, foreign, 1); }) == error("to"));
  CHECK(error_of(mixer, [&] { mixer.cross_fade_to(foreign, 1); }) == error("to"));
  CHECK(error_of(mixer, [&] { mixer.release(foreign); }) == error("action"));
  CHECK(error_of(mixer, [&] { own.sync_with(foreign); }) == error("leader"));
  CHECK(foreign.playing());
  CHECK(own.fade() == 1.0f);
  CHECK(own.leader() == Action());
  CHECK(other.last_error() == nullptr);
}

TEST_CASE("a null action is a mistake of the caller") {
  ActionStage stage(2);
  Mixer& mixer = stage.mixer;
  const Action none, good = stage.action;
  each_command(mixer, none, good, [&](const std::string& name, const auto& command, const char*) {
    CAPTURE(name);
    const std::string message = test::assert_message(command);
    CHECK(message == (name == "sync_with it" ? "" : "the action is null"));  // which ends the following
  });
  CHECK(test::assert_message([&] { (void)none.time(); }) == "the action is null");
  CHECK(test::assert_message([&] { (void)none.clip(); }) == "the action is null");
  CHECK(test::assert_message([&] { (void)none.layer(); }) == "the action is null");
}

TEST_CASE("commands on all actions of a layer return the layer") {
  ActionStage stage(2);
  const Layer base = stage.mixer.base();
  const Action action = stage.mixer.play(stage.clip);
  CHECK(base.fade_out_all(1) == base);
  CHECK(action.fading());
  CHECK(base.stop_all().set_weight(0.5f) == base);
  CHECK(!action.active());
  CHECK(base.weight() == 0.5f);
}

}  // namespace
}  // namespace marrow
