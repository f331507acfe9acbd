// What commands on nodes and instances return, refuse and assert.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <type_traits>

#include "marrow/scene/scene.h"
#include "scene/character.h"
#include "support/asserts.h"

namespace marrow {
namespace {

Transform moved(float x, float y, float z) { return {{x, y, z}, {}, {1, 1, 1}}; }

TEST_CASE("a command with a bad value changes nothing, and leaves an error with a code and the parameter") {
  Scene scene, other;
  const Node a = scene.add_node("a", moved(1, 0, 0)), b = scene.add_node("b", moved(0, 2, 0), a);
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
  refused(a.add(head).done, kInvalid, "child", "an inner node of an instance");
  refused(a.add(scene.root()).done, kInvalid, "child", "root of the scene");
  refused(a.remove(c).done, kInvalid, "child", "not a child");
  refused(scene.destroy(scene.root()), kInvalid, "node", "root of the scene");
  refused(scene.destroy(stranger), kInvalid, "node", "another scene");
  refused(scene.destroy(head), kInvalid, "node", "destroy the instance");
  refused(head.set_name("x"), kInvalid, "node", "cannot be renamed");
  refused(hero.remove_stage({}), kInvalid, "id", "no such stage");
  refused(head.set_world({}).done, kInvalid, "node", "set its local transform");
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
  const Transform turned_by_nan = {{}, {0, kNaN, 0, 1}, {1, 1, 1}}, flat_by_nan = {{}, {}, {1, kNaN, 1}};
  const Transform without_rotation = {{}, {0, 0, 0, 0}, {1, 1, 1}};
  refused(a.set_local(moved(kNaN, 0, 0)), kNotFinite, "local/translation", "not finite");
  refused(a.set_local(moved(2e18f, 0, 0)), kNotFinite, "local/translation", "beyond 1e18");
  refused(a.set_local(turned_by_nan), kNotFinite, "local/rotation", "not finite");
  refused(a.set_local(flat_by_nan), kNotFinite, "local/scale", "not finite");
  refused(a.set_local(without_rotation), kInvalid, "local/rotation", "no length");
  refused(head.set_local(turned_by_nan), kNotFinite, "local/rotation", "not finite");
  refused(hero.set_override(head, flat_by_nan), kNotFinite, "transform/scale", "not finite");
  refused(hero.set_override(head, {}, kNaN), kNotFinite, "weight", "not finite");
  refused(hero.set_override(head, {}, 1.5f), kInvalid, "weight", "from 0 to 1");
  refused(hero.set_override(hero.node(), {}), kInvalid, "node", "not an inner node");
  refused(hero.set_override(a, {}), kInvalid, "node", "not an inner node");
  refused(hero.clear_override(a), kInvalid, "node", "not an inner node");
  refused(hero.set_skinning(0, Skinning::linear), kInvalid, "mesh", "no such mesh");
  refused(hero.detach(a).done, kInvalid, "thing", "not attached");
  Affine bad;
  bad.m[1][1] = kInf;
  refused(a.set_world(bad).done, kNotFinite, "world", "not finite");
  refused(static_cast<bool>(scene.add_node("x", moved(kNaN, 0, 0))), kNotFinite, "local/translation", "not finite");
  refused(static_cast<bool>(scene.add_node("x", {}, stranger)), kInvalid, "parent", "another scene");
  refused(static_cast<bool>(scene.instantiate(hero.model(), {"x", turned_by_nan, {}, {}})), kNotFinite,
          "local/rotation", "not finite");
  constexpr double kNaNSeconds = std::numeric_limits<double>::quiet_NaN();
  refused(scene.update(kNaNSeconds), kNotFinite, "dt_s", "not finite");
  refused(hero.update(kNaNSeconds), kNotFinite, "dt_s", "not finite");
  refused(hero.advance(-std::numeric_limits<double>::infinity()), kNotFinite, "dt_s", "not finite");
  (void)hero.mixer();
  refused(scene.update(kNaNSeconds), kNotFinite, "dt_s", "not finite");
  refused(hero.update(kNaNSeconds), kNotFinite, "dt_s", "not finite");
  refused(update_instances(scene.instances(), kNaNSeconds), kNotFinite, "dt_s", "not finite");
  CHECK(a.children().size() == 1);
  CHECK(a.world().m[0][3] == 1);
  CHECK(scene.node_count() == 4);
}

TEST_CASE("commands return their handle, so that they can be chained") {
  Scene scene;
  const Instance hero = scene.instantiate(test::make_character());
  const Node a = scene.add_node("a"), head = hero.bone("head");
  CHECK(a.set_name("b").set_local(moved(1, 2, 3)).set_visible(false) == a);
  CHECK(a.name() == "b");
  CHECK(a.world().m[1][3] == 2);
  CHECK_FALSE(a.visible());
  CHECK(head.set_local(moved(0, 0, 1)).set_visible(false) == head);
  CHECK(hero.has_override(head));
  CHECK(hero.set_override(head, moved(0, 0, 2)).clear_override(head).touch().set_animator({}) == hero);
  CHECK(hero.set_override(head, moved(0, 0, 2)).clear_overrides() == hero);
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

}  // namespace
}  // namespace marrow
