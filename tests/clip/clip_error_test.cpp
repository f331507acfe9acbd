#include "marrow/clip/clip_error.h"

#include <doctest/doctest.h>

#include <cmath>

#include "anim/random_clip.h"
#include "anim/skin_distance.h"
#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "src/clip/skin_error.h"
#include "support/asserts.h"

namespace marrow {
namespace {

using test::keep_larger;
using test::OwnedTrack;
using test::Random;

TEST_CASE("the error of a skin is never below what its points show, and hardly above") {
  Random random(1);
  double too_small = 0, rotation_excess = 0, excess = 0;
  for (int i = 0; i < test::samples(8000); ++i) {
    Transform a{test::random_vector(random, 1), normalize(test::random_quat(random)), {1, 1, 1}}, b = a;
    const double size = std::pow(10.0, random.range(-4, 0));
    const bool moves = random.below(2) == 0, scales = random.below(2) == 0;
    if (scales) a.scale = {random.rangef(0.01, 3), random.rangef(0.01, 3), random.rangef(-3, -0.01)};
    b.scale = a.scale;
    if (scales) b.scale.x *= 1 + random.rangef(-size, size);
    b.rotation = multiply(a.rotation, from_axis_angle(test::random_vector(random, 1), random.rangef(-size, size)));
    if (moves) b.translation.x += random.rangef(-size, size);
    const Affine from = to_affine(a), to = to_affine(b);
    const double distance = random.range(0.01, 1);
    const auto error = static_cast<double>(skin_error(to_skin_target(from, distance), to));
    const auto seen = static_cast<double>(test::skin_distance(test::ref(from), test::ref(to), distance));
    const double noise = 1e-6 * (1 + distance);
    keep_larger(too_small, (seen - error) / (seen + noise));
    // The bound adds what moves and what turns, which may go different ways: then it can be up to twice the truth.
    if (!moves && !scales) keep_larger(rotation_excess, (error - seen - noise) / seen);
    keep_larger(excess, (error - seen - noise) / seen);
  }
  CHECK(too_small < 1e-3);
  CHECK(rotation_excess < 0.03);
  CHECK(excess < 1.01);
  MESSAGE("rotations: at most " << rotation_excess << " above; everything: " << excess);
}

TEST_CASE("an error that is not above the least is not told") {
  const Affine a, b = to_affine({{0.001f, 0, 0}, {}, {1, 1, 1}});
  CHECK(skin_error(to_skin_target(a, 0.1), b, 0.5f) == 0.5f);
  CHECK(skin_error(to_skin_target(a, 0.1), b, 0.0005f) == doctest::Approx(0.001));
}

OwnedTrack line(std::uint32_t joint, Property property, std::vector<float> from, const std::vector<float>& to) {
  OwnedTrack track{joint, property, Interpolation::linear, {0, 1}, std::move(from)};
  track.values.insert(track.values.end(), to.begin(), to.end());
  return track;
}

TEST_CASE("the error of a clip is found where and when it is largest, at the end of the branch") {
  JointDesc joints[3];
  joints[1].parent = 0;
  joints[1].rest.translation = {1, 0, 0};
  joints[2].parent = 1;
  joints[2].rest.translation = {1, 0, 0};
  const Skeleton skeleton = Skeleton::create(joints)->skeleton;
  const Quat turn = from_axis_angle({0, 0, 1}, 0.01f);
  const Clip still = test::good_clip(skeleton, std::vector<OwnedTrack>{});
  const Clip turning = test::good_clip(
      skeleton, std::vector<OwnedTrack>{line(0, Property::rotation, {0, 0, 0, 1}, {turn.x, turn.y, turn.z, turn.w})});
  const ClipError error = measure_error(skeleton, still, turning);
  CHECK(error.joint == 2);
  CHECK(error.time_s == 1);
  CHECK(error.distance == doctest::Approx(2 * std::sin(0.005) * 2.1).epsilon(0.01));
  CHECK(error.morph == 0);
  CHECK(measure_error(skeleton, turning, turning).distance == 0);
}

TEST_CASE("errors between keys and at jumps are seen") {
  const float weight = 0;
  JointDesc joint;
  joint.morph_weights = {&weight, 1};
  const Skeleton skeleton = Skeleton::create({&joint, 1})->skeleton;
  const auto clip = [&](const OwnedTrack& track) { return test::good_clip(skeleton, std::vector<OwnedTrack>{track}); };
  // A hump between two keys that are the same in both.
  const Clip flat = clip({0, Property::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 0, 0, 0}});
  const Clip hump = clip({0,
                          Property::translation,
                          Interpolation::cubic_spline,
                          {0, 1},
                          {0, 0, 0, 0, 0, 0, 4, 0, 0, -4, 0, 0, 0, 0, 0, 0, 0, 0}});
  CHECK(measure_error(skeleton, flat, hump).distance == doctest::Approx(1).epsilon(1e-3));
  // Steps at the same time to the same value, from different ones.
  const Clip low = clip({0, Property::morph, Interpolation::step, {0, 0.5f}, {0.25f, 1}});
  const Clip high = clip({0, Property::morph, Interpolation::step, {0, 0.5f}, {0.5f, 1}});
  CHECK(measure_error(skeleton, low, high).morph == 0.25);
  // A jump there and back within a moment.
  const Clip spike = clip({0,
                           Property::translation,
                           Interpolation::linear,
                           {0, 0.5f, 0.50001f, 0.50002f, 1},
                           {0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0}});
  CHECK(measure_error(skeleton, flat, spike).distance == 7);
}

TEST_CASE("the skin's distance is one in model space, whatever the scale above the joint") {
  JointDesc joints[2];
  joints[0].rest.scale = {0.01f, 0.01f, 0.01f};  // a skeleton in centimetres
  joints[1].parent = 0;
  const Skeleton skeleton = Skeleton::create(joints)->skeleton;
  const Quat turn = from_axis_angle({1, 2, 3}, 0.01f);
  const Clip still = test::good_clip(skeleton, std::vector<OwnedTrack>{});
  const Clip turned = test::good_clip(
      skeleton,
      std::vector<OwnedTrack>{{1, Property::rotation, Interpolation::step, {0}, {turn.x, turn.y, turn.z, turn.w}}});
  CHECK(measure_error(skeleton, still, turned).distance == doctest::Approx(0.001).epsilon(0.01));
}

TEST_CASE("options that make no sense are mistakes of the caller") {
  const Skeleton skeleton;
  CHECK(test::assert_message([&] { (void)measure_error(skeleton, Clip(), Clip(), {-1, 240}); }) != "");
  CHECK(test::assert_message([&] { (void)measure_error(skeleton, Clip(), Clip(), {0.1, 0}); }) != "");
  CHECK(measure_error(skeleton, Clip(), Clip()).distance == 0);
}

}  // namespace
}  // namespace marrow
