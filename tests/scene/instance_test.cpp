#include "marrow/scene/instance.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "marrow/anim/hierarchy.h"
#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "marrow/scene/scene.h"
#include "mixer/posed_mixer.h"
#include "scene/affine_difference.h"
#include "scene/character.h"
#include "scene/stages.h"
#include "support/asserts.h"
#include "support/bits.h"

namespace marrow {
namespace {

using test::difference;

TEST_CASE("an instance does what mixer, hierarchy and palette do by themselves, to the bit") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model);
  test::PosedMixer mixer(model.skeleton());
  std::vector<Affine> joints(model.skeleton().joint_count()), skin(model.skins()[0].size());
  hero.mixer().play(model.clips()[1]);
  mixer.play(model.clips()[1]);
  for (int frame = 0; frame < 100; ++frame) {
    if (frame == 30) hero.mixer().cross_fade_to(model.clips()[2], 0.5);
    if (frame == 30) mixer.cross_fade_to(model.clips()[2], 0.5);
    hero.update(1.0 / 60);
    mixer.update(1.0 / 60);
    local_to_model(mixer.pose(), joints);
    palette(model.skins()[0], joints, skin);
    CHECK(test::difference(hero.pose().floats(), mixer.pose().floats()) == "");
    CHECK(difference(hero.model_from_joint(), joints) == "");
    CHECK(difference(hero.palette(0), skin) == "");
  }
  CHECK(hero.palettes().size() == skin.size());
  CHECK_FALSE(hero.update(std::numeric_limits<double>::quiet_NaN()));
  CHECK(difference(hero.palette(0), skin) == "");
}

TEST_CASE("at rest a palette bound at rest is the identity") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model);
  for (const Affine& m : hero.palette(0)) {
    const Affine identity;
    for (int i = 0; i < 12; ++i) CHECK(std::fabs(m.m[i / 4][i % 4] - identity.m[i / 4][i % 4]) < 1e-6f);
  }
}

TEST_CASE("bones are nodes: the tree of the file, with names, places and what else is in it") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero =
      scene.instantiate(model, {"Anna", {{1, 2, 3}, from_axis_angle({0, 0, 1}, 1), {1, 1, 1}}, {}, {}});
  CHECK(hero.node().name() == "Anna");
  const Node hand = hero.bone("hand_R");
  REQUIRE(hand);
  CHECK(hand.name() == "hand_R");
  CHECK(hand.parent().name() == "forearm_R");
  CHECK(hand.children().size() == 5);
  CHECK(hand.instance() == hero);
  CHECK(hero.bone(0).parent() == hero.node());
  CHECK_FALSE(hero.bone("tail"));
  CHECK_FALSE(hero.bone(1000));
  const Node plume = hero.node().find("plume");
  REQUIRE(plume);
  CHECK(plume.parent().name() == "helmet");
  CHECK(plume.parent().parent().name() == "head");
  CHECK(hero.joint_of(plume).error().message == "the node is not a bone of this instance");
  CHECK(*hero.joint_of(hand) == *model.skeleton().joint("hand_R"));
  CHECK(model.nodes()[*hero.model_node_of(plume)].name == "plume");
  CHECK(*hero.model_node_of(plume) == *model.node("plume"));
  CHECK(hero.model_node_of(hero.node()).error().message == "the node is not one of the model");
  CHECK_FALSE(hero.model_node_of({}));
  CHECK(hero.model_node(*hero.model_node_of(plume)) == plume);

  // Every part is met once, and is where the matrices of all nodes say.
  hero.mixer().play(model.clips()[1]);
  hero.update(0.4);
  std::vector<Affine> matrices(model.nodes().size());
  hero.node_matrices(matrices);
  std::set<std::string> met;
  std::vector<Node> open = {hero.node()};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (const Node child : node.children()) {
      CHECK(child.parent() == node);
      open.push_back(child);
    }
    if (!node.is_inner()) continue;
    CHECK(met.insert(std::string(node.name())).second);
    const auto index = *hero.model_node_of(node);
    CHECK(difference(node.world(), multiply(hero.node().world(), matrices[index])) == "");
  }
  CHECK(met.size() == model.nodes().size());
  CHECK(hand.local().translation.x == hero.pose().transform(*hero.joint_of(hand)).translation.x);

  CHECK_FALSE(scene.root().add(hand));
  CHECK(hand.set_name("x").name() == "hand_R");
  CHECK_FALSE(scene.destroy(hand));
  CHECK_FALSE(hand.set_world({}));
  CHECK_FALSE(hand.add(hero.node()));
}

TEST_CASE("what is read of a bone is up to date between evaluate and finish, and after an edit") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model), twin = scene.instantiate(model);
  hero.mixer().play(model.clips()[1]);
  twin.mixer().play(model.clips()[1]);
  scene.update(0.1);
  hero.advance(0.2);
  hero.evaluate();
  twin.update(0.2);
  const Node hand = hero.bone("hand_R");
  CHECK(difference(hand.world(), twin.bone("hand_R").world()) == "");
  CHECK(difference(hero.model_from_joint(), twin.model_from_joint()) != "");

  Transform bent = hero.pose().transform(5);
  bent.rotation = from_axis_angle({1, 0, 0}, 0.3f);
  hero.edit_pose().set_transform(5, bent);
  const Affine edited = hand.world();
  CHECK(difference(edited, twin.bone("hand_R").world()) != "");
  hero.finish();
  CHECK(difference(hand.world(), edited) == "");

  // Without a finish the scene does it; and the next evaluate overwrites the edit.
  scene.refresh();
  hero.edit_pose().set_transform(5, twin.pose().transform(5));
  scene.refresh();
  CHECK(difference(hero.model_from_joint(), twin.model_from_joint()) == "");
  hero.advance(0.1);
  hero.evaluate();
  twin.update(0.1);
  scene.refresh();
  CHECK(difference(hero.model_from_joint(), twin.model_from_joint()) == "");
}

TEST_CASE("without a mixer the pose is that of rest, or what a user made of it, for good") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model), still = scene.instantiate(model);
  hero.edit_pose().set_transform(3, {{1, 1, 1}, {}, {1, 1, 1}});
  scene.refresh();
  CHECK(difference(hero.palette(0), still.palette(0)) != "");
  const std::vector<Affine> edited(hero.palette(0).begin(), hero.palette(0).end());
  scene.update(0.1);
  hero.update(0.1);
  CHECK(difference(hero.palette(0), edited) == "");
}

TEST_CASE("a pose that is edited by way of an old reference reaches what the bones carry with the next finish") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model);
  const Node sword = scene.add_node("sword", {}, hero.bone("hand_R"));
  Pose& pose = hero.edit_pose();
  scene.refresh();
  const Affine before = sword.world();
  pose.set_transform(2, {{3, 1, 1}, {}, {1, 1, 1}});
  hero.finish();
  CHECK(difference(sword.world(), before) != "");
  scene.refresh();
  CHECK(difference(sword.world(), hero.bone("hand_R").world()) == "");
}

TEST_CASE("nodes that are no joints can carry things by name, and nodes outside the file's scene begin hidden") {
  ModelParts parts = test::make_character().parts();
  for (ModelNode& node : parts.nodes) node.shown = node.name != "helmet";
  Scene scene;
  const Instance hero = scene.instantiate(*Model::create(std::move(parts)));
  const Node gem = scene.add_node("gem");
  REQUIRE(hero.attach(gem, "plume"));
  CHECK(gem.parent() == hero.bone("plume"));
  CHECK_FALSE(gem.shown());  // the plume is on the helmet
  CHECK(hero.bone("head").shown());
  hero.bone("helmet").set_visible(true);
  CHECK(gem.shown());
}

TEST_CASE("a handler of events may attach, spawn and destroy, also its own instance, in every kind of update") {
  const Model model = test::make_character();
  for (int kind = 0; kind < 3; ++kind) {
    CAPTURE(kind);
    Scene scene;
    std::vector<Instance> all;
    for (int i = 0; i < 40; ++i) {
      all.push_back(scene.instantiate(model));
      all.back().mixer().play(model.clips()[2]).set_loop(Loop::once);
    }
    const Node sword = scene.add_node("sword");
    int told = 0, spawned = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Instance self = all[i];
      self.mixer().on_event([&, self, i](const Event& event) {
        if (event.kind != EventKind::finished) return;
        ++told;
        if (i == 0) CHECK(self.attach(sword, "hand_R"));
        if (i % 4 == 1) CHECK(scene.destroy(self));
        if (i % 4 == 1) CHECK(self);  // until the handler has returned
        if (i == 2) CHECK(scene.destroy(all[30]));
        if (i % 4 == 3) {
          ++spawned;
          CHECK_FALSE(scene.update(0.1));
          for (int k = 0; k < 20; ++k) scene.instantiate(model).mixer().play(model.clips()[0]);
          MixerOptions more;
          more.actions = 30;
          self.mixer().reserve(more);
          self.mixer().cross_fade_to(model.clips()[0], 0.2);
        }
      });
    }
    for (int frame = 0; frame < 4; ++frame) {
      if (kind == 0) CHECK(scene.update(0.3));
      if (kind == 1) {
        std::vector<Instance> living;
        for (const Instance& one : all) {
          if (one) living.push_back(one);
        }
        CHECK(update_instances(living, 0.3));
      }
      for (const Instance& one : all) {
        if (kind == 2 && one) CHECK(one.update(0.3));
      }
      scene.refresh();
    }
    CHECK(told >= 39);
    CHECK(spawned == 10);
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(static_cast<bool>(all[i]) == (i % 4 != 1 && i != 30));
    all[4].mixer().on_event([&](const Event&) {
      scene.clear();
      CHECK(all[4]);
    });
    CHECK(scene.instance_count() == 40 - 11 + 10 * 20);
    CHECK(sword.parent() == all[0].bone("hand_R"));
    CHECK(difference(sword.world(), all[0].bone("hand_R").world()) == "");
    all[4].mixer().play(model.clips()[0]);
    all[4].update(10);
    CHECK(scene.node_count() == 0);
    CHECK_FALSE(all[4]);
  }
}

TEST_CASE("an override holds a bone by its weight until it is cleared, and leaves no trace") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model), plain = scene.instantiate(model);
  hero.mixer().play(model.clips()[1]);
  plain.mixer().play(model.clips()[1]);
  const Node head = hero.bone("head");
  const auto joint = *hero.joint_of(head);
  const Transform to = {{0, 0, 0.5f}, from_axis_angle({0, 0, 1}, 1.2f), {1, 1, 2}};
  for (const float weight : {0.0f, 0.25f, 1.0f}) {
    CAPTURE(weight);
    hero.set_override(head, to, weight);
    CHECK(hero.has_override(head));
    for (int frame = 0; frame < 10; ++frame) {
      hero.update(1.0 / 30);
      plain.update(1.0 / 30);
      const Transform from = plain.pose().transform(joint), got = head.local();
      CHECK(got.translation.z ==
            doctest::Approx(from.translation.z + weight * (to.translation.z - from.translation.z)));
      CHECK(got.scale.z == doctest::Approx(from.scale.z + weight * (to.scale.z - from.scale.z)));
      const Quat expected = slerp(from.rotation, to.rotation, weight);
      CHECK(angle_between(got.rotation, expected) < 1e-6f);
      // The matrices have it; the pose does not.
      const Affine local = multiply(inverse(hero.bone("neck").world()), head.world());
      CHECK(local.m[2][3] == doctest::Approx(got.translation.z).epsilon(1e-4));
      CHECK(test::difference(hero.pose().floats(), plain.pose().floats()) == "");
    }
  }
  // Set on the node, it is an override of weight 1.
  head.set_local(to);
  CHECK(head.local().translation.z == 0.5f);
  scene.refresh();
  CHECK(difference(hero.palette(0), plain.palette(0)) != "");
  hero.clear_override(head);
  scene.refresh();
  CHECK(difference(hero.palette(0), plain.palette(0)) == "");

  // Nodes that are no joints can be moved, too.
  const Node helmet = hero.node().find("helmet");
  hero.set_override(helmet, {{0, 0, 7}, {}, {1, 1, 1}});
  CHECK(difference(helmet.world(), multiply(head.world(), to_affine({{0, 0, 7}, {}, {1, 1, 1}}))) == "");
  std::vector<Affine> matrices(model.nodes().size());
  hero.node_matrices(matrices);
  CHECK(difference(matrices[*hero.model_node_of(helmet)], multiply(inverse(hero.node().world()), helmet.world())) ==
        "");
  hero.clear_overrides();
  CHECK_FALSE(hero.has_override(helmet));

  hero.set_override(plain.bone("head"), to);
  hero.set_override(head, to, 1.5f);
  hero.set_override(head, to, std::numeric_limits<float>::quiet_NaN());
  hero.set_override(head, {{}, {0, 0, 0, 0}, {1, 1, 1}});
  hero.set_override(hero.node(), to);
  CHECK_FALSE((hero.has_override(head) || plain.has_override(plain.bone("head"))));
}

TEST_CASE("a mixer can grow, and the instance with it") {
  const Model model = test::make_character();
  Scene scene;
  InstanceOptions options;
  options.mixer.actions = 1;
  const Instance hero = scene.instantiate(model, options);
  hero.mixer().play(model.clips()[0]);
  hero.update(0.1);
  MixerOptions more;
  more.actions = 20;
  hero.mixer().reserve(more);
  for (int i = 0; i < 18; ++i) hero.mixer().new_action(model.clips()[static_cast<std::size_t>(i % 3)]).value().play();
  CHECK(hero.update(0.1));
  CHECK(scene.update(0.1));
}

TEST_CASE("a destroyed instance is found out, takes what it carries with it, and leaves the others alone") {
  const Model model = test::make_character();
  Scene scene;
  const Instance a = scene.instantiate(model), b = scene.instantiate(model), c = scene.instantiate(model);
  const Node sword = scene.add_node("sword"), gem = scene.add_node("gem", {}, sword);
  REQUIRE(a.attach(sword, "hand_R"));
  b.bone("chest").add(c);  // rides
  const Node hand = a.bone("hand_R");
  a.mixer().play(model.clips()[0]);
  a.update(0.1);
  CHECK(scene.destroy(a));
  CHECK_FALSE((a || hand || sword || gem));
  CHECK(scene.instance_count() == 2);
  CHECK(scene.node_count() == 2);
  scene.update(0.1);
  CHECK((b && c));
  CHECK(scene.destroy(b, Children::keep));
  CHECK((c && c.node().parent() == scene.root()));
  CHECK(scene.instances().size() == 1);
  CHECK(scene.instances()[0] == c);
  CHECK(test::assert_message([&] { (void)b.palette(0); }) != "");
}

TEST_CASE("an empty model makes an instance of nothing") {
  Scene scene;
  const Instance nothing = scene.instantiate(Model());
  CHECK(nothing.update(0.5));
  scene.update(0.5);
  CHECK(nothing.palettes().empty());
  CHECK(nothing.model_from_joint().empty());
  CHECK(nothing.node().children().empty());
  CHECK(nothing.memory_bytes() > 0);
}

TEST_CASE("clips are played by name, and what is not there is told with similar names") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model);
  const std::string name(model.clips()[1].name());
  const Action walk = hero.play(name, {.loop = Loop::once}).value();
  CHECK(walk.clip().id() == model.clips()[1].id());
  CHECK(walk.loop() == Loop::once);
  const Action other = hero.cross_fade_to(model.clips()[0].name(), 0.5).value();
  CHECK(other.fading());
  CHECK(hero.switch_to(name).value() == walk);
  CHECK(!other.active());
  const Error unknown = hero.play(name + "x").error();
  CHECK(unknown.code == ErrorCode::not_found);
  CHECK(unknown.message == "there is no clip \"" + name + "x\"; did you mean \"" + name + "\"?");
  CHECK(to_string(hero.cross_fade_to(name, -1).error()) == "seconds: the fade time is negative");
  CHECK(to_string(hero.play(name, {.weight = -1}).error()) == "weight: the weight is negative");
  CHECK(hero.attach(scene.add_node(), "hnad_R").error().message ==
        "there is no bone \"hnad_R\"; did you mean \"hand_R\" or \"hand_L\"?");
  hero.set_animator(test::Pendulum::create(0));
  CHECK(hero.play(name).error().code == ErrorCode::unsupported);
}

}  // namespace
}  // namespace marrow
