// Fades and crossfades: from the present weight, to the user's, and in time.
#include <doctest/doctest.h>

#include <cmath>

#include "mixer/scene.h"

namespace marrow {
namespace {

using doctest::Approx;
using test::Dial;
using test::run_for;
using test::x_of;

constexpr double kExactFrame = 1.0 / 64;  // exact in binary, so that times and fades are

TEST_CASE("a fade is linear in elapsed time, whatever the frames, and ends at the user's weight") {
  const Dial dial;
  for (const double dt : {1.0 / 64, 1.0 / 16, 0.25}) {
    test::PosedMixer mixer(dial.skeleton);
    const Clip clip = dial.still(8);
    const Action action = mixer.clip_action(clip).value().set_weight(0.5f).fade_in(1);
    for (double t = dt; t <= 1; t += dt) {
      mixer.update(dt);
      REQUIRE(action.fade() == static_cast<float>(t));
      REQUIRE(action.effective_weight() == static_cast<float>(t) * 0.5f);
      REQUIRE(x_of(mixer) == Approx(8 * t));  // weights are normalised: the fade alone leads from rest
    }
    CHECK(!action.fading());
    mixer.update(1);
    CHECK(action.effective_weight() == 0.5f);
  }
}

TEST_CASE("a fade ends with the frame that it is due in, however its frames are rounded") {
  const Dial dial;
  for (int frames = 1; frames < 200; ++frames) {
    CAPTURE(frames);
    test::PosedMixer mixer(dial.skeleton);
    const Action a = mixer.play(dial.still(1)), b = mixer.clip_action(dial.still(2)).value();
    mixer.cross_fade(a, b, frames / 60.0);
    for (int i = 0; i < frames; ++i) {
      REQUIRE(a.active());
      mixer.update(1.0 / 60);
    }
    REQUIRE(!a.active());
    REQUIRE(b.fade() == 1.0f);
    REQUIRE(x_of(mixer) == 2.0f);
  }
}

TEST_CASE("easing bends a fade and leaves its ends") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const double at_quarter[] = {0.25, 0.15625, 0.0625, 0.4375};
  for (int e = 0; e < 4; ++e) {
    const Action action = mixer.new_action(dial.still(1)).value().fade_in(1, static_cast<Easing>(e));
    mixer.update(0.25);
    CHECK(action.fade() == static_cast<float>(at_quarter[e]));
    mixer.update(0.75);
    CHECK(action.fade() == 1.0f);
  }
}

TEST_CASE("fading out ends in a stop, and moves and counts only up to there") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action action = mixer.play(dial.clip(1)).fade_out(0.5);
  mixer.update(0.25);
  CHECK(action.fade() == 0.5f);
  CHECK(action.time() == 0.25);
  mixer.update(5);
  CHECK(!action.active());
  CHECK(action.time() == 0);
  CHECK(mixer.events().empty());  // it would have looped four times
}

TEST_CASE("once holds its end and fades out smoothly from there") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action action = mixer.play(dial.clip(1), {.loop = Loop::once});
  int finished = 0;
  mixer.on_event([&](const Event& event) { finished += event.kind == EventKind::finished ? 1 : 0; });
  run_for(mixer, 2, kExactFrame);
  CHECK(x_of(mixer) == 1.0f);
  action.fade_out(1);
  float before = 1.0f;
  for (int i = 0; i < 64; ++i) {
    mixer.update(kExactFrame);
    CHECK(x_of(mixer) == Approx(1 - (i + 1) / 64.0));
    CHECK(x_of(mixer) < before);
    before = x_of(mixer);
  }
  CHECK(!action.active());
  CHECK(finished == 1);
}

TEST_CASE("a crossfade interrupted by another starts from the present weights, and the fades still add up to 1") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.still(0)), b = mixer.clip_action(dial.still(8)).value(),
               c = mixer.clip_action(dial.still(4)).value();
  mixer.update(0);
  mixer.cross_fade(a, b, 1);
  run_for(mixer, 0.5, kExactFrame);
  CHECK(a.fade() == 0.5f);
  CHECK(b.fade() == 0.5f);
  mixer.cross_fade(b, c, 1);
  CHECK(a.fade() == 0.5f);
  CHECK(b.fade() == 0.5f);
  CHECK(c.fade() == 0.0f);
  for (int i = 0; i < 64; ++i) {
    mixer.update(kExactFrame);
    REQUIRE(a.fade() + b.fade() + c.fade() == Approx(1));
    REQUIRE(x_of(mixer) == Approx(4));  // between 0 and 8, and at 4: never towards rest
  }
  CHECK(!a.active());
  CHECK(!b.active());
  CHECK(c.fade() == 1.0f);
}

TEST_CASE("there and back in quick succession does not jump: what still shows goes on from where it is") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.clip(4)), b = mixer.clip_action(dial.still(0)).value();
  run_for(mixer, 1, kExactFrame);
  mixer.cross_fade_to(b, 0.5);
  run_for(mixer, 0.25, kExactFrame);
  const float before = x_of(mixer);
  mixer.cross_fade_to(a, 0.5);
  CHECK(a.time() == 1.25);
  mixer.update(0);
  CHECK(x_of(mixer) == before);
  run_for(mixer, 0.5, kExactFrame);
  CHECK(a.time() == 1.75);
  CHECK(a.fade() == 1.0f);
  CHECK(!b.active());
  mixer.cross_fade_to(b, 0.25);
  run_for(mixer, 0.5, kExactFrame);
  mixer.cross_fade_to(a, 0.25);
  CHECK(a.time() == 0);  // it had left the blend
}

TEST_CASE("a finished action that still shows starts anew, while what it showed fades out by itself") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton, {.actions = 3, .max_actions = 3});
  const Clip clip = dial.clip(0.5);
  const Action idle = mixer.play(dial.still(0)), attack = mixer.clip_action(clip).value().set_loop(Loop::once);
  int finished = 0;
  mixer.on_event([&](const Event& event) {
    if (event.kind != EventKind::finished) return;
    ++finished;
    mixer.cross_fade_to(idle, 0.25);
  });
  // The button is pressed again a while after each end, in the middle of the fade back: and at last left alone.
  float before = 0;
  for (int frame = 0; frame < 640; ++frame) {
    if (frame < 320 && frame % 40 == 0) mixer.cross_fade_to(attack, 0.125);
    mixer.update(kExactFrame);
    REQUIRE(std::abs(x_of(mixer) - before) < 0.5f * 8 * 1.0f / 64 + 1.0f / 64 + 1e-5f);
    before = x_of(mixer);
    double fades = 0;
    for (const Action action : mixer.actions()) fades += static_cast<double>(action.fade());
    REQUIRE(fades == Approx(1));  // of the two, and of what is left of the attack before
  }
  CHECK(mixer.actions().size() == 2);
  CHECK(finished == 8);
  CHECK(mixer.current() == idle);
  CHECK(x_of(mixer) == 0.0f);

  // Full, and held: its own end fades into its start.
  mixer.on_event(nullptr);
  mixer.cross_fade_to(attack, 0);
  mixer.update(1);
  CHECK(attack.finished());
  mixer.cross_fade_to(attack, 0.25);
  CHECK(attack.time() == 0);
  mixer.update(0);
  CHECK(x_of(mixer) == 0.5f);
  mixer.update(0.125);
  CHECK(x_of(mixer) == Approx(0.5 * 0.5 + 0.5 * 0.125));
  // What is left over stays until it has faded out: it never gives way with a jump.
  CHECK(mixer.clip_action(dial.clip(3)).ok());  // in place of `idle`, which was stopped
  CHECK(!idle);
  CHECK(!mixer.clip_action(dial.clip(4)).ok());
  mixer.update(1);
  CHECK(attack.finished());
  CHECK(mixer.clip_action(dial.clip(4)).ok());
  CHECK(!mixer.clip_action(dial.clip(5)).ok());
  // Without a slot for the end that it holds, the command is refused and changes nothing.
  mixer.cross_fade_to(attack, 0.25);
  CHECK(attack.finished());
  CHECK(mixer.last_error()->code == ErrorCode::limit_exceeded);
  attack.fade_in(0.25);
  CHECK(attack.finished());
  mixer.update(0);
  CHECK(x_of(mixer) == 0.5f);
  mixer.stop_all();
  CHECK(!attack.active());
}

TEST_CASE("what is asked for in every frame still happens: fades too are not held up by asking again") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action action = mixer.clip_action(dial.still(1)).value();
  for (int i = 0; i < 32; ++i) {
    action.fade_in(0.5);
    mixer.base().fade_to(0.25f, 0.5);
    mixer.update(kExactFrame);
  }
  CHECK(action.fade() == 1.0f);
  CHECK(!action.fading());
  CHECK(mixer.base().weight() == 0.25f);
  for (int i = 0; i < 32; ++i) {
    action.fade_out(0.5);
    mixer.update(kExactFrame);
  }
  CHECK(!action.active());
}

TEST_CASE("a crossfade to what plays already resumes it, and hurries what leaves") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.still(0)), b = mixer.clip_action(dial.still(1)).value();
  mixer.cross_fade_to(b, 0.5);
  mixer.update(0.25);
  b.pause();
  mixer.cross_fade_to(b, 0.5);
  CHECK(!b.paused());
  CHECK(b.fade() == 0.5f);
  a.fade_out(10);
  mixer.cross_fade_to(b, 0.25);
  mixer.update(0.25);
  CHECK(!a.active());
  CHECK(b.fade() == 1.0f);
}

TEST_CASE("a crossfade of no length switches; of an action with itself does nothing") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.still(1)), b = mixer.clip_action(dial.still(2)).value(),
               c = mixer.clip_action(dial.still(3)).value();
  mixer.cross_fade(a, b, 0);
  mixer.update(0);
  CHECK(x_of(mixer) == 2.0f);
  CHECK(!a.active());
  mixer.cross_fade_to(c, 0);
  mixer.update(0);
  CHECK(x_of(mixer) == 3.0f);
  CHECK(!b.active());
  c.seek(0.5);
  mixer.cross_fade(c, c, 1);
  mixer.cross_fade_to(c, 1);
  CHECK(c.fade() == 1.0f);
  CHECK(c.time() == 0.5);
}

TEST_CASE("asking for the same crossfade in every frame does not hold it up; asking for a faster one hurries it") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.still(0)), b = mixer.clip_action(dial.still(1)).value();
  for (int i = 0; i < 32; ++i) {
    mixer.cross_fade_to(b, 0.5);
    mixer.cross_fade(a, b, 0.5);
    mixer.update(kExactFrame);
  }
  CHECK(b.fade() == 1.0f);
  CHECK(!a.active());
  mixer.cross_fade_to(a, 10);
  mixer.update(1);
  mixer.cross_fade_to(a, 0.5);
  mixer.update(0.5);
  CHECK(a.fade() == 1.0f);
  CHECK(!b.active());
}

TEST_CASE("what the user fades out keeps to its time, and playing it again turns it round without a jump") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.still(0)), b = mixer.play(dial.still(1)),
               c = mixer.clip_action(dial.still(2)).value();
  b.fade_out(0.25);
  mixer.cross_fade_to(c, 1);
  run_for(mixer, 0.25, kExactFrame);
  CHECK(!b.active());
  CHECK(a.fade() == 0.75f);
  c.fade_out(0.5);
  run_for(mixer, 0.125, kExactFrame);
  const float present = c.fade();
  c.play();
  CHECK(c.fade() == present);
  run_for(mixer, 0.5, kExactFrame);
  CHECK(c.fade() == 1.0f);
}

TEST_CASE("a time scale slows fades and actions alike; zero holds everything") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.clip(4), {.fade_in = 1});
  mixer.set_time_scale(0.5);
  mixer.update(1);
  CHECK(a.fade() == 0.5f);
  CHECK(a.time() == 0.5);
  mixer.set_time_scale(0);
  mixer.update(1);
  CHECK(a.fade() == 0.5f);
  CHECK(a.time() == 0.5);
}

TEST_CASE("with a warp two gaits go in step throughout the fade, from the pace of one to that of the other") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Clip walk_clip = dial.clip(1.25), run_clip = dial.clip(0.5);
  const Action walk = mixer.play(walk_clip).set_speed(1.1), run = mixer.clip_action(run_clip).value();
  run_for(mixer, 0.7, kExactFrame);
  mixer.cross_fade(walk, run, 2, {.warp = true});
  CHECK(run.phase() == Approx(walk.phase()));
  double phase = run.phase();
  for (int i = 0; i < 120; ++i) {
    mixer.update(kExactFrame);
    REQUIRE(std::abs(std::remainder(run.phase() - walk.phase(), 1.0)) < 1e-9);
    const double pace = std::remainder(run.phase() - phase, 1.0) / kExactFrame;
    const double u = (i + 0.5) * kExactFrame / 2;
    REQUIRE(pace == Approx((1 - u) * 1.1 / 1.25 + u * 2).epsilon(1e-9));
    phase = run.phase();
  }
  run_for(mixer, 1, kExactFrame);
  phase = run.phase();
  mixer.update(kExactFrame);
  CHECK(std::remainder(run.phase() - phase, 1.0) == Approx(kExactFrame * 2));
  CHECK(walk.play().speed() == 1.1);  // by itself again
  phase = walk.phase();
  mixer.update(kExactFrame);
  CHECK(walk.phase() - phase == Approx(kExactFrame * 1.1 / 1.25));
}

TEST_CASE("with a warp all that leaves goes in step with what comes") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action walk = mixer.play(dial.clip(1.25)), jog = mixer.clip_action(dial.clip(1)).value(),
               run = mixer.clip_action(dial.clip(0.5)).value();
  run_for(mixer, 0.5, kExactFrame);
  mixer.cross_fade_to(jog, 2, {.warp = true});
  run_for(mixer, 0.5, kExactFrame);
  mixer.cross_fade_to(run, 1, {.warp = true});
  for (int i = 0; i < 60; ++i) {
    mixer.update(kExactFrame);
    REQUIRE(std::abs(std::remainder(run.phase() - walk.phase(), 1.0)) < 1e-9);
    REQUIRE(std::abs(std::remainder(run.phase() - jog.phase(), 1.0)) < 1e-9);
  }
}

TEST_CASE("there is no warp from what stands still") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.clip(1), {.loop = Loop::once}), b = mixer.clip_action(dial.clip(2)).value();
  mixer.update(2);
  mixer.cross_fade_to(b, 1, {.warp = true});
  CHECK(b.time() == 0);
  mixer.update(0.5);
  CHECK(b.time() == 0.5);
  b.set_speed(4).pause();
  mixer.cross_fade_to(a, 1, {.warp = true});
  mixer.update(0.25);
  CHECK(a.time() == 0.25);
}

TEST_CASE("a warp takes the incoming gait equally far in one step as in many") {
  const Dial dial;
  const Clip walk = dial.clip(1.25), run = dial.clip(0.5);
  double phase[2];
  for (const int steps : {1, 1000}) {
    test::PosedMixer mixer(dial.skeleton);
    mixer.play(walk);
    mixer.update(0.5);
    const Action running = mixer.cross_fade_to(run, 0.75, {.warp = true});
    for (int i = 0; i < steps; ++i) mixer.update(2.0 / steps);
    phase[steps == 1 ? 0 : 1] = running.phase();
  }
  // From 0.4 at a pace from 0.8 to 2 passes a second over 0.75 s, and at 2 after that.
  CHECK(phase[0] == Approx(std::fmod(0.4 + 0.75 * 1.4 + 1.25 * 2, 1.0)).epsilon(1e-9));
  CHECK(phase[1] == Approx(phase[0]).epsilon(1e-9));
}

TEST_CASE("an action in sync keeps the phase of its leader while both play, and goes on alone after") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action lead = mixer.play(dial.clip(1.25)), follow = mixer.play(dial.clip(0.5, "other"));
  const Action third = mixer.play(dial.clip(3, "third"));
  lead.seek(0.4);
  follow.sync_with(lead);
  third.sync_with(follow);
  CHECK(follow.leader() == lead);
  CHECK(follow.phase() == Approx(lead.phase()));
  std::uint64_t loops = 0;
  for (int i = 0; i < 500; ++i) {
    lead.set_speed(i < 200 ? 1 : i < 300 ? -2 : 0.3);
    if (i == 250) lead.seek(1);
    mixer.update(0.013 * (i % 5));
    REQUIRE(std::abs(follow.phase() - lead.phase()) < 1e-12);
    REQUIRE(std::abs(third.phase() - lead.phase()) < 1e-12);
    loops += mixer.events().size();
  }
  CHECK(follow.passes() == lead.passes());
  CHECK(third.passes() == lead.passes());
  CHECK(loops >= 3 * 5);
  follow.pause();
  mixer.update(0.1);
  CHECK(follow.phase() != Approx(lead.phase()));
  follow.resume();
  CHECK(follow.phase() == Approx(lead.phase()));
  mixer.clear_error();
  lead.sync_with(third);
  CHECK(mixer.last_error() != nullptr);
  const double time = follow.time();
  lead.stop();
  mixer.update(0.01);
  CHECK(follow.time() == Approx(std::fmod(time + 0.01, 0.5)));
  follow.sync_with(Action());
  CHECK(follow.leader() == Action());
}

TEST_CASE("playing a clip keeps what was set on its action, and sets what the options name") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Clip clip = dial.clip(2);
  const Action action = mixer.clip_action(clip).value().set_speed(2).set_weight(0.5f).set_loop(Loop::ping_pong, 3);
  const auto options = [&] {
    return PlayOptions{action.speed(), action.loop(), action.repetitions(), action.weight()};
  };
  const auto is = [&](double speed, Loop loop, std::uint32_t repetitions, float weight) {
    CHECK(action.speed() == speed);
    CHECK(action.loop() == loop);
    CHECK(action.repetitions() == repetitions);
    CHECK(action.weight() == weight);
  };
  mixer.play(clip);
  is(2, Loop::ping_pong, 3, 0.5f);
  mixer.play(clip, {.fade_in = 1});
  is(2, Loop::ping_pong, 3, 0.5f);
  mixer.play(clip, {.speed = -1});
  is(-1, Loop::ping_pong, 3, 0.5f);
  mixer.play(clip, {.loop = Loop::once});
  is(-1, Loop::once, 3, 0.5f);
  mixer.play(clip, {.repetitions = 0});
  is(-1, Loop::once, 0, 0.5f);
  mixer.play(clip, {.weight = 0});
  is(-1, Loop::once, 0, 0);
  const PlayOptions before = options();
  CHECK(!mixer.play(clip, {.speed = 3, .weight = -1}));  // nothing of it is set
  is(*before.speed, *before.loop, *before.repetitions, *before.weight);
  mixer.cross_fade_to(clip, 0.5);
  is(-1, Loop::once, 0, 0);
}

TEST_CASE("play adds to what plays, switch_to takes its place") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.still(2)), b = mixer.play(dial.still(4));
  mixer.update(0.25);
  CHECK(x_of(mixer) == 3);
  const Action c = mixer.switch_to(dial.still(8), {.speed = 2});
  CHECK(c.speed() == 2);
  CHECK(!a.active());
  CHECK(!b.active());
  mixer.update(0);
  CHECK(x_of(mixer) == 8);
  // A mistake changes nothing.
  CHECK(!mixer.switch_to(dial.still(1), {.fade_in = 1}));
  CHECK(to_string(*mixer.last_error()) == "fade_in: a switch takes no time; use cross_fade_to");
  CHECK(c.fade() == 1);
  // In its layer alone.
  const Layer layer = mixer.add_layer({}).value();
  const Action d = layer.switch_to(dial.still(5));
  CHECK(c.active());
  CHECK(d.active());
}

}  // namespace
}  // namespace marrow
