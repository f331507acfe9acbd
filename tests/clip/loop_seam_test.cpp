#include "marrow/clip/loop_seam.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "anim/random_clip.h"
#include "marrow/clip/clip_error.h"
#include "marrow/clip/clip_tools.h"
#include "marrow/math/quat.h"

namespace marrow {
namespace {

using test::OwnedTrack;

constexpr double kTurn = 6.283185307179586;

Skeleton arm() {
  JointDesc joints[2];
  joints[0].name = "hips";
  joints[1].name = "hand";
  joints[1].parent = 0;
  joints[1].rest.translation = {0.5f, 0, 0};
  return Skeleton::create(joints)->skeleton;
}

// An arm that swings with a period, while the hips travel along x and bob; drifts away before `start` and after `end`.
Clip swing(const Skeleton& skeleton, double period, double start, double end, double length, double speed = 0) {
  OwnedTrack turn{0, Property::rotation, Interpolation::linear, {}, {}};
  OwnedTrack place{0, Property::translation, Interpolation::linear, {}, {}};
  for (int i = 0; i <= static_cast<int>(length * 60 + 0.5); ++i) {
    const double t = i / 60.0, outside = std::max(0.0, start - t) + std::max(0.0, t - end);
    const Quat q = from_axis_angle({0, 0, 1}, static_cast<float>(0.8 * std::sin(kTurn * t / period) +
                                                                 0.3 * std::cos(2 * kTurn * t / period) + 2 * outside));
    turn.times.push_back(static_cast<float>(t));
    turn.values.insert(turn.values.end(), {q.x, q.y, q.z, q.w});
    place.times.push_back(static_cast<float>(t));
    place.values.insert(place.values.end(), {static_cast<float>(speed * t), 0,
                                             static_cast<float>(0.05 * std::sin(2 * kTurn * t / period))});
  }
  return test::good_clip(skeleton, std::vector<OwnedTrack>{turn, place});
}

TEST_CASE("a cycle in the middle of a clip is found") {
  const Skeleton skeleton = arm();
  for (const double period : {0.7, 1.0, 1.3}) {
    const Clip clip = swing(skeleton, period, 0.5, 0.5 + 1.3 * period, 0.9 + 1.3 * period);
    const LoopSeam seam = *find_loop_seam(skeleton, clip);
    CAPTURE(period);
    CAPTURE(seam.from_s);
    CHECK(seam.to_s - seam.from_s == doctest::Approx(period).epsilon(0.02));
    CHECK(seam.from_s > 0.45);
    CHECK(seam.to_s < 0.55 + 1.3 * period);
    CHECK(seam.jump < 0.01);
    const Clip loop = *trim(skeleton, clip, seam.from_s, seam.to_s);
    CHECK(loop.duration() == doctest::Approx(period).epsilon(0.02));
  }
}

TEST_CASE("a clip that loops already is taken whole") {
  const Skeleton skeleton = arm();
  const Clip clip = swing(skeleton, 1, -10, 10, 3);
  const LoopSeam seam = *find_loop_seam(skeleton, clip);
  CHECK(seam.from_s == 0);
  CHECK(seam.to_s == doctest::Approx(3));
  CHECK(seam.jump < 1e-4);
  SeamOptions options;
  options.max_length_s = 1.5;
  const LoopSeam one = *find_loop_seam(skeleton, clip, options);
  CHECK(one.to_s - one.from_s == doctest::Approx(1).epsilon(0.02));
}

TEST_CASE("a walk across a floor has a seam if its root is given, at the same speed") {
  const Skeleton skeleton = arm();
  const Clip clip = swing(skeleton, 1, -10, 10, 2.4, 1.5);
  SeamOptions options;
  options.root = 0;
  const LoopSeam seam = *find_loop_seam(skeleton, clip, options);
  CHECK(seam.to_s - seam.from_s == doctest::Approx(2).epsilon(0.02));
  CHECK(seam.jump < 0.01);
  CHECK(find_loop_seam(skeleton, clip)->jump > 0.2);  // where it is counts, if it is not
  options.up = {1, 0, 0};                             // then x is the height, and counts
  CHECK(find_loop_seam(skeleton, clip, options)->jump > 0.2);
}

TEST_CASE("poses that are alike but move the other way are no seam") {
  const Skeleton skeleton = arm();
  // There and back again: every pose comes twice, in opposite directions, until the whole comes again.
  OwnedTrack turn{0, Property::rotation, Interpolation::linear, {}, {}};
  for (int i = 0; i <= 150; ++i) {
    const double t = i / 60.0;
    const Quat q = from_axis_angle({0, 0, 1}, static_cast<float>(std::sin(kTurn * t / 2)));
    turn.times.push_back(static_cast<float>(t));
    turn.values.insert(turn.values.end(), {q.x, q.y, q.z, q.w});
  }
  const LoopSeam seam = *find_loop_seam(skeleton, test::good_clip(skeleton, std::vector<OwnedTrack>{turn}));
  CHECK(seam.to_s - seam.from_s == doctest::Approx(2).epsilon(0.02));
  CHECK(seam.kink < 0.01);
}

TEST_CASE("a motion so slow that frames beside each other are as good is still cut where it fits best") {
  const Skeleton skeleton = arm();
  OwnedTrack breath{0, Property::rotation, Interpolation::linear, {}, {}};
  for (int i = 0; i <= 300; ++i) {
    const double t = i / 60.0;
    const Quat q = from_axis_angle({0, 0, 1}, static_cast<float>(0.01 * std::sin(kTurn * t / 4)));
    breath.times.push_back(static_cast<float>(t));
    breath.values.insert(breath.values.end(), {q.x, q.y, q.z, q.w});
  }
  SeamOptions options;
  options.min_length_s = 3;
  const Clip clip = test::good_clip(skeleton, std::vector<OwnedTrack>{breath});
  const LoopSeam seam = *find_loop_seam(skeleton, clip, options);
  CHECK(seam.to_s - seam.from_s == doctest::Approx(4).epsilon(0.01));
}

TEST_CASE("long clips are looked at on a coarser grid, and then closely") {
  const Skeleton skeleton = arm();
  const Clip clip = swing(skeleton, 7, 20, 29, 60);
  const LoopSeam seam = *find_loop_seam(skeleton, clip);
  CHECK(seam.to_s - seam.from_s == doctest::Approx(7).epsilon(0.02));
  CHECK(seam.jump < 0.01);
}

TEST_CASE("poses that overflow have no seam, and no error that could be told") {
  JointDesc joints[3];
  for (int i = 0; i < 3; ++i) {
    joints[i].parent = i - 1;
    joints[i].rest.scale = {1e18f, 1e18f, 1e18f};
  }
  const Skeleton skeleton = Skeleton::create(joints)->skeleton;
  const OwnedTrack track{0, Property::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 1, 0, 0, 1}};
  const Clip clip = test::good_clip(skeleton, std::vector<OwnedTrack>{track});
  const Result<LoopSeam> seam = find_loop_seam(skeleton, clip);
  REQUIRE(!seam);
  CHECK(seam.error().code == ErrorCode::not_finite);
  CHECK(measure_error(skeleton, clip, clip).distance == std::numeric_limits<double>::infinity());
}

TEST_CASE("options that make no sense are errors with a place") {
  const Skeleton skeleton = arm();
  const Clip clip = swing(skeleton, 1, -10, 10, 1);
  const auto place = [&](const auto& change) {
    SeamOptions options;
    change(options);
    const Result<LoopSeam> seam = find_loop_seam(skeleton, clip, options);
    return seam ? "none" : to_string(seam.error().place);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(place([&](SeamOptions& o) { o.from_s = nan; }) == "from_s");
  CHECK(place([&](SeamOptions& o) { o.to_s = nan; }) == "to_s");
  CHECK(place([&](SeamOptions& o) { o.to_s = -1; }) == "to_s");
  CHECK(place([&](SeamOptions& o) { o.min_length_s = 0; }) == "min_length_s");
  CHECK(place([&](SeamOptions& o) { o.min_length_s = 2; }) == "min_length_s");
  CHECK(place([&](SeamOptions& o) { o.max_length_s = 0.1; }) == "max_length_s");
  CHECK(place([&](SeamOptions& o) { o.distance = nan; }) == "distance");
  CHECK(place([&](SeamOptions& o) { o.root = 2; }) == "root");
  CHECK(place([&](SeamOptions& o) { o.up = {}; }) == "up");
  CHECK(place([&](SeamOptions& o) { o.min_length_s = 1; }) == "none");
  CHECK(to_string(find_loop_seam(Skeleton(), Clip()).error().place) == "min_length_s");
}

}  // namespace
}  // namespace marrow
