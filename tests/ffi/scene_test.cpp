// Scenes through C: nodes, attachments, overrides, and updates on threads.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <thread>

#include "ffi/life.h"

namespace marrow {
namespace {

using namespace test;

marrow_affine world_of(marrow_node node) {
  marrow_affine world;
  MARROW_REQUIRE_OK(marrow_node_world(node, &world));
  return world;
}

bool same(const marrow_affine& a, const marrow_affine& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST_CASE("a sword in the hand goes where the hand goes, and stays where it is when it is let go") {
  Life life;
  marrow_instance thing = 0;
  marrow_node blade = 0, hand = 0, parent = 0, root = 0;
  MARROW_REQUIRE_OK(marrow_instance_create(life.scene, sword(), nullptr, &thing));
  MARROW_REQUIRE_OK(marrow_instance_node(thing, &blade));
  MARROW_REQUIRE_OK(marrow_instance_find_bone(life.hero, "hand_R", &hand));
  MARROW_REQUIRE_OK(marrow_scene_root(life.scene, &root));
  MARROW_REQUIRE_OK(marrow_instance_attach(life.hero, blade, "hand_R", nullptr));
  MARROW_REQUIRE_OK(marrow_node_parent(blade, &parent));
  CHECK(parent == hand);
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("run"), nullptr, nullptr));
  MARROW_REQUIRE_OK(marrow_scene_update(life.scene, 0.3, nullptr));
  CHECK(same(world_of(blade), world_of(hand)));
  const marrow_affine before = world_of(blade);
  MARROW_REQUIRE_OK(marrow_instance_detach(life.hero, blade, nullptr));
  MARROW_REQUIRE_OK(marrow_node_parent(blade, &parent));
  CHECK(parent == root);
  for (int i = 0; i < 12; ++i) CHECK(world_of(blade).m[i] == doctest::Approx(before.m[i]).epsilon(1e-5));
  CHECK(marrow_instance_attach(life.hero, blade, "no such bone", nullptr) == MARROW_ERROR_NOT_FOUND);
  CHECK(marrow_instance_detach(life.hero, blade, nullptr) == MARROW_ERROR_REFUSED);
}

TEST_CASE("a node cannot be added to what is below it, nor the root to anything, nor a bone moved") {
  Life life;
  marrow_node a = 0, b = 0, root = 0, bone = 0;
  MARROW_REQUIRE_OK(marrow_scene_root(life.scene, &root));
  MARROW_REQUIRE_OK(marrow_node_create(life.scene, "a", nullptr, 0, &a));
  MARROW_REQUIRE_OK(marrow_node_create(life.scene, "b", nullptr, a, &b));
  MARROW_REQUIRE_OK(marrow_instance_bone(life.hero, 2, &bone));
  CHECK(marrow_node_add(b, a, MARROW_PRESERVE_LOCAL, nullptr) == MARROW_ERROR_CYCLE);
  CHECK(std::string(marrow_last_error()->message) == "a node cannot be added to itself or to a node below it");
  CHECK(marrow_node_add(a, root, MARROW_PRESERVE_LOCAL, nullptr) == MARROW_ERROR_REFUSED);
  CHECK(marrow_node_add(a, bone, MARROW_PRESERVE_LOCAL, nullptr) == MARROW_ERROR_REFUSED);
  CHECK(marrow_node_destroy(root, 0) == MARROW_ERROR_REFUSED);
  CHECK(marrow_node_destroy(bone, 0) == MARROW_ERROR_REFUSED);
  CHECK(marrow_node_set_name(bone, "other") == MARROW_ERROR_REFUSED);
  marrow_affine world = world_of(bone);
  CHECK(marrow_node_set_world(bone, &world, nullptr) == MARROW_ERROR_REFUSED);
  marrow_transform local = MARROW_TRANSFORM_IDENTITY;
  local.translation[1] = NAN;
  CHECK(marrow_node_set_local(a, &local) == MARROW_ERROR_NOT_FINITE);
  CHECK(std::string(marrow_last_error()->place) == "local/translation");
  CHECK(marrow_node_create(life.scene, "c", &local, 0, &b) == MARROW_ERROR_NOT_FINITE);
  world.m[5] = INFINITY;
  CHECK(marrow_node_set_world(a, &world, nullptr) == MARROW_ERROR_NOT_FINITE);
}

TEST_CASE("an override holds until it is cleared") {
  Life life;
  marrow_node head = 0;
  marrow_transform local, turned = {{0, 0, 0.1f}, {0, 0, 1, 0}, {1, 1, 1}};
  std::uint32_t has = 9;
  MARROW_REQUIRE_OK(marrow_instance_find_bone(life.hero, "head", &head));
  const std::vector<marrow_affine> before = palette(life.hero);
  MARROW_REQUIRE_OK(marrow_instance_set_override(life.hero, head, &turned, 1));
  MARROW_REQUIRE_OK(marrow_instance_has_override(life.hero, head, &has));
  CHECK(has == 1);
  MARROW_REQUIRE_OK(marrow_scene_refresh(life.scene));
  MARROW_REQUIRE_OK(marrow_node_local(head, &local));
  CHECK(std::memcmp(&local, &turned, sizeof local) == 0);
  CHECK(std::memcmp(palette(life.hero).data(), before.data(), before.size() * sizeof before[0]) != 0);
  MARROW_REQUIRE_OK(marrow_instance_clear_override(life.hero, head));
  MARROW_REQUIRE_OK(marrow_instance_finish(life.hero));
  CHECK(std::memcmp(palette(life.hero).data(), before.data(), before.size() * sizeof before[0]) == 0);
}

// How far a joint of the character goes up in a clip, with either axis up.
marrow_transform climb(std::uint32_t up, const marrow_root_motion_options& options) {
  marrow_load_options load = MARROW_LOAD_OPTIONS_INIT;
  load.up = up;
  marrow_model model = 0;
  marrow_scene scene = 0;
  marrow_instance hero = 0;
  marrow_mixer mixer = 0;
  marrow_transform delta;
  MARROW_REQUIRE_OK(marrow_model_load(asset("character.glb").c_str(), &load, &model));
  MARROW_REQUIRE_OK(marrow_scene_create(&scene));
  MARROW_REQUIRE_OK(marrow_instance_create(scene, model, nullptr, &hero));
  MARROW_REQUIRE_OK(marrow_instance_mixer(hero, &mixer));
  MARROW_REQUIRE_OK(marrow_mixer_set_root_motion(mixer, &options));
  MARROW_REQUIRE_OK(marrow_mixer_play(mixer, 0, clip("jump"), nullptr, nullptr));
  MARROW_REQUIRE_OK(marrow_instance_advance(hero, 0.25));
  MARROW_REQUIRE_OK(marrow_mixer_root_motion(mixer, &delta));
  MARROW_REQUIRE_OK(marrow_scene_destroy(scene));
  MARROW_REQUIRE_OK(marrow_model_destroy(model));
  return delta;
}

TEST_CASE("root motion goes by the axis that is up in the model, unless another is given") {
  marrow_root_motion_options options = MARROW_ROOT_MOTION_OPTIONS_INIT;
  MARROW_REQUIRE_OK(marrow_model_find_joint(character(), "hips", &options.joint));
  options.horizontal = options.yaw = 0;
  const marrow_transform z = climb(MARROW_UP_Z, options), y = climb(MARROW_UP_Y, options);
  CHECK(std::abs(z.translation[2]) > 0.01f);
  CHECK(y.translation[1] == doctest::Approx(z.translation[2]));
  CHECK(y.translation[2] == 0);
  options.up[1] = 1;
  CHECK(std::memcmp(climb(MARROW_UP_Y, options).translation, y.translation, sizeof y.translation) == 0);
  CHECK(climb(MARROW_UP_Z, options).translation[2] == 0);
}

TEST_CASE("a pose that is set between evaluate and finish is what is finished; one that is none is refused") {
  Life life;
  std::vector<marrow_transform> transforms(kJoints);
  marrow_pose pose = {transforms.data(), transforms.size(), nullptr, 0, nullptr, 0};
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("walk"), nullptr, nullptr));
  MARROW_REQUIRE_OK(marrow_instance_advance(life.hero, 0.2));
  MARROW_REQUIRE_OK(marrow_instance_evaluate(life.hero));
  MARROW_REQUIRE_OK(marrow_instance_pose(life.hero, &pose));
  transforms[0].translation[0] += 5;
  MARROW_REQUIRE_OK(marrow_instance_set_pose(life.hero, &pose));
  MARROW_REQUIRE_OK(marrow_instance_finish(life.hero));
  std::vector<marrow_affine> matrices(kJoints), flat(kJoints);
  MARROW_REQUIRE_OK(marrow_instance_joint_matrices(life.hero, matrices.data(), kJoints, nullptr));
  MARROW_REQUIRE_OK(marrow_local_to_model(character(), transforms.data(), kJoints, flat.data(), kJoints));
  CHECK(std::memcmp(matrices.data(), flat.data(), kJoints * sizeof flat[0]) == 0);

  transforms[7].rotation[3] = 3;
  CHECK(marrow_instance_set_pose(life.hero, &pose) == MARROW_ERROR_INVALID_ARGUMENT);
  transforms[7].rotation[3] = NAN;
  CHECK(marrow_instance_set_pose(life.hero, &pose) == MARROW_ERROR_NOT_FINITE);
  pose.transform_count = kJoints - 1;
  CHECK(marrow_instance_set_pose(life.hero, &pose) == MARROW_ERROR_SHORT_BUFFER);
  CHECK(marrow_instance_pose(life.hero, &pose) == MARROW_ERROR_SHORT_BUFFER);
  pose = {nullptr, kJoints, nullptr, 0, nullptr, 0};
  CHECK(marrow_instance_set_pose(life.hero, &pose) == MARROW_ERROR_NULL_POINTER);
  std::uint8_t present[kJoints - 1];
  pose = {transforms.data(), kJoints, nullptr, 0, present, sizeof present};
  CHECK(marrow_instance_pose(life.hero, &pose) == MARROW_ERROR_SHORT_BUFFER);
  float morphs[1];
  pose = {transforms.data(), kJoints, morphs, 1, nullptr, 0};
  CHECK(marrow_instance_pose(life.hero, &pose) == MARROW_ERROR_SHORT_BUFFER);
}

// ---- Executors -------------------------------------------------------------------------------------------------

struct Crowd {
  Life life;
  std::vector<marrow_instance> instances;

  explicit Crowd(int count = 50) {
    for (int i = 0; i < count; ++i) {
      marrow_mixer mixer = 0;
      instances.push_back(0);
      MARROW_REQUIRE_OK(marrow_instance_create(life.scene, character(), nullptr, &instances.back()));
      MARROW_REQUIRE_OK(marrow_instance_mixer(instances.back(), &mixer));
      MARROW_REQUIRE_OK(marrow_mixer_play(mixer, 0, clip("walk"), nullptr, nullptr));
      MARROW_REQUIRE_OK(marrow_instance_advance(instances.back(), 0.01 * i));
    }
  }
  [[nodiscard]] std::vector<marrow_affine> matrices() const {
    std::vector<marrow_affine> all;
    for (const marrow_instance instance : instances) {
      const std::vector<marrow_affine> own = palette(instance);
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }
};

void on_threads(void*, std::uint32_t count, void (*run)(void*, std::uint32_t), void* data) {
  std::vector<std::thread> threads;
  for (std::uint32_t job = 0; job < count; ++job) threads.emplace_back(run, data, job);
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("a batch on threads, one on none, and one update each: the same bits") {
  Crowd a, b, c;
  const marrow_executor executor = {on_threads, nullptr};
  for (int frame = 0; frame < 5; ++frame) {
    MARROW_REQUIRE_OK(marrow_update_instances(a.instances.data(), a.instances.size(), 1.0 / 60, &executor));
    MARROW_REQUIRE_OK(marrow_scene_update(b.life.scene, 1.0 / 60, frame % 2 == 0 ? nullptr : &executor));
    for (const marrow_instance each : c.instances) MARROW_REQUIRE_OK(marrow_instance_update(each, 1.0 / 60));
  }
  const std::vector<marrow_affine> matrices = a.matrices();
  CHECK(std::memcmp(matrices.data(), b.matrices().data(), matrices.size() * sizeof matrices[0]) == 0);
  CHECK(std::memcmp(matrices.data(), c.matrices().data(), matrices.size() * sizeof matrices[0]) == 0);
}

TEST_CASE("an instance that is in a batch twice is refused before anything is done") {
  Crowd crowd(3);
  const std::vector<marrow_affine> before = crowd.matrices();
  crowd.instances.push_back(crowd.instances[0]);
  CHECK(marrow_update_instances(crowd.instances.data(), crowd.instances.size(), 0.1, nullptr) ==
        MARROW_ERROR_DUPLICATE);
  crowd.instances.back() = 0;
  CHECK(marrow_update_instances(crowd.instances.data(), crowd.instances.size(), 0.1, nullptr) ==
        MARROW_ERROR_BAD_HANDLE);
  crowd.instances.pop_back();
  CHECK(std::memcmp(crowd.matrices().data(), before.data(), before.size() * sizeof before[0]) == 0);
  MARROW_REQUIRE_OK(marrow_update_instances(crowd.instances.data(), crowd.instances.size(), 0.1, nullptr));
  MARROW_REQUIRE_OK(marrow_update_instances(nullptr, 0, 0.1, nullptr));
}

TEST_CASE("an executor that leaves jobs out, does them twice or makes some up is told so") {
  Crowd crowd;
  const auto run_as = [&](void (*run)(void*, std::uint32_t, void (*)(void*, std::uint32_t), void*)) {
    const marrow_executor executor = {run, &crowd};
    return marrow_update_instances(crowd.instances.data(), crowd.instances.size(), 0.1, &executor);
  };
  CHECK(run_as([](void*, std::uint32_t, void (*)(void*, std::uint32_t), void*) {}) == MARROW_ERROR_REFUSED);
  CHECK(run_as([](void*, std::uint32_t count, void (*run)(void*, std::uint32_t), void* data) {
          for (std::uint32_t job = 0; job < count; ++job) run(data, job), run(data, job);
        }) == MARROW_ERROR_REFUSED);
  CHECK(run_as([](void*, std::uint32_t count, void (*run)(void*, std::uint32_t), void* data) {
          for (std::uint32_t job = 0; job <= count; ++job) run(data, job);
        }) == MARROW_ERROR_REFUSED);
  CHECK(run_as(nullptr) == MARROW_ERROR_NULL_POINTER);
  CHECK(run_as([](void* context, std::uint32_t count, void (*run)(void*, std::uint32_t), void* data) {
          Crowd& own = *static_cast<Crowd*>(context);
          marrow_node node = 0;
          CHECK(marrow_scene_destroy(own.life.scene) == MARROW_ERROR_BUSY);
          CHECK(marrow_instance_destroy(own.instances[0]) == MARROW_ERROR_BUSY);
          CHECK(marrow_instance_node(own.instances[1], &node) == MARROW_ERROR_BUSY);
          CHECK(marrow_mixer_stop_all(own.life.mixer) == MARROW_ERROR_BUSY);
          for (std::uint32_t job = count; job > 0; --job) run(data, job - 1);
        }) == MARROW_OK);
  MARROW_REQUIRE_OK(marrow_instance_destroy(crowd.instances[0]));
}

TEST_CASE("events are polled, with their marks' names") {
  Life life;
  const marrow_mark marks[] = {{0.1, "left"}, {0.2, nullptr}};
  MARROW_REQUIRE_OK(marrow_mixer_set_marks(life.mixer, clip("walk"), marks, 2));
  const marrow_mark outside = {99, "never"}, none = {NAN, "never"};
  CHECK(marrow_mixer_set_marks(life.mixer, clip("walk"), &outside, 1) != MARROW_OK);
  CHECK(marrow_mixer_set_marks(life.mixer, clip("walk"), &none, 1) != MARROW_OK);
  marrow_action action = 0;
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("walk"), nullptr, &action));
  MARROW_REQUIRE_OK(marrow_scene_update(life.scene, 0.3, nullptr));
  marrow_event events[2];
  std::uint64_t count = 0;
  MARROW_REQUIRE_OK(marrow_mixer_events(life.mixer, events, 2, &count));
  REQUIRE(count == 2);
  CHECK(events[0].action == action);
  CHECK(events[0].kind == MARROW_EVENT_MARK);
  CHECK(events[0].offset == doctest::Approx(0.1));
  CHECK(events[1].mark == 1);
  char name[5];
  MARROW_REQUIRE_OK(marrow_mixer_event_name(life.mixer, 0, name, sizeof name, nullptr));
  CHECK(std::string(name) == "left");
}

TEST_CASE("a full mixer is an error") {
  marrow_instance_options options = MARROW_INSTANCE_OPTIONS_INIT;
  options.actions = options.max_actions = 2;
  options.layers = 1;
  Life life(&options);
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, 0, nullptr, nullptr));
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, 1, nullptr, nullptr));
  CHECK(marrow_mixer_play(life.mixer, 0, 2, nullptr, nullptr) == MARROW_ERROR_LIMIT_EXCEEDED);
  CHECK(marrow_mixer_cross_fade_to(life.mixer, 0, 2, 0.1, nullptr, nullptr) == MARROW_ERROR_LIMIT_EXCEEDED);
  CHECK(marrow_mixer_add_layer(life.mixer, nullptr, nullptr) == MARROW_ERROR_LIMIT_EXCEEDED);
  options.actions = 1024;
  marrow_instance other = 0;
  CHECK(marrow_instance_create(life.scene, character(), &options, &other) == MARROW_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace marrow
