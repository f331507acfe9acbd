#include "marrow/scene/scene.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "scene/affine_difference.h"
#include "scene/character.h"
#include "support/asserts.h"
#include "support/random.h"

namespace marrow {
namespace {

using test::difference;

Transform at(float x, float y, float z) { return {{x, y, z}, {}, {1, 1, 1}}; }

Vec3 place(const Node& node) {
  const Affine w = node.world();
  return {w.m[0][3], w.m[1][3], w.m[2][3]};
}

std::string names_of(const Node::Children& children) {
  std::string names;
  for (const Node child : children) names += (names.empty() ? "" : " ") + std::string(child.name());
  return names;
}

TEST_CASE("a node is where its parents put it, before an update and after") {
  Scene scene;
  const Node a = scene.add_node("a", at(1, 0, 0)), b = scene.add_node("b", at(0, 2, 0), a);
  const Node c = scene.add_node("c", at(0, 0, 3), b);
  CHECK(place(c).x == 1);
  scene.refresh();
  CHECK(place(c).y == 2);
  a.set_local(at(10, 0, 0));
  CHECK(place(c).x == 10);
  CHECK(place(b).x == 10);
  scene.refresh();
  CHECK(place(c).x == 10);
  CHECK(c.parent() == b);
  CHECK(a.parent() == scene.root());
  CHECK_FALSE(scene.root().parent());
  CHECK(scene.node_count() == 3);
  CHECK(scene.root().find("c") == c);
  CHECK_FALSE(scene.root().find("d"));
  CHECK(scene.node(c.id()) == c);
}

TEST_CASE("children come in the order in which they were added, and leave their place when they go elsewhere") {
  Scene scene;
  const Node a = scene.add_node("a"), b = scene.add_node("b"), c = scene.add_node("c");
  CHECK(names_of(scene.root().children()) == "a b c");
  CHECK(a.add(b));
  CHECK(names_of(scene.root().children()) == "a c");
  CHECK(a.add(c));
  CHECK(names_of(a.children()) == "b c");
  CHECK(a.add(b));
  CHECK(names_of(a.children()) == "c b");
  CHECK(a.remove(c));
  CHECK(names_of(scene.root().children()) == "a c");
  CHECK(a.children().size() == 1);
  CHECK(b.children().empty());
}

TEST_CASE(
    "a node can keep its place in the world under another parent, and tells how far off it is where shear does not let "
    "it") {
  Scene scene;
  const Node turned = scene.add_node("turned", {{1, 2, 3}, from_axis_angle({0, 0, 1}, 0.5f), {2, 2, 2}});
  const Node thing = scene.add_node("thing", {{5, 0, 0}, from_axis_angle({0, 1, 0}, 1.0f), {1, 2, 3}});
  const Affine before = thing.world();
  const PlaceResult placed = turned.add(thing, Preserve::world);
  CHECK(placed);
  CHECK(placed.rotation_error < 2e-6f);
  const Affine after = thing.world();
  for (int i = 0; i < 12; ++i) CHECK(after.m[i / 4][i % 4] == doctest::Approx(before.m[i / 4][i % 4]).epsilon(1e-5));

  const Node squeezed = scene.add_node("squeezed", {{}, from_axis_angle({0, 0, 1}, 0.7f), {1, 5, 1}});
  const Affine wanted = thing.world();
  const PlaceResult sheared = squeezed.add(thing, Preserve::world);
  CHECK(sheared);
  CHECK(sheared.rotation_error > 0.01f);
  // What it says is what it is.
  const Affine got = thing.world();
  float off = 0, size = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      off = std::max(off, std::fabs(got.m[i][j] - wanted.m[i][j]));
      size = std::max(size, std::fabs(wanted.m[i][j]));
    }
  }
  CHECK(sheared.rotation_error == doctest::Approx(off / size));
  CHECK(got.m[0][3] == doctest::Approx(wanted.m[0][3]));

  const Node flat = scene.add_node("flat", {{}, {}, {1, 1, 0}});
  CHECK(flat.add(thing, Preserve::world).rotation_error > 0.01f);
}

TEST_CASE("the nearest transform to a matrix with shear is not beaten by any in its neighbourhood") {
  test::Random random(5);
  Scene scene;
  const Node parent = scene.add_node("parent"), child = scene.add_node("child", {}, parent);
  const auto error_of = [](const Affine& a, const Affine& b) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) sum += std::pow(static_cast<double>(a.m[i][j]) - b.m[i][j], 2);
    }
    return sum;
  };
  for (int round = 0; round < 60; ++round) {
    Affine wanted;
    for (auto& row : wanted.m) {
      for (float& x : row) x = random.rangef(-1, 1);
    }
    REQUIRE(child.set_world(wanted));
    const Transform found = child.local();
    const double error = error_of(child.world(), wanted);
    for (int other = 0; other < 300; ++other) {
      const double step = other % 3 == 0 ? 1.0 : 0.01;
      Transform t = found;
      t.rotation = multiply(from_axis_angle({random.rangef(-1, 1), random.rangef(-1, 1), random.rangef(-1, 1)},
                                            random.rangef(0, 3 * step)),
                            found.rotation);
      t.scale = {found.scale.x + random.rangef(-step, step), found.scale.y + random.rangef(-step, step),
                 found.scale.z + random.rangef(-step, step)};
      CHECK(error_of(to_affine(t), wanted) > error - 1e-6);
    }
  }
}

TEST_CASE("a command with a bad value changes nothing, and leaves an error with a code and the parameter") {
  Scene scene, other;
  const Node a = scene.add_node("a", at(1, 0, 0)), b = scene.add_node("b", at(0, 2, 0), a);
  const Node c = scene.add_node("c", {}, b), stranger = other.add_node("stranger");
  const Instance hero = scene.instantiate(test::make_character());
  const Node head = hero.bone("head");
  // `result` is false, or the handle of a command that can be chained.
  const auto refused = [&](const auto& result, ErrorCode code, const char* place, const char* why) {
    CHECK(static_cast<bool>(result) == !std::is_same_v<decltype(result), const bool&>);
    REQUIRE(scene.last_error() != nullptr);
    const Error error = *scene.last_error();
    CAPTURE(to_string(error));
    CHECK(error.code == code);
    CHECK(to_string(error) == (*place == 0 ? error.message : std::string(place) + ": " + error.message));
    CHECK(error.message.find(why) != std::string::npos);
    scene.clear_error();
  };
  constexpr ErrorCode kInvalid = ErrorCode::invalid_argument, kNotFinite = ErrorCode::not_finite;
  refused(a.add(a).done, ErrorCode::cycle, "child", "to itself");
  refused(c.add(a).done, ErrorCode::cycle, "child", "below it");
  refused(a.add(stranger).done, kInvalid, "child", "another scene");
  refused(a.add(head).done, kInvalid, "child", "a part of an instance");
  refused(a.add(scene.root()).done, kInvalid, "child", "root of the scene");
  refused(a.remove(c).done, kInvalid, "child", "not a child");
  refused(scene.destroy(scene.root()), kInvalid, "node", "root of the scene");
  refused(scene.destroy(stranger), kInvalid, "node", "another scene");
  refused(scene.destroy(head), kInvalid, "node", "destroy the instance");
  refused(head.set_name("x"), kInvalid, "node", "the name that the model gives it");
  refused(head.set_world({}).done, kInvalid, "node", "set its local transform");
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
  const Transform turned_by_nan = {{}, {0, kNaN, 0, 1}, {1, 1, 1}}, flat_by_nan = {{}, {}, {1, kNaN, 1}};
  const Transform without_rotation = {{}, {0, 0, 0, 0}, {1, 1, 1}};
  refused(a.set_local(at(kNaN, 0, 0)), kNotFinite, "local.translation", "not finite");
  refused(a.set_local(at(2e18f, 0, 0)), kNotFinite, "local.translation", "beyond 1e18");
  refused(a.set_local(turned_by_nan), kNotFinite, "local.rotation", "not finite");
  refused(a.set_local(flat_by_nan), kNotFinite, "local.scale", "not finite");
  refused(a.set_local(without_rotation), kInvalid, "local.rotation", "no length");
  refused(head.set_local(turned_by_nan), kNotFinite, "local.rotation", "not finite");
  refused(hero.set_override(head, flat_by_nan), kNotFinite, "transform.scale", "not finite");
  refused(hero.set_override(head, {}, kNaN), kNotFinite, "weight", "not finite");
  refused(hero.set_override(head, {}, 1.5f), kInvalid, "weight", "from 0 to 1");
  refused(hero.set_override(hero.node(), {}), kInvalid, "part", "not a part");
  refused(hero.set_override(a, {}), kInvalid, "part", "not a part");
  refused(hero.clear_override(a), kInvalid, "part", "not a part");
  refused(hero.set_skinning(0, Skinning::linear), kInvalid, "mesh", "no such mesh");
  refused(hero.detach(a).done, kInvalid, "thing", "not attached");
  Affine bad;
  bad.m[1][1] = kInf;
  refused(a.set_world(bad).done, kNotFinite, "world", "not finite");
  refused(static_cast<bool>(scene.add_node("x", at(kNaN, 0, 0))), kNotFinite, "local.translation", "not finite");
  refused(static_cast<bool>(scene.add_node("x", {}, stranger)), kInvalid, "parent", "another scene");
  refused(static_cast<bool>(scene.instantiate(hero.model(), {"x", turned_by_nan, {}, {}})), kNotFinite,
          "local.rotation", "not finite");
  constexpr double kNaNSeconds = std::numeric_limits<double>::quiet_NaN();
  refused(scene.update(kNaNSeconds), kNotFinite, "dt_s", "not finite");
  refused(hero.update(kNaNSeconds), kNotFinite, "dt_s", "not finite");
  refused(hero.advance(-std::numeric_limits<double>::infinity()), kNotFinite, "dt_s", "not finite");
  (void)hero.mixer();
  refused(scene.update(kNaNSeconds), kNotFinite, "dt_s", "not finite");
  refused(hero.update(kNaNSeconds), kNotFinite, "dt_s", "not finite");
  refused(update_instances(scene.instances(), kNaNSeconds), kNotFinite, "dt_s", "not finite");
  CHECK(names_of(a.children()) == "b");
  CHECK(place(a).x == 1);
  CHECK(scene.node_count() == 4);
}

TEST_CASE("commands return their handle, so that they can be chained") {
  Scene scene;
  const Instance hero = scene.instantiate(test::make_character());
  const Node a = scene.add_node("a"), head = hero.bone("head");
  CHECK(a.set_name("b").set_local(at(1, 2, 3)).set_visible(false) == a);
  CHECK(a.name() == "b");
  CHECK(place(a).y == 2);
  CHECK_FALSE(a.visible());
  CHECK(head.set_local(at(0, 0, 1)).set_visible(false) == head);
  CHECK(hero.has_override(head));
  CHECK(hero.set_override(head, at(0, 0, 2)).clear_override(head).touch().set_animator({}) == hero);
  CHECK(hero.set_override(head, at(0, 0, 2)).clear_overrides() == hero);
  CHECK_FALSE(hero.has_override(head));
  CHECK(scene.last_error() == nullptr);
}

TEST_CASE("a null or destroyed node or instance is a mistake of the caller, in every command") {
  Scene scene;
  const Instance hero = scene.instantiate(test::make_character()), dead_hero = scene.instantiate(hero.model());
  const Node a = scene.add_node("a"), destroyed = scene.add_node("destroyed"), head = hero.bone("head");
  const Node dead_head = dead_hero.bone("head");
  CHECK(scene.destroy(destroyed));
  CHECK(scene.destroy(dead_hero));
  const auto asserts = [](const auto& command) {
    CHECK(test::assert_message(command).find(" destroyed") != std::string::npos);
  };
  for (const Node& dead : {Node(), destroyed, dead_head}) {
    asserts([&] { dead.set_name("x"); });
    asserts([&] { dead.set_local({}); });
    asserts([&] { dead.set_world({}); });
    asserts([&] { dead.set_visible(true); });
    asserts([&] { dead.add(a); });
    asserts([&] { a.add(dead); });
    asserts([&] { dead.remove(a); });
    asserts([&] { a.remove(dead); });
    asserts([&] { scene.destroy(dead); });
    asserts([&] { (void)dead.shown(); });
    asserts([&] { hero.set_override(dead, {}); });
    asserts([&] { hero.clear_override(dead); });
    asserts([&] { (void)hero.attach(dead, "head"); });
    asserts([&] { hero.detach(dead); });
    if (dead == Node()) continue;  // as a parent the root of the scene
    asserts([&] { scene.add_node("x", {}, dead); });
    asserts([&] { scene.instantiate(hero.model(), {"x", {}, dead, {}}); });
  }
  for (const Instance& dead : {Instance(), dead_hero}) {
    asserts([&] { dead.set_animator({}); });
    asserts([&] { (void)dead.add_stage({}); });
    asserts([&] { dead.remove_stage({}); });
    asserts([&] { dead.touch(); });
    asserts([&] { dead.update(0.1); });
    asserts([&] { dead.advance(0.1); });
    asserts([&] { dead.evaluate(); });
    asserts([&] { dead.finish(); });
    asserts([&] { dead.set_override(head, {}); });
    asserts([&] { dead.clear_override(head); });
    asserts([&] { dead.clear_overrides(); });
    asserts([&] { dead.set_skinning(0, Skinning::linear); });
    asserts([&] { (void)dead.attach(a, "head"); });
    asserts([&] { dead.detach(a); });
    asserts([&] { (void)dead.save({}); });
    asserts([&] { (void)dead.restore({}); });
    asserts([&] { update_instances(std::span(&dead, 1), 0.1); });
  }
  CHECK(scene.last_error() == nullptr);
  CHECK(scene.node_count() == 2);
}

TEST_CASE("handles of destroyed nodes are found out, also when their place is taken again") {
  Scene scene;
  const Node a = scene.add_node("a"), b = scene.add_node("b", {}, a), c = scene.add_node("c", {}, b);
  CHECK(scene.destroy(a));
  CHECK_FALSE(a);
  CHECK_FALSE(b);
  CHECK_FALSE(c);
  CHECK(scene.node_count() == 0);
  const Node d = scene.add_node("d"), e = scene.add_node("e"), f = scene.add_node("f");
  CHECK((d && e && f));
  CHECK_FALSE((a || b || c));
  CHECK_FALSE(scene.node(a.id()));
  CHECK(test::assert_message([&] { (void)a.world(); }) != "");
  CHECK(test::assert_message([&] { (void)a.name(); }) != "");
  CHECK(test::assert_message([&] { (void)a.children(); }) != "");
}

TEST_CASE("what is left of a destroyed node can stay where it is") {
  Scene scene;
  const Node a = scene.add_node("a", at(1, 0, 0)), b = scene.add_node("b", at(0, 2, 0), a);
  const Node c = scene.add_node("c", at(0, 0, 3), b), d = scene.add_node("d", at(0, 0, 4), b);
  CHECK(scene.destroy(b, Children::keep));
  CHECK(names_of(a.children()) == "c d");
  CHECK(place(c).y == 2);
  CHECK(place(d).z == 4);
  CHECK(scene.node_count() == 3);
}

TEST_CASE("a node is shown if it and all above it want to be seen") {
  Scene scene;
  const Instance hero = scene.instantiate(test::make_character());
  const Node sword = scene.add_node("sword"), gem = scene.add_node("gem", {}, sword), hand = hero.bone("hand_R");
  hand.add(sword);
  CHECK(gem.shown());
  hand.set_visible(false);
  CHECK(gem.visible());
  CHECK_FALSE(gem.shown());
  CHECK_FALSE(hand.visible());
  CHECK(hero.bone("hand_L").visible());
  CHECK(hero.bone("toe_end_R").visible());
  hand.set_visible(true);
  CHECK(gem.shown());
  hero.node().set_visible(false);
  CHECK_FALSE(hand.shown());
}

TEST_CASE("names may be those of other nodes, and a scene can be emptied") {
  Scene scene;
  Node node = scene.add_node("a name that is too long to lie in the string itself");
  for (int i = 0; i < 100; ++i) node = scene.add_node(node.name());
  CHECK(node.name() == "a name that is too long to lie in the string itself");
  const Instance hero = scene.instantiate(test::make_character(), {node.name(), {}, node, {}});
  CHECK(hero.node().name() == node.name());
  scene.clear();
  CHECK_FALSE((node || hero));
  CHECK(scene.node_count() == 0);
  CHECK(scene.instance_count() == 0);
  CHECK(scene.add_node("again"));
  CHECK(scene.update(0.1));
}

TEST_CASE(
    "to keep a place under a parent that flattens all moves the node no farther than it must, and what is beyond "
    "numbers is refused") {
  Scene scene;
  const Node flat = scene.add_node("flat", {{1, 2, 3}, from_axis_angle({1, 1, 0}, 0.7f), {2, 3, 0}});
  const Node a = scene.add_node("a", at(7, 1, 0), flat), b = scene.add_node("b", at(5, 0, 0), flat);
  const Vec3 before = place(a);
  const PlaceResult placed = b.add(a, Preserve::world);
  REQUIRE(placed);
  CHECK(placed.position_error < 1e-3f);
  CHECK(std::fabs(place(a).x - before.x) < 1e-3f);
  CHECK(std::fabs(place(a).y - before.y) < 1e-3f);
  CHECK(std::fabs(place(a).z - before.z) < 1e-3f);
  const Node off = scene.add_node("off", at(0, 0, 9));
  CHECK(flat.add(off, Preserve::world).position_error > 1);  // it lies beside the plane

  const Node huge = scene.add_node("huge", {{}, {}, {1e18f, 1e18f, 1e18f}});
  const Node huger = scene.add_node("huger", {{}, {}, {1e18f, 1e18f, 1e18f}}, huge);
  const Node hugest = scene.add_node("hugest", {{}, {}, {1e18f, 1e18f, 1e18f}}, huger);
  CHECK_FALSE(scene.root().add(hugest, Preserve::world));
  CHECK(hugest.parent() == huger);
  CHECK(hugest.local().scale.x == 1e18f);
  const Node tiny = scene.add_node("tiny", {{}, {}, {1e-30f, 1e-30f, 1e-30f}});
  scene.clear_error();
  CHECK_FALSE(tiny.add(b, Preserve::world));
  CHECK(b.parent() == flat);
  REQUIRE(scene.last_error() != nullptr);
  CHECK(to_string(*scene.last_error()) == "child: the local transform would have a value beyond 1e18");
  CHECK(scene.last_error()->code == ErrorCode::not_finite);

  // Children that cannot keep their place keep their local transform; destroying their parent is no error.
  scene.clear_error();
  CHECK(scene.destroy(huger, Children::keep));
  CHECK(hugest.local().scale.x == 1e18f);
  CHECK(scene.last_error() == nullptr);
}

TEST_CASE("to take children away while they are counted is found out") {
  Scene scene;
  const Node parent = scene.add_node("parent");
  for (int i = 0; i < 3; ++i) scene.add_node("child", {}, parent);
  CHECK(test::assert_message([&] {
          for (const Node child : parent.children()) scene.destroy(child);
        }) != "");
}

TEST_CASE("a chain of ten thousand nodes is built, moved, read and destroyed") {
  Scene scene;
  std::vector<Node> chain;
  for (int i = 0; i < 10000; ++i) chain.push_back(scene.add_node("", at(1, 0, 0), i == 0 ? Node() : chain.back()));
  CHECK(place(chain.back()).x == 10000);
  scene.refresh();
  CHECK(place(chain.back()).x == 10000);
  for (const Node& node : chain) node.set_local(at(2, 0, 0));
  scene.refresh();
  CHECK(place(chain.back()).x == 20000);
  CHECK_FALSE(chain[9999].add(chain[0]));
  CHECK(scene.root().find("nothing") == Node());
  CHECK(scene.destroy(chain[0]));
  CHECK(scene.node_count() == 0);
}

TEST_CASE("an update touches what changed and what is below it, each once, and nothing else") {
  const Model model = test::make_character();
  Scene scene;
  for (int i = 0; i < 1000; ++i) scene.add_node("static");
  std::vector<Node> chain;
  for (int i = 0; i < 50; ++i) chain.push_back(scene.add_node("", at(1, 0, 0), i == 0 ? Node() : chain.back()));
  const Instance hero = scene.instantiate(model);
  const Node sword = scene.add_node("sword", {}, hero.bone("hand_R")), gem = scene.add_node("gem", {}, sword);
  const Node shadow = scene.add_node("shadow", {}, hero.node());
  CHECK(scene.refresh() == 1000 + 50 + 4);
  CHECK(scene.refresh() == 0);
  // From below, so that what is above comes last.
  for (auto node = chain.rbegin(); node != chain.rend(); ++node) node->set_local(at(2, 0, 0));
  CHECK(scene.refresh() == 50);
  for (const Node& node : chain) node.set_local(at(3, 0, 0));
  CHECK(scene.refresh() == 50);
  chain[40].set_local(at(2, 0, 0));
  CHECK(scene.refresh() == 10);
  chain[45].set_local(at(2, 0, 0));
  chain[10].set_local(at(2, 0, 0));
  CHECK(scene.refresh() == 40);
  // A pose moves what the bones carry, and not what stands beside.
  hero.mixer().play(model.clips()[0]);
  hero.update(0.1);
  CHECK(scene.refresh() == 2);
  hero.update(0.1);
  gem.set_local(at(0, 1, 0));
  shadow.set_local(at(0, 1, 0));
  CHECK(scene.refresh() == 3);
  // Children of the character itself, before and after those of its parts.
  scene.add_node("beside", {}, hero.node());
  const Node axe = scene.add_node("axe", {}, hero.bone("hand_L"));
  CHECK(names_of(hero.node().children()) == "root stand shadow beside");
  CHECK(scene.refresh() == 2);
  hero.update(0.1);
  CHECK(scene.refresh() == 3);
  scene.destroy(axe);
  hero.update(0.1);
  CHECK(scene.refresh() == 2);
  scene.root().add(sword);
  CHECK(scene.refresh() == 2);
  hero.update(0.1);
  CHECK(scene.refresh() == 0);
}

TEST_CASE("moving a scene leaves all handles good") {
  Scene scene;
  const Instance hero = scene.instantiate(test::make_character());
  const Node sword = scene.add_node("sword", at(0, 0, 1));
  hero.bone("hand_R").add(sword);
  Scene moved = std::move(scene);
  moved.refresh();
  CHECK(sword.parent().name() == "hand_R");
  CHECK(difference(sword.world(), multiply(hero.bone("hand_R").world(), to_affine(sword.local()))) == "");
  scene = std::move(moved);
  CHECK(scene.instances().size() == 1);
  CHECK(hero);
}

}  // namespace
}  // namespace marrow
