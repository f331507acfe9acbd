// What layers do to each property: shares, coverage, masks, additions.
#include "marrow/anim/blend.h"

#include <doctest/doctest.h>

#include <cmath>

#include "anim/properties.h"
#include "fixtures/random.h"
#include "marrow/math/quat.h"
#include "support/asserts.h"
#include "support/bits.h"
#include "support/lanes.h"
#include "support/reference.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::kProperties;

constexpr std::uint32_t kBlendJoints = 11, kBlendWeights = 9;

// Joints with rest transforms of their own, the third with morph weights.
Skeleton make_blend_skeleton() {
  const std::vector<float> weights(kBlendWeights, 0.5f);
  std::vector<JointDesc> joints(kBlendJoints);
  for (std::uint32_t j = 0; j < kBlendJoints; ++j) {
    const float f = static_cast<float>(j);
    joints[j].rest = {{f, 1 + f, -f}, from_axis_angle({1, f, 2}, 0.1f * f), {1 + f, 2, 3}};
    joints[j].parent = static_cast<std::int32_t>(j) - 1;
  }
  joints[2].morph_weights = weights;
  return Skeleton::create(joints).value().skeleton;
}

// A pose in which only `joint` has anything, and only `property`.
Pose pose_with(const Skeleton& skeleton, std::uint32_t joint, Property property, float value) {
  Pose pose(skeleton);
  Transform t = skeleton.rest(joint);
  if (property == Property::translation) t.translation = {value, value, value};
  if (property == Property::rotation) t.rotation = from_axis_angle({0, 0, 1}, value);
  if (property == Property::scale) t.scale = {value, value, value};
  if (property == Property::morph) {
    for (float& weight : pose.morph_weights(joint)) weight = value;
  } else {
    pose.set_transform(joint, t);
  }
  for (const Property p : {Property::translation, Property::rotation, Property::scale, Property::morph}) {
    pose.set_present(joint, p, p == property);
  }
  return pose;
}

// The number that pose_with was given, read back from a pose; for the rotation the angle about z.
float read(const Pose& pose, std::uint32_t joint, Property property) {
  const Transform t = pose.transform(joint);
  switch (property) {
    case Property::translation: return t.translation.y;
    case Property::rotation: return 2 * std::atan2(t.rotation.z, t.rotation.w);
    case Property::scale: return t.scale.y;
    case Property::morph: return pose.morph_weights(joint)[kBlendWeights - 1];
  }
  return 0;
}
float rest_of(const Skeleton& skeleton, std::uint32_t joint, Property property) {
  return read(Pose(skeleton), joint, property);
}

Transform random_blend_transform(test::Random& random) {
  return {test::random_vector(random, 2), normalize(test::random_quat(random)), test::random_vector(random, 2)};
}

// The one joint that has morph weights, without a rest rotation that is not about z.
constexpr std::uint32_t kJoint = 2;

Skeleton plain_skeleton() {
  const std::vector<float> weights(kBlendWeights, 0.5f);
  std::vector<JointDesc> joints(kBlendJoints);
  joints[kJoint].morph_weights = weights;
  joints[kJoint].rest = {{0.25f, 0.25f, 0.25f}, from_axis_angle({0, 0, 1}, 0.25f), {2, 2, 2}};
  return Skeleton::create(joints).value().skeleton;
}

void check_everything_else_at_rest(const Pose& pose, Property moved) {
  const Pose rest(pose.skeleton());
  for (std::uint32_t j = 0; j < pose.skeleton().joint_count(); ++j) {
    for (const Property p : kProperties) {
      if (j == kJoint && p == moved) continue;
      CHECK_FALSE(pose.has(j, p));
      if (p != Property::morph || j == kJoint) CHECK(read(pose, j, p) == read(rest, j, p));
    }
  }
}

TEST_CASE("a property that only one of two inputs has goes from rest to its value by that input's fade") {
  const Skeleton skeleton = plain_skeleton();
  test::on_every_lane_count([&] {
    for (const Property property : kProperties) {
      const Pose one = pose_with(skeleton, kJoint, property, 1.0f);
      const Pose other(skeleton);  // has nothing
      const float rest = rest_of(skeleton, kJoint, property);
      for (const float fade : {0.0f, 0.25f, 0.5f, 1.0f}) {
        Pose out(skeleton);
        out.set_transform(5, {{7, 7, 7}, {1, 0, 0, 0}, {7, 7, 7}});  // what was there before does not matter
        const BlendInput inputs[] = {{one, 1, fade}, {other, 1, 1 - fade}};
        blend(inputs, out);
        CAPTURE(to_string(property));
        CAPTURE(fade);
        CHECK(read(out, kJoint, property) == doctest::Approx(rest + (1.0f - rest) * fade).epsilon(1e-6));
        CHECK(out.has(kJoint, property) == (fade > 0));
        check_everything_else_at_rest(out, property);
      }
    }
  });
}

TEST_CASE("inputs that have a property share it by weight times fade, and fill the layer by the sum of fades") {
  const Skeleton skeleton = plain_skeleton();
  for (const Property property : kProperties) {
    const Pose a = pose_with(skeleton, kJoint, property, 1.0f), b = pose_with(skeleton, kJoint, property, 0.5f);
    const float rest = rest_of(skeleton, kJoint, property);
    const auto blended = [&](BlendInput x, BlendInput y, Fill fill) {
      Pose out(skeleton);
      const BlendInput inputs[] = {x, y};
      const BlendLayer layer = {inputs, LayerMode::replace, 1, nullptr, fill};
      blend({&layer, 1}, out);
      return read(out, kJoint, property);
    };
    CAPTURE(to_string(property));
    // Weights far from 1 are shares all the same.
    CHECK(blended({a, 30, 1}, {b, 10, 1}, Fill::fade) == doctest::Approx(0.875f).epsilon(1e-6));
    CHECK(blended({a, 1, 0.75f}, {b, 1, 0.25f}, Fill::fade) == doctest::Approx(0.875f).epsilon(1e-6));
    CHECK(blended({a, 1, 0.25f}, {b, 1, 0.25f}, Fill::fade) ==
          doctest::Approx(rest + (0.75f - rest) * 0.5f).epsilon(1e-6));
    CHECK(blended({a, 0.25f, 1}, {b, 0.25f, 1}, Fill::fade) == doctest::Approx(0.75f).epsilon(1e-6));
    CHECK(blended({a, 0.25f, 1}, {b, 0.25f, 1}, Fill::weight) ==
          doctest::Approx(rest + (0.75f - rest) * 0.5f).epsilon(1e-6));
    // Nothing at all.
    CHECK(blended({a, 0, 1}, {b, 1, 0}, Fill::fade) == rest);
  }
}

TEST_CASE("one input alone, and equal inputs of any weights, keep their bits") {
  const Skeleton skeleton = make_blend_skeleton();
  test::Random random(3);
  Pose pose(skeleton);
  for (std::uint32_t j = 0; j < kBlendJoints; ++j) pose.set_transform(j, random_blend_transform(random));
  pose.set_present(2, Property::morph, true);
  for (float& weight : pose.morph_weights(2)) weight = random.rangef(-1, 1);
  test::on_every_lane_count([&] {
    Pose out(skeleton);
    const BlendInput alone[] = {{pose, 0.3f}};
    blend(alone, out);
    CHECK(test::difference(out.floats(), pose.floats()) == "");
    // Not the rotations: their mean is computed, to rounding.
    const BlendInput twice[] = {{pose, 0.3f}, {pose, 0.7f}};
    blend(twice, out);
    for (std::uint32_t j = 0; j < kBlendJoints; ++j) {
      CHECK(out.transform(j).translation.x == pose.transform(j).translation.x);
      CHECK(out.transform(j).scale.z == pose.transform(j).scale.z);
      CHECK(angle_between(out.transform(j).rotation, pose.transform(j).rotation) < 1e-6f);
    }
  });
}

TEST_CASE("where a mask is 0 or 1 a layer keeps the bits of what is below or of its own value") {
  const Skeleton skeleton = make_blend_skeleton();
  test::Random random(4);
  Pose below(skeleton), above(skeleton);
  for (std::uint32_t j = 0; j < kBlendJoints; ++j) {
    below.set_transform(j, random_blend_transform(random));
    above.set_transform(j, random_blend_transform(random));
  }
  const JointMask mask = JointMask::from_branch(skeleton, 4, 2);  // 1/3, 2/3, 1, 1, ...
  test::on_every_lane_count([&] {
    const BlendInput base[] = {{below}}, top[] = {{above}};
    const BlendLayer layers[] = {{base}, {top, LayerMode::replace, 1, &mask}};
    Pose out(skeleton);
    blend(layers, out);
    for (std::uint32_t j = 0; j < kBlendJoints; ++j) {
      const Transform got = out.transform(j), low = below.transform(j), high = above.transform(j);
      CAPTURE(j);
      if (j < 4 || j >= 6) {
        const Transform& want = j < 4 ? low : high;
        CHECK(test::difference({&got.translation.x, 10}, {&want.translation.x, 10}) == "");
      } else {
        const float share = mask[j];
        CHECK(got.translation.y ==
              doctest::Approx(low.translation.y + (high.translation.y - low.translation.y) * share).epsilon(1e-6));
        CHECK(angle_between(got.rotation, slerp(low.rotation, high.rotation, share)) < 1e-6f);
      }
    }
  });
}

TEST_CASE("a layer's weight scales it, and layers are applied in order") {
  const Skeleton skeleton = plain_skeleton();
  for (const Property property : kProperties) {
    const Pose a = pose_with(skeleton, kJoint, property, 1.0f), b = pose_with(skeleton, kJoint, property, 0.5f);
    const BlendInput base[] = {{a}}, top[] = {{b, 1, 0.5f}};
    const BlendLayer layers[] = {{base}, {top, LayerMode::replace, 0.5f}};
    Pose out(skeleton);
    blend(layers, out);
    CHECK(read(out, kJoint, property) == doctest::Approx(0.875f).epsilon(1e-6));
  }
}

TEST_CASE("additions: translations and weights add, scales multiply, rotation vectors add, by weight") {
  const Skeleton skeleton = plain_skeleton();
  test::on_every_lane_count([&] {
    for (const Property property : kProperties) {
      const Pose base = pose_with(skeleton, kJoint, property, 0.5f);
      const Pose more = pose_with(skeleton, kJoint, property, 1.5f),
                 less = pose_with(skeleton, kJoint, property, 0.25f);
      const BlendInput low[] = {{base}}, high[] = {{more, 0.5f}, {less, 2.0f, 0.5f}};
      const BlendLayer layers[] = {{low}, {high, LayerMode::add, 1.0f}};
      Pose out(skeleton);
      blend(layers, out);
      CAPTURE(to_string(property));
      const float want = property == Property::scale ? 0.5f * 1.25f * 0.25f : 0.5f + 0.75f + 0.25f;
      CHECK(read(out, kJoint, property) == doctest::Approx(want).epsilon(1e-6));
      check_everything_else_at_rest(out, property);

      const BlendLayer none[] = {{low}, {high, LayerMode::add, 0.0f}};
      blend(none, out);
      CHECK(test::difference(out.floats(), base.floats()) == "");
    }
  });
}

TEST_CASE("additions of many turns stay unit and finite") {
  const Skeleton skeleton = plain_skeleton();
  const Pose turn = pose_with(skeleton, kJoint, Property::rotation, 3.0f);
  for (const float weight : {0.5f, 1.0f, 1.9f, 4.0f, 1000.0f, 1e18f}) {
    const BlendInput inputs[] = {{turn, weight}};
    const BlendLayer layer = {inputs, LayerMode::add};
    Pose out(skeleton);
    blend({&layer, 1}, out);
    const Quat q = out.transform(kJoint).rotation;
    CHECK(std::fabs(dot(q, q) - 1) < 1e-5f);
    if (weight < 4.1f) CHECK(angle_between(q, from_axis_angle({0, 0, 1}, 0.25f + 3.0f * weight)) < 2e-6f);
  }
}

TEST_CASE("no layers, no inputs and empty skeletons are the rest pose") {
  const Skeleton skeleton = make_blend_skeleton();
  const Pose rest(skeleton);
  Pose out(skeleton);
  out.set_transform(3, {});
  blend(std::span<const BlendLayer>{}, out);
  CHECK(test::difference(out.floats(), rest.floats()) == "");
  out.set_transform(3, {});
  blend(std::span<const BlendInput>{}, out);
  CHECK(test::difference(out.floats(), rest.floats()) == "");
  CHECK_FALSE(out.has(3, Property::translation));
  Pose nothing{Skeleton()};
  const Pose also_nothing{Skeleton()};
  const BlendInput inputs[] = {{also_nothing}};
  blend(inputs, nothing);
}

TEST_CASE("mistakes of the caller are asserts") {
  const Skeleton skeleton = make_blend_skeleton();
  const JointMask mask(Skeleton{});
  const Pose pose(skeleton), foreign(Skeleton::create(std::vector<JointDesc>(3)).value().skeleton);
  Pose out(skeleton);
  const auto message = [&](BlendInput input, float layer_weight = 1, const JointMask* with = nullptr) {
    const BlendLayer layer = {{&input, 1}, LayerMode::replace, layer_weight, with};
    return test::assert_message([&] { blend({&layer, 1}, out); });
  };
  const float nan = test::kNaN;
  CHECK(message({pose}) == "");
  CHECK(message({}).find("no pose") != std::string::npos);
  CHECK(message({foreign}).find("differ") != std::string::npos);
  CHECK(message({out}).find("itself") != std::string::npos);
  CHECK(message({pose, -1}).find("weight") != std::string::npos);
  CHECK(message({pose, nan}).find("weight") != std::string::npos);
  CHECK(message({pose, 1, 1.5f}).find("fade") != std::string::npos);
  CHECK(message({pose, 1, nan}).find("fade") != std::string::npos);
  CHECK(message({pose}, 1.5f).find("layer") != std::string::npos);
  CHECK(message({pose}, 1, &mask).find("mask") != std::string::npos);
}

}  // namespace
}  // namespace marrow
