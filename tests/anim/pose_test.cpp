#include "marrow/anim/pose.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "anim/pose_difference.h"
#include "anim/properties.h"
#include "anim/random_clip.h"
#include "support/asserts.h"
#include "support/reference.h"

namespace marrow {
namespace {

using test::assert_message;
using test::difference;
using test::kProperties;
using test::Random;

static_assert(!std::is_copy_constructible_v<Pose> && !std::is_copy_assignable_v<Pose>);
static_assert(std::is_nothrow_move_constructible_v<Pose> && std::is_nothrow_move_assignable_v<Pose>);

Transform random_transform(Random& random) {
  return {test::random_vector(random, 3), test::random_quat(random), test::random_vector(random, 2)};
}
bool same(const Transform& a, const Transform& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Sets everything in a pose to random numbers.
void fill(Random& random, Pose& pose) {
  for (std::uint32_t j = 0; j < pose.skeleton().joint_count(); ++j) {
    pose.set_transform(j, random_transform(random));
    for (float& weight : pose.morph_weights(j)) weight = random.rangef(-1, 1);
    for (const Property property : kProperties) pose.set_present(j, property, random.below(2) == 0);
  }
}

// Memory of a size and alignment, with a margin of known bytes on both sides.
class Memory {
 public:
  explicit Memory(std::size_t size, std::size_t offset = 0) : bytes_(size + 4 * Pose::kAlignment, kMargin) {
    void* start = bytes_.data() + 1;
    std::size_t space = bytes_.size() - 1;
    std::align(Pose::kAlignment, size + Pose::kAlignment, start, space);
    span_ = {static_cast<std::byte*>(start) + Pose::kAlignment + offset, size};
  }
  [[nodiscard]] std::span<std::byte> span() const { return span_; }
  [[nodiscard]] bool margins_are_whole() const {
    const auto is_margin = [](std::byte b) { return b == kMargin; };
    return std::all_of(bytes_.data(), static_cast<const std::byte*>(span_.data()), is_margin) &&
           std::all_of(static_cast<const std::byte*>(span_.data()) + span_.size(), bytes_.data() + bytes_.size(),
                       is_margin);
  }

 private:
  static constexpr std::byte kMargin{0xa5};
  std::vector<std::byte> bytes_;
  std::span<std::byte> span_;
};

TEST_CASE("a new pose is at rest with nothing present, its padding the identity") {
  Random random(1);
  for (const std::uint32_t count : {0u, 1u, 7u, 8u, 9u, 67u}) {
    const Skeleton skeleton = test::random_skeleton(random, count, 20);
    const Pose pose(skeleton);
    for (std::uint32_t j = 0; j < count; ++j) {
      CHECK(same(pose.transform(j), skeleton.rest(j)));
      CHECK(difference(pose.morph_weights(j), skeleton.rest_morph_weights(j)) == "");
      for (const Property property : kProperties) CHECK(!pose.has(j, property));
    }
    REQUIRE(pose.blocks().size() == (count + 7) / 8);
    for (std::uint32_t j = count; j < pose.blocks().size() * 8; ++j) {
      const PoseBlock& block = pose.blocks()[j / 8];
      for (int i = 0; i < 3; ++i) {
        CHECK(block.translation[i][j % 8] == 0);
        CHECK(block.scale[i][j % 8] == 1);
      }
      for (int i = 0; i < 4; ++i) CHECK(block.rotation[i][j % 8] == (i == 3 ? 1.0f : 0.0f));
    }
  }
}

TEST_CASE("a pose in the caller's memory is as one in its own, and stays inside") {
  Random random(2);
  for (const std::uint32_t count : {0u, 1u, 8u, 13u}) {
    const Skeleton skeleton = test::random_skeleton(random, count, 9);
    const Memory memory(Pose::required_bytes(skeleton));
    {
      Pose pose(skeleton, memory.span());
      CHECK(difference(pose, Pose(skeleton)) == "");
      fill(random, pose);
      Pose copy(skeleton);
      copy.copy_from(pose);
      CHECK(difference(pose, copy) == "");
      pose.set_rest();
      CHECK(difference(pose, Pose(skeleton)) == "");
      if (count > 0) CHECK(static_cast<void*>(pose.floats().data()) == memory.span().data());
    }
    CHECK(memory.margins_are_whole());
  }
}

TEST_CASE("memory that is too small or not aligned is a caller's mistake") {
  Random random(3);
  const Skeleton skeleton = test::random_skeleton(random, 5);
  const std::size_t needed = Pose::required_bytes(skeleton);
  const Memory memory(needed);
  const auto use = [&](std::span<std::byte> span) { return assert_message([&] { const Pose pose(skeleton, span); }); };
  CHECK(use(memory.span()).empty());
  CHECK(use(memory.span().first(needed - 1)).find("too small") != std::string::npos);
  CHECK(use({}).find("too small") != std::string::npos);
  for (const std::size_t offset : {1u, 4u, 16u, 32u}) {
    CHECK(use(Memory(needed, offset).span()).find("aligned") != std::string::npos);
  }
}

TEST_CASE("a pose's own memory is aligned") {
  Random random(4);
  for (std::uint32_t count = 1; count < 30; ++count) {
    const Pose pose(test::random_skeleton(random, count, 3));
    CHECK(reinterpret_cast<std::uintptr_t>(pose.blocks().data()) % Pose::kAlignment == 0);
  }
}

TEST_CASE("setting a transform changes that joint alone, and marks it present but for its weights") {
  Random random(5);
  const Skeleton skeleton = test::random_skeleton(random, 19, 5);
  for (std::uint32_t j = 0; j < 19; ++j) {
    Pose pose(skeleton);
    const Transform t = random_transform(random);
    pose.set_transform(j, t);
    for (std::uint32_t other = 0; other < 19; ++other) {
      CHECK(same(pose.transform(other), other == j ? t : skeleton.rest(other)));
      for (const Property property : kProperties) {
        CHECK(pose.has(other, property) == (other == j && property != Property::morph));
      }
    }
    CHECK(difference(pose.morphs(), Pose(skeleton).morphs()) == "");
  }
}

TEST_CASE("transforms one by one and eight side by side are the same numbers") {
  Random random(6);
  for (const std::uint32_t count : {1u, 7u, 8u, 9u, 33u}) {
    const Skeleton skeleton = test::random_skeleton(random, count);
    std::vector<Transform> in(count), out(count);
    for (Transform& t : in) t = random_transform(random);
    Pose pose(skeleton);
    pose.from_transforms(in);
    pose.to_transforms(out);
    for (std::uint32_t j = 0; j < count; ++j) {
      CHECK(same(out[j], in[j]));
      CHECK(same(pose.transform(j), in[j]));
      const PoseBlock& block = pose.blocks()[j / 8];
      const std::uint32_t lane = j % 8;
      const Transform from_block = {
          {block.translation[0][lane], block.translation[1][lane], block.translation[2][lane]},
          {block.rotation[0][lane], block.rotation[1][lane], block.rotation[2][lane], block.rotation[3][lane]},
          {block.scale[0][lane], block.scale[1][lane], block.scale[2][lane]}};
      CHECK(same(from_block, in[j]));
      CHECK(pose.has(j, Property::rotation));
      CHECK(!pose.has(j, Property::morph));
    }
    Pose one_by_one(skeleton);
    for (std::uint32_t j = 0; j < count; ++j) one_by_one.set_transform(j, in[j]);
    CHECK(difference(pose, one_by_one) == "");
  }
}

TEST_CASE("the floats are all blocks, then all weights at their joints' offsets") {
  Random random(7);
  const Skeleton skeleton = test::random_skeleton(random, 21, 20);
  Pose pose(skeleton);
  CHECK(static_cast<void*>(pose.floats().data()) == pose.blocks().data());
  CHECK(pose.floats().size() == pose.blocks().size() * sizeof(PoseBlock) / sizeof(float) + skeleton.morph_size());
  CHECK(pose.morphs().data() == pose.floats().data() + (pose.floats().size() - skeleton.morph_size()));
  CHECK(pose.morphs().size() == skeleton.morph_size());
  CHECK(pose.present().size() == pose.blocks().size());
  for (std::uint32_t j = 0; j < 21; ++j) {
    CHECK(pose.morph_weights(j).size() == skeleton.morph_count(j));
    CHECK(pose.morph_weights(j).data() == pose.morphs().data() + skeleton.morph_offset(j));
    for (float& weight : pose.morph_weights(j)) weight = 3;
    CHECK(!pose.has(j, Property::morph));  // writing does not mark them
  }
}

TEST_CASE("presence is a bit for each joint and property, each by itself") {
  Random random(8);
  const Skeleton skeleton = test::random_skeleton(random, 17);
  Pose pose(skeleton);
  std::vector<std::vector<bool>> expected(17, std::vector<bool>(4, false));
  for (int i = 0; i < 500; ++i) {
    const std::uint32_t joint = random.below(17), property = random.below(4);
    const bool value = random.below(2) == 0;
    pose.set_present(joint, static_cast<Property>(property), value);
    expected[joint][property] = value;
    for (std::uint32_t j = 0; j < 17; ++j) {
      for (std::uint32_t p = 0; p < 4; ++p) REQUIRE(pose.has(j, static_cast<Property>(p)) == expected[j][p]);
    }
  }
  const Pose& constant = pose;
  CHECK(((constant.present()[1].scale >> 3 & 1) != 0) == expected[11][2]);
}

TEST_CASE("a moved pose is the same pose in the same memory") {
  Random random(9);
  const Skeleton skeleton = test::random_skeleton(random, 11, 4);
  const Memory memory(Pose::required_bytes(skeleton));
  Pose own(skeleton), borrowed(skeleton, memory.span());
  for (Pose* pose : {&own, &borrowed}) {
    fill(random, *pose);
    Pose expected(skeleton);
    expected.copy_from(*pose);
    const float* at = pose->floats().data();
    Pose moved(std::move(*pose));
    CHECK(moved.floats().data() == at);
    CHECK(difference(moved, expected) == "");
    Pose assigned{Skeleton()};
    assigned = std::move(moved);
    CHECK(assigned.floats().data() == at);
    CHECK(difference(assigned, expected) == "");
    CHECK(assigned.skeleton().joint_count() == 11);
  }
}

TEST_CASE("copying takes over values and presence, not the skeleton") {
  Random random(10);
  const Skeleton skeleton = test::random_skeleton(random, 9);
  const Skeleton other = test::random_skeleton(random, 9);
  Pose from(skeleton), to(other);
  fill(random, from);
  to.copy_from(from);
  CHECK(difference(to, from) == "");
  CHECK(to.skeleton().hash() == other.hash());
  to.copy_from(to);
  CHECK(difference(to, from) == "");
  to.set_rest();
  CHECK(difference(to, Pose(other)) == "");

  Pose fewer(test::random_skeleton(random, 8));
  CHECK(assert_message([&] { fewer.copy_from(from); }).find("differ") != std::string::npos);
  const float weight = 1;
  std::vector<JointDesc> joints(9);
  joints[0].morph_weights = {&weight, 1};
  Pose morphing(Skeleton::create(joints).value().skeleton);
  CHECK(assert_message([&] { morphing.copy_from(from); }).find("differ") != std::string::npos);
}

TEST_CASE("a pose keeps its skeleton alive") {
  Random random(11);
  std::optional<Skeleton> skeleton = test::random_skeleton(random, 5);
  const std::uint64_t hash = skeleton->hash();
  Pose pose(*skeleton);
  skeleton.reset();
  CHECK(pose.skeleton().hash() == hash);
  CHECK(pose.skeleton().joint("bone_4").ok());
}

TEST_CASE("a joint or a span that does not fit the skeleton is a caller's mistake") {
  Pose pose(Skeleton::create(std::vector<JointDesc>(3)).value().skeleton);
  std::vector<Transform> transforms(4);
  CHECK(!assert_message([&] { (void)pose.transform(3); }).empty());
  CHECK(!assert_message([&] { pose.set_transform(3, {}); }).empty());
  CHECK(!assert_message([&] { (void)pose.has(3, Property::scale); }).empty());
  CHECK(!assert_message([&] { pose.set_present(3, Property::scale, true); }).empty());
  CHECK(!assert_message([&] { (void)pose.morph_weights(3); }).empty());
  CHECK(!assert_message([&] { pose.to_transforms(transforms); }).empty());
  CHECK(!assert_message([&] { pose.from_transforms(transforms); }).empty());
}

TEST_CASE("properties have names") {
  CHECK(std::string(to_string(Property::translation)) == "translation");
  CHECK(std::string(to_string(Property::rotation)) == "rotation");
  CHECK(std::string(to_string(Property::scale)) == "scale");
  CHECK(std::string(to_string(Property::morph)) == "morph weights");
}

}  // namespace
}  // namespace marrow
