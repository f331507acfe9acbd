#include "marrow/anim/clip_keys.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "anim/random_clip.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/quat.h"
#include "support/asserts.h"
#include "support/bits.h"

namespace marrow::test {
namespace {

// A clip with any part of its tracks on shared timelines.
RandomClip mixed_clip(Random& random) {
  Recipe recipe;
  recipe.shared = random.unit();
  return random_clip(random, recipe, 40, 20);
}

TEST_CASE("keys that were read make the same clip again, bit for bit") {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const auto [skeleton, tracks, clip] = mixed_clip(random);
    const ClipKeys keys = clip_keys(skeleton, clip);
    const Clip again = *create_clip(skeleton, keys);
    CAPTURE(round);
    REQUIRE(again.hash() == clip.hash());
    REQUIRE(again.duration() == clip.duration());
    Pose a(skeleton), b(skeleton);
    for (const double time : interesting_times(random, tracks, 5)) {
      sample(clip, time, a);
      sample(again, time, b);
      REQUIRE(difference(b.floats(), a.floats()) == "");
    }
  }
}

TEST_CASE("the keys of one joint are those among all that are its own") {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    const auto [skeleton, tracks, clip] = mixed_clip(random);
    const ClipKeys all = clip_keys(skeleton, clip);
    for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
      for (const TrackKeys& track : clip_keys(skeleton, clip, joint).tracks) {
        const auto same = [&](const TrackKeys& t) { return t.joint == joint && t.property == track.property; };
        const auto at = std::find_if(all.tracks.begin(), all.tracks.end(), same);
        REQUIRE(at != all.tracks.end());
        REQUIRE(track.times == at->times);
        REQUIRE(difference(track.values, at->values) == "");
      }
    }
    std::size_t count = 0;
    for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) count += clip_keys(skeleton, clip, j).tracks.size();
    REQUIRE(count == all.tracks.size());
  }
}

TEST_CASE("keys come back as they were given, rotations normalised") {
  Random random(2);
  std::size_t moving = 0;
  for (int round = 0; round < 100; ++round) {
    const auto [skeleton, tracks, clip] = mixed_clip(random);
    const ClipKeys keys = clip_keys(skeleton, clip);
    REQUIRE(keys.tracks.size() == tracks.size());
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      const OwnedTrack &given = tracks[t], &read = keys.tracks[t];
      CHECK(read.joint == given.joint);
      CHECK(read.property == given.property);
      CHECK(read.interpolation == given.interpolation);
      if (clip.tracks()[t].constant) {
        CHECK(read.times == std::vector<float>{0.0f});
        continue;
      }
      ++moving;
      CHECK(read.times == given.times);
      if (given.property == Property::rotation && given.interpolation != Interpolation::cubic_spline) {
        REQUIRE(read.values.size() == given.values.size());
        for (std::size_t k = 0; k < given.times.size(); ++k) {
          const float *r = &read.values[4 * k], *g = &given.values[4 * k];
          CHECK(angle_between({r[0], r[1], r[2], r[3]}, normalize({g[0], g[1], g[2], g[3]})) < 1e-6f);
        }
      } else {
        CHECK(difference(read.values, given.values) == "");
      }
    }
  }
  CHECK(moving > 1000);
}

TEST_CASE("the keys of a constant cubic track have tangents of zero") {
  const JointDesc joint;
  const Skeleton skeleton = Skeleton::create({&joint, 1})->skeleton;
  const Clip clip = good_clip(
      skeleton, std::vector<OwnedTrack>{
                    {0, Property::translation, Interpolation::cubic_spline, {0.5f}, {9, 9, 9, 1, 2, 3, 9, 9, 9}}});
  const ClipKeys keys = clip_keys(skeleton, clip);
  CHECK(keys.tracks[0].values == std::vector<float>{0, 0, 0, 1, 2, 3, 0, 0, 0});
}

TEST_CASE("bad keys make no clip, and another skeleton's clip cannot be read") {
  const JointDesc joints[2];
  const Skeleton one = Skeleton::create({joints, 1})->skeleton, two = Skeleton::create(joints)->skeleton;
  const Result<Clip> clip =
      create_clip(one, ClipKeys{"bad", 1, {{1, Property::scale, Interpolation::step, {0}, {1, 1, 1}}}});
  REQUIRE(!clip);
  CHECK(clip.error().code == ErrorCode::invalid_argument);
  CHECK(to_string(clip.error().place) == "tracks/0");
  CHECK(assert_message([&] { (void)clip_keys(two, good_clip(one, std::vector<OwnedTrack>{})); }) ==
        "the clip was made for a skeleton with another number of joints or morph weights");
}

}  // namespace
}  // namespace marrow::test
