#include "marrow/anim/hierarchy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "anim/random_clip.h"
#include "anim/reference.h"
#include "fixtures/humanoid.h"
#include "marrow/math/affine.h"
#include "support/asserts.h"
#include "support/bits.h"
#include "support/float_state.h"
#include "support/lanes.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::assert_message;
using test::keep_larger;
using test::kNaN;
using test::Random;
using test::Real;
using test::RefAffine;

std::string difference(std::span<const Affine> actual, std::span<const Affine> expected) {
  const auto floats = [](std::span<const Affine> m) {
    return std::span<const float>(m.empty() ? nullptr : &m[0].m[0][0], m.size() * 12);
  };
  return test::difference(floats(actual), floats(expected));
}
std::string difference(const Affine& actual, const Affine& expected) {
  return difference({&actual, 1}, {&expected, 1});
}

Affine filled(float x) { return {{{x, x, x, x}, {x, x, x, x}, {x, x, x, x}}}; }

// Rotations, scales of any kind and sign, so that below them there is shear.
void randomise(Random& random, Pose& pose) {
  for (std::uint32_t j = 0; j < pose.skeleton().joint_count(); ++j) {
    Transform t = {test::random_vector(random, 1), test::random_quat(random), test::random_vector(random, 2)};
    if (random.below(3) == 0) t.scale = {1, 1, 1};
    pose.set_transform(j, t);
  }
}

std::vector<Affine> model_of(const Pose& pose) {
  std::vector<Affine> model(pose.skeleton().joint_count(), filled(kNaN));
  local_to_model(pose, model);
  return model;
}

TEST_CASE("model matrices are the chain of multiply and to_affine, bit for bit") {
  Random random(1);
  for (const std::uint32_t count : {0u, 1u, 2u, 7u, 8u, 9u, 16u, 67u, 200u}) {
    for (int i = 0; i < 10; ++i) {
      CAPTURE(count);
      Pose pose(test::random_skeleton(random, count));
      randomise(random, pose);
      std::vector<Affine> expected;
      for (std::uint32_t j = 0; j < count; ++j) {
        const Affine local = to_affine(pose.transform(j));
        const std::int32_t parent = pose.skeleton().parent(j);
        expected.push_back(parent == kNoParent ? local : multiply(expected[static_cast<std::size_t>(parent)], local));
      }
      test::on_every_lane_count([&] { REQUIRE(difference(model_of(pose), expected) == ""); });
    }
  }
}

TEST_CASE("from a joint down, the matrices have the bits of the whole, and no others are touched") {
  Random random(2);
  for (const std::uint32_t count : {1u, 8u, 30u, 90u}) {
    const Skeleton skeleton = test::random_skeleton(random, count);
    Pose pose(skeleton);
    randomise(random, pose);
    test::on_every_lane_count([&] {
      const std::vector<Affine> whole = model_of(pose);
      for (std::uint32_t joint = 0; joint < count; ++joint) {
        CAPTURE(joint);
        // Only the parent is needed; everything else is what must not be read.
        std::vector<Affine> model(count, filled(kNaN)), expected = model;
        if (const std::int32_t parent = skeleton.parent(joint); parent != kNoParent) {
          model[static_cast<std::size_t>(parent)] = whole[static_cast<std::size_t>(parent)];
          expected[static_cast<std::size_t>(parent)] = whole[static_cast<std::size_t>(parent)];
        }
        for (const std::uint32_t below : skeleton.subtree(joint)) expected[below] = whole[below];
        local_to_model(pose, joint, model);
        REQUIRE(difference(model, expected) == "");
      }
    });
  }
}

TEST_CASE("model matrices are exact to rounding, with scale, mirroring and shear") {
  Random random(3);
  double worst = 0;
  for (int i = 0; i < 200; ++i) {
    const Skeleton skeleton = test::random_skeleton(random, 40);
    Pose pose(skeleton);
    randomise(random, pose);
    std::vector<test::RefTransform> locals;
    for (std::uint32_t j = 0; j < 40; ++j) locals.push_back(test::ref(pose.transform(j)));
    const std::vector<RefAffine> exact = test::to_model(skeleton.parents(), locals);
    const std::vector<Affine> model = model_of(pose);
    // What each entry could be if nothing cancelled: rounding is in proportion to that.
    std::vector<RefAffine> size;
    std::vector<int> depth;
    for (std::uint32_t j = 0; j < 40; ++j) {
      const test::RefTransform& t = locals[j];
      const Real s[] = {std::fabs(t.scale.x), std::fabs(t.scale.y), std::fabs(t.scale.z)};
      const Real d[] = {std::fabs(t.translation.x), std::fabs(t.translation.y), std::fabs(t.translation.z)};
      RefAffine local{{{s[0], s[1], s[2], d[0]}, {s[0], s[1], s[2], d[1]}, {s[0], s[1], s[2], d[2]}}};
      const auto parent = static_cast<std::size_t>(skeleton.parent(j));
      const bool is_root = skeleton.parent(j) == kNoParent;
      size.push_back(is_root ? local : test::multiply(size[parent], local));
      depth.push_back(is_root ? 1 : depth[parent] + 1);
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
          const Real error = std::fabs(Real{model[j].m[row][column]} - exact[j].m[row][column]);
          keep_larger(worst, error / (size[j].m[row][column] * depth[j]));
        }
      }
    }
  }
  MESSAGE("worst error of an entry, for each generation: ", worst, " of what it could be");
  CHECK(worst <= 3e-7);
}

TEST_CASE("a chain of ten thousand joints adds up") {
  constexpr std::uint32_t kCount = 10'000;
  std::vector<JointDesc> joints(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    joints[i].parent = static_cast<std::int32_t>(i) - 1;
    joints[i].rest.translation = {1, 0.5f, -2};
  }
  Pose pose(Skeleton::create(joints).value().skeleton);
  std::vector<Affine> model = model_of(pose);
  for (std::uint32_t j = 0; j < kCount; ++j) {
    const auto n = static_cast<float>(j + 1);
    const Affine expected = {{{1, 0, 0, n}, {0, 1, 0, 0.5f * n}, {0, 0, 1, -2 * n}}};
    REQUIRE(difference(model[j], expected) == "");
  }
  // Half a turn at the top reaches the end.
  pose.set_transform(0, {{}, {0, 0, 1, 0}, {1, 1, 1}});
  local_to_model(pose, 0, model);
  CHECK(model[kCount - 1].m[0][3] == -(kCount - 1.0f));
  CHECK(model[kCount - 1].m[1][3] == -0.5f * (kCount - 1.0f));
  CHECK(model[kCount - 1].m[2][3] == -2 * (kCount - 1.0f));
}

TEST_CASE("a root does not depend on the other roots") {
  std::vector<JointDesc> joints(20);
  for (std::uint32_t i = 0; i < 20; ++i) joints[i].rest.translation.y = static_cast<float>(i);
  const std::vector<Affine> model = model_of(Pose(Skeleton::create(joints).value().skeleton));
  for (std::uint32_t i = 0; i < 20; ++i) {
    const Affine expected = {{{1, 0, 0, 0}, {0, 1, 0, static_cast<float>(i)}, {0, 0, 1, 0}}};
    CHECK(difference(model[i], expected) == "");
  }
}

TEST_CASE("the palette of the rest pose is the identity, to 1e-6 of the model's size") {
  Random random(5);
  std::vector<Skeleton> skeletons = {humanoid::make_skeleton()};
  for (int i = 0; i < 50; ++i) {  // of any shape, without scale
    std::vector<JointDesc> joints(60);
    for (std::uint32_t j = 1; j < 60; ++j) {
      joints[j].parent = static_cast<std::int32_t>(random.below(j));
      joints[j].rest.translation = test::random_vector(random, 1);
      joints[j].rest.rotation = test::random_quat(random);
    }
    skeletons.push_back(Skeleton::create(joints).value().skeleton);
  }
  double worst = 0;
  for (const Skeleton& skeleton : skeletons) {
    const Skin skin = humanoid::make_skin(skeleton);
    const std::vector<Affine> model = model_of(Pose(skeleton));
    double size = 0;
    for (const Affine& m : model) keep_larger(size, std::hypot(m.m[0][3], m.m[1][3], m.m[2][3]));
    test::on_every_lane_count([&] {
      std::vector<Affine> matrices(skin.size());
      palette(skin, model, matrices);
      for (const Affine& m : matrices) {
        keep_larger(worst, test::linear_error(m, test::ref(Affine{})));
        keep_larger(worst, test::translation_error(m, test::ref(Affine{})) / size);
      }
    });
  }
  MESSAGE("worst difference from the identity ", worst);
  CHECK(worst <= 1e-6);
}

TEST_CASE("a palette is in the order of its skin; any number of skins share a skeleton") {
  Random random(6);
  const Skeleton skeleton = test::random_skeleton(random, 23);
  Pose pose(skeleton);
  randomise(random, pose);
  const std::vector<Affine> model = model_of(pose);
  for (const std::uint32_t size : {0u, 1u, 2u, 23u, 60u}) {
    CAPTURE(size);
    std::vector<std::uint32_t> joints;
    std::vector<Affine> binds, expected;
    for (std::uint32_t i = 0; i < size; ++i) {
      joints.push_back(random.below(23));
      binds.push_back(to_affine({test::random_vector(random, 1), test::random_quat(random), {1, 2, -1}}));
      expected.push_back(multiply(model[joints[i]], binds[i]));
    }
    const Skin skin = Skin::create(skeleton, joints, binds).value();
    test::on_every_lane_count([&] {
      std::vector<Affine> matrices(size, filled(kNaN));
      palette(skin, model, matrices);
      CHECK(difference(matrices, expected) == "");
    });
  }
}

TEST_CASE("spans of another length than the skeleton or the skin are a caller's mistake, and nothing is written") {
  Random random(7);
  const Skeleton skeleton = test::random_skeleton(random, 5);
  const Pose pose(skeleton);
  const std::uint32_t joints[] = {1, 2, 3};
  const Skin skin = Skin::create(skeleton, joints, {}).value();
  std::vector<Affine> six(6, filled(3));
  const std::span<Affine> all(six);
  for (const std::size_t count : {0u, 4u, 6u}) {
    CHECK(assert_message([&] { local_to_model(pose, all.first(count)); }).find("as many matrices") == 0);
    CHECK(assert_message([&] { local_to_model(pose, 1, all.first(count)); }).find("as many matrices") == 0);
    CHECK(assert_message([&] { palette(skin, all.first(count), all.first(3)); }).find("the skin was made") == 0);
  }
  for (const std::size_t count : {0u, 2u, 4u}) {
    CHECK(assert_message([&] { palette(skin, all.first(5), all.first(count)); }).find("as many matrices") == 0);
  }
  CHECK(assert_message([&] { local_to_model(pose, 5, all.first(5)); }) == "the skeleton has no such joint");
  CHECK(difference(six, std::vector<Affine>(6, filled(3))) == "");

  CHECK(assert_message([] { local_to_model(Pose(Skeleton()), {}); }).empty());
  CHECK(assert_message([] { palette(Skin(), {}, {}); }).empty());
}

#ifdef MARROW_TEST_FLOAT_STATES
TEST_CASE("the floating-point state of the caller changes no bit of a matrix, and is left as it was") {
  Random random(8);
  for (int i = 0; i < 20; ++i) {
    const Skeleton skeleton = test::random_skeleton(random, 30);
    const Skin skin = humanoid::make_skin(skeleton);
    Pose pose(skeleton);
    randomise(random, pose);
    for (std::uint32_t j = 0; j < 30; j += 4) {  // products in the denormals
      Transform t = pose.transform(j);
      t.translation = {t.translation.x * 1e-38f, t.translation.y * 1e-42f, t.translation.z * 1e-30f};
      t.scale = {1e-20f, -1e-10f, 1e-40f};
      pose.set_transform(j, t);
    }
    test::on_every_lane_count([&] {
      std::vector<Affine> model = model_of(pose), matrices(30);
      palette(skin, model, matrices);
      for (const test::FloatState state : test::kHostStates) {
        std::vector<Affine> under(30), from_joint(30), palette_under(30);
        CHECK(test::run_under(state, [&] { local_to_model(pose, under); }) == state);
        CHECK(test::run_under(state, [&] { local_to_model(pose, 0, from_joint); }) == state);
        CHECK(test::run_under(state, [&] { palette(skin, model, palette_under); }) == state);
        REQUIRE(difference(under, model) == "");
        for (const std::uint32_t j : skeleton.subtree(0)) REQUIRE(difference(from_joint[j], model[j]) == "");
        REQUIRE(difference(palette_under, matrices) == "");
      }
    });
  }
}
#endif

}  // namespace
}  // namespace marrow
