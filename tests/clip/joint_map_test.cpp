#include "marrow/clip/joint_map.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "clip/named_skeleton.h"
#include "fixtures/random.h"
#include "support/asserts.h"

namespace marrow {
namespace {

using test::named_skeleton;

constexpr std::uint32_t kNowhere = 0xffffffffu;

// The targets of all joints; kNowhere for none.
std::vector<std::uint32_t> targets(const JointMap& map) {
  std::vector<std::uint32_t> out(map.from_count());
  for (std::uint32_t joint = 0; joint < map.from_count(); ++joint) out[joint] = map.target(joint).value_or(kNowhere);
  return out;
}

using Targets = std::vector<std::uint32_t>;
using Unmapped = std::vector<UnmappedJoint>;

std::string without_prefix(std::string_view name) {
  const std::size_t colon = name.find(':');
  return std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
}

TEST_CASE("a joint goes to the joint of the same name, and is reported if there is none") {
  const Skeleton from = named_skeleton({"root", "arm", "tail"}), to = named_skeleton({"arm", "root", "leg"});
  const JointMap map = JointMap::by_name(from, to);
  CHECK(map.from_count() == 3);
  CHECK(map.to_count() == 3);
  CHECK(targets(map) == Targets{1, 0, kNowhere});
  CHECK(map.unmapped() == Unmapped{{2, NotMapped::no_such_joint}});
  CHECK(map.reason(2) == NotMapped::no_such_joint);
  CHECK(!map.reason(0));
  CHECK(map.unreached() == Targets{2});
  CHECK(map.source(0) == 1u);
  CHECK(!map.source(2));
}

TEST_CASE("skeletons without a common name map nothing") {
  const Skeleton from = named_skeleton({"a", "b"}), to = named_skeleton({"c"});
  const JointMap map = JointMap::by_name(from, to);
  CHECK(map.unmapped() == Unmapped{{0, NotMapped::no_such_joint}, {1, NotMapped::no_such_joint}});
  CHECK(map.unreached() == Targets{0});
}

TEST_CASE("of joints that share a name the first goes to the first, and those beyond the last go nowhere") {
  const Skeleton from = named_skeleton({"x", "x", "y", "x"}), to = named_skeleton({"y", "x", "y", "x"});
  CHECK(targets(JointMap::by_name(from, to)) == Targets{1, 3, 0, kNowhere});
  CHECK(targets(JointMap::by_name(to, from)) == Targets{2, 0, kNowhere, 1});
  const Skeleton same = named_skeleton({"x", "x", "x"});
  CHECK(JointMap::by_name(same, same) == JointMap::identity(same));
}

TEST_CASE("a rule gives the names, once for each joint in order, and an empty name leaves the joint out") {
  const Skeleton from = named_skeleton({"m:root", "m:arm", "m:arm", "helper", "m:tail"}),
                 to = named_skeleton({"root", "arm", "arm", "helper"});
  std::vector<std::string> asked;
  const JointMap map = JointMap::by_name(from, to, [&](std::string_view name) {
    asked.emplace_back(name);
    return name == "helper" ? std::string() : without_prefix(name);
  });
  CHECK(asked == std::vector<std::string>{"m:root", "m:arm", "m:arm", "helper", "m:tail"});
  CHECK(targets(map) == Targets{0, 1, 2, kNowhere, kNowhere});
  CHECK(map.unmapped() == Unmapped{{3, NotMapped::left_out}, {4, NotMapped::no_such_joint}});
  const JointMap nothing = JointMap::by_name(from, to, [](std::string_view) { return std::string(); });
  CHECK(nothing == JointMap(from, to));
}

TEST_CASE("two joints that a rule leads to one place both go there, and the first is its source") {
  const Skeleton from = named_skeleton({"root", "a:arm", "b:arm"}), to = named_skeleton({"root", "arm"});
  const JointMap map = JointMap::by_name(from, to, without_prefix);
  CHECK(targets(map) == Targets{0, 1, 1});
  CHECK(map.source(1) == 1u);
  CHECK(targets(map.inverse()) == Targets{0, 1});
}

TEST_CASE("pairs are set and cleared one by one, and joints that do not exist are rejected") {
  const Skeleton from = named_skeleton({"a", "b"}), to = named_skeleton({"c", "d", "e"});
  JointMap map(from, to);
  CHECK(map.unmapped() == Unmapped{{0, NotMapped::left_out}, {1, NotMapped::left_out}});
  REQUIRE(map.set(0, 2).ok());
  REQUIRE(map.set(1, 0).ok());
  REQUIRE(map.set(1, 1).ok());
  CHECK(targets(map) == Targets{2, 1});
  const JointMap before = map;
  CHECK(to_string(map.set(2, 0).error()) == "joint: the map leads from a skeleton of 2 joints, which has no joint 2");
  CHECK(to_string(map.set(0, 3).error()) == "target: the map leads to a skeleton of 3 joints, which has no joint 3");
  CHECK(to_string(map.set(kNowhere, 0).error().place) == "joint");
  CHECK(to_string(map.set(0, kNowhere).error().place) == "target");
  CHECK(to_string(map.clear(2).error().place) == "joint");
  CHECK(map == before);
  REQUIRE(map.clear(0).ok());
  CHECK(targets(map) == Targets{kNowhere, 1});
  CHECK(map != before);
  CHECK(targets(before) == Targets{2, 1});  // a copy is independent
}

TEST_CASE("queries about joints that do not exist are asserts") {
  const JointMap map(named_skeleton({"a"}), named_skeleton({"b", "c"}));
  CHECK(test::assert_message([&] { (void)map.target(1); }) != "");
  CHECK(test::assert_message([&] { (void)map.reason(1); }) != "");
  CHECK(test::assert_message([&] { (void)map.source(2); }) != "");
}

TEST_CASE("mirror pairs lead to the partner and back, and joints of the middle to themselves") {
  const Skeleton body = named_skeleton({"hips", "arm.L", "arm.R", "wing.L", "arm.R", "spine"});
  const JointMap map = JointMap::mirror_pairs(body);
  CHECK(targets(map) == Targets{0, 2, 1, kNowhere, kNowhere, 5});
  CHECK(map.unmapped() == Unmapped{{3, NotMapped::no_such_joint}, {4, NotMapped::no_such_joint}});
}

TEST_CASE("a mirror rule that leads one way makes no pair") {
  const Skeleton body = named_skeleton({"a", "b", "c"});
  const JointMap map = JointMap::mirror_pairs(body, [](std::string_view name) {
    return std::string(name == "a" ? "b" : name == "b" ? "c" : name == "c" ? "b" : "");
  });
  CHECK(targets(map) == Targets{kNowhere, 2, 1});
  CHECK(map.unmapped() == Unmapped{{0, NotMapped::one_way}});
}

TEST_CASE("laws of inverse, composition and mirror pairs hold for random names") {
  test::Random random(1);
  for (int round = 0; round < 200; ++round) {
    const auto any = [&] {
      std::vector<std::string> names(random.below(12));
      for (std::string& name : names)
        name = std::string(1, static_cast<char>('a' + random.below(4))) + "_" + "lrx"[random.below(3)];
      return named_skeleton(names);
    };
    const Skeleton a = any(), b = any(), c = any();
    const JointMap map = JointMap::by_name(a, b), back = map.inverse();
    CHECK(targets(back.inverse()) == targets(map));  // without a rule no target is shared
    CHECK(targets(back) == targets(JointMap::by_name(b, a)));
    for (std::uint32_t joint = 0; joint < b.joint_count(); ++joint) CHECK(back.target(joint) == map.source(joint));
    CHECK(*map.then(JointMap::identity(b)) == map);
    CHECK(*JointMap::identity(a).then(map) == map);
    const JointMap on = JointMap::by_name(b, c), both = *map.then(on);
    CHECK(both.check(a, c).ok());
    for (std::uint32_t joint = 0; joint < a.joint_count(); ++joint) {
      const std::optional<std::uint32_t> middle = map.target(joint);
      CHECK(both.target(joint) == (middle ? on.target(*middle) : std::nullopt));
      CHECK(both.reason(joint) == (middle ? on.reason(*middle) : map.reason(joint)));
    }
    const JointMap pairs = JointMap::mirror_pairs(a), twice = *pairs.then(pairs);
    for (std::uint32_t joint = 0; joint < a.joint_count(); ++joint) {
      CHECK(twice.target(joint).value_or(joint) == joint);
    }
  }
}

TEST_CASE("a composition of maps that do not meet is rejected") {
  const Skeleton a = named_skeleton({"x"}), b = named_skeleton({"y"}), c = named_skeleton({"x", "y"});
  CHECK(JointMap(a, b).then(JointMap(b, c)).ok());
  CHECK(to_string(JointMap(a, b).then(JointMap(a, c)).error().place) == "next");
  CHECK(to_string(JointMap(a, b).then(JointMap(c, a)).error().place) == "next");
  JointMap left(b, c);
  const JointMap moved = std::move(left);
  CHECK(!JointMap(a, b).then(left));  // NOLINT(bugprone-use-after-move): it is an error, not undefined
}

TEST_CASE("a map knows the names and the number of its joints, and says what differs") {
  const Skeleton from = named_skeleton({"a", "bc"}), to = named_skeleton({"c"});
  const JointMap map(from, to);
  CHECK(map.check(from, to).ok());
  CHECK(to_string(map.check(to, to).error()) == "map: the map leads from a skeleton of 2 joints, but this one has 1");
  CHECK(to_string(map.check(from, from).error()) == "map: the map leads to a skeleton of 1 joints, but this one has 2");
  const std::vector<std::string> others[] = {{"bc", "a"}, {"a", "bd"}, {"ab", "c"}};
  for (const std::vector<std::string>& other : others) {
    CHECK(to_string(map.check(named_skeleton(other), to).error()) ==
          "map: the map leads from a skeleton whose joints have other names");
  }
  CHECK(map.check(from, named_skeleton({"d"})).error().code == ErrorCode::invalid_argument);
  CHECK(map != JointMap(from, named_skeleton({"d"})));
  JointMap left = map;
  const JointMap moved = std::move(left);
  CHECK(moved == map);
  CHECK(!left.check(from, to).ok());  // NOLINT(bugprone-use-after-move): it is an error, not undefined
}

TEST_CASE("skeletons of no joint and of one joint have maps") {
  const Skeleton none, one = named_skeleton({"root"});
  CHECK(JointMap::by_name(none, one).unreached() == Targets{0});
  CHECK(JointMap::by_name(one, none).unmapped() == Unmapped{{0, NotMapped::no_such_joint}});
  CHECK(JointMap::by_name(one, one) == JointMap::identity(one));
  CHECK(JointMap::mirror_pairs(one) == JointMap::identity(one));
  CHECK(JointMap::identity(none).inverse() == JointMap::mirror_pairs(none));
  CHECK(to_string(JointMap::identity(none), none, none).empty());
}

TEST_CASE("a map of 10,000 joints is whole") {
  constexpr std::uint32_t kCount = 10000;
  std::vector<std::string> names(kCount), same(kCount, "bone");
  for (std::uint32_t i = 0; i < kCount; ++i) names[i] = "bone" + std::to_string(i) + (i % 2 == 0 ? ".L" : ".R");
  const Skeleton from = named_skeleton(names);
  std::reverse(names.begin(), names.end());
  const Skeleton to = named_skeleton(names), alike = named_skeleton(same);
  std::uint32_t calls = 0;
  const JointMap map = JointMap::by_name(from, to, [&](std::string_view name) {
    ++calls;
    return std::string(name);
  });
  CHECK(calls == kCount);
  bool whole = true;
  for (std::uint32_t joint = 0; joint < kCount; ++joint) whole = whole && map.target(joint) == kCount - 1 - joint;
  CHECK(whole);
  CHECK(map.unmapped().empty());
  CHECK(map.unreached().empty());
  CHECK(*map.then(map.inverse()) == JointMap::identity(from));
  CHECK(JointMap::by_name(alike, alike) == JointMap::identity(alike));
  CHECK(JointMap::mirror_pairs(from).unmapped().size() == kCount);
  CHECK(to_string(map, from, to).substr(0, 26) == "bone0.L -> bone0.L\nbone1.R");
}

TEST_CASE("a map prints a line for each joint, then what has no target or source") {
  const Skeleton from = named_skeleton({"root", "hand_L", "a:arm", "b:arm", "tail", "helper"}),
                 to = named_skeleton({"root", "LeftHand", "arm", "jaw", "leg"});
  const JointMap map = JointMap::by_name(from, to, [](std::string_view name) {
    return name == "hand_L" ? std::string("LeftHand") : name == "helper" ? std::string() : without_prefix(name);
  });
  CHECK(to_string(map, from, to) ==
        "root -> root\n"
        "hand_L -> LeftHand\n"
        "a:arm -> arm\n"
        "b:arm -> arm (shared with a:arm)\n"
        "without a target:\n"
        "  tail: no joint has that name\n"
        "  helper: the map leaves it out\n"
        "without a source:\n"
        "  jaw\n"
        "  leg\n");
  CHECK(to_string(JointMap::identity(to), to, to).find("without") == std::string::npos);
  CHECK(to_string(map, to, from) == "map: the map leads from a skeleton of 6 joints, but this one has 5\n");
}

}  // namespace
}  // namespace marrow
