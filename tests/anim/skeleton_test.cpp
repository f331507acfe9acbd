#include "marrow/anim/skeleton.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "anim/random_clip.h"
#include "anim/text.h"
#include "support/asserts.h"
#include "support/float_state.h"
#include "support/reference.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::assert_message;
using test::contains;
using test::kInf;
using test::kNaN;
using test::Random;

constexpr std::uint32_t kNone = 0xffffffffu;

// A hierarchy as a file has it: joints in any order, each with its parent and, in the file's order, its children.
struct Tree {
  std::vector<std::uint32_t> parent;  // kNone for roots
  std::vector<std::vector<std::uint32_t>> children;
  std::vector<std::string> names;

  explicit Tree(std::size_t count) : parent(count, kNone), children(count) {
    for (std::size_t i = 0; i < count; ++i) names.push_back("joint " + std::to_string(i));
  }
  void link(std::uint32_t above, std::uint32_t below) {
    parent[below] = above;
    children[above].push_back(below);
  }

  // `form` is what is told: "parents", "children" or "both". The descriptions look into the tree.
  std::vector<JointDesc> describe(const std::string& form) const&& = delete;
  [[nodiscard]] std::vector<JointDesc> describe(const std::string& form) const& {
    std::vector<JointDesc> joints(parent.size());
    for (std::size_t i = 0; i < parent.size(); ++i) {
      joints[i].name = names[i];
      if (form != "children" && parent[i] != kNone) joints[i].parent = static_cast<std::int32_t>(parent[i]);
      if (form != "parents") joints[i].children = children[i];
      joints[i].rest.translation.x = static_cast<float>(i);
    }
    return joints;
  }
};

// Any number of roots; parents before or after their children; children in any order.
Tree random_tree(Random& random, std::uint32_t count) {
  std::vector<std::uint32_t> place(count);
  std::iota(place.begin(), place.end(), 0u);
  for (std::uint32_t i = count; i > 1; --i) std::swap(place[i - 1], place[random.below(i)]);
  Tree tree(count);
  for (std::uint32_t i = 1; i < count; ++i) {
    if (random.below(8) != 0) tree.link(place[random.below(i)], place[i]);
  }
  return tree;
}

// Breadth-first: the roots in their order, then the children of each joint in the order of the joints.
std::vector<std::uint32_t> expected_order(const Tree& tree) {
  std::deque<std::uint32_t> queue;
  for (std::uint32_t i = 0; i < tree.parent.size(); ++i) {
    if (tree.parent[i] == kNone) queue.push_back(i);
  }
  std::vector<std::uint32_t> order;
  for (; !queue.empty(); queue.pop_front()) {
    order.push_back(queue.front());
    for (const std::uint32_t child : tree.children[queue.front()]) queue.push_back(child);
  }
  return order;
}

void check_built(const Tree& tree, const std::string& form) {
  const SkeletonBuild build = Skeleton::create(tree.describe(form)).value();
  const Skeleton& skeleton = build.skeleton;
  const std::vector<std::uint32_t> order = expected_order(tree);
  REQUIRE(order.size() == tree.parent.size());
  REQUIRE(skeleton.joint_count() == order.size());
  REQUIRE(build.joint_of_input.size() == order.size());
  REQUIRE(skeleton.parents().size() == order.size());
  std::uint32_t roots = 0;
  for (std::uint32_t j = 0; j < order.size(); ++j) {
    const std::uint32_t input = order[j], above = tree.parent[input];
    roots += above == kNone ? 1 : 0;
    REQUIRE(build.joint_of_input[input] == j);
    REQUIRE(skeleton.name(j) == tree.names[input]);
    REQUIRE(skeleton.joint(tree.names[input]).value() == j);
    REQUIRE(skeleton.rest(j).translation.x == static_cast<float>(input));
    REQUIRE(skeleton.parent(j) ==
            (above == kNone ? kNoParent : static_cast<std::int32_t>(build.joint_of_input[above])));
    REQUIRE(skeleton.parents()[j] == skeleton.parent(j));
    std::vector<std::uint32_t> children;
    for (const std::uint32_t child : skeleton.children(j)) children.push_back(child);
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t child : tree.children[input]) expected.push_back(build.joint_of_input[child]);
    REQUIRE(children == expected);
    REQUIRE(skeleton.children(j).size() == expected.size());
    REQUIRE(skeleton.children(j).empty() == expected.empty());
  }
  CHECK(skeleton.root_count() == roots);
}

TEST_CASE("joints in any order come out breadth-first, siblings in the file's order") {
  Random random(1);
  for (const std::uint32_t count : {1u, 2u, 7u, 8u, 9u, 40u, 300u}) {
    for (int i = 0; i < 30; ++i) {
      Tree tree = random_tree(random, count);
      check_built(tree, "children");
      check_built(tree, "both");
      // Told from below, siblings have no order but that of the joints.
      for (std::vector<std::uint32_t>& children : tree.children) std::sort(children.begin(), children.end());
      check_built(tree, "parents");
    }
  }
}

TEST_CASE("ten thousand joints in a chain, in a star and in any shape") {
  constexpr std::uint32_t kCount = 10'000;
  Tree chain(kCount), star(kCount), backward(kCount);
  for (std::uint32_t i = 1; i < kCount; ++i) {
    chain.link(i - 1, i);
    star.link(0, i);
    backward.link(i, i - 1);
  }
  Random random(2);
  Tree any = random_tree(random, kCount);
  for (std::vector<std::uint32_t>& children : any.children) std::sort(children.begin(), children.end());
  for (const Tree* tree : {&chain, &star, &backward, &any}) {
    check_built(*tree, "parents");
    check_built(*tree, "children");
  }
}

TEST_CASE("a hierarchy that is told partly from above and partly from below is one") {
  Tree tree(4);
  const std::uint32_t children[] = {2};
  std::vector<JointDesc> joints = tree.describe("parents");
  joints[0].children = children;
  joints[1].parent = 0;
  joints[3].parent = 2;
  const Skeleton skeleton = Skeleton::create(joints).value().skeleton;
  CHECK(skeleton.root_count() == 1);
  CHECK(skeleton.children(0).size() == 2);
  CHECK(skeleton.parent(skeleton.joint("joint 1").value()) == 0);
  CHECK(skeleton.parent(skeleton.joint("joint 3").value()) ==
        static_cast<std::int32_t>(skeleton.joint("joint 2").value()));
}

void collect(const Skeleton& skeleton, std::uint32_t joint, std::vector<std::uint32_t>& out) {
  out.push_back(joint);
  for (const std::uint32_t child : skeleton.children(joint)) collect(skeleton, child, out);
}

TEST_CASE("a subtree is the joint and all below it, each once, generation by generation") {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Skeleton skeleton = test::random_skeleton(random, 1 + random.below(60));
    for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
      std::vector<std::uint32_t> expected, actual;
      collect(skeleton, j, expected);
      std::sort(expected.begin(), expected.end());  // in breadth-first order deeper joints have higher numbers
      for (const std::uint32_t below : skeleton.subtree(j)) actual.push_back(below);
      REQUIRE(actual == expected);
    }
  }
}

// The error of joints of which one is wrong.
Error error_of(std::span<const JointDesc> joints) {
  const Result<SkeletonBuild> build = Skeleton::create(joints);
  REQUIRE(!build.ok());
  return build.error();
}

TEST_CASE("a parent or child out of range is refused, naming the joint") {
  const Tree tree(5);
  for (const std::int32_t parent : {5, 1000, -2, std::numeric_limits<std::int32_t>::min()}) {
    std::vector<JointDesc> joints = tree.describe("parents");
    joints[3].parent = parent;
    const Error error = error_of(joints);
    CHECK(error.code == ErrorCode::invalid_argument);
    CHECK(to_string(error.place) == "joints/3");
    CHECK(contains(error.message, "\"joint 3\""));
    CHECK(contains(error.message, std::to_string(parent)));
  }
  for (const std::uint32_t child : {5u, kNone}) {
    const std::uint32_t children[] = {1, child};
    std::vector<JointDesc> joints = tree.describe("parents");
    joints[4].children = children;
    const Error error = error_of(joints);
    CHECK(error.code == ErrorCode::invalid_argument);
    CHECK(to_string(error.place) == "joints/4");
    CHECK(contains(error.message, "\"joint 4\""));
    CHECK(contains(error.message, std::to_string(child)));
  }
}

TEST_CASE("a joint with two parents is refused, naming all three, however they are told") {
  const Tree tree(4);
  const std::uint32_t children[] = {1};
  for (const int way : {0, 1}) {
    CAPTURE(way);
    std::vector<JointDesc> joints = tree.describe("parents");
    joints[0].children = children;
    if (way == 0) joints[2].children = children;
    if (way == 1) joints[1].parent = 2;
    const Error error = error_of(joints);
    CHECK(error.code == ErrorCode::two_parents);
    CHECK(to_string(error.place) == "joints/1");
    CHECK(contains(error.message, "\"joint 1\""));
    CHECK(contains(error.message, "\"joint 0\""));
    CHECK(contains(error.message, "\"joint 2\""));
  }
}

TEST_CASE("a cycle of any length is refused, naming a joint on it, wherever it hangs") {
  Random random(4);
  for (const std::uint32_t length : {1u, 2u, 3u, 50u, 5'000u}) {
    for (const std::string form : {"parents", "children", "both"}) {
      CAPTURE(length);
      CAPTURE(form);
      // A good tree beside it, and joints that hang below the cycle.
      Tree tree(length + 20);
      const std::uint32_t first = random.below(10);
      for (std::uint32_t i = 0; i < length; ++i) tree.link(first + i, first + (i + 1) % length);
      tree.link(first, length + 15);
      tree.link(length + 15, length + 16);
      const Error error = error_of(tree.describe(form));
      CHECK(error.code == ErrorCode::cycle);
      const auto at = static_cast<std::uint32_t>(error.place.index_in(0, "joints").value());
      CHECK(at >= first);
      CHECK(at < first + length);
      CHECK(contains(error.message, "\"" + tree.names[at] + "\""));
    }
  }
}

TEST_CASE("a rest transform or weight that is not finite or above 1e18 is refused, naming the joint") {
  const Tree tree(4);
  for (const float bad : {kNaN, kInf, -kInf, 1.001e18f, -1.001e18f, 3e38f}) {
    for (int part = 0; part < 11; ++part) {
      const float weights[] = {0, part == 10 ? bad : 1.0f};
      std::vector<JointDesc> joints = tree.describe("parents");
      Transform& rest = joints[2].rest;
      float* const parts[] = {&rest.translation.x, &rest.translation.y, &rest.translation.z, &rest.rotation.x,
                              &rest.rotation.y,    &rest.rotation.z,    &rest.rotation.w,    &rest.scale.x,
                              &rest.scale.y,       &rest.scale.z};
      if (part < 10) *parts[part] = bad;
      joints[2].morph_weights = weights;
      const Error error = error_of(joints);
      CHECK(error.code == ErrorCode::not_finite);
      CHECK(to_string(error.place) == "joints/2");
      CHECK(contains(error.message, "\"joint 2\""));
    }
  }
  std::vector<JointDesc> large = tree.describe("parents");
  large[1].rest.translation.y = -1e18f;
  CHECK(Skeleton::create(large).ok());
}

TEST_CASE("a rest rotation of length zero is refused; any other is made unit") {
  const Tree tree(3);
  std::vector<JointDesc> joints = tree.describe("parents");
  joints[1].rest.rotation = {0, -0.0f, 0, 0};
  const Error error = error_of(joints);
  CHECK(error.code == ErrorCode::invalid_argument);
  CHECK(to_string(error.place) == "joints/1");
  CHECK(contains(error.message, "\"joint 1\""));

  Random random(5);
  double worst = 0, not_unit = 0;
  for (int i = 0; i < 1000; ++i) {
    const Quat q = test::random_quat(random);
    const auto size = static_cast<float>(std::pow(10.0, random.range(-36, 17)));
    joints[1].rest.rotation = {q.x * size, q.y * size, q.z * size, q.w * size};
    const Quat unit = Skeleton::create(joints)->skeleton.rest(1).rotation;
    test::keep_larger(worst, test::angle_between(test::ref(unit), test::unit(test::ref(joints[1].rest.rotation))));
    test::keep_larger(not_unit, std::fabs(test::length(test::ref(unit)) - 1));
  }
  CHECK(worst <= 2e-7);
  CHECK(not_unit <= 1e-7);
}

TEST_CASE("joints without a name are called bone_<index in the file>; of equal names the first is found") {
  Tree tree(5);
  tree.names = {"", "arm", "", "arm", ""};
  tree.link(4, 0);
  tree.link(4, 3);
  tree.link(4, 1);
  const SkeletonBuild build = Skeleton::create(tree.describe("children")).value();
  for (const std::uint32_t input : {0u, 2u, 4u}) {
    const std::string name = "bone_" + std::to_string(input);
    CHECK(build.skeleton.name(build.joint_of_input[input]) == name);
    CHECK(build.skeleton.joint(name).value() == build.joint_of_input[input]);
  }
  CHECK(build.skeleton.joint("arm").value() == std::min(build.joint_of_input[1], build.joint_of_input[3]));
  CHECK(to_string(build.skeleton.joint("leg").error()) == "there is no joint \"leg\"");
  CHECK(!build.skeleton.joint("").ok());
  CHECK(!build.skeleton.joint("bone_1").ok());
}

TEST_CASE("a skeleton without joints has none of anything") {
  for (const Skeleton& skeleton : {Skeleton(), Skeleton::create({}).value().skeleton}) {
    CHECK(skeleton.joint_count() == 0);
    CHECK(skeleton.root_count() == 0);
    CHECK(skeleton.parents().empty());
    CHECK(skeleton.morph_size() == 0);
    CHECK(!skeleton.joint("hip").ok());
    CHECK(skeleton.hash() == Skeleton().hash());
  }
}

TEST_CASE("morph weights lie one joint after another, each from a multiple of eight on") {
  const std::size_t counts[] = {0, 1, 7, 8, 9, 20, 0, 3};
  std::vector<float> weights(20);
  std::iota(weights.begin(), weights.end(), 0.5f);
  std::vector<JointDesc> joints(std::size(counts));
  for (std::size_t i = 0; i < joints.size(); ++i) joints[i].morph_weights = {weights.data(), counts[i]};
  const Skeleton skeleton = Skeleton::create(joints).value().skeleton;
  std::uint32_t offset = 0;
  for (std::uint32_t j = 0; j < joints.size(); ++j) {
    CHECK(skeleton.morph_count(j) == counts[j]);
    CHECK(skeleton.morph_offset(j) == offset);
    const std::span<const float> rest = skeleton.rest_morph_weights(j);
    CHECK(std::equal(rest.begin(), rest.end(), weights.begin(), weights.begin() + static_cast<int>(counts[j])));
    offset += static_cast<std::uint32_t>((counts[j] + 7) / 8 * 8);
  }
  CHECK(skeleton.morph_size() == offset);
}

TEST_CASE("the hash is equal for the same joints and differs with any change") {
  const float weights[] = {0.5f}, other_weights[] = {0.25f}, more_weights[] = {0.5f, 0.0f};
  Tree tree(4);
  tree.link(0, 1);
  tree.link(0, 2);
  tree.link(1, 3);
  const auto hash = [&](const auto& change) {
    std::vector<JointDesc> joints = tree.describe("parents");
    joints[2].morph_weights = weights;
    change(joints);
    return Skeleton::create(joints)->skeleton.hash();
  };
  const std::uint64_t original = hash([](auto&) {});
  CHECK(hash([](auto&) {}) == original);
  CHECK(hash([](auto& j) { j[3].rest.rotation = {0, 0, 0, 2}; }) == original);  // the same once normalised
  CHECK(hash([](auto& j) { j[1].name = "joint I"; }) != original);
  CHECK(hash([](auto& j) { j[3].parent = 2; }) != original);
  CHECK(hash([](auto& j) { j[2].rest.translation.z = 1; }) != original);
  CHECK(hash([](auto& j) { j[2].rest.rotation = {1, 0, 0, 1}; }) != original);
  CHECK(hash([](auto& j) { j[2].rest.scale.x = 2; }) != original);
  CHECK(hash([&](auto& j) { j[2].morph_weights = other_weights; }) != original);
  CHECK(hash([&](auto& j) { j[2].morph_weights = more_weights; }) != original);
  CHECK(hash([&](auto& j) { std::swap(j[1].morph_weights, j[2].morph_weights); }) != original);
}

#ifdef MARROW_TEST_FLOAT_STATES
TEST_CASE("the floating-point state of the caller changes nothing in a skeleton, and is left as it was") {
  const Tree tree(3);
  std::vector<JointDesc> joints = tree.describe("parents");
  joints[1].rest = {{1e-40f, 0, 0}, {0, 1e-40f, 0, 0}, {1e-45f, 1, 1}};
  joints[2].rest.rotation = {0.1f, 0.2f, 0.3f, 0.4f};
  const std::uint64_t expected = Skeleton::create(joints)->skeleton.hash();
  for (const test::FloatState state : test::kHostStates) {
    std::optional<Result<SkeletonBuild>> build;
    CHECK(test::run_under(state, [&] { build.emplace(Skeleton::create(joints)); }) == state);
    REQUIRE(build->ok());
    CHECK((*build)->skeleton.hash() == expected);
  }
}
#endif

TEST_CASE("asking for a joint that is not there is a caller's mistake") {
  const Skeleton skeleton = Skeleton::create(std::vector<JointDesc>(3)).value().skeleton;
  const std::string expected = "the skeleton has no such joint";
  CHECK(assert_message([&] { (void)skeleton.name(3); }) == expected);
  CHECK(assert_message([&] { (void)skeleton.parent(3); }) == expected);
  CHECK(assert_message([&] { (void)skeleton.rest(kNone); }) == expected);
  CHECK(assert_message([&] { (void)skeleton.children(3); }) == expected);
  CHECK(assert_message([&] { (void)skeleton.subtree(3); }) == expected);
  CHECK(assert_message([&] { (void)skeleton.morph_count(3); }) == expected);
  CHECK(assert_message([&] { (void)skeleton.rest_morph_weights(3); }) == expected);
  CHECK(!assert_message([&] { (void)skeleton.children(Skeleton::Range{2, 4}); }).empty());
}

TEST_CASE("a joint that hangs on a cycle is not blamed for it, nor is a child twice its own parents") {
  JointDesc joints[3];
  joints[0].name = "hanging";
  joints[0].parent = 1;
  joints[1].name = "ring";
  joints[1].parent = 2;
  joints[2].name = "other";
  joints[2].parent = 1;
  const auto cycle = Skeleton::create(joints);
  REQUIRE(!cycle);
  CHECK(cycle.error().code == ErrorCode::cycle);
  CHECK(cycle.error().message.find("hanging") == std::string::npos);

  const std::uint32_t twice[] = {1, 1};
  JointDesc two[2];
  two[0].children = twice;
  const auto repeated = Skeleton::create(two);
  REQUIRE(!repeated);
  CHECK(repeated.error().code == ErrorCode::duplicate);
}

}  // namespace
}  // namespace marrow
