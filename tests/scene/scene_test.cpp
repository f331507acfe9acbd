#include "marrow/scene/scene.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "fixtures/random.h"
#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "scene/affine_difference.h"
#include "scene/character.h"
#include "support/asserts.h"

namespace marrow {
namespace {

using test::difference;

Transform at(float x, float y, float z) { return {{x, y, z}, {}, {1, 1, 1}}; }

Vec3 place(const Node& node) {
  const Affine w = node.world();
  return translation_of(w);
}

std::string names_of(const Node::ChildRange& children) {
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
