#include <doctest/doctest.h>

#include <cmath>

#include "fixtures/humanoid.h"
#include "fixtures/random.h"
#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "marrow/scene/scene.h"
#include "scene/character.h"
#include "support/asserts.h"

namespace marrow {
namespace {

// The character with a body of random points about its joints, a face with a morph target on the head, and a box as
// helmet that follows its node.
Model make_dressed() {
  ModelParts parts = test::make_character().parts();
  test::Random random(3);
  const Skeleton& skeleton = parts.skeleton;
  Scene scene;
  const Instance at_rest = scene.instantiate(test::make_character());
  auto body = std::make_shared<Vertices>();
  body->influences = 2;
  for (std::uint32_t j = 1; j < skeleton.joint_count(); ++j) {
    const Affine& joint = at_rest.model_from_joint()[j];
    for (int i = 0; i < 20; ++i) {
      body->positions.push_back({joint.m[0][3] + random.rangef(-0.05, 0.05), joint.m[1][3] + random.rangef(-0.05, 0.05),
                                 joint.m[2][3] + random.rangef(-0.05, 0.05)});
      const float weight = random.rangef(0.5, 1);
      body->joints.append({static_cast<std::uint16_t>(j), static_cast<std::uint16_t>(skeleton.parent(j))});
      body->weights.append({weight, 1 - weight});
    }
  }
  auto face = std::make_shared<Vertices>();
  face->positions = {{0, 0, 0}, {0.1f, 0, 0}, {0, 0.1f, 0}};
  face->targets.resize(3);
  face->targets[0].positions = {{0, 0, 0}, {0.5f, 0, 0}, {0, 0, 0}};
  auto shell = std::make_shared<Vertices>();
  shell->positions = {{-0.1f, -0.1f, 0}, {0.1f, 0.1f, 0.3f}, {0.1f, -0.1f, 0}};
  parts.meshes = {{"body", {{body, {0, 1, 2}, Topology::triangles, -1}}, {}},
                  {"face", {{face, {0, 1, 2}, Topology::triangles, -1}}, {"smile", "frown", "blink"}},
                  {"shell", {{shell, {0, 1, 2}, Topology::triangles, -1}}, {}}};
  ModelNode wears;
  wears.name = "body";
  wears.mesh = 0;
  wears.skin = 0;
  parts.nodes.push_back(wears);
  for (ModelNode& node : parts.nodes) {
    if (node.name == "head") node.mesh = 1;
    if (node.name == "helmet") node.mesh = 2;
  }
  return *Model::create(std::move(parts));
}

std::uint32_t node_of(const Model& model, const char* name) {
  for (std::uint32_t i = 0; i < model.nodes().size(); ++i) {
    if (model.nodes()[i].name == name) return i;
  }
  return 0;
}

std::vector<Vec3> positions_of(const Instance& instance, const char* name) {
  const std::uint32_t node = node_of(instance.model(), name);
  const auto mesh = static_cast<std::size_t>(instance.model().nodes()[node].mesh);
  std::vector<Vec3> out(instance.model().meshes()[mesh].parts[0].vertices->positions.size());
  instance.skin(node, 0, {out, {}, {}});
  return out;
}

bool holds(const Box& box, const std::vector<Vec3>& points, const Affine& world = {}) {
  for (const Vec3& p : points) {
    if (!contains(box, transform_point(world, p))) return false;
  }
  return true;
}

TEST_CASE(
    "an instance skins its meshes: by the skin, by their node, by morph targets, and by the choice of each mesh") {
  const Model model = make_dressed();
  Scene scene;
  const Instance hero = scene.instantiate(model);
  hero.mixer().play(model.clips()[2]);
  hero.update(0.2);
  const Vertices& body = *model.meshes()[0].parts[0].vertices;
  std::vector<Vec3> expected(body.positions.size());
  const auto distance = [](Vec3 a, Vec3 b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); };
  skin_vertices(body, {}, hero.palette(0), {expected, {}, {}});
  std::vector<Vec3> got = positions_of(hero, "body");
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(distance(got[i], expected[i]) < 1e-6);

  std::vector<Affine> nodes(model.nodes().size());
  hero.node_matrices(nodes);
  const Vec3 corner = transform_point(nodes[node_of(model, "helmet")], {0.1f, 0.1f, 0.3f});
  CHECK(distance(positions_of(hero, "helmet")[1], corner) < 1e-6);

  const std::span<const float> weights = hero.morph_weights(node_of(model, "head"));
  REQUIRE(weights.size() == 3);
  const Vec3 smile = transform_point(nodes[node_of(model, "head")], {0.1f + weights[0] * 0.5f, 0, 0});
  CHECK(distance(positions_of(hero, "head")[1], smile) < 1e-6);
  CHECK(hero.morph_weights(node_of(model, "helmet")).empty());

  CHECK(hero.dual_palette(0).joints.empty());
  hero.set_skinning(0, Skinning::dual_quaternion);
  hero.set_skinning(9, Skinning::dual_quaternion);  // refused
  CHECK(hero.skinning(0) == Skinning::dual_quaternion);
  CHECK(hero.skinning(2) == Skinning::linear);
  for (int frame = 0; frame < 5; ++frame) {
    hero.update(0.05);
    std::vector<DualJoint> dual(hero.palette(0).size());
    const bool stretches = dual_palette(hero.palette(0), dual);
    skin_vertices(body, {}, dual, stretches, {expected, {}, {}});
    got = positions_of(hero, "body");
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(distance(got[i], expected[i]) < 2e-6);
    CHECK(holds(hero.bounds(), got));
  }
  hero.set_skinning(0, Skinning::linear);
  CHECK(hero.dual_palette(0).joints.empty());
  CHECK(test::assert_message([&] { hero.skin(node_of(model, "plume"), 0, {}); }) != "");
  CHECK(test::assert_message([&] { hero.skin(node_of(model, "body"), 1, {}); }) != "");
}

TEST_CASE("a stage changes morph weights: those that are read, those that vertices are moved by, and the bounds") {
  const Model model = make_dressed();
  Scene scene;
  const Instance hero = scene.instantiate(model);
  const std::uint32_t node = node_of(model, "head");
  struct Smile {
    std::uint32_t joint;
    float weight = 0.75f;
    static StageResult run(void* data, PoseEdit& edit) {
      const auto& self = *static_cast<const Smile*>(data);
      edit.edit_pose().morph_weights(self.joint)[0] = self.weight;
      return StageResult::unchanged;
    }
  } smile{*model.skeleton().joint("head")};
  const Vec3 before = positions_of(hero, "head")[1];
  const float at_rest = hero.morph_weights(node)[0];
  REQUIRE(hero.add_stage({"smile", 1, 0, Smile::run, &smile}));
  CHECK(hero.morph_weights(node)[0] == at_rest);  // not finished yet
  hero.finish();
  CHECK(hero.morph_weights(node)[0] == 0.75f);
  CHECK(hero.pose().morph_weights(smile.joint)[0] == at_rest);
  const std::vector<Vec3> after = positions_of(hero, "head");
  CHECK(std::hypot(after[1].x - before.x, after[1].y - before.y, after[1].z - before.z) ==
        doctest::Approx((0.75 - at_rest) * 0.5).epsilon(1e-4));
  CHECK(holds(hero.bounds(), after));
  smile.weight = at_rest;
  hero.touch();
  scene.refresh();
  CHECK(hero.morph_weights(node)[0] == at_rest);
  CHECK(positions_of(hero, "head")[1].x == before.x);
}

TEST_CASE("bounds hold all that is shown, and what it carries, and shrink when something is hidden") {
  const Model model = make_dressed();
  Scene scene;
  const Instance hero =
      scene.instantiate(model, {"hero", {{5, 0, 0}, from_axis_angle({0, 0, 1}, 1), {2, 2, 2}}, {}, {}});
  hero.mixer().play(model.clips()[2]);
  for (int frame = 0; frame < 20; ++frame) {
    scene.update(0.07);
    for (const char* name : {"body", "head", "helmet"}) {
      CHECK(holds(hero.bounds(), positions_of(hero, name)));
      CHECK(holds(hero.world_bounds(), positions_of(hero, name), hero.node().world()));
    }
  }
  // A thing far above the head, on a stick that is a plain node.
  const Node stick = scene.add_node("stick", {{0, 0, 3}, {}, {1, 1, 1}}, hero.bone("hand_R"));
  const Instance lamp = scene.instantiate(model, {"lamp", {{0, 0, 10}, {}, {1, 1, 1}}, stick, {}});
  CHECK(holds(hero.world_bounds(), positions_of(lamp, "body"), lamp.node().world()));
  const Box with = hero.world_bounds();
  stick.set_visible(false);
  const Box without = hero.world_bounds();
  CHECK(size_of(without).z < size_of(with).z / 2);
  stick.set_visible(true);
  hero.bone("hand_R").set_visible(false);
  CHECK(size_of(hero.world_bounds()).z == size_of(without).z);

  hero.model_node(node_of(model, "body")).set_visible(false);
  CHECK_FALSE(holds(hero.bounds(), positions_of(hero, "body")));
  CHECK(holds(hero.bounds(), positions_of(hero, "helmet")));
  hero.bone("head").set_visible(false);  // and the helmet with it
  CHECK(is_empty(hero.bounds()));
}

TEST_CASE("without meshes bounds are around the joints") {
  Scene scene;
  const Instance hero = scene.instantiate(test::make_character());
  const Box box = hero.bounds();
  for (const Affine& joint : hero.model_from_joint()) CHECK(contains(box, translation_of(joint)));
  CHECK(size_of(box).z > 1);
}

}  // namespace
}  // namespace marrow
