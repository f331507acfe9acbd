#include "marrow/clip/key_reduction.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "anim/random_clip.h"
#include "anim/skin_distance.h"
#include "fixtures/humanoid.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/anim/sampling.h"

namespace marrow {
namespace {

using test::keep_larger;
using test::OwnedTrack;
using test::Random;
using test::Real;

// The largest distance that points 10 cm from any joint are off, seen at many times.
double seen_error(const Skeleton& skeleton, const Clip& a, const Clip& b, int looks) {
  Pose pose_a(skeleton), pose_b(skeleton);
  double worst = 0;
  for (int i = 0; i <= looks; ++i) {
    const double time = a.duration() * i / looks;
    sample(a, time, pose_a);
    sample(b, time, pose_b);
    const auto model_a = test::to_model(pose_a), model_b = test::to_model(pose_b);
    for (std::size_t j = 0; j < model_a.size(); ++j) {
      keep_larger(worst, test::skin_distance(model_a[j], model_b[j], 0.1L));
    }
  }
  return worst;
}

TEST_CASE("a character keeps within the tolerance everywhere, with a fraction of its keys") {
  const Skeleton skeleton = humanoid::make_skeleton();
  for (const humanoid::Keys keys : {humanoid::Keys::dense, humanoid::Keys::own}) {
    const Clip clip = humanoid::make_clip(skeleton, {"walk", 4.0 / 3.0, 0.5, keys});
    for (const double tolerance : {1e-2, 1e-3}) {
      ReductionOptions options;
      options.tolerance = tolerance;
      const ReducedClip reduced = *reduce_keys(skeleton, clip, options);
      const double seen = seen_error(skeleton, clip, reduced.clip, 80);
      CAPTURE(tolerance);
      CHECK(seen <= tolerance);
      CHECK(reduced.error.distance <= tolerance);
      CHECK(seen <= reduced.error.distance * 1.001);
      CHECK(reduced.error.distance > 0.8 * tolerance);  // and makes use of it
      CHECK(reduced.keys_after * 10 < reduced.keys_before * (tolerance > 5e-3 ? 3 : 6));
      CHECK(reduced.clip.duration() == clip.duration());
      CHECK(reduced.clip.name() == clip.name());
      CHECK(reduced.clip.tracks().size() == clip.tracks().size());
      MESSAGE("at " << tolerance * 1e3 << " mm: " << reduced.keys_before << " keys become " << reduced.keys_after
                    << ", " << seen * 1e3 << " mm off, " << clip.memory_bytes() << " bytes become "
                    << reduced.clip.memory_bytes());
    }
  }
}

TEST_CASE("keys on a line go, those at its corners stay") {
  JointDesc joint;
  const Skeleton skeleton = Skeleton::create({&joint, 1})->skeleton;
  OwnedTrack track{0, Property::translation, Interpolation::linear, {}, {}};
  for (int i = 0; i <= 100; ++i) {
    track.times.push_back(static_cast<float>(i) / 64);
    const auto x = static_cast<float>(i < 40 ? i : 80 - i);
    track.values.insert(track.values.end(), {x, 0, 0});
  }
  const ReducedClip reduced = *reduce_keys(skeleton, test::good_clip(skeleton, std::vector<OwnedTrack>{track}));
  const ClipKeys keys = clip_keys(skeleton, reduced.clip);
  CHECK(keys.tracks[0].times == std::vector<float>{0, 40.0f / 64, 100.0f / 64});
  CHECK(reduced.keys_before == 101);
  CHECK(reduced.keys_after == 3);
  CHECK(reduced.error.distance < 1e-5);
}

TEST_CASE("the keys that stay are keys of the clip, bit for bit") {
  const Skeleton skeleton = humanoid::make_skeleton();
  const Clip clip = humanoid::make_clip(skeleton, {});
  const ClipKeys before = clip_keys(skeleton, clip), after = clip_keys(skeleton, reduce_keys(skeleton, clip)->clip);
  for (std::size_t t = 0; t < before.tracks.size(); ++t) {
    const TrackKeys &b = before.tracks[t], &a = after.tracks[t];
    REQUIRE(a.times.size() >= 1);
    if (a.times.size() == 1) continue;  // its time is not kept
    std::size_t at = 0;
    for (std::size_t k = 0; k < a.times.size(); ++k) {
      while (at < b.times.size() && b.times[at] != a.times[k]) ++at;
      REQUIRE(at < b.times.size());
      const std::size_t size = b.values.size() / b.times.size();
      Real off = 0;
      for (std::size_t i = 0; i < size; ++i) {  // a rotation may have changed its sign
        const Real x = a.values[k * size + i], y = b.values[at * size + i];
        off = std::max(off, std::fabs(std::fabs(x) - std::fabs(y)));
      }
      CHECK(off == 0);
    }
  }
}

TEST_CASE("clips of any interpolation, with jumps and morphs, keep within the tolerance") {
  Random random(3);
  std::uint64_t before = 0, after = 0;
  for (int round = 0; round < 60; ++round) {
    const Skeleton skeleton = test::random_skeleton(random, 1 + random.below(8), 4);
    test::Recipe recipe;
    recipe.largest_angle = 0.2;
    recipe.size = 0.05;
    recipe.present = 0.5;
    const std::vector<OwnedTrack> tracks = test::random_tracks(random, skeleton, recipe);
    const Clip clip = test::good_clip(skeleton, tracks);
    ReductionOptions options;
    options.tolerance = std::pow(10.0, random.range(-3, 0));
    options.morph_tolerance = random.range(0.01, 0.3);
    const ReducedClip reduced = *reduce_keys(skeleton, clip, options);
    before += reduced.keys_before;
    after += reduced.keys_after;
    CAPTURE(round);
    CHECK(reduced.error.distance <= options.tolerance);
    CHECK(reduced.error.morph <= options.morph_tolerance);
    Pose a(skeleton), b(skeleton);
    double worst = 0, morph = 0;
    for (const double time : test::interesting_times(random, tracks, 30)) {
      if (!(std::abs(time) < 1e6)) continue;
      sample(clip, time, a);
      sample(reduced.clip, time, b);
      const auto model_a = test::to_model(a), model_b = test::to_model(b);
      for (std::size_t j = 0; j < model_a.size(); ++j) {
        keep_larger(worst, test::skin_distance(model_a[j], model_b[j], 0.1L));
      }
      for (std::size_t i = 0; i < a.morphs().size(); ++i)
        keep_larger(morph, std::fabs(Real{a.morphs()[i]} - b.morphs()[i]));
    }
    CHECK(worst <= options.tolerance * 1.02);
    CHECK(morph <= options.morph_tolerance * 1.02);
  }
  CHECK(after < before * 3 / 4);
}

TEST_CASE("with no tolerance only what changes nothing goes") {
  JointDesc joint;
  const Skeleton skeleton = Skeleton::create({&joint, 1})->skeleton;
  const Clip clip = test::good_clip(
      skeleton, std::vector<OwnedTrack>{
                    {0, Property::scale, Interpolation::step, {0, 1, 2, 3}, {1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3}}});
  ReductionOptions options;
  options.tolerance = 0;
  CHECK(reduce_keys(skeleton, clip, options)->keys_after == 3);
  options.tolerance = 100;
  CHECK(reduce_keys(skeleton, clip, options)->keys_after == 1);
}

TEST_CASE("what has no keys to lose stays; progress is told in order; bad options are errors") {
  CHECK(reduce_keys(Skeleton(), Clip())->keys_after == 0);
  const Skeleton skeleton = humanoid::make_skeleton();
  const Clip clip = humanoid::make_clip(skeleton, {});
  std::vector<double> told;
  ReductionOptions options;
  options.progress = [](double done, void* user) { static_cast<std::vector<double>*>(user)->push_back(done); };
  options.user = &told;
  REQUIRE(reduce_keys(skeleton, clip, options));
  REQUIRE(told.size() > 10);
  for (std::size_t i = 1; i < told.size(); ++i) CHECK(told[i] >= told[i - 1]);
  CHECK(told.back() == 1);

  ReductionOptions bad;
  bad.tolerance = std::numeric_limits<double>::quiet_NaN();
  CHECK(to_string(reduce_keys(skeleton, clip, bad).error().place) == "tolerance");
  bad = {};
  bad.distance = -1;
  CHECK(to_string(reduce_keys(skeleton, clip, bad).error().place) == "distance");
  bad = {};
  bad.morph_tolerance = std::numeric_limits<double>::infinity();
  CHECK(to_string(reduce_keys(skeleton, clip, bad).error().place) == "morph_tolerance");
}

}  // namespace
}  // namespace marrow
