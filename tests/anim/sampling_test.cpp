// Laws of sampling: what a result does not depend on. What the values are is in sampling_keys_test.cpp, how exact in
// sampling_precision_test.cpp.
#include "marrow/anim/sampling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#ifndef __EMSCRIPTEN__
#include <thread>
#endif

#include "anim/pose_difference.h"
#include "anim/random_clip.h"
#include "marrow/core/hash.h"
#include "marrow/math/quat.h"
#include "support/asserts.h"
#include "support/float_state.h"
#include "support/lanes.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::assert_message;
using test::difference;
using test::kInfDouble;
using test::OwnedTrack;
using test::Random;
using test::Recipe;

// A character and a clip of it, with shared and own timelines in any mixture.
struct Scene {
  explicit Scene(std::uint64_t seed) : random(seed) {
    skeleton = test::random_skeleton(random, 1 + random.below(seed % 8 == 0 ? 300 : 30), 12);
    Recipe recipe;
    recipe.shared = random.below(3) / 2.0;
    recipe.max_keys = 2 + random.below(40);
    recipe.largest_angle = random.below(2) == 0 ? 3.1 : 0.3;
    tracks = test::random_tracks(random, skeleton, recipe);
    clip = test::good_clip(skeleton, tracks);
  }
  Random random;
  Skeleton skeleton;
  std::vector<OwnedTrack> tracks;
  Clip clip;
};

Pose sampled(const Clip& clip, double time_s, const Skeleton& skeleton) {
  Pose pose(skeleton);
  sample(clip, time_s, pose);
  return pose;
}

// Fills a pose with what no sample may leave behind, padding included.
void poison(Pose& pose) {
  std::fill(pose.floats().begin(), pose.floats().end(), test::kNaN);
  std::fill(pose.present().begin(), pose.present().end(), PresentBits{0xff, 0xff, 0xff, 0xff});
}

TEST_CASE("a cursor never changes a bit, whichever way time runs") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Scene scene(seed);
    std::vector<double> forward = test::interesting_times(scene.random, scene.tracks, 60);
    std::vector<double> shuffled = forward;
    std::sort(forward.begin(), forward.end());
    std::vector<double> backward(forward.rbegin(), forward.rend());
    test::on_every_lane_count([&] {
      Cursor cursor(scene.clip);
      Pose cached(scene.skeleton), cold(scene.skeleton);
      for (const std::vector<double>& times : {forward, backward, shuffled}) {
        for (const double time : times) {
          CAPTURE(time);
          sample(scene.clip, time, cursor, cached);
          sample(scene.clip, time, cold);
          REQUIRE(difference(cached, cold) == "");
        }
      }
    });
  }
}

TEST_CASE("a cursor never changes a bit next to a jump") {
  // Alone among eight, so that the track is on a timeline of its own; and as one of few, on a shared one.
  for (const std::uint32_t joints : {1u, 8u}) {
    for (const float at : {0.0f, 1.0f, -1.0f, 1e-30f, 1e-42f, 300.0f}) {
      CAPTURE(joints);
      CAPTURE(at);
      const OwnedTrack track{
          0, Property::translation, Interpolation::step, {at, at, at + 5}, {1, 1, 1, 2, 2, 2, 3, 3, 3}};
      const Skeleton skeleton = Skeleton::create(std::vector<JointDesc>(joints)).value().skeleton;
      const Clip clip = test::good_clip(skeleton, {&track, 1});
      for (const double time :
           {double{at}, std::nextafter(double{at}, -kInfDouble), std::nextafter(double{at}, kInfDouble)}) {
        for (const double time_before : {double{at} - 1, double{at}, double{at} + 1}) {
          CAPTURE(time);
          CAPTURE(time_before);
          Cursor cursor(clip);
          Pose pose(skeleton);
          sample(clip, time_before, cursor, pose);
          sample(clip, time, cursor, pose);
          CHECK(difference(pose, sampled(clip, time, skeleton)) == "");
        }
      }
    }
  }
}

TEST_CASE("a cursor that was used with other clips gives the same bits") {
  Random random(1);
  const Skeleton skeleton = test::random_skeleton(random, 20, 9);
  std::vector<Clip> clips;
  for (const double shared : {0.0, 0.3, 0.7, 1.0}) {
    Recipe recipe;
    recipe.shared = shared;
    recipe.present = shared == 0.3 ? 0.2 : 0.9;
    clips.push_back(test::good_clip(skeleton, test::random_tracks(random, skeleton, recipe)));
  }
  clips.push_back(test::good_clip(skeleton, {}));
  Cursor cursor;
  Pose pose(skeleton);
  for (int i = 0; i < 500; ++i) {
    const Clip& clip = clips[random.below(static_cast<std::uint32_t>(clips.size()))];
    if (random.below(10) == 0) cursor.reset(clips[random.below(5)]);
    const double time = random.range(-1, 5);
    sample(clip, time, cursor, pose);
    REQUIRE(difference(pose, sampled(clip, time, skeleton)) == "");
  }
}

TEST_CASE("a copied cursor goes its own way") {
  Scene scene(4);
  Cursor one(scene.clip);
  Pose pose(scene.skeleton);
  sample(scene.clip, 1.0, one, pose);
  Cursor other = one;
  for (int i = 0; i < 50; ++i) {
    sample(scene.clip, i * 0.1, one, pose);
    REQUIRE(difference(pose, sampled(scene.clip, i * 0.1, scene.skeleton)) == "");
    sample(scene.clip, 5 - i * 0.1, other, pose);
    REQUIRE(difference(pose, sampled(scene.clip, 5 - i * 0.1, scene.skeleton)) == "");
  }
}

TEST_CASE("every lane count gives the same bits") {
  for (std::uint64_t seed = 100; seed < 160; ++seed) {
    CAPTURE(seed);
    Scene scene(seed);
    for (const double time : test::interesting_times(scene.random, scene.tracks, 30)) {
      CAPTURE(time);
      std::optional<Pose> first;
      test::on_every_lane_count([&] {
        Pose pose = sampled(scene.clip, time, scene.skeleton);
        if (first.has_value()) REQUIRE(difference(pose, *first) == "");
        first.emplace(std::move(pose));
      });
    }
  }
}

TEST_CASE("what was in the pose does not matter: no float, weight or bit of it is left") {
  for (std::uint64_t seed = 200; seed < 230; ++seed) {
    CAPTURE(seed);
    Scene scene(seed);
    test::on_every_lane_count([&] {
      Pose pose(scene.skeleton);
      poison(pose);
      sample(scene.clip, 1.25, pose);
      CHECK(difference(pose, sampled(scene.clip, 1.25, scene.skeleton)) == "");
    });
  }
}

TEST_CASE("a clip without tracks is the rest pose, with nothing present") {
  Random random(3);
  for (const std::uint32_t joints : {0u, 1u, 7u, 8u, 9u}) {
    const Skeleton skeleton = test::random_skeleton(random, joints, 9);
    const Clip clip = test::good_clip(skeleton, {});
    Pose pose(skeleton);
    poison(pose);
    sample(clip, 0.5, pose);
    CHECK(difference(pose, Pose(skeleton)) == "");
  }
  Pose empty{Skeleton()};
  Cursor cursor;
  CHECK_NOTHROW(sample(Clip(), 1, cursor, empty));
}

TEST_CASE("what has a track is present, what has none is absent and at rest") {
  for (std::uint64_t seed = 300; seed < 330; ++seed) {
    Scene scene(seed);
    const Pose rest(scene.skeleton);
    Pose pose(scene.skeleton);
    poison(pose);
    sample(scene.clip, 0.7, pose);
    for (std::uint32_t j = 0; j < scene.skeleton.joint_count(); ++j) {
      const auto has_track = [&](Property property) {
        return std::any_of(scene.tracks.begin(), scene.tracks.end(),
                           [&](const OwnedTrack& t) { return t.joint == j && t.property == property; });
      };
      CAPTURE(j);
      const Transform actual = pose.transform(j), at_rest = scene.skeleton.rest(j);
      for (const Property property : {Property::translation, Property::rotation, Property::scale, Property::morph}) {
        CHECK(pose.has(j, property) == has_track(property));
      }
      if (!has_track(Property::translation)) CHECK(std::memcmp(&actual.translation, &at_rest.translation, 12) == 0);
      if (!has_track(Property::rotation)) CHECK(std::memcmp(&actual.rotation, &at_rest.rotation, 16) == 0);
      if (!has_track(Property::scale)) CHECK(std::memcmp(&actual.scale, &at_rest.scale, 12) == 0);
      if (!has_track(Property::morph)) CHECK(difference(pose.morph_weights(j), rest.morph_weights(j)) == "");
    }
  }
}

TEST_CASE("a clip takes the rest pose of the skeleton that it is played on") {
  for (std::uint64_t seed = 400; seed < 420; ++seed) {
    CAPTURE(seed);
    Scene scene(seed);
    // The same shape with another rest pose.
    std::vector<JointDesc> joints(scene.skeleton.joint_count());
    std::vector<std::vector<float>> weights(joints.size());
    for (std::uint32_t j = 0; j < joints.size(); ++j) {
      joints[j].parent = scene.skeleton.parent(j);
      joints[j].rest.translation = {1, 2, static_cast<float>(j)};
      weights[j].assign(scene.skeleton.morph_count(j), 0.125f);
      joints[j].morph_weights = weights[j];
    }
    const Skeleton other = Skeleton::create(joints).value().skeleton;
    const Clip made_for_other = test::good_clip(other, scene.tracks);
    CHECK(made_for_other.hash() == scene.clip.hash());
    for (const double time : test::interesting_times(scene.random, scene.tracks, 10)) {
      REQUIRE(difference(sampled(scene.clip, time, other), sampled(made_for_other, time, other)) == "");
    }
  }
}

TEST_CASE("playing a clip on a skeleton of another size, or at a time that is not a number, is a caller's mistake") {
  Random random(5);
  const Skeleton skeleton = test::random_skeleton(random, 5);
  const Clip clip = test::good_clip(skeleton, test::random_tracks(random, skeleton, {}));
  Cursor cursor(clip);
  for (const std::uint32_t joints : {0u, 4u, 6u}) {
    Pose pose(test::random_skeleton(random, joints));
    CHECK(assert_message([&] { sample(clip, 0, pose); }).find("another number of joints") != std::string::npos);
    CHECK(assert_message([&] { sample(clip, 0, cursor, pose); }).find("another number") != std::string::npos);
  }
  const float weight = 1;
  std::vector<JointDesc> with_morph(5);
  with_morph[2].morph_weights = {&weight, 1};
  Pose morphing(Skeleton::create(with_morph).value().skeleton);
  CHECK(assert_message([&] { sample(clip, 0, morphing); }).find("morph weights") != std::string::npos);

  Pose pose(skeleton);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(assert_message([&] { sample(clip, nan, pose); }) == "the time is not a number");
  CHECK(assert_message([&] { sample(clip, nan, cursor, pose); }) == "the time is not a number");
  CHECK(assert_message([&] { sample(clip, kInfDouble, pose); }).empty());
}

#ifndef __EMSCRIPTEN__
TEST_CASE("threads that sample one clip at the same time get the bits that one gets alone") {
  Scene scene(16);
  const auto hash_of_run = [&](int begin) {
    Cursor cursor(scene.clip);
    Pose pose(scene.skeleton);
    std::vector<std::uint64_t> frames(400);
    for (int i = 0; i < 400; ++i) {  // each starts elsewhere
      const int frame = (begin + i) % 400;
      if (i % 2 == 0) {
        sample(scene.clip, frame / 80.0, pose);
      } else {
        sample(scene.clip, frame / 80.0, cursor, pose);
      }
      Hasher hasher;
      hasher.add(std::span<const float>(pose.floats()));
      frames[static_cast<std::size_t>(frame)] = hasher.finish();
    }
    return frames;
  };
  const std::vector<std::uint64_t> alone = hash_of_run(0);
  int frames_that_differ[4] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int repeat = 0; repeat < 20; ++repeat) {
        const std::vector<std::uint64_t> frames = hash_of_run(i * 100);
        for (std::size_t f = 0; f < 400; ++f) frames_that_differ[i] += frames[f] != alone[f] ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : frames_that_differ) CHECK(count == 0);
}
#endif

#ifdef MARROW_TEST_FLOAT_STATES
TEST_CASE("the floating-point state of the caller changes no bit of a clip or a sample, and is left as it was") {
  for (std::uint64_t seed = 500; seed < 520; ++seed) {
    CAPTURE(seed);
    Scene scene(seed);
    // Keys and times down to the denormals.
    for (OwnedTrack& track : scene.tracks) {
      if (scene.random.below(3) != 0) continue;
      for (float& v : track.values) v *= 1e-38f;
    }
    const std::vector<TrackDesc> descs = test::describe(scene.tracks);
    const ClipDesc desc{"random", descs, {}};
    const Clip expected_clip = Clip::create(scene.skeleton, desc).value();
    const std::vector<double> times = test::interesting_times(scene.random, scene.tracks, 10);
    test::on_every_lane_count([&] {
      for (const test::FloatState state : test::kHostStates) {
        CAPTURE(state);
        std::optional<Result<Clip>> clip;
        CHECK(test::run_under(state, [&] { clip.emplace(Clip::create(scene.skeleton, desc)); }) == state);
        REQUIRE(clip->ok());
        CHECK((*clip)->hash() == expected_clip.hash());
        for (const double time : times) {
          Pose pose(scene.skeleton), expected(scene.skeleton);
          sample(expected_clip, time, expected);
          CHECK(test::run_under(state, [&] { sample(**clip, time, pose); }) == state);
          REQUIRE(difference(pose, expected) == "");
        }
      }
    });
  }
}
#endif

TEST_CASE("a cursor that was moved from, and one of a clip with equal contents, start anew") {
  const Skeleton skeleton = Skeleton::create(std::vector<JointDesc>(8)).value().skeleton;
  const float times[] = {0, 1, 3}, values[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
  const TrackDesc track = {0, Property::translation, Interpolation::linear, times, values};
  const Clip clip = Clip::create(skeleton, {"a", {&track, 1}, {}}).value();
  const Clip twin = Clip::create(skeleton, {"b", {&track, 1}, {}}).value();
  CHECK(clip.hash() == twin.hash());
  Pose pose(skeleton);
  Cursor cursor(clip);
  sample(clip, 2, cursor, pose);
  sample(twin, 0.5, cursor, pose);
  CHECK(pose.transform(0).translation.x == 0.5f);
  const Cursor taken = std::move(cursor);
  sample(twin, 2, cursor, pose);  // NOLINT(bugprone-use-after-move)
  CHECK(pose.transform(0).translation.x == 1.5f);
  CHECK(cursor.words(twin) != nullptr);
}

TEST_CASE("a clip on one even timeline is indexed: it needs no cursor") {
  const Skeleton skeleton = Skeleton::create(std::vector<JointDesc>(1)).value().skeleton;
  std::vector<float> times, values;
  for (int k = 0; k < 100; ++k) {
    times.push_back(static_cast<float>(k) / 30.0f);
    values.insert(values.end(), 3, static_cast<float>(k));
  }
  const TrackDesc track = {0, Property::translation, Interpolation::linear, times, values};
  const Clip even = Clip::create(skeleton, {"even", {&track, 1}, {}}).value();
  CHECK(Cursor(even).words(even) == nullptr);
  times[50] += 0.02f;
  const Clip uneven = Clip::create(skeleton, {"uneven", {&track, 1}, {}}).value();
  CHECK(Cursor(uneven).words(uneven) != nullptr);
}

TEST_CASE("cubic rotations of any length that floats can hold come out unit") {
  const Skeleton skeleton = Skeleton::create(std::vector<JointDesc>(1)).value().skeleton;
  for (const float size : {1e-30f, 1e-16f, 1.0f, 1e16f, 1e18f}) {
    const float times[] = {0, 1000};
    const float values[] = {0, 0, 0, 0, 0, 0, 0, size, size, 0, 0, size, 0, 0, 0, 0, size, 0, 0, 0, 0, 0, 0, 0};
    const TrackDesc track = {0, Property::rotation, Interpolation::cubic_spline, times, values};
    const Clip clip = Clip::create(skeleton, {"long", {&track, 1}, {}}).value();
    test::on_every_lane_count([&] {
      Pose pose(skeleton);
      for (const double time : {0.0, 1.0, 300.0, 999.0}) {
        sample(clip, time, pose);
        const Quat q = pose.transform(0).rotation;
        CAPTURE(size);
        CAPTURE(time);
        CHECK(std::fabs(dot(q, q) - 1) < 1e-6f);
        CHECK((time != 300.0 || q.x > 0.5f));  // the tangent's direction, not the identity
      }
    });
  }
}

}  // namespace
}  // namespace marrow
