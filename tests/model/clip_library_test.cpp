#include "marrow/model/clip_library.h"

#include <doctest/doctest.h>

#include <string>

#include "anim/random_clip.h"
#include "clip/named_skeleton.h"

namespace marrow {
namespace {

using test::named_skeleton;

Model model_of(const Skeleton& skeleton, std::vector<Clip> clips, Up up = Up::z) {
  ModelParts parts;
  parts.up = up;
  parts.skeleton = skeleton;
  parts.clips = std::move(clips);
  return *Model::create(std::move(parts));
}

// A clip that moves one joint.
Clip shift(const Skeleton& skeleton, std::uint32_t joint) {
  const TrackKeys track{joint, Property::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 2, 3}};
  return test::good_clip(skeleton, std::span(&track, 1));
}

TEST_CASE("the clips of a library are added behind the model's own, by one map") {
  const Skeleton body = named_skeleton({"root", "LeftHand", "RightHand"});
  const Skeleton moved = named_skeleton({"root", "hand_L", "hand_R", "tail"});
  const Model model = model_of(body, {shift(body, 0)});
  const Model library = model_of(moved, {shift(moved, 1), shift(moved, 2), shift(moved, 3)});
  JointMap map = JointMap::by_name(moved, body);
  REQUIRE(map.set(1, 1).ok());
  REQUIRE(map.set(2, 2).ok());
  const AddedClips added = *add_clips(model, library, map);
  REQUIRE(added.model.clips().size() == 4);
  CHECK(added.first_added == 1);
  CHECK(added.model.clips()[0].hash() == model.clips()[0].hash());
  CHECK(added.model.clips()[1].hash() == shift(body, 1).hash());
  CHECK(added.model.clips()[2].hash() == shift(body, 2).hash());
  CHECK(added.model.clips()[3].tracks().empty());
  REQUIRE(added.unmapped.size() == 3);
  CHECK(added.unmapped[0].empty());
  CHECK(added.unmapped[2] == std::vector<UnmappedJoint>{{3, NotMapped::no_such_joint}});
}

TEST_CASE("a rule is asked once for each joint of a library, not for each clip") {
  const Skeleton body = named_skeleton({"root", "arm"}), moved = named_skeleton({"m:root", "m:arm"});
  int calls = 0;
  const NameRule rule = [&](std::string_view name) {
    ++calls;
    return std::string(name.substr(2));
  };
  const Model library = model_of(moved, {shift(moved, 0), shift(moved, 1), shift(moved, 1)});
  const AddedClips added = *add_clips(model_of(body, {}), library, rule);
  CHECK(calls == 2);
  CHECK(added.model.clips()[2].hash() == shift(body, 1).hash());
  CHECK(!add_clips(model_of(body, {}), library));  // by their own names no joint is found
}

TEST_CASE("a library is rejected with a map for other skeletons, even without clips, and with other axes") {
  const Skeleton body = named_skeleton({"root", "arm"}), moved = named_skeleton({"root", "hand"});
  const Model model = model_of(body, {}), library = model_of(moved, {});
  const JointMap right = JointMap::by_name(moved, body), wrong = JointMap::by_name(body, moved);
  CHECK(add_clips(model, library, right).ok());
  CHECK(to_string(add_clips(model, library, wrong).error().place) == "map");
  CHECK(to_string(add_clips(model, model_of(moved, {}, Up::y), right).error().place) == "up");
}

}  // namespace
}  // namespace marrow
