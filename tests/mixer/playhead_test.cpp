// Time: no drift, no hang, closed forms.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "fixtures/random.h"
#include "mixer/scene.h"

namespace marrow {
namespace {

using test::Dial;
using test::x_of;

// Where a clip that loops is, `seconds` of clip time after its start, and how near to that a time is, across the seam.
long double repeat_time(long double seconds, long double duration) {
  const long double rem = std::fmod(seconds, duration);
  return rem < 0 ? rem + duration : rem;
}
long double ping_pong_time(long double seconds, long double duration) {
  const long double rem = repeat_time(seconds, 2 * duration);
  return rem < duration ? rem : 2 * duration - rem;
}
long double seam_distance(long double a, long double b, long double duration) {
  const long double d = std::abs(a - b);
  return std::min(d, std::abs(duration - d));
}

TEST_CASE("after a day at 60 frames a second an action is where closed form says, to a microsecond") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const double duration = 4.0 / 3, speeds[] = {1, 1.0 / 3, -1.7};
  std::vector<Action> actions;
  for (const double speed : speeds) {
    for (const Loop loop : {Loop::repeat, Loop::ping_pong}) {
      actions.push_back(mixer.new_action(dial.clip(duration)).value().set_speed(speed).set_loop(loop).play());
    }
  }
  const double dt = 1.0 / 60;
  constexpr int kFrames = 24 * 3600 * 60;
  for (int frame = 0; frame < kFrames; ++frame) mixer.advance(dt);
  long double worst = 0;
  for (const Action action : actions) {
    // In its own duration and speed, as the mixer has them.
    const long double d = action.clip().duration();
    const long double start = action.speed() < 0 ? d : 0;
    const long double moved = static_cast<long double>(kFrames) * dt * action.speed();
    const long double time = action.time();
    const long double error = action.loop() == Loop::repeat ? seam_distance(time, repeat_time(start + moved, d), d)
                                                            : std::abs(time - ping_pong_time(start + moved, d));
    worst = std::max(worst, error);
    CAPTURE(action.speed());
    CAPTURE(static_cast<int>(action.loop()));
    CHECK(static_cast<double>(error) < 1e-6);
    CHECK(std::abs(static_cast<double>(action.passes()) - static_cast<double>(std::abs(moved) / d)) <= 1);
  }
  MESSAGE("a day's drift: " << static_cast<double>(worst) << " s");
}

TEST_CASE("over random steps of any size and sign, repeat and ping-pong are where closed form says") {
  test::Random random(7);
  const Dial dial;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    test::PosedMixer mixer(dial.skeleton);
    const Clip clip = dial.clip(random.range(0.01, 3));
    const Action repeat = mixer.new_action(clip).value().play();
    const Action ping_pong = mixer.new_action(clip).value().set_loop(Loop::ping_pong).play();
    const long double d = clip.duration();
    long double moved = 0;
    for (int step = 0; step < 200; ++step) {
      if (random.below(10) == 0) {
        const double speed = random.range(-3, 3);
        repeat.set_speed(speed);
        ping_pong.set_speed(speed);
      }
      const double dt = random.below(5) == 0 ? random.range(-20, 20) : random.range(0, 0.05);
      moved += static_cast<long double>(dt) * repeat.speed();
      mixer.advance(dt);
      REQUIRE(static_cast<double>(seam_distance(repeat.time(), repeat_time(moved, d), d)) < 1e-10);
      REQUIRE(static_cast<double>(std::abs(ping_pong.time() - ping_pong_time(moved, d))) < 1e-10);
    }
  }
}

TEST_CASE("any step is taken at once: loops are counted, poses stay finite, NaN and infinity change nothing") {
  const Dial dial;
  const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  for (const double duration : {0.0, 1e-9, 0.7, 1.0, 4.0 / 3}) {
    for (const Loop loop : {Loop::once, Loop::repeat, Loop::ping_pong}) {
      for (const double speed : {1.0, -1.0, 0.0, 1e300, tiny}) {
        for (const bool one_key : {false, true}) {
          CAPTURE(duration);
          CAPTURE(static_cast<int>(loop));
          CAPTURE(speed);
          test::PosedMixer mixer(dial.skeleton);
          const Clip clip = one_key || duration == 0 ? dial.still(1, duration) : dial.clip(duration);
          const Action action = mixer.play(clip, {.speed = speed, .loop = loop});
          for (const double dt : {0.0, 1e-9, 1e9, -1e9, huge, -huge, tiny, -tiny, 0.25, 0.0}) {
            CAPTURE(dt);
            const bool moves = dt != 0 && speed != 0 && dt * speed != 0 && action.playing();
            const std::uint64_t passes = action.passes();
            REQUIRE(mixer.update(dt));
            REQUIRE((action.time() >= 0 && action.time() <= duration));
            REQUIRE(std::isfinite(x_of(mixer)));
            // Ends reached: what was counted is what was told.
            std::uint64_t told = 0;
            for (const Event& event : mixer.events()) told += event.count;
            REQUIRE(told == action.passes() - passes);
            if (!moves) REQUIRE(told == 0);
            if (loop == Loop::repeat && moves && duration >= 0.5 && std::abs(dt * speed) == 1e9) {
              REQUIRE(std::abs(static_cast<double>(told) - 1e9 / clip.duration()) < 1.001);
            }
          }
          const double time = action.time();
          for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
            REQUIRE(!mixer.update(bad));
            REQUIRE(action.time() == time);
          }
        }
      }
    }
  }
}

TEST_CASE("a clip of no length never loops; a last pass of it ends with the first step") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Clip point = dial.still(3, 0);
  const Action action = mixer.play(point);
  for (const double dt : {0.1, 1e9, -5.0}) {
    mixer.update(dt);
    CHECK(mixer.events().empty());
    CHECK(x_of(mixer) == 3.0f);
  }
  action.set_loop(Loop::once);
  mixer.update(0);
  CHECK(action.playing());
  mixer.update(0.1);
  CHECK(action.finished());
  REQUIRE(mixer.events().size() == 1);
  CHECK(mixer.events()[0].kind == EventKind::finished);
  CHECK(x_of(mixer) == 3.0f);
}

}  // namespace
}  // namespace marrow
