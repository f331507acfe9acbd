#include "marrow/clip/clip_tools.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "anim/curve_match.h"
#include "anim/random_clip.h"
#include "marrow/anim/blend.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/quat.h"
#include "support/bits.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::curve_error;
using test::keep_larger;
using test::OwnedTrack;
using test::Random;
using test::RandomClip;
using test::value_of;

RandomClip random_clip(Random& random, double length_s = 4) {
  test::Recipe recipe;
  recipe.length_s = length_s;
  recipe.largest_angle = 3;  // at half a turn neither way is the shorter
  return test::random_clip(random, recipe, 20, 10);
}

// The worst error of a clip against the tracks of another, for times of its own that stand for times of the other's.
template <typename OtherTime>
double worst_error(Random& random, const RandomClip& original, const Clip& clip, const OtherTime& other_time) {
  double worst = 0;
  Pose pose(original.skeleton);
  for (int i = 0; i < 20; ++i) {
    const double time = i == 0 ? 0 : i == 1 ? clip.duration() : random.unit() * clip.duration();
    sample(clip, time, pose);
    for (const OwnedTrack& track : original.tracks) {
      CHECK(pose.has(track.joint, track.property));
      keep_larger(worst, curve_error(track, other_time(time), value_of(pose, track.joint, track.property)));
    }
  }
  return worst;
}

TEST_CASE("a part of a clip plays as the clip does there, of any interpolation, inside its keys and beyond") {
  Random random(1);
  double worst = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomClip original = random_clip(random);
    double from = random.range(-1, 5), to = random.range(-1, 5);
    if (random.below(4) == 0) from = 0;
    if (random.below(4) == 0) to = original.clip.duration();
    if (random.below(4) == 0 && !original.tracks.empty()) from = static_cast<double>(original.tracks[0].times.back());
    if (to < from) std::swap(from, to);
    const Clip part = *trim(original.skeleton, original.clip, from, to);
    CHECK(part.duration() == to - from);
    CHECK(part.name() == original.clip.name());
    keep_larger(worst, worst_error(random, original, part, [&](double t) { return from + t; }));
  }
  CHECK(worst < 1);
  MESSAGE("worst error of a part, of what rounding allows: " << worst);
}

TEST_CASE("a clip backwards plays as the clip does, from its end to its start") {
  Random random(2);
  double worst = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomClip original = random_clip(random);
    const Clip back = *reverse_clip(original.skeleton, original.clip);
    CHECK(back.duration() == original.clip.duration());
    keep_larger(worst, worst_error(random, original, back, [&](double t) { return original.clip.duration() - t; }));
  }
  CHECK(worst < 1);
  MESSAGE("worst error backwards, of what rounding allows: " << worst);
}

TEST_CASE("two clips in sequence play one after the other, with what either does not move at rest") {
  Random random(3);
  double worst = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomClip first = random_clip(random, random.range(0.5, 4));
    RandomClip second{first.skeleton, {}, {}};
    test::Recipe recipe;
    recipe.largest_angle = 3;
    recipe.present = random.unit();
    second.tracks = test::random_tracks(random, second.skeleton, recipe);
    second.clip = test::good_clip(second.skeleton, second.tracks);
    const Clip both = *concatenate(first.skeleton, first.clip, second.clip);
    const double seam = first.clip.duration();
    CHECK(both.duration() == seam + second.clip.duration());

    Pose pose(first.skeleton), rest(first.skeleton);
    for (int i = 0; i < 20; ++i) {
      const double time = i == 0 ? 0 : i == 1 ? both.duration() : random.unit() * both.duration();
      if (std::abs(time - seam) < 1e-6) continue;
      sample(both, time, pose);
      const RandomClip &now = time < seam ? first : second, &other = time < seam ? second : first;
      std::map<std::pair<std::uint32_t, Property>, bool> moved;
      for (const OwnedTrack& track : now.tracks) {
        moved[{track.joint, track.property}] = true;
        keep_larger(worst,
                    curve_error(track, time < seam ? time : time - seam, value_of(pose, track.joint, track.property)));
      }
      for (const OwnedTrack& track : other.tracks) {
        if (moved.contains({track.joint, track.property})) continue;
        const auto value = value_of(pose, track.joint, track.property);
        keep_larger(worst, test::distance(track.property, value, value_of(rest, track.joint, track.property)) / 1e-6L);
      }
    }
  }
  CHECK(worst < 1);
  MESSAGE("worst error in sequence, of what rounding allows: " << worst);
}

TEST_CASE("a clip cut in two and put together again is the clip") {
  Random random(4);
  double worst = 0;
  for (int round = 0; round < 200; ++round) {
    const RandomClip original = random_clip(random);
    const double cut = random.unit() * original.clip.duration();
    const Clip head = *trim(original.skeleton, original.clip, 0, cut);
    const Clip tail = *trim(original.skeleton, original.clip, cut, original.clip.duration());
    const Clip whole = *concatenate(original.skeleton, head, tail);
    keep_larger(worst, worst_error(random, original, whole, [](double t) { return t; }));
  }
  CHECK(worst < 1);
}

TEST_CASE("a seam without a jump has one key, a seam with a jump two") {
  const JointDesc joint;
  const Skeleton skeleton = Skeleton::create({&joint, 1})->skeleton;
  const auto line = [&](float from, float to) {
    return test::good_clip(
        skeleton,
        std::vector<OwnedTrack>{{0, Property::translation, Interpolation::linear, {0, 1}, {from, 0, 0, to, 0, 0}}});
  };
  CHECK(concatenate(skeleton, line(0, 1), line(1, 5))->tracks()[0].key_count == 3);
  CHECK(concatenate(skeleton, line(0, 1), line(2, 5))->tracks()[0].key_count == 4);
}

TEST_CASE("even keys have the clip's values, both ends included, and steps stay steps") {
  Random random(5);
  double worst = 0;
  for (int round = 0; round < 200; ++round) {
    const RandomClip original = random_clip(random);
    const double rate = random.range(1, 60);
    const Clip even = *resample(original.skeleton, original.clip, rate);
    CHECK(even.duration() == original.clip.duration());
    const auto intervals = static_cast<std::uint32_t>(std::ceil(even.duration() * rate - 1e-4));
    Pose pose(original.skeleton);
    for (std::size_t t = 0; t < original.tracks.size(); ++t) {
      const OwnedTrack& track = original.tracks[t];
      const TrackInfo& info = even.tracks()[t];
      if (original.clip.tracks()[t].constant) {
        CHECK(info.key_count == 1);
        continue;
      }
      CHECK(info.key_count == intervals + 1);
      CHECK((info.interpolation == Interpolation::step) == (track.interpolation == Interpolation::step));
      for (const std::uint32_t key : {0u, intervals, random.below(intervals + 1)}) {
        const double time = static_cast<double>(static_cast<float>(even.duration() * key / intervals));
        sample(even, time, pose);
        keep_larger(worst, curve_error(track, time, value_of(pose, track.joint, track.property)));
      }
    }
  }
  CHECK(worst < 1);
  const JointDesc joint;
  const Skeleton skeleton = Skeleton::create({&joint, 1})->skeleton;
  const Clip second = test::good_clip(
      skeleton, std::vector<OwnedTrack>{{0, Property::scale, Interpolation::linear, {0, 1}, {1, 1, 1, 2, 2, 2}}});
  CHECK(resample(skeleton, second, 30)->tracks()[0].key_count == 31);
  CHECK(resample(skeleton, second, 1e-9)->tracks()[0].key_count == 2);
}

TEST_CASE("a difference added to its reference gives the clip") {
  Random random(6);
  double rotation = 0, others = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomClip original = random_clip(random);
    const Skeleton& skeleton = original.skeleton;
    Pose reference(skeleton), difference(skeleton), expected(skeleton), sum(skeleton);
    const double reference_time = random.range(-1, 5);
    sample(original.clip, reference_time, reference);
    for (std::uint32_t joint = 0; round % 2 == 0 && joint < skeleton.joint_count(); ++joint) {
      reference.set_transform(joint, {test::random_vector(random, 2),
                                      normalize(test::random_quat(random)),
                                      {random.rangef(0.5, 2), random.rangef(0.5, 2), random.rangef(-2, -0.5)}});
      for (float& w : reference.morph_weights(joint)) w = random.rangef(-1, 1);
    }
    const Result<Clip> additive = round % 2 == 0 ? to_additive(skeleton, original.clip, reference)
                                                 : to_additive(skeleton, original.clip, reference_time);
    REQUIRE(additive);
    for (int i = 0; i < 10; ++i) {
      const double time = random.range(-1, 5);
      sample(*additive, time, difference);
      sample(original.clip, time, expected);
      const BlendInput base(reference), added(difference);
      const BlendLayer layers[] = {{{&base, 1}}, {{&added, 1}, LayerMode::add}};
      // Everything of the base counts, also what no clip moved.
      for (PresentBits& bits : reference.present()) bits = {0xff, 0xff, 0xff, 0xff};
      blend(layers, sum);
      for (const OwnedTrack& track : original.tracks) {
        const auto actual = value_of(sum, track.joint, track.property);
        const auto wanted = value_of(expected, track.joint, track.property);
        const test::Real error = test::distance(track.property, actual, wanted);
        if (track.property == Property::rotation) {
          const TrackDesc desc{track.joint, track.property, track.interpolation, track.times, track.values};
          const test::RefValue exact = test::evaluate(desc, time);
          if (!exact.other_way.empty()) continue;
          keep_larger(rotation, error * std::min(exact.length, test::Real{1}) / (1 + exact.reach));
        } else {
          test::Real size = 1;
          for (const float v : track.values) size = std::max(size, std::fabs(test::Real{v}));
          keep_larger(others, error / size);
        }
      }
    }
  }
  CHECK(rotation < 1e-6);
  CHECK(others < 1e-6);
  MESSAGE("reference + (clip - reference) is off the clip by " << rotation << " rad, other properties by " << others
                                                               << " of their size");
}

TEST_CASE("no difference leads from a scale of zero") {
  const JointDesc joint{.name = "hand", .parent = kNoParent, .children = {}, .rest = {}, .morph_weights = {}};
  const Skeleton skeleton = Skeleton::create({&joint, 1})->skeleton;
  const Clip clip = test::good_clip(
      skeleton, std::vector<OwnedTrack>{{0, Property::scale, Interpolation::linear, {0, 1}, {0, 1, 1, 2, 2, 2}}});
  const Result<Clip> additive = to_additive(skeleton, clip, 0.0);
  REQUIRE(!additive);
  CHECK(to_string(additive.error().place) == "reference/joints/0");
  CHECK(additive.error().message.find("\"hand\"") != std::string::npos);
  CHECK(to_additive(skeleton, clip, 0.5).ok());
}

TEST_CASE("masks and reference poses of other skeletons are errors") {
  Random random(3);
  const RandomClip one = random_clip(random);
  const Skeleton other = Skeleton::create(std::vector<JointDesc>(one.skeleton.joint_count() + 1)).value().skeleton;
  CHECK(keep_joints(one.skeleton, one.clip, JointMask(other)).error().code == ErrorCode::size_mismatch);
  CHECK(drop_joints(one.skeleton, one.clip, JointMask(other)).error().code == ErrorCode::size_mismatch);
  CHECK(to_additive(one.skeleton, one.clip, Pose(other)).error().code == ErrorCode::size_mismatch);
}

TEST_CASE("tracks are kept or dropped by joint, and those left have all their keys") {
  Random random(7);
  for (int round = 0; round < 100; ++round) {
    const RandomClip original = random_clip(random);
    JointMask mask(original.skeleton);
    for (std::uint32_t j = 0; j < mask.joint_count(); ++j)
      mask.set(j, random.below(2) == 0 ? 0.0f : random.rangef(0.1, 1));
    const Clip kept = *keep_joints(original.skeleton, original.clip, mask);
    const Clip dropped = *drop_joints(original.skeleton, original.clip, mask);
    CHECK(kept.tracks().size() + dropped.tracks().size() == original.clip.tracks().size());
    CHECK(kept.duration() == original.clip.duration());
    const ClipKeys all = clip_keys(original.skeleton, original.clip);
    const ClipKeys keys[] = {clip_keys(original.skeleton, dropped), clip_keys(original.skeleton, kept)};
    std::size_t next[] = {0, 0};
    for (const TrackKeys& track : all.tracks) {
      const std::size_t which = mask[track.joint] > 0 ? 1 : 0;
      REQUIRE(next[which] < keys[which].tracks.size());
      const TrackKeys& left = keys[which].tracks[next[which]++];
      CHECK(left.joint == track.joint);
      CHECK(left.property == track.property);
      CHECK(test::difference(left.times, track.times) == "");
      CHECK(test::difference(left.values, track.values) == "");
    }
  }
}

TEST_CASE("a clip gets another name and stays as it is") {
  Random random(8);
  const RandomClip original = random_clip(random);
  const Clip other = *rename_clip(original.skeleton, original.clip, "other");
  CHECK(other.name() == "other");
  CHECK(other.hash() == original.clip.hash());
}

TEST_CASE("arguments that make no sense are errors with a place") {
  Random random(9);
  const RandomClip r = random_clip(random);
  const auto place = [](const Result<Clip>& result) { return result ? "none" : to_string(result.error().place); };
  CHECK(place(trim(r.skeleton, r.clip, double{test::kNaN}, 1)) == "from_s");
  CHECK(place(trim(r.skeleton, r.clip, -INFINITY, 1)) == "from_s");
  CHECK(place(trim(r.skeleton, r.clip, 0, double{test::kNaN})) == "to_s");
  CHECK(place(trim(r.skeleton, r.clip, 1, 0.5)) == "to_s");
  CHECK(place(trim(r.skeleton, r.clip, 0, 2e9)) == "to_s");
  for (const double rate : {0.0, -1.0, double{test::kNaN}, 1e300, static_cast<double>(INFINITY)}) {
    CAPTURE(rate);
    CHECK(place(resample(r.skeleton, r.clip, rate)) == "keys_per_second");
  }
  CHECK(place(to_additive(r.skeleton, r.clip, double{test::kNaN})) == "reference_time_s");
  const Clip still =
      test::good_clip(r.skeleton, std::vector<OwnedTrack>{{0, Property::scale, Interpolation::step, {10}, {1, 1, 1}}});
  CHECK(place(resample(r.skeleton, still, 1e300)) == "keys_per_second");
}

TEST_CASE("empty clips and clips of no length go through every tool") {
  Random random(10);
  const Skeleton empty, some = test::random_skeleton(random, 9, 4);
  const Clip nothing = test::good_clip(some, std::vector<OwnedTrack>{});
  const Clip moment = test::good_clip(
      some, std::vector<OwnedTrack>{{3, Property::translation, Interpolation::linear, {0, 0}, {1, 2, 3, 4, 5, 6}},
                                    {4, Property::rotation, Interpolation::step, {0}, {0, 0, 0, 1}}});
  const auto through_all = [](const Skeleton& skeleton, const Clip& clip) {
    CHECK(trim(skeleton, clip, 0, 0).ok());
    CHECK(trim(skeleton, clip, 1, 2)->duration() == 1);
    CHECK(reverse_clip(skeleton, clip).ok());
    CHECK(concatenate(skeleton, clip, clip)->duration() == 0);
    CHECK(resample(skeleton, clip, 30).ok());
    CHECK(to_additive(skeleton, clip, 0.0).ok());
    CHECK(keep_joints(skeleton, clip, JointMask(skeleton)).ok());
  };
  through_all(empty, Clip());
  through_all(some, nothing);
  through_all(some, moment);
  Pose pose(some);
  sample(*trim(some, moment, -1, 1), 1.0, pose);
  CHECK(pose.transform(3).translation.x == 4);  // the last of the keys at one time holds
}

}  // namespace
}  // namespace marrow
