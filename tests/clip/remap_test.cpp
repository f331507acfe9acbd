#include "marrow/clip/remap.h"

#include <doctest/doctest.h>

#include <string>

#include "anim/random_clip.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/anim/sampling.h"
#include "support/bits.h"

namespace marrow {
namespace {

using test::OwnedTrack;
using test::Random;

Skeleton named(const std::vector<const char*>& names, const std::vector<float>& morphs_of_first = {}) {
  std::vector<JointDesc> joints(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    joints[i].name = names[i];
    joints[i].parent = i == 0 ? kNoParent : 0;
  }
  if (!joints.empty()) joints[0].morph_weights = morphs_of_first;
  return Skeleton::create(joints)->skeleton;
}

OwnedTrack line(std::uint32_t joint, float to, Property property = Property::translation) {
  return {joint, property, Interpolation::linear, {0, 1}, {0, 0, 0, to, to, to}};
}

TEST_CASE("tracks go to the joints of the same names with every bit of their keys, wherever those are") {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    const std::uint32_t count = 1 + random.below(30);
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < count; ++i) names.push_back("joint " + std::to_string(i));
    std::vector<JointDesc> joints(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      joints[i].name = names[i];
      joints[i].parent = i == 0 ? kNoParent : static_cast<std::int32_t>(random.below(i));
    }
    const Skeleton from = Skeleton::create(joints)->skeleton;
    std::vector<JointDesc> shuffled(count + 3);  // another hierarchy, with other joints among them
    for (std::uint32_t i = 0; i < count; ++i) std::swap(names[i], names[random.below(count)]);
    for (std::uint32_t i = 0; i < count; ++i) shuffled[i + (i > count / 2 ? 3 : 0)].name = names[i];
    const Skeleton to = Skeleton::create(shuffled)->skeleton;

    const auto tracks = test::random_tracks(random, from, {});
    const Clip clip = test::good_clip(from, tracks);
    const RemappedClip result = *remap(from, clip, to);
    CHECK(result.unmapped.empty());
    CHECK(result.clip.duration() == clip.duration());
    CHECK(result.clip.tracks().size() == tracks.size());
    Pose b(to);
    sample(result.clip, 1, b);
    const ClipKeys before = read_keys(from, clip), after = read_keys(to, result.clip);
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      const TrackKeys &x = before.tracks[t], &y = after.tracks[t];
      CHECK(to.name(y.joint) == from.name(x.joint));
      CHECK(y.property == x.property);
      CHECK(y.interpolation == x.interpolation);
      CHECK(test::difference(y.times, x.times) == "");
      CHECK(test::difference(y.values, x.values) == "");
      CHECK(b.has(y.joint, y.property));
    }
    for (const std::uint32_t joint : result.resting) {
      for (const Property p : {Property::translation, Property::rotation, Property::scale}) CHECK(!b.has(joint, p));
    }
  }
}

TEST_CASE("what did not map is told, with the reason, and so is what rests") {
  const std::vector<float> two = {0, 0}, three = {0, 0, 0};
  const Skeleton from = named({"root", "arm", "tail", "wing"}, two), to = named({"root", "arm", "leg"}, three);
  const OwnedTrack morph{0, Property::morph, Interpolation::linear, {0, 1}, {0, 0, 1, 1}};
  const Clip clip = test::good_clip(from, std::vector<OwnedTrack>{line(0, 1), morph, line(1, 2), line(2, 3)});
  const RemappedClip result = *remap(from, clip, to);
  REQUIRE(result.unmapped.size() == 2);
  CHECK(result.unmapped[0].joint == 0);
  CHECK(result.unmapped[0].reason == NotMapped::other_morph_count);
  CHECK(result.unmapped[1].joint == 2);
  CHECK(result.unmapped[1].reason == NotMapped::no_such_joint);
  CHECK(result.resting == std::vector<std::uint32_t>{2});
  CHECK(result.clip.tracks().size() == 2);
  CHECK(std::string(to_string(NotMapped::joint_taken)) != to_string(NotMapped::no_such_joint));
}

TEST_CASE("a rule translates names, and of two joints that it leads to one place the first wins") {
  const Skeleton from = named({"mixamorig:Hips", "mixamorig:Arm", "Arm"}), to = named({"Hips", "Arm"});
  const Clip clip = test::good_clip(from, std::vector<OwnedTrack>{line(2, 3), line(1, 2), line(0, 1)});
  const NameRule rule = [](std::string_view name) {
    const std::size_t colon = name.find(':');
    return std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
  };
  const RemappedClip result = *remap(from, clip, to, rule);
  REQUIRE(result.unmapped.size() == 1);
  CHECK(result.unmapped[0].joint == 1);  // the track of joint 2 came first
  CHECK(result.unmapped[0].reason == NotMapped::joint_taken);
  Pose pose(to);
  sample(result.clip, 1, pose);
  CHECK(pose.transform(0).translation.x == 1);
  CHECK(pose.transform(1).translation.x == 3);
}

TEST_CASE("joints that share a name are told apart by their order") {
  const Skeleton from = named({"root", "finger", "finger"}), to = named({"root", "thumb", "finger", "finger"});
  const Clip clip = test::good_clip(from, std::vector<OwnedTrack>{line(1, 1), line(2, 2)});
  const RemappedClip result = *remap(from, clip, to);
  CHECK(result.unmapped.empty());
  Pose pose(to);
  sample(result.clip, 1, pose);
  CHECK(pose.transform(2).translation.x == 1);
  CHECK(pose.transform(3).translation.x == 2);
}

TEST_CASE("from and to nothing") {
  const Skeleton nothing, some = named({"root"});
  CHECK(remap(nothing, Clip(), some)->resting.size() == 1);
  const RemappedClip lost = *remap(some, test::good_clip(some, std::vector<OwnedTrack>{line(0, 1)}), nothing);
  CHECK(lost.unmapped.size() == 1);
  CHECK(lost.clip.duration() == 1);
}

}  // namespace
}  // namespace marrow
