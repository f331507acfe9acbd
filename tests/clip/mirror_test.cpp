#include "marrow/clip/mirror.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "anim/curve_match.h"
#include "anim/random_clip.h"
#include "anim/reference.h"
#include "clip/named_skeleton.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/affine.h"
#include "marrow/math/quat.h"

namespace marrow {
namespace {

using test::keep_larger;
using test::OwnedTrack;
using test::Random;
using test::Real;
using test::RefAffine;
using test::RefVec;
using test::value_of;

// A skeleton whose joints stand in the places of each other's mirror images, while their axes lie anyhow.
struct Symmetric {
  Skeleton skeleton;
  Vec3 normal;
};

RefVec mirrored(RefVec v, Vec3 normal) {
  const RefVec n = test::unit(test::ref(normal));
  const Real twice = 2 * test::dot(n, v);
  return {v.x - twice * n.x, v.y - twice * n.y, v.z - twice * n.z};
}
Vec3 narrow(RefVec v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

Symmetric symmetric_skeleton(Random& random) {
  Symmetric made;
  made.normal = random.below(2) == 0 ? Vec3{1, 0, 0} : test::random_vector(random, 3);
  struct Joint {
    std::string name;
    std::int32_t parent;
    Transform model;
  };
  std::vector<Joint> joints;
  const auto anyhow = [&](Vec3 place) { return Transform{place, normalize(test::random_quat(random)), {1, 1, 1}}; };
  const std::uint32_t pairs = 1 + random.below(6), middles = 1 + random.below(4);
  for (std::uint32_t i = 0; i < middles; ++i) {
    const RefVec v = test::ref(test::random_vector(random, 1)), w = mirrored(v, made.normal);
    const Vec3 between = narrow({(v.x + w.x) / 2, (v.y + w.y) / 2, (v.z + w.z) / 2});
    joints.push_back({"spine" + std::to_string(i), static_cast<std::int32_t>(i) - 1, anyhow(between)});
  }
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const auto left = static_cast<std::int32_t>(joints.size());
    const bool on_pair = i > 0 && random.below(2) == 0;  // the pair before, which is two joints back
    const auto middle = static_cast<std::int32_t>(random.below(middles));
    const Vec3 place = test::random_vector(random, 1);
    joints.push_back({"limb" + std::to_string(i) + ".L", on_pair ? left - 2 : middle, anyhow(place)});
    joints.push_back({"limb" + std::to_string(i) + ".R", on_pair ? left - 1 : middle,
                      anyhow(narrow(mirrored(test::ref(place), made.normal)))});
  }
  std::vector<JointDesc> descs(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    descs[i].name = joints[i].name;
    descs[i].parent = joints[i].parent;
    const Affine model = to_affine(joints[i].model);
    descs[i].rest = joints[i].parent < 0
                        ? joints[i].model
                        : to_transform(multiply(
                              inverse(to_affine(joints[static_cast<std::size_t>(joints[i].parent)].model)), model));
    descs[i].rest.scale = {1, 1, 1};
  }
  made.skeleton = Skeleton::create(descs)->skeleton;
  return made;
}

RefVec apply(const RefAffine& a, RefVec v) {
  Real out[3];
  for (int i = 0; i < 3; ++i) out[i] = a.m[i][0] * v.x + a.m[i][1] * v.y + a.m[i][2] * v.z + a.m[i][3];
  return {out[0], out[1], out[2]};
}

// For a map without shear and with the same scale along all axes.
RefVec apply_inverse(const RefAffine& a, RefVec v) {
  const RefVec d{v.x - a.m[0][3], v.y - a.m[1][3], v.z - a.m[2][3]};
  const Real s2 = a.m[0][0] * a.m[0][0] + a.m[1][0] * a.m[1][0] + a.m[2][0] * a.m[2][0];
  Real out[3];
  for (int i = 0; i < 3; ++i) out[i] = (a.m[0][i] * d.x + a.m[1][i] * d.y + a.m[2][i] * d.z) / s2;
  return {out[0], out[1], out[2]};
}

// Tracks with the same scale along all axes, which every partner can follow.
std::vector<OwnedTrack> evenly_scaled_tracks(Random& random, const Skeleton& skeleton) {
  test::Recipe recipe;
  recipe.largest_angle = 2;
  std::vector<OwnedTrack> tracks = test::random_tracks(random, skeleton, recipe);
  for (OwnedTrack& track : tracks) {
    if (track.property != Property::scale) continue;
    for (std::size_t i = 0; i < track.values.size(); i += 3) {
      track.values[i + 1] = track.values[i + 2] = track.values[i] = 0.5f + 0.5f * std::fabs(track.values[i]);
    }
  }
  return tracks;
}

TEST_CASE("a point on the skin of one side moves as its image on the other side did") {
  Random random(1);
  double worst = 0;
  for (int round = 0; round < 300; ++round) {
    const Symmetric body = symmetric_skeleton(random);
    const Skeleton& skeleton = body.skeleton;
    const std::vector<OwnedTrack> tracks = evenly_scaled_tracks(random, skeleton);
    const Clip clip = test::good_clip(skeleton, tracks);
    const MirroredClip result = *mirror(skeleton, clip, {body.normal});
    CHECK(result.unpaired.empty());
    CHECK(result.uneven.empty());
    CHECK(result.clip.duration() == clip.duration());

    Pose before(skeleton), after(skeleton), rest(skeleton);
    const std::vector<RefAffine> at_rest = test::to_model(rest);
    const double time = random.range(-1, 5);
    sample(clip, time, before);
    sample(result.clip, time, after);
    const std::vector<RefAffine> moved = test::to_model(before), moved_other = test::to_model(after);
    for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
      const std::uint32_t other = *skeleton.joint(opposite_name(skeleton.name(j)));
      const RefVec point = test::ref(test::random_vector(random, 1));
      const RefVec seen = apply(moved[j], apply_inverse(at_rest[j], point));
      const RefVec actual = apply(moved_other[other], apply_inverse(at_rest[other], mirrored(point, body.normal)));
      const RefVec expected = mirrored(seen, body.normal);
      const RefVec error{actual.x - expected.x, actual.y - expected.y, actual.z - expected.z};
      keep_larger(worst, test::length(error) / (1 + test::length(seen)));
    }
  }
  CHECK(worst < 1e-5);
  MESSAGE("mirrored points are off by up to " << worst << " of their distance");
}

TEST_CASE("mirrored twice a clip is itself") {
  Random random(2);
  double worst = 0;
  for (int round = 0; round < 200; ++round) {
    const Symmetric body = symmetric_skeleton(random);
    const std::vector<OwnedTrack> tracks = evenly_scaled_tracks(random, body.skeleton);
    const Clip clip = test::good_clip(body.skeleton, tracks);
    const MirrorOptions options{body.normal};
    const Clip twice = mirror(body.skeleton, mirror(body.skeleton, clip, options)->clip, options)->clip;
    Pose pose(body.skeleton);
    const double time = random.range(-1, 5);
    sample(twice, time, pose);
    for (const OwnedTrack& track : tracks) {
      keep_larger(worst, test::curve_error(track, time, value_of(pose, track.joint, track.property)));
    }
  }
  CHECK(worst < 1);
}

TEST_CASE("the rest pose, as a clip, stays the rest pose") {
  Random random(3);
  const Symmetric body = symmetric_skeleton(random);
  std::vector<OwnedTrack> tracks;
  for (std::uint32_t j = 0; j < body.skeleton.joint_count(); ++j) {
    const Transform t = body.skeleton.rest(j);
    tracks.push_back(
        {j, Property::translation, Interpolation::linear, {0}, {t.translation.x, t.translation.y, t.translation.z}});
    tracks.push_back(
        {j, Property::rotation, Interpolation::linear, {0}, {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}});
  }
  const Clip clip = mirror(body.skeleton, test::good_clip(body.skeleton, tracks), {body.normal})->clip;
  Pose pose(body.skeleton);
  sample(clip, 0, pose);
  for (std::uint32_t j = 0; j < body.skeleton.joint_count(); ++j) {
    CHECK(angle_between(pose.transform(j).rotation, body.skeleton.rest(j).rotation) < 2e-6f);
    CHECK(pose.transform(j).translation.x ==
          doctest::Approx(static_cast<double>(body.skeleton.rest(j).translation.x)).epsilon(1e-5));
  }
}

TEST_CASE("scales go along the axes of the partner") {
  // The right arm's axes: its x lies along the left one's z, its y along x, its z along y.
  JointDesc joints[3];
  joints[0].name = "root";
  joints[1].name = "arm.L";
  joints[1].parent = 0;
  joints[2].name = "arm.R";
  joints[2].parent = 0;
  joints[2].rest.rotation = from_axis_angle({-1, -1, -1}, 2.0943951f);
  joints[2].rest.scale = {2, 2, 2};
  const Vec3 z = rotate(joints[2].rest.rotation, {1, 0, 0});
  REQUIRE(z.z == doctest::Approx(1));
  const Skeleton skeleton = Skeleton::create(joints)->skeleton;
  const Clip clip =
      test::good_clip(skeleton, std::vector<OwnedTrack>{{1, Property::scale, Interpolation::linear, {0}, {3, 5, 7}}});
  Pose pose(skeleton);
  sample(mirror(skeleton, clip)->clip, 0, pose);
  CHECK(!pose.has(1, Property::scale));
  CHECK(pose.transform(2).scale.x == doctest::Approx(14));
  CHECK(pose.transform(2).scale.y == doctest::Approx(6));
  CHECK(pose.transform(2).scale.z == doctest::Approx(10));
}

TEST_CASE("parents that are scaled differently at rest are made up for, or told") {
  // The right arm is twice as large inside, with the hand as far out as on the left; or it is mirrored by its scale.
  for (const Vec3 scale : {Vec3{2, 2, 2}, Vec3{-1, 1, 1}, Vec3{1, 2, 1}}) {
    JointDesc joints[5];
    const char* names[] = {"root", "arm.L", "arm.R", "hand.L", "hand.R"};
    const std::int32_t parents[] = {-1, 0, 0, 1, 2};
    for (int i = 0; i < 5; ++i) {
      joints[i].name = names[i];
      joints[i].parent = parents[i];
    }
    joints[2].rest.scale = scale;
    joints[3].rest.translation = {1, 2, 3};
    joints[4].rest.translation = {-1 / scale.x, 2 / scale.y, 3 / scale.z};
    const Skeleton skeleton = Skeleton::create(joints)->skeleton;
    const std::uint32_t left = *skeleton.joint("hand.L"), right = *skeleton.joint("hand.R");
    const Clip clip = test::good_clip(
        skeleton, std::vector<OwnedTrack>{{left, Property::translation, Interpolation::linear, {0}, {1.5f, 4, 2}}});
    const MirroredClip result = *mirror(skeleton, clip);
    Pose pose(skeleton);
    sample(result.clip, 0, pose);
    const test::RefAffine at = test::to_model(pose)[right];
    CAPTURE(scale.x);
    CHECK(static_cast<double>(at.m[0][3]) == doctest::Approx(-1.5));
    CHECK(static_cast<double>(at.m[1][3]) == doctest::Approx(4));
    CHECK(static_cast<double>(at.m[2][3]) == doctest::Approx(2));
    CHECK(result.uneven == (scale.x == 2 ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{left, right}));
  }
}

TEST_CASE("what has no partner mirrors in place and is told") {
  JointDesc joints[5];
  const char* names[] = {"hips", "arm.L", "arm.R", "wing.L", "tip.R"};
  const std::int32_t parents[] = {-1, 0, 0, 0, 1};
  for (int i = 0; i < 5; ++i) {
    joints[i].name = names[i];
    joints[i].parent = parents[i];
  }
  const float weights[] = {0, 0};
  joints[2].morph_weights = weights;
  const Skeleton skeleton = Skeleton::create(joints)->skeleton;
  const std::uint32_t arm_l = *skeleton.joint("arm.L"), arm_r = *skeleton.joint("arm.R"),
                      wing = *skeleton.joint("wing.L");
  const Clip clip = test::good_clip(
      skeleton, std::vector<OwnedTrack>{{wing, Property::translation, Interpolation::linear, {0}, {1, 2, 3}},
                                        {arm_r, Property::morph, Interpolation::linear, {0}, {1, 1}}});
  const MirroredClip result = *mirror(skeleton, clip);
  CHECK(result.unpaired == std::vector<std::uint32_t>{wing, *skeleton.joint("tip.R")});
  CHECK(result.uneven == std::vector<std::uint32_t>{arm_l, arm_r, *skeleton.joint("tip.R")});
  CHECK(result.clip.tracks().size() == 1);
  Pose pose(skeleton);
  sample(result.clip, 0, pose);
  CHECK(pose.transform(wing).translation.x == -1);
  CHECK(pose.transform(wing).translation.y == 2);
}

TEST_CASE("pairs of the caller's lead tracks to the partners, and joints outside the pairs mirror in place") {
  const Skeleton skeleton = test::named_skeleton({"port", "starboard", "mast"});
  const Clip clip = test::good_clip(
      skeleton, std::vector<OwnedTrack>{{0, Property::translation, Interpolation::linear, {0}, {1, 2, 3}}});
  JointMap pairs(skeleton, skeleton);
  REQUIRE(pairs.set(0, 1).ok());
  REQUIRE(pairs.set(1, 0).ok());
  const MirroredClip swapped = *mirror(skeleton, clip, pairs);
  CHECK(swapped.clip.tracks()[0].joint == 1);
  CHECK(swapped.unpaired == std::vector<std::uint32_t>{2});
  CHECK(mirror(skeleton, clip)->clip.tracks()[0].joint == 0);
  CHECK(mirror(skeleton, clip)->unpaired.empty());
}

TEST_CASE("a mirror rejects pairs that lead one way, pairs of another skeleton and a plane without direction") {
  const Skeleton skeleton = test::named_skeleton({"port", "starboard"});
  const Clip clip = test::good_clip(
      skeleton, std::vector<OwnedTrack>{{0, Property::translation, Interpolation::linear, {0}, {1, 2, 3}}});
  JointMap one_way(skeleton, skeleton);
  REQUIRE(one_way.set(0, 1).ok());
  CHECK(to_string(mirror(skeleton, clip, one_way).error()) ==
        "map: joint \"port\" has the partner \"starboard\", which does not lead back to it");
  CHECK(to_string(mirror(skeleton, clip, JointMap::identity(test::named_skeleton({"port", "bow"}))).error().place) ==
        "map");
  for (const float bad : {0.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const Result<MirroredClip> result = mirror(skeleton, clip, {{bad, 0, 0}});
    REQUIRE(!result);
    CHECK(to_string(result.error().place) == "normal");
  }
}

}  // namespace
}  // namespace marrow
