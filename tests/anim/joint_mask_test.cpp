#include "marrow/anim/joint_mask.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/asserts.h"

namespace marrow {
namespace {

// A chain of five with a side branch from its second joint: in skeleton order 0, 1, 2 and 3, 4, 5.
Skeleton make_branched_skeleton() {
  const std::int32_t parents[] = {-1, 0, 1, 1, 2, 4};
  std::vector<JointDesc> joints(6);
  for (std::size_t j = 0; j < joints.size(); ++j) joints[j].parent = parents[j];
  return Skeleton::create(joints).value().skeleton;
}

std::vector<float> values(const JointMask& mask) {
  return {mask.padded().begin(), mask.padded().begin() + mask.joint_count()};
}

TEST_CASE("a mask from a branch is 1 from its joint down, and 0 elsewhere") {
  CHECK(values(JointMask::from_branch(make_branched_skeleton(), 2)) == std::vector<float>{0, 0, 1, 0, 1, 1});
  CHECK(values(JointMask::from_branch(make_branched_skeleton(), 0)) == std::vector<float>{1, 1, 1, 1, 1, 1});
}

TEST_CASE("a feather rises in equal steps, a generation each") {
  CHECK(values(JointMask::from_branch(make_branched_skeleton(), 1, 3)) ==
        std::vector<float>{0, 0.25f, 0.5f, 0.5f, 0.75f, 1});
  CHECK(values(JointMask::from_branch(make_branched_skeleton(), 1, 1)) == std::vector<float>{0, 0.5f, 1, 1, 1, 1});
  CHECK(JointMask::from_branch(make_branched_skeleton(), 0, 0xffffffffu)[5] < 1e-6f);
}

TEST_CASE("masks combine joint by joint") {
  const Skeleton skeleton = make_branched_skeleton();
  const float some[] = {0, 0.25f, 0.5f, 0.75f, 1, 1};
  const JointMask a = JointMask::from_values(skeleton, some);
  const JointMask b = JointMask(skeleton, 0.5f);
  CHECK(values(JointMask(a).invert()) == std::vector<float>{1, 0.75f, 0.5f, 0.25f, 0, 0});
  CHECK(values(JointMask(a).multiply_by(b)) == std::vector<float>{0, 0.125f, 0.25f, 0.375f, 0.5f, 0.5f});
  CHECK(values(JointMask(a).take_larger(b)) == std::vector<float>{0.5f, 0.5f, 0.5f, 0.75f, 1, 1});
  CHECK(values(JointMask(a).take_smaller(b)) == std::vector<float>{0, 0.25f, 0.5f, 0.5f, 0.5f, 0.5f});
  JointMask changed = a;
  changed.set(0, 1);
  CHECK(changed[0] == 1);
}

TEST_CASE("the padding of a mask stays 0") {
  JointMask mask(make_branched_skeleton(), 1);
  mask.invert().invert();
  REQUIRE(mask.padded().size() == 8);
  CHECK((mask.padded()[6] == 0 && mask.padded()[7] == 0));
}

TEST_CASE("wrong joints, sizes and values are asserts") {
  const Skeleton skeleton = make_branched_skeleton();
  JointMask mask(skeleton);
  const float few[] = {1, 1};
  CHECK(test::assert_message([&] { mask.set(6, 1); }) != "");
  CHECK(test::assert_message([&] { mask.set(0, 1.5f); }) != "");
  CHECK(test::assert_message([&] { (void)JointMask::from_values(skeleton, few); }) != "");
  CHECK(test::assert_message([&] { (void)JointMask::from_branch(skeleton, 6); }) != "");
  CHECK(test::assert_message([&] { mask.multiply_by(JointMask(Skeleton{})); }) != "");
}

}  // namespace
}  // namespace marrow
