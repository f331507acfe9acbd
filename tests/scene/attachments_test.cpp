// Things in hands, gems on swords, riders on horses: right in the same frame.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "marrow/math/vec3.h"
#include "marrow/scene/scene.h"
#include "scene/affine_difference.h"
#include "scene/character.h"

namespace marrow {
namespace {

using test::difference;

constexpr double kFrame = 1.0 / 60;

TEST_CASE(
    "a sword in the hand is at the bone times its offset in every frame of idle, walk and run, and is swapped for an "
    "axe in a fade") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero =
      scene.instantiate(model, {"hero", {{3, 1, 0}, from_axis_angle({0, 0, 1}, 0.8f), {1, 1, 1}}, {}, {}});
  const Transform grip = {{0.02f, 0, 0.08f}, from_axis_angle({1, 0, 0}, 1.5f), {1, 1, 1}};
  const Transform other_grip = {{0, 0, 0.2f}, {}, {0.5f, 0.5f, 0.5f}};
  const Node sword = scene.add_node("sword"), axe = scene.add_node("axe"), gem = scene.add_node("gem", grip, sword);
  REQUIRE(hero.attach(sword, "hand_R", grip));
  hero.mixer().play(model.clips()[0]);
  double path = 0;
  Vec3 before = translation_of(sword.world());
  for (int frame = 0; frame < 300; ++frame) {
    if (frame == 60) hero.mixer().cross_fade_to(model.clips()[1], 0.5);
    if (frame == 160) hero.mixer().cross_fade_to(model.clips()[2], 0.5);
    if (frame == 175) {  // in mid-fade
      REQUIRE(hero.detach(sword));
      REQUIRE(hero.attach(axe, "hand_R", other_grip));
    }
    // The hero runs about as well.
    hero.node().set_local({{static_cast<float>(frame) * 0.01f, 1, 0}, from_axis_angle({0, 0, 1}, 0.8f), {1, 1, 1}});
    scene.update(kFrame);
    const Affine hand = multiply(hero.node().world(), hero.model_from_joint()[*hero.joint_of(hero.bone("hand_R"))]);
    CAPTURE(frame);
    CHECK(difference(hero.bone("hand_R").world(), hand) == "");
    if (frame < 175) {
      CHECK(difference(sword.world(), multiply(hand, to_affine(grip))) == "");
      CHECK(difference(gem.world(), multiply(sword.world(), to_affine(grip))) == "");
    } else {
      CHECK(difference(axe.world(), multiply(hand, to_affine(other_grip))) == "");
      CHECK(sword.parent() == scene.root());
      CHECK(distance(translation_of(sword.world()), before) < 1e-5);  // lies where it was dropped
    }
    if (frame < 175) {
      path += distance(translation_of(sword.world()), before);
      before = translation_of(sword.world());
    }
  }
  CHECK(path > 1);  // it did move
}

TEST_CASE("a look-at override turns the head to a target that moves, while walking, in the same frame") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model);
  hero.mixer().play(model.clips()[1]);
  const Node head = hero.bone("head"), target = scene.add_node("target");
  const Node hat = scene.add_node("hat", {{0, 0, 0.2f}, {}, {1, 1, 1}});
  head.add(hat);
  for (int frame = 0; frame < 200; ++frame) {
    const float angle = static_cast<float>(frame) * 0.03f;
    target.set_local({{3 * std::cos(angle), 3 * std::sin(angle), 1.5f}, {}, {1, 1, 1}});
    hero.advance(kFrame);
    hero.evaluate();
    // The head looks along its y axis, with z up; its parent is where it is in this frame's pose.
    const Affine neck = head.parent().world();
    const Vec3 eye = translation_of(head.world()), there = translation_of(target.world());
    const Vec3 wanted = transform_vector(inverse(neck), {there.x - eye.x, there.y - eye.y, there.z - eye.z});
    const Vec3 up = transform_vector(inverse(neck), {0, 0, 1});
    Transform local = hero.pose().transform(*hero.joint_of(head));
    local.rotation = look_rotation(wanted, up, {0, 1, 0}, {0, 0, 1});
    hero.set_override(head, local);
    hero.finish();
    scene.refresh();
    const Affine world = head.world();
    const Vec3 looks = {world.m[0][1], world.m[1][1], world.m[2][1]}, from = translation_of(world);
    const double length = std::hypot(looks.x, looks.y, looks.z), far = distance(from, there);
    const double cosine = (static_cast<double>(looks.x) * (there.x - from.x) + looks.y * (there.y - from.y) +
                           looks.z * (there.z - from.z)) /
                          (length * far);
    CAPTURE(frame);
    CHECK(cosine > 1 - 1e-3);
    CHECK(difference(hat.world(), multiply(world, to_affine(hat.local()))) == "");
  }
}

TEST_CASE("a rider on a horse's back, with a lance in hand, follows the horse in the same frame") {
  const Model model = test::make_character();
  Scene scene;
  const Instance horse = scene.instantiate(model, {"horse", {}, {}, {}});
  const Instance rider = scene.instantiate(model, {"rider", {{0, 0, 0.5f}, {}, {1, 1, 1}}, horse.bone("chest"), {}});
  const Node lance = scene.add_node("lance", {{0, 1, 0}, {}, {1, 1, 1}}, rider.bone("hand_L"));
  const Node banner = scene.add_node("banner", {{0, 0, 2}, {}, {1, 1, 1}}, lance);
  horse.mixer().play(model.clips()[2]);
  rider.mixer().play(model.clips()[0]);
  CHECK(rider.node().parent() == horse.bone("chest"));
  for (int frame = 0; frame < 60; ++frame) {
    if (frame % 20 == 10) horse.node().set_local({{static_cast<float>(frame), 0, 0}, {}, {1, 1, 1}});
    // In any order.
    const Instance order[] = {frame % 2 == 0 ? horse : rider, frame % 2 == 0 ? rider : horse};
    update_instances(order, kFrame);
    const Affine chest = multiply(horse.node().world(), horse.model_from_joint()[*horse.joint_of(horse.bone("chest"))]);
    const Affine seat = multiply(chest, to_affine(rider.node().local()));
    const Affine hand = multiply(seat, rider.model_from_joint()[*rider.joint_of(rider.bone("hand_L"))]);
    const Affine tip = multiply(multiply(hand, to_affine(lance.local())), to_affine(banner.local()));
    CAPTURE(frame);
    CHECK(difference(banner.world(), tip) == "");  // before the update of the scene
    scene.refresh();
    CHECK(difference(rider.node().world(), seat) == "");
    CHECK(difference(banner.world(), tip) == "");
  }
  // The horse cannot ride its rider.
  CHECK_FALSE(rider.bone("head").add(horse));
}

TEST_CASE("attaching is refused where there is no such bone or the offset is none, and changes nothing") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model);
  const Node sword = scene.add_node("sword", {{1, 2, 3}, {}, {1, 1, 1}});
  const auto error_of = [](const Result<void>& attached) { return to_string(attached.error()); };
  CHECK(error_of(hero.attach(sword, "tail")) == "bone: there is no bone \"tail\"");
  CHECK(error_of(hero.attach(sword, "hand_R", {{NAN, 0, 0}, {}, {1, 1, 1}})) ==
        "offset/translation: the transform has a value that is not finite or beyond 1e18");
  CHECK(error_of(hero.attach(hero.bone("head"), "hand_R")) ==
        "thing: an inner node of an instance cannot be added to another node");
  CHECK(error_of(hero.attach(scene.root(), "hand_R")) ==
        "thing: the root of the scene cannot be added to another node");
  CHECK(hero.attach(hero, "hand_R").error().code == ErrorCode::cycle);
  CHECK(scene.last_error() == nullptr);  // the Result has the error
  CHECK_FALSE(hero.detach(sword));
  CHECK(sword.parent() == scene.root());
  CHECK(sword.local().translation.y == 2);
  CHECK(hero.attach(sword, "hand_R"));
  CHECK(hero.attach(sword, "hand_L"));  // from one hand to the other
  CHECK(sword.parent().name() == "hand_L");
  CHECK(hero.bone("hand_R").children().size() == 5);
  CHECK(hero.bone("hand_L").children().size() == 6);
}

}  // namespace
}  // namespace marrow
