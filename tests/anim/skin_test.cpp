#include "marrow/anim/skin.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/special_floats.h"

namespace marrow {
namespace {

using test::kInf;
using test::kNaN;

Skeleton make_skeleton(std::uint32_t count) { return Skeleton::create(std::vector<JointDesc>(count)).value().skeleton; }

bool same(const Affine& a, const Affine& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST_CASE("a skin keeps its joints and inverse binds in its own order, repeated ones too") {
  const std::uint32_t joints[] = {4, 0, 2, 4};
  Affine binds[4];
  for (int i = 0; i < 4; ++i) binds[i].m[1][3] = static_cast<float>(i + 1);
  std::string name = "armour";
  const Skin skin = Skin::create(make_skeleton(5), joints, binds, name).value();
  name = "gone!!";
  CHECK(skin.name() == "armour");
  CHECK(skin.size() == 4);
  CHECK(skin.skeleton_joint_count() == 5);
  REQUIRE(skin.joints().size() == 4);
  REQUIRE(skin.inverse_binds().size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(skin.joints()[i] == joints[i]);
    CHECK(same(skin.inverse_binds()[i], binds[i]));
  }
}

TEST_CASE("without inverse binds they are identities, as glTF has it") {
  const std::uint32_t joints[] = {1, 0};
  const Skin skin = Skin::create(make_skeleton(2), joints, {}).value();
  CHECK(skin.name().empty());
  REQUIRE(skin.inverse_binds().size() == 2);
  for (const Affine& bind : skin.inverse_binds()) CHECK(same(bind, Affine{}));
}

TEST_CASE("a skin of no joints is one") {
  CHECK(Skin().size() == 0);
  CHECK(Skin().skeleton_joint_count() == 0);
  const Skin skin = Skin::create(make_skeleton(3), {}, {}, "none").value();
  CHECK(skin.size() == 0);
  CHECK(skin.skeleton_joint_count() == 3);
  CHECK(skin.joints().empty());
}

TEST_CASE("a joint that the skeleton does not have is refused, naming its place") {
  for (const std::uint32_t bad : {3u, 0xffffffffu}) {
    const std::uint32_t joints[] = {0, 2, bad, 1};
    const Result<Skin> skin = Skin::create(make_skeleton(3), joints, {});
    REQUIRE(!skin.ok());
    CHECK(skin.error().code == ErrorCode::invalid_argument);
    CHECK(to_string(skin.error().place) == "joints/2");
    CHECK(skin.error().message.find(std::to_string(bad)) != std::string::npos);
  }
  const std::uint32_t joint = 0;
  CHECK(!Skin::create(Skeleton(), {&joint, 1}, {}).ok());
}

TEST_CASE("another number of inverse binds than joints is refused, saying both") {
  const std::uint32_t joints[] = {0, 1, 2};
  const std::vector<Affine> binds(5);
  for (const std::size_t count : {1u, 2u, 4u, 5u}) {
    const Result<Skin> skin = Skin::create(make_skeleton(3), joints, {binds.data(), count});
    REQUIRE(!skin.ok());
    CHECK(skin.error().code == ErrorCode::size_mismatch);
    CHECK(to_string(skin.error().place) == "inverse_binds");
    CHECK(skin.error().message.find("3") != std::string::npos);
    CHECK(skin.error().message.find(std::to_string(count)) != std::string::npos);
  }
}

TEST_CASE("an inverse bind that is not finite is refused wherever it is wrong, naming the joint") {
  std::vector<JointDesc> descs(3);
  descs[1].name = "elbow";
  const Skeleton skeleton = Skeleton::create(descs).value().skeleton;
  const std::uint32_t joints[] = {2, 1};
  for (const float bad : {kNaN, kInf, -kInf}) {
    for (int i = 0; i < 12; ++i) {
      Affine binds[2];
      binds[1].m[i / 4][i % 4] = bad;
      const Result<Skin> skin = Skin::create(skeleton, joints, binds);
      REQUIRE(!skin.ok());
      CHECK(skin.error().code == ErrorCode::not_finite);
      CHECK(to_string(skin.error().place) == "inverse_binds/1");
      CHECK(skin.error().message.find("\"elbow\"") != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace marrow
