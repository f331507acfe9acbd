// Root motion: laws of rigid motions, and a reference in Real (gait.h).
#include "marrow/play/root_motion.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "anim/pose_difference.h"
#include "marrow/anim/sampling.h"
#include "marrow/mixer/mixer.h"
#include "mixer/gait.h"
#include "mixer/posed_mixer.h"

namespace marrow {
namespace {

using namespace test;

// Steps that sum up to `total`: most of them frames, some longer than the clip, some many times as long.
std::vector<double> random_steps(Random& random, double total, double duration) {
  std::vector<double> steps;
  for (double left = total; left > 0;) {
    const double longest[] = {0.04, 0.04, 0.04, 0.04, 1.5 * duration, 6 * duration};
    const double step = std::min(left, random.range(0, longest[random.below(6)]));
    left = step == left ? 0 : left - step;
    steps.push_back(step);
  }
  return steps;
}

TEST_CASE("the motion of many loops in random steps is that of one, as often") {
  struct Direction {
    double speed, time;
  };
  Random random(1);
  for (const Rig& rig : rigs()) {
    for (const Course& course : {Course{}, Course{.duration = 4.0 / 3, .start = {7, -4, 2}, .last_key = 0.8f},
                                 Course{.turn = 0.7f}, Course{.start = {-2, 3, 1}, .turn = -2.5f, .start_yaw = 2},
                                 Course{.duration = 0.7, .turn = 0.001f, .start_yaw = -3}}) {
      const Gait gait(rig, random, course);
      for (const Direction& way : {Direction{1, 1}, Direction{-1, 1}, Direction{1, -1}, Direction{0.3, 1},
                                   Direction{2.5, -1}, Direction{-1.7, -1}}) {
        CAPTURE(way.speed);
        CAPTURE(way.time);
        CAPTURE(course.turn);
        const int loops = 1 + static_cast<int>(random.below(100));
        test::PosedMixer mixer(rig.skeleton);
        REQUIRE(mixer.set_root_motion(rig.options()));
        mixer.play(gait.clip, {.speed = way.speed});
        Rigid total, expected;
        for (const double dt : random_steps(random, loops * gait.duration / std::fabs(way.speed), gait.duration)) {
          mixer.advance(dt * way.time);
          total = total * rigid(mixer.root_motion());
        }
        const bool backward = way.speed * way.time < 0;
        const Rigid once = backward ? gait.between(gait.duration, 0) : gait.between(0, gait.duration);
        for (int i = 0; i < loops; ++i) expected = expected * once;
        CHECK(static_cast<double>(length(total.shift - expected.shift) / (loops * gait.distance())) < 1e-5);
        CHECK(static_cast<double>(angle_between(total.turn, expected.turn) / loops) < 1e-6);
      }
    }
  }
}

TEST_CASE("crossfades move by the mean of what the actions move, by effective weight") {
  Random random(2);
  for (const Rig& rig : rigs()) {
    const Gait walk(rig, random, {.duration = 4.0 / 3, .start = {1, 2, 0}, .turn = 0.2f});
    const Gait run(rig, random, {.duration = 0.7, .displacement = {3, -1, 0.2f}, .turn = -0.4f, .start_yaw = 1});
    const Gait limp(rig, random, {.duration = 1.9, .displacement = {0.2f, 0.3f, 0}, .turn = 0.1f});
    const Gait* const gaits[] = {&walk, &run, &limp};
    test::PosedMixer mixer(rig.skeleton);
    REQUIRE(mixer.set_root_motion(rig.options()));
    mixer.play(walk.clip);
    Rigid total, expected;
    Real distance = 0;
    double worst_shift = 0, worst_turn = 0;
    for (int step = 0; step < 4000; ++step) {
      const Gait& chosen = *gaits[random.below(3)];
      const Action action = mixer.clip_action(chosen.clip).value();
      const std::uint32_t command = random.below(200);  // about one in five frames, so that most fades are interrupted
      if (command < 20) {
        const Easing easing = random.below(2) == 0 ? Easing::linear : Easing::smooth;
        mixer.cross_fade_to(action, random.range(0, 0.6), {easing, random.below(2) == 0});
      }
      if (command == 20) action.fade_in(0.2);
      if (command == 21) action.fade_out(0.2);
      if (command == 22) action.pause();
      if (command >= 23 && command < 27) action.resume();
      if (command >= 27 && command < 35) action.set_weight(random.rangef(0, 3));
      if (command >= 35 && command < 40) action.set_speed(random.range(0.1, 2));
      if (command == 40) mixer.clip_action(run.clip).value().sync_with(mixer.clip_action(walk.clip).value());
      if (command == 41) mixer.clip_action(run.clip).value().sync_with({});

      double time[3] = {}, weights = 0, fades = 0;
      std::uint64_t passes[3] = {};
      for (int i = 0; i < 3; ++i) {
        const Action a = mixer.clip_action(gaits[i]->clip).value();
        time[i] = a.time();
        passes[i] = a.passes();
      }
      mixer.advance(random.below(20) == 0 ? random.range(0, 2.5) : random.range(0, 0.04));
      RefVec shift;
      Real yaw = 0;
      for (int i = 0; i < 3; ++i) {
        const Action a = mixer.clip_action(gaits[i]->clip).value();
        const auto weight = static_cast<double>(a.effective_weight());
        if (!(weight > 0)) continue;
        const Rigid own = gaits[i]->way(time[i], a.time(), a.passes() - passes[i]);
        weights += weight;
        fades += static_cast<double>(a.fade());
        shift = shift + times(own.shift, weight);
        yaw += yaw_about(rig.up, own.turn) * weight;
      }
      const double factor = weights > 0 ? std::min(fades, 1.0) / weights : 0;
      distance += length(shift) * factor;
      total = total * rigid(mixer.root_motion());
      expected = expected * about(rig.up, yaw * factor, times(shift, factor));
      if (step < 100) continue;  // until it has come some way
      keep_larger(worst_shift, length(total.shift - expected.shift) / distance);
      keep_larger(worst_turn, angle_between(total.turn, expected.turn));
    }
    CHECK(worst_shift < 1e-5);
    CHECK(worst_turn < 1e-5);
    CHECK(distance > 500);
  }
}

TEST_CASE("what is taken out of the pose is what the character moves by") {
  Random random(3);
  for (const Rig& rig : rigs()) {
    const Rigid rest = rig.in_model(Pose(rig.skeleton));
    const RefVec up = unit(rig.up);
    const Gait gait(rig, random, {.duration = 1.1, .start = {0.5f, 2, -0.3f}, .turn = 1.5f, .start_yaw = -0.4f});
    for (int choice = 0; choice < 8; ++choice) {
      CAPTURE(choice);
      RootMotionOptions options = rig.options();
      options.horizontal = (choice & 1) != 0;
      options.vertical = (choice & 2) != 0;
      options.yaw = (choice & 4) != 0;
      test::PosedMixer mixer(rig.skeleton);
      REQUIRE(mixer.set_root_motion(options));
      const Action action = mixer.play(gait.clip, {.loop = Loop::ping_pong});
      Rigid object = gait.taken(0, options);
      double worst_shift = 0, worst_turn = 0, worst_left = 0;
      Pose plain(rig.skeleton);
      for (int step = 0; step < 300; ++step) {
        mixer.update(random.below(10) == 0 ? random.range(0, 5) : random.range(-0.02, 0.04));
        object = object * rigid(mixer.root_motion());
        const Rigid left = rig.in_model(mixer.pose()), back = object * left, sampled = gait.sampled(action.time());
        keep_larger(worst_shift, length(back.shift - sampled.shift));
        keep_larger(worst_turn, angle_between(back.turn, sampled.turn));

        const RefVec away = left.shift - rest.shift;
        const Real rise = dot(away, up), yaw = yaw_about(up, multiply(left.turn, conjugate(rest.turn)));
        if (options.horizontal) keep_larger(worst_left, length(away - times(up, rise)));
        if (options.vertical) keep_larger(worst_left, std::fabs(rise));
        if (options.yaw) keep_larger(worst_left, std::fabs(yaw));

        sample(gait.clip, action.time(), plain);
        const Transform leg = mixer.pose().transform(kLeg), expected = plain.transform(kLeg);
        CHECK(difference(floats(leg), floats(expected)) == "");
      }
      CHECK(worst_shift < 1e-5);
      CHECK(worst_turn < 1e-5);
      CHECK(worst_left < 2e-6);
    }
  }
}

TEST_CASE("there and back is nowhere; once ends where the clip ends") {
  Random random(4);
  const Rig rig = rigs()[1];
  const Gait gait(rig, random, {.duration = 1.3, .start = {2, 0, 0}, .turn = 2, .start_yaw = 1});
  test::PosedMixer mixer(rig.skeleton);
  REQUIRE(mixer.set_root_motion(rig.options()));
  Rigid total;
  const auto move = [&](double seconds) {
    for (const double dt : random_steps(random, seconds, gait.duration)) {
      mixer.advance(dt);
      total = total * rigid(mixer.root_motion());
    }
  };
  mixer.play(gait.clip, {.loop = Loop::ping_pong});
  move(40 * gait.duration);
  CHECK(length(total.shift) < 1e-5);
  CHECK(length(RefVec{total.turn.x, total.turn.y, total.turn.z}) < 1e-5);
  mixer.advance(1001 * gait.duration);
  CHECK(length(rigid(mixer.root_motion()).shift - gait.between(0, gait.duration).shift) < 1e-5);

  for (const std::uint32_t repetitions : {1u, 3u}) {
    mixer.stop_all();
    const Loop loop = repetitions == 1 ? Loop::once : Loop::repeat;
    const Action action = mixer.play(gait.clip, {.loop = loop, .repetitions = repetitions});
    total = {};
    move(4 * gait.duration);
    CHECK(action.finished());
    const Rigid end = gait.way(0, gait.duration, repetitions - 1);
    CHECK(length(total.shift - end.shift) < 1e-5);
    CHECK(angle_between(total.turn, end.turn) < 1e-5);
    mixer.advance(1);
    CHECK(difference(floats(mixer.root_motion()), floats(RootMotion())) == "");
  }
}

TEST_CASE("nothing moves without time; seeking, pausing and stopping are no motion") {
  Random random(5);
  const Rig rig = rigs()[2];
  const Gait gait(rig, random, {.start = {2, 0, 0}, .turn = 1});
  const auto moved = [](const test::PosedMixer& mixer) {
    return difference(floats(mixer.root_motion()), floats(RootMotion()));
  };
  test::PosedMixer mixer(rig.skeleton);
  REQUIRE(mixer.set_root_motion(rig.options()));
  mixer.advance(1);
  CHECK(moved(mixer) == "");
  const Action action = mixer.play(gait.clip);
  mixer.advance(0.25);
  CHECK(moved(mixer) != "");
  mixer.advance(0);
  CHECK(moved(mixer) == "");
  action.seek(0.75);
  mixer.advance(0);
  CHECK(moved(mixer) == "");
  mixer.advance(0.1);  // from where it was sought to
  CHECK(length(rigid(mixer.root_motion()).shift - gait.between(0.75, 0.85).shift) < 1e-6);
  action.pause();
  mixer.advance(0.25);
  CHECK(moved(mixer) == "");
  action.resume().stop();
  mixer.advance(0.25);
  CHECK(moved(mixer) == "");
}

TEST_CASE("any step is taken in closed form") {
  Random random(6);
  for (const Rig& rig : rigs()) {
    const Gait straight(rig, random, {.duration = 0.75, .start = {3, 1, 0}});
    const Gait circle(rig, random, {.displacement = {1.2f, 0, 0}, .turn = 0.5f});
    const Gait bend(rig, random, {.turn = 1e-4f, .start_yaw = 1});  // whose angle no float can hold well
    const Rigid loop = circle.between(0, circle.duration);
    const Real diameter = length(loop.shift) / std::sin(std::fabs(yaw_about(rig.up, loop.turn)) / 2);
    const RefVec up = unit(rig.up);
    for (const double loops : {1e9, -1e9, 1e15, 1e18, -1e300, std::numeric_limits<double>::max()}) {
      CAPTURE(loops);
      test::PosedMixer mixer(rig.skeleton);
      REQUIRE(mixer.set_root_motion(rig.options()));
      mixer.play(straight.clip);
      mixer.advance(loops * straight.duration);
      const RefVec shift = ref(mixer.root_motion().translation);
      CHECK(length(shift) <= static_cast<Real>(std::numeric_limits<float>::max()));
      if (std::fabs(loops) <= 1e18) {  // more are not counted
        const RefVec expected = times(straight.between(0, straight.duration).shift, loops);
        CHECK(static_cast<double>(length(shift - expected) / length(expected)) < 1e-5);
      }

      mixer.stop_all();
      mixer.play(circle.clip);
      mixer.advance(loops * circle.duration);
      const Rigid end = rigid(mixer.root_motion());
      CHECK(length(ref(mixer.root_motion().rotation)) == doctest::Approx(1.0));
      CHECK(length(end.shift - times(up, dot(end.shift, up))) < diameter * 1.0001);
    }
    for (const Gait* gait : {&circle, &bend}) {
      for (const double loops : {1e4, -1e4}) {
        test::PosedMixer mixer(rig.skeleton);
        REQUIRE(mixer.set_root_motion(rig.options()));
        mixer.play(gait->clip);
        mixer.advance(loops * gait->duration);
        const Rigid there = gait->way(0, 0, 10000), expected = loops < 0 ? inverse_of(there) : there;
        const Rigid end = rigid(mixer.root_motion());
        CHECK(static_cast<double>(length(end.shift - expected.shift) / (1e4 * gait->distance())) < 1e-5);
        CHECK(static_cast<double>(angle_between(end.turn, expected.turn) / 1e4) < 1e-7);
      }
    }
  }
}

TEST_CASE("the base layer alone moves the character, and no layer that replaces leaves the motion in the pose") {
  Random random(7);
  const Rig rig = rigs()[1];
  const Gait walk(rig, random, {.turn = 0.4f}), lunge(rig, random, {.displacement = {0, 5, 0}, .start_yaw = 1});
  test::PosedMixer alone(rig.skeleton), layered(rig.skeleton);
  REQUIRE(alone.set_root_motion(rig.options()));
  REQUIRE(layered.set_root_motion(rig.options()));
  alone.play(walk.clip);
  layered.play(walk.clip);
  const Layer over = layered.add_layer({}).value();
  over.play(lunge.clip, {.fade_in = 0.3});
  const RefVec rest = rig.in_model(Pose(rig.skeleton)).shift;
  for (int i = 0; i < 60; ++i) {
    alone.update(1.0 / 60);
    layered.update(1.0 / 60);
    CHECK(difference(floats(layered.root_motion()), floats(alone.root_motion())) == "");
    CHECK(length(rig.in_model(layered.pose()).shift - rest) < 1e-6);
  }
  layered.base().stop_all();
  layered.update(0.1);
  CHECK(difference(floats(layered.root_motion()), floats(RootMotion())) == "");
  CHECK(length(rig.in_model(layered.pose()).shift - rest) < 1e-6);

  over.stop_all();  // what is added is no way that the character goes, but a change of its pose
  test::PosedMixer plain(rig.skeleton);
  for (test::PosedMixer* mixer : {&plain, &layered}) {
    mixer->add_layer({.mode = LayerMode::add}).value().play(lunge.clip);
    mixer->update(0.5);
    CHECK(difference(floats(mixer->root_motion()), floats(RootMotion())) == "");
  }
  CHECK(difference(layered.pose(), plain.pose()) == "");
}

TEST_CASE("the motion is as much of the base layer as the pose takes of it") {
  Random random(8);
  const Rig rig = rigs()[0];
  const Gait walk(rig, random, {});
  JointMask mask(rig.skeleton, 1.0f);
  mask.set(kHips, 0.5f);
  test::PosedMixer mixer(rig.skeleton);
  REQUIRE(mixer.set_root_motion(rig.options()));
  const Action action = mixer.play(walk.clip, {.weight = 0.25f});
  const auto part = [&] {
    const double from = action.time();
    mixer.advance(0.125);
    const RefVec whole = walk.between(from, action.time()).shift;
    return static_cast<double>(dot(ref(mixer.root_motion().translation), whole) / dot(whole, whole));
  };
  CHECK(part() == doctest::Approx(1.0));  // the only action, whatever its weight
  mixer.base().set_fill(Fill::weight);
  CHECK(part() == doctest::Approx(0.25));
  mixer.base().set_fill(Fill::fade).set_weight(0.75f);
  CHECK(part() == doctest::Approx(0.75));
  mixer.base().set_mask(&mask);
  CHECK(part() == doctest::Approx(0.375));
}

TEST_CASE("clips without tracks for the root blend as the pose does") {
  Random random(9);
  const Rig rig = rigs()[0];
  const Gait walk(rig, random, {});
  const Clip still = Clip::create(rig.skeleton, {"still", {}, 1.0}).value();
  test::PosedMixer mixer(rig.skeleton);
  REQUIRE(mixer.set_root_motion(rig.options()));
  const Action action = mixer.play(walk.clip);
  mixer.cross_fade_to(still, 0.5);
  mixer.advance(0.125);
  const RefVec expected = times(walk.between(0, 0.125).shift, 0.75f);
  CHECK(action.fade() == 0.75f);
  CHECK(length(ref(mixer.root_motion().translation) - expected) < 1e-6);
  mixer.advance(1);
  CHECK(difference(floats(mixer.root_motion()), floats(RootMotion())) == "");
}

TEST_CASE("half of a turn in one step is half of the short way, whatever whole turns are in it") {
  Random random(11);
  const Rig rig = rigs()[2];
  const Gait pirouette(rig, random, {.turn = 2 * kPi});
  test::PosedMixer mixer(rig.skeleton);
  REQUIRE(mixer.set_root_motion(rig.options()));
  mixer.base().set_weight(0.5f);
  mixer.play(pirouette.clip).seek(0.75);
  mixer.advance(1.125);
  const Real expected = yaw_about(rig.up, pirouette.way(0.75, 0.875, 1).turn) / 2;
  CHECK(yaw_about(rig.up, ref(mixer.root_motion().rotation)) == doctest::Approx(static_cast<double>(expected)));
}

TEST_CASE("a mirrored armature turns the other way, unless it is mirrored along up") {
  JointDesc joints[2];
  joints[0].rest.scale = {-1, 1, 1};
  joints[1].parent = 0;
  const Skeleton skeleton = Skeleton::create(joints).value().skeleton;
  for (const Vec3 up : {Vec3{0, 0, 1}, Vec3{1, 0, 0}}) {
    const float times[] = {0, 1}, quarter = 0.70710678f;
    const float rotations[] = {0, 0, 0, 1, up.x * quarter, 0, up.z * quarter, quarter};
    const float positions[] = {0, 0, 0, 1, 2, 3};
    const TrackDesc tracks[] = {{1, Property::rotation, Interpolation::linear, times, rotations},
                                {1, Property::translation, Interpolation::linear, times, positions}};
    const Clip clip = Clip::create(skeleton, {"turn", tracks, 1.0}).value();
    test::PosedMixer mixer(skeleton);
    REQUIRE(mixer.set_root_motion({.joint = 1, .up = up}));
    mixer.play(clip, {.loop = Loop::once});
    mixer.advance(1);
    CHECK(mixer.root_motion().rotation.z == doctest::Approx(-up.z * quarter));
    CHECK(mixer.root_motion().rotation.x == doctest::Approx(up.x * quarter));
    CHECK(mixer.root_motion().translation.x == doctest::Approx(-1));
    CHECK(mixer.root_motion().translation.y == doctest::Approx(2));
    CHECK(mixer.root_motion().translation.z == doctest::Approx(3));
  }
}

TEST_CASE("root motion is refused for what is no joint or no direction, and can be put back") {
  Random random(10);
  const Rig rig = rigs()[1];
  const Gait gait(rig, random, {.turn = 1});
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  test::PosedMixer mixer(rig.skeleton), plain(rig.skeleton);
  const Result<void> no_joint = mixer.set_root_motion({.joint = 4});
  REQUIRE(!no_joint);
  CHECK(no_joint.error().code == ErrorCode::invalid_argument);
  CHECK(to_string(no_joint.error().place) == "joint");
  for (const Vec3 up : {Vec3{0, 0, 0}, Vec3{0, 0, std::numeric_limits<float>::quiet_NaN()}, Vec3{kInfinity, 0, 0}}) {
    const Result<void> no_up = mixer.set_root_motion({.joint = kHips, .up = up});
    REQUIRE(!no_up);
    CHECK(no_up.error().code == ErrorCode::invalid_argument);
    CHECK(to_string(no_up.error().place) == "up");
  }
  plain.play(gait.clip);
  mixer.play(gait.clip);
  plain.update(0.3);
  mixer.update(0.3);
  CHECK(difference(mixer.pose(), plain.pose()) == "");  // a refusal changes nothing
  CHECK(difference(floats(mixer.root_motion()), floats(RootMotion())) == "");

  REQUIRE(mixer.set_root_motion(rig.options()));
  REQUIRE(!mixer.set_root_motion({.joint = 4}));
  plain.update(0.3);
  mixer.update(0.3);
  CHECK(difference(mixer.pose(), plain.pose()) != "");
  CHECK(length(rigid(mixer.root_motion()).shift - gait.between(0.3, 0.6).shift) < 1e-6);
  mixer.clear_root_motion();
  CHECK(difference(floats(mixer.root_motion()), floats(RootMotion())) == "");
  plain.update(0.1);
  mixer.update(0.1);
  CHECK(difference(mixer.pose(), plain.pose()) == "");
  CHECK(difference(floats(mixer.root_motion()), floats(RootMotion())) == "");
}

}  // namespace
}  // namespace marrow
