#include "marrow/clip/remap.h"

#include <doctest/doctest.h>

#include <string>

#include "anim/random_clip.h"
#include "clip/named_skeleton.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/anim/sampling.h"
#include "support/bits.h"

namespace marrow {
namespace {

using test::named_skeleton;
using test::OwnedTrack;
using test::Random;

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
    const RemappedClip result = *remap(from, clip, to, JointMap::by_name(from, to));
    CHECK(result.unmapped.empty());
    CHECK(result.clip.duration() == clip.duration());
    CHECK(result.clip.tracks().size() == tracks.size());
    Pose b(to);
    sample(result.clip, 1, b);
    const ClipKeys before = clip_keys(from, clip), after = clip_keys(to, result.clip);
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

TEST_CASE("remap reports the joints that lost tracks, with the reason, and the joints that rest") {
  const std::vector<float> two = {0, 0}, three = {0, 0, 0};
  const Skeleton from = named_skeleton({"root", "arm", "tail", "wing"}, two),
                 to = named_skeleton({"root", "arm", "leg"}, three);
  const OwnedTrack morph{0, Property::morph, Interpolation::linear, {0, 1}, {0, 0, 1, 1}};
  const Clip clip = test::good_clip(from, std::vector<OwnedTrack>{line(0, 1), morph, line(1, 2), line(2, 3)});
  const RemappedClip result = *remap(from, clip, to, JointMap::by_name(from, to));
  REQUIRE(result.unmapped.size() == 2);
  CHECK(result.unmapped[0].joint == 0);
  CHECK(result.unmapped[0].reason == NotMapped::other_morph_count);
  CHECK(result.unmapped[1].joint == 2);
  CHECK(result.unmapped[1].reason == NotMapped::no_such_joint);
  CHECK(result.resting == std::vector<std::uint32_t>{2});
  CHECK(result.clip.tracks().size() == 2);
  CHECK(std::string(to_string(NotMapped::joint_taken)) != to_string(NotMapped::no_such_joint));
}

TEST_CASE("of two joints that share a target, the one whose track comes first in the clip goes there") {
  const Skeleton from = named_skeleton({"mixamorig:Hips", "mixamorig:Arm", "Arm"}),
                 to = named_skeleton({"Hips", "Arm"});
  const Clip clip = test::good_clip(from, std::vector<OwnedTrack>{line(2, 3), line(1, 2), line(0, 1)});
  const NameRule rule = [](std::string_view name) {
    const std::size_t colon = name.find(':');
    return std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
  };
  const RemappedClip result = *remap(from, clip, to, JointMap::by_name(from, to, rule));
  REQUIRE(result.unmapped.size() == 1);
  CHECK(result.unmapped[0].joint == 1);  // the track of joint 2 came first
  CHECK(result.unmapped[0].reason == NotMapped::joint_taken);
  Pose pose(to);
  sample(result.clip, 1, pose);
  CHECK(pose.transform(0).translation.x == 1);
  CHECK(pose.transform(1).translation.x == 3);
}

TEST_CASE("tracks of joints that share a name go to joints of that name in the same order") {
  const Skeleton from = named_skeleton({"root", "finger", "finger"}),
                 to = named_skeleton({"root", "thumb", "finger", "finger"});
  const Clip clip = test::good_clip(from, std::vector<OwnedTrack>{line(1, 1), line(2, 2)});
  const RemappedClip result = *remap(from, clip, to, JointMap::by_name(from, to));
  CHECK(result.unmapped.empty());
  Pose pose(to);
  sample(result.clip, 1, pose);
  CHECK(pose.transform(2).translation.x == 1);
  CHECK(pose.transform(3).translation.x == 2);
}

TEST_CASE("a joint that the map leaves out loses its tracks, with the map's reason") {
  const Skeleton skeleton = named_skeleton({"root", "arm", "leg"});
  const Clip clip = test::good_clip(skeleton, std::vector<OwnedTrack>{line(0, 1), line(1, 2)});
  JointMap map = JointMap::identity(skeleton);
  REQUIRE(map.clear(1).ok());
  REQUIRE(map.clear(2).ok());
  const RemappedClip result = *remap(skeleton, clip, skeleton, map);
  CHECK(result.unmapped == std::vector<UnmappedJoint>{{1, NotMapped::left_out}});  // joint 2 had no tracks to lose
  CHECK(result.resting == std::vector<std::uint32_t>{1, 2});
  CHECK(result.clip.tracks().size() == 1);
}

TEST_CASE("one map serves many clips, and skeletons that differ in all but their names") {
  JointDesc chain[2];
  chain[0].name = "root";
  chain[1].name = "arm";
  chain[1].parent = 0;
  chain[1].rest.translation = {0, 0, 5};
  const Skeleton chained = Skeleton::create(chain)->skeleton;
  chain[1].parent = kNoParent;
  chain[1].rest = {};
  const Skeleton loose = Skeleton::create(chain)->skeleton;
  REQUIRE(chained.hash() != loose.hash());
  const Skeleton to = named_skeleton({"arm", "root"});
  const JointMap map = JointMap::by_name(chained, to);
  for (const Skeleton& from : {chained, loose}) {
    for (const std::uint32_t joint : {0u, 1u}) {
      const Clip clip = test::good_clip(from, std::vector<OwnedTrack>{line(joint, 1)});
      CHECK(remap(from, clip, to, map)->clip.tracks()[0].joint == 1 - joint);
    }
  }
}

TEST_CASE("remap rejects a map that was made for other skeletons") {
  const Skeleton from = named_skeleton({"root", "arm"}), to = named_skeleton({"root", "leg"});
  const Clip clip = test::good_clip(from, std::vector<OwnedTrack>{line(0, 1)});
  const Skeleton larger = named_skeleton({"root", "arm", "leg"});
  for (const JointMap& map : {JointMap::by_name(to, from), JointMap::by_name(from, from), JointMap::by_name(larger, to),
                              JointMap::by_name(from, larger)}) {
    const Result<RemappedClip> result = remap(from, clip, to, map);
    REQUIRE(!result);
    CHECK(to_string(result.error().place) == "map");
  }
}

TEST_CASE("a clip goes from and to skeletons without joints") {
  const Skeleton nothing, some = named_skeleton({"root"});
  CHECK(remap(nothing, Clip(), some, JointMap(nothing, some))->resting.size() == 1);
  const RemappedClip lost = *remap(some, test::good_clip(some, std::vector<OwnedTrack>{line(0, 1)}), nothing,
                                   JointMap::by_name(some, nothing));
  CHECK(lost.unmapped.size() == 1);
  CHECK(lost.clip.duration() == 1);
}

}  // namespace
}  // namespace marrow
