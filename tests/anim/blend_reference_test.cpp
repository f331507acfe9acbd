// Blending as a whole, against blending in long double, and laws that hold for any poses.
#include "anim/blend_reference.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "anim/pose_difference.h"
#include "anim/properties.h"
#include "anim/random_clip.h"
#include "marrow/math/quat.h"
#include "support/lanes.h"
#include "support/rounds.h"

namespace marrow {
namespace {

using test::keep_larger;
using test::kProperties;
using test::Random;
using test::Real;

// A rotation by at most `most` radians from `from`, normalised, of either sign.
Quat unit_rotation_near(Random& random, Quat from, double most) {
  const Quat q = normalize(multiply(from, from_axis_angle(test::random_vector(random, 1), random.rangef(0, most))));
  return random.below(2) == 0 ? q : Quat{-q.x, -q.y, -q.z, -q.w};
}

// Layers of random poses over a skeleton. The rotations of each joint, that at rest among them, lie within 85 degrees
// of a common one, where the mean is well defined; what is added turns by less.
struct RandomBlend {
  Skeleton skeleton;
  std::deque<Pose> poses;
  std::deque<JointMask> masks;
  std::deque<std::vector<BlendInput>> inputs;
  std::vector<BlendLayer> layers;
  std::vector<test::RefLayer> reference;
};

float random_share(Random& random) {  // 0 and 1 are special
  const std::uint32_t kind = random.below(4);
  return kind == 0 ? 0.0f : kind == 1 ? 1.0f : random.rangef(0, 1);
}

RandomBlend random_blend(Random& random) {
  constexpr double kCommon = 85.0 / 180 * 3.14159;
  RandomBlend made;
  const std::uint32_t count = 1 + random.below(20);
  std::vector<JointDesc> joints(count);
  std::vector<std::vector<float>> weights(count);
  std::vector<Quat> common;
  for (std::uint32_t j = 0; j < count; ++j) {
    common.push_back(normalize(test::random_quat(random)));
    joints[j].rest = {test::random_vector(random, 1), unit_rotation_near(random, common[j], kCommon),
                      test::random_vector(random, 2)};
    weights[j].resize(random.below(3) == 0 ? random.below(12) : 0);
    for (float& w : weights[j]) w = random.rangef(-1, 1);
    joints[j].morph_weights = weights[j];
  }
  made.skeleton = Skeleton::create(joints)->skeleton;
  const double presence = random.below(2) == 0 ? 1 : random.unit();
  for (std::uint32_t l = 0, layers = random.below(4); l < layers; ++l) {
    const LayerMode mode = l > 0 && random.below(3) == 0 ? LayerMode::add : LayerMode::replace;
    auto& inputs = made.inputs.emplace_back();
    test::RefLayer& reference = made.reference.emplace_back();
    for (std::uint32_t i = 0, n = random.below(9); i < n; ++i) {
      Pose& pose = made.poses.emplace_back(made.skeleton);
      for (std::uint32_t j = 0; j < count; ++j) {
        Transform t{test::random_vector(random, 1), unit_rotation_near(random, common[j], kCommon),
                    test::random_vector(random, 2)};
        if (mode == LayerMode::add) t.rotation = unit_rotation_near(random, {}, 0.2);
        pose.set_transform(j, t);
        for (float& w : pose.morph_weights(j)) w = random.rangef(-1, 1);
        for (const Property p : kProperties) pose.set_present(j, p, random.unit() < presence);
      }
      const float weight = random.below(8) == 0 ? 0.0f : random.rangef(0, 2), fade = random_share(random);
      inputs.emplace_back(pose, weight, fade);
      reference.inputs.push_back({&pose, weight, fade});
    }
    BlendLayer layer{inputs};
    layer.mode = reference.mode = mode;
    reference.weight = layer.weight = random_share(random);
    layer.fill = reference.fill = random.below(2) == 0 ? Fill::fade : Fill::weight;
    if (random.below(2) == 0) {
      JointMask& mask = made.masks.emplace_back(made.skeleton);
      for (std::uint32_t j = 0; j < count; ++j) {
        mask.set(j, random_share(random));
        reference.mask.push_back(mask[j]);
      }
      layer.mask = &mask;
    }
    made.layers.push_back(layer);
  }
  return made;
}

TEST_CASE("layers of any kind come out as in long double, property by property") {
  double rotation = 0, others = 0;
  std::uint64_t rotations = 0, undecided = 0;
  test::on_every_lane_count([&] {
    Random random(1);
    for (int round = 0; round < test::rounds(test::samples(2000)); ++round) {
      const RandomBlend blended = random_blend(random);
      Pose pose(blended.skeleton);
      blend(blended.layers, pose);
      const test::RefPose exact = test::blend_reference(blended.skeleton, blended.reference);
      const test::RefPose actual = test::to_ref(pose);
      CAPTURE(round);
      for (std::uint32_t j = 0; j < blended.skeleton.joint_count(); ++j) {
        for (const Property p : kProperties) {
          if (p == Property::morph && blended.skeleton.morph_count(j) == 0) continue;
          CHECK(pose.has(j, p) == exact.present[static_cast<int>(p)][j]);
        }
        ++rotations;
        if (exact.undecided[j]) {
          ++undecided;
        } else {
          keep_larger(rotation, test::angle_between(actual.joints[j].rotation, exact.joints[j].rotation));
        }
        keep_larger(rotation, std::fabs(test::length(actual.joints[j].rotation) - 1));
        const auto compare = [&](Real a, Real e) { keep_larger(others, std::fabs(a - e) / (1 + std::fabs(e))); };
        const test::RefTransform &a = actual.joints[j], &e = exact.joints[j];
        compare(a.translation.x, e.translation.x);
        compare(a.translation.y, e.translation.y);
        compare(a.translation.z, e.translation.z);
        compare(a.scale.x, e.scale.x);
        compare(a.scale.y, e.scale.y);
        compare(a.scale.z, e.scale.z);
        for (std::size_t k = 0; k < exact.morphs[j].size(); ++k) compare(actual.morphs[j][k], exact.morphs[j][k]);
      }
    }
  });
  CHECK(rotation < 2e-6);  // 1e-6 for each of a layer's two steps
  CHECK(others < 2e-6);
  CHECK(undecided * 100 < rotations);
  MESSAGE("layers are off by " << rotation << " rad, other properties by " << others);
}

TEST_CASE("the order of a layer's inputs makes no difference") {
  Random random(2);
  double rotation = 0, others = 0;
  for (int round = 0; round < 1000; ++round) {
    RandomBlend blended = random_blend(random);
    Pose before(blended.skeleton), after(blended.skeleton);
    blend(blended.layers, before);
    for (std::vector<BlendInput>& inputs : blended.inputs) {
      for (std::size_t i = 1; i < inputs.size(); ++i)
        std::swap(inputs[i], inputs[random.below(static_cast<std::uint32_t>(i + 1))]);
    }
    blend(blended.layers, after);
    const test::RefPose a = test::to_ref(before), b = test::to_ref(after);
    const std::vector<bool> undecided = test::blend_reference(blended.skeleton, blended.reference).undecided;
    for (std::uint32_t j = 0; j < blended.skeleton.joint_count(); ++j) {
      if (!undecided[j]) keep_larger(rotation, test::angle_between(a.joints[j].rotation, b.joints[j].rotation));
      keep_larger(others, std::fabs(a.joints[j].translation.x - b.joints[j].translation.x));
    }
  }
  CHECK(rotation < 2e-6);
  CHECK(others < 2e-6);
}

TEST_CASE("an input of weight 0, and a layer of weight 0, might as well not be there") {
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    RandomBlend blended = random_blend(random);
    Pose without(blended.skeleton), with(blended.skeleton);
    for (std::size_t l = 0; l < blended.layers.size(); ++l) blended.layers[l].fill = Fill::weight;
    blend(blended.layers, without);
    Pose stranger(blended.skeleton);
    for (std::uint32_t j = 0; j < blended.skeleton.joint_count(); ++j) {
      stranger.set_transform(
          j, {test::random_vector(random, 9), normalize(test::random_quat(random)), test::random_vector(random, 9)});
    }
    for (std::size_t l = 0; l < blended.layers.size(); ++l) {
      std::vector<BlendInput>& inputs = blended.inputs[l];
      inputs.insert(inputs.begin() + random.below(static_cast<std::uint32_t>(inputs.size() + 1)),
                    BlendInput(stranger, 0));
      blended.layers[l].inputs = inputs;
    }
    const BlendInput loud(stranger);
    blended.layers.push_back({{&loud, 1}, random.below(2) == 0 ? LayerMode::add : LayerMode::replace, 0});
    blend(blended.layers, with);
    CAPTURE(round);
    const test::RefPose a = test::to_ref(with), b = test::to_ref(without);
    for (std::uint32_t j = 0; j < blended.skeleton.joint_count(); ++j) {
      CHECK(test::angle_between(a.joints[j].rotation, b.joints[j].rotation) < 1e-6L);
      CHECK(std::fabs(a.joints[j].translation.x - b.joints[j].translation.x) < 1e-6L);
      for (const Property p : kProperties) CHECK(with.has(j, p) == without.has(j, p));
    }
  }
}

}  // namespace
}  // namespace marrow
