// Blending has quick ways for what is common. Which way a joint goes must not be seen in the result: against the
// definition on both sides of each choice, and bit by bit where only other joints differ.
#include <doctest/doctest.h>

#include <algorithm>

#include "anim/rotation_mean.h"
#include "support/bits.h"
#include "support/lanes.h"

namespace marrow {
namespace {

using test::Random;
using test::random_rotation;

constexpr std::uint32_t kPathJoints = 150;  // more blocks than are blended together
constexpr std::uint32_t kCounts[] = {1, 2, 3, 4, 9, 16, 17};

std::vector<float> random_weights(Random& random, std::uint32_t count) {
  std::vector<float> weights;
  for (std::uint32_t i = 0; i < count; ++i) weights.push_back(random.rangef(0.05, 1));
  return weights;
}

// A rotation by `by` radians from `from`, of either sign.
Quat rotation_at(Random& random, Quat from, float by) {
  const Vec3 axis = test::random_vector(random, 1);
  const Quat q = multiply(from, from_axis_angle(axis, by));
  return random.below(2) == 0 ? q : Quat{-q.x, -q.y, -q.z, -q.w};
}

// rotations[input][joint], each `by` radians from a rotation that the inputs of a joint have in common; of two inputs
// the one is that rotation.
std::vector<std::vector<Quat>> rotations_at(Random& random, std::uint32_t count, float by) {
  std::vector<std::vector<Quat>> rotations(count);
  for (std::uint32_t j = 0; j < kPathJoints; ++j) {
    const Quat common = random_rotation(random);
    for (std::uint32_t i = 0; i < count; ++i) {
      rotations[i].push_back(rotation_at(random, common, count == 2 && i == 0 ? 0 : by));
    }
  }
  return rotations;
}

TEST_CASE("rotations equally far apart in all joints are blended to 1e-6 rad, for any distance and number") {
  Random random(11);
  test::Blender blender(kPathJoints);
  double worst = 0;
  test::on_every_lane_count([&] {
    for (const std::uint32_t count : kCounts) {
      for (float by = 0; by < 1.48f; by += 0.04f) {
        // Two are up to half a turn apart.
        const auto rotations = rotations_at(random, count, count == 2 ? 2.1f * by : by);
        const std::vector<float> weights = random_weights(random, count);
        const std::vector<Quat> blended = blender.blend_all(rotations, weights);
        for (std::uint32_t j = 0; j < kPathJoints; ++j) {
          std::vector<Quat> each;
          for (const auto& all : rotations) each.push_back(all[j]);
          test::keep_larger(worst, test::angle_between(test::exact(blended[j]), test::exact_mean(each, weights)));
        }
      }
    }
  });
  MESSAGE("worst angle ", static_cast<double>(worst), " rad");
  CHECK(worst < 1e-6);
}

TEST_CASE("the bits of a joint do not depend on how far apart the inputs are in other joints") {
  Random random(12);
  test::Blender blender(kPathJoints);
  test::on_every_lane_count([&] {
    for (const std::uint32_t count : kCounts) {
      for (const float by : {0.1f, 0.5f, 0.7f, 0.9f, 1.3f}) {
        auto rotations = rotations_at(random, count, by);
        const std::vector<float> weights = random_weights(random, count);
        const std::vector<Quat> before = blender.blend_all(rotations, weights);
        const std::uint32_t joint = random.below(kPathJoints);
        for (auto& all : rotations) all[joint] = random_rotation(random);
        std::vector<Quat> after = blender.blend_all(rotations, weights);
        after[joint] = before[joint];
        CAPTURE(count);
        CAPTURE(by);
        CHECK(test::difference({&after[0].x, 4 * kPathJoints}, {&before[0].x, 4 * kPathJoints}) == "");
      }
    }
  });
}

// Poses in which all joints have all properties.
std::vector<Pose> random_poses(Random& random, const Skeleton& skeleton, std::uint32_t count, float by) {
  std::vector<Pose> poses;
  const auto rotations = rotations_at(random, count, by);
  for (const auto& all : rotations) {
    Pose& pose = poses.emplace_back(skeleton);
    for (std::uint32_t j = 0; j < kPathJoints; ++j) {
      pose.set_transform(j, {test::random_vector(random, 2), all[j], test::random_vector(random, 2)});
    }
  }
  return poses;
}

std::vector<BlendInput> inputs_of(const std::vector<Pose>& poses, const std::vector<float>& weights) {
  std::vector<BlendInput> inputs;
  for (std::size_t i = 0; i < poses.size(); ++i) inputs.emplace_back(poses[i], weights[i]);
  return inputs;
}

TEST_CASE("what an input lacks of one joint leaves the bits of the others, and leaves that one to the other inputs") {
  Random random(13);
  const Skeleton skeleton = Skeleton::create(std::vector<JointDesc>(kPathJoints)).value().skeleton;
  JointMask mask(skeleton);
  for (std::uint32_t j = 0; j < kPathJoints; ++j)
    mask.set(j, j % 3 == 0 ? static_cast<float>(j % 2) : random.rangef(0, 1));
  const auto blended = [&](const std::vector<BlendInput>& inputs, const JointMask* with) {
    const BlendLayer layer = {inputs, LayerMode::replace, 1, with};
    Pose out(skeleton);
    blend({&layer, 1}, out);
    return out;
  };
  test::on_every_lane_count([&] {
    for (const std::uint32_t count : kCounts) {
      std::vector<Pose> poses = random_poses(random, skeleton, count, random.rangef(0, 1.4));
      for (const std::uint32_t joint : {random.below(kPathJoints), random.below(kPathJoints), kPathJoints - 1}) {
        const bool masked = random.below(2) == 0;
        const JointMask* with = masked ? &mask : nullptr;
        std::vector<float> weights = random_weights(random, count);
        if (random.below(2) == 0) std::fill(weights.begin(), weights.end(), 0.5f);
        std::vector<BlendInput> inputs = inputs_of(poses, weights);
        const Pose before = blended(inputs, with);
        const std::uint32_t lacks = random.below(count);
        const Property property = static_cast<Property>(random.below(3));
        poses[lacks].set_present(joint, property, false);
        const Pose after = blended(inputs, with);
        poses[lacks].set_present(joint, property, true);
        inputs.erase(inputs.begin() + lacks);
        const Pose others = blended(inputs, with);
        CAPTURE(count);
        CAPTURE(joint);
        for (std::uint32_t j = 0; j < kPathJoints; ++j) {
          const Transform a = after.transform(j), b = before.transform(j), o = others.transform(j);
          if (j != joint) CHECK(test::difference({&a.translation.x, 10}, {&b.translation.x, 10}) == "");
          CHECK(after.has(j, property) == ((!masked || mask[j] > 0) && (j != joint || count > 1)));
          if (j != joint) continue;
          if (property == Property::translation) CHECK(a.translation.y == o.translation.y);
          if (property == Property::rotation) CHECK(angle_between(a.rotation, o.rotation) < 1e-6f);
          if (property == Property::scale) CHECK(a.scale.z == o.scale.z);
        }
        CHECK((before.present().back().rotation >> (kPathJoints % 8)) == 0);
      }
    }
  });
}

TEST_CASE(
    "a layer in part over another goes from the one's rotations to the other's, however far its inputs are apart") {
  Random random(14);
  const Skeleton skeleton = Skeleton::create(std::vector<JointDesc>(kPathJoints)).value().skeleton;
  for (const std::uint32_t count : kCounts) {
    for (const float by : {0.3f, 1.4f}) {
      const std::vector<Pose> below = random_poses(random, skeleton, 1, 0),
                              above = random_poses(random, skeleton, count, by);
      const std::vector<BlendInput> low = inputs_of(below, {1}), high = inputs_of(above, random_weights(random, count));
      const BlendLayer layers[] = {{low}, {high, LayerMode::replace, 0.3f}};
      Pose both(skeleton), alone(skeleton);
      blend(layers, both);
      blend(high, alone);
      float worst = 0;
      for (std::uint32_t j = 0; j < kPathJoints; ++j) {
        const Quat want = slerp(below[0].transform(j).rotation, alone.transform(j).rotation, 0.3f);
        worst = std::max(worst, angle_between(both.transform(j).rotation, want));
      }
      CAPTURE(count);
      CHECK(worst < 1e-6f);
    }
  }
}

TEST_CASE("an input without weight changes no bits") {
  Random random(15);
  const Skeleton skeleton = Skeleton::create(std::vector<JointDesc>(kPathJoints)).value().skeleton;
  test::on_every_lane_count([&] {
    for (const std::uint32_t count : kCounts) {
      const std::vector<Pose> poses = random_poses(random, skeleton, count + 1, 0.5f);
      std::vector<float> weights = random_weights(random, count);
      std::vector<BlendInput> inputs = inputs_of(poses, [&] {
        std::vector<float> with = weights;
        with.insert(with.begin() + count / 2, 0.0f);
        return with;
      }());
      Pose with(skeleton), without(skeleton);
      blend(inputs, with);
      inputs.erase(inputs.begin() + count / 2);
      blend(inputs, without);
      CAPTURE(count);
      CHECK(test::difference(with.floats(), without.floats()) == "");
    }
  });
}

}  // namespace
}  // namespace marrow
