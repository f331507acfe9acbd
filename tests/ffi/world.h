// What the calls of the table are about: two scenes with one of everything, and what is no more.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ffi/call.h"
#include "ffi/life.h"
#include "guest/guest_memory.h"
#include "marrow/core/hash.h"
#include "marrow/marrow_host.h"

namespace marrow::test {

// Two scenes with one of everything, and handles to what is no more.
struct World {
  Life life, other;
  marrow_action action = 0, second = 0, alien = 0;
  marrow_instance sword_instance = 0;
  marrow_node node = 0, sword_node = 0, bone = 0, alien_node = 0, alien_bone = 0, sibling_bone = 0;
  struct Guest : GuestMemory {
    std::uint32_t matrices = put(std::vector<Affine>(3)), corners = put(skinned_triangle()),
                  packed = put(std::vector<std::uint16_t>(12)), indices = put(std::vector<std::uint16_t>{0, 1, 2});
  } guest;
  marrow_host host = 0, spare_host = 0;
  marrow_host_state state = 0, spare_state = 0;
  std::vector<std::uint64_t> dead;  // one of each kind
  marrow_model spare_model = 0;
  marrow_scene spare_scene = 0;
  std::vector<std::byte> block, instance_block;
  std::uint32_t stage = 0;                       // of the hero
  std::function<void(marrow_pose_edit*)> visit;  // called by it
  std::vector<std::unique_ptr<std::byte[]>> memory;

  World() {
    MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("walk"), nullptr, &action));
    MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("run"), nullptr, &second));
    MARROW_REQUIRE_OK(marrow_mixer_play(other.mixer, 0, clip("walk"), nullptr, &alien));
    MARROW_REQUIRE_OK(marrow_instance_create(life.scene, sword(), nullptr, &sword_instance));
    MARROW_REQUIRE_OK(marrow_instance_node(sword_instance, &sword_node));
    MARROW_REQUIRE_OK(marrow_node_create(life.scene, "child", nullptr, sword_node, &node));
    MARROW_REQUIRE_OK(marrow_instance_find_bone(life.hero, "hand_R", &bone));
    MARROW_REQUIRE_OK(marrow_node_create(other.scene, "alien", nullptr, 0, &alien_node));
    MARROW_REQUIRE_OK(marrow_instance_find_bone(other.hero, "hand_R", &alien_bone));
    marrow_instance sibling = 0;
    MARROW_REQUIRE_OK(marrow_instance_create(life.scene, character(), nullptr, &sibling));
    MARROW_REQUIRE_OK(marrow_instance_find_bone(sibling, "hand_R", &sibling_bone));
    const marrow_mark mark = {0.01, "step"};
    MARROW_REQUIRE_OK(marrow_mixer_set_marks(life.mixer, clip("walk"), &mark, 1));
    const marrow_pose_stage visitor = {sizeof visitor, 1, 24, "visitor", run_stage, this};
    MARROW_REQUIRE_OK(marrow_instance_add_stage(life.hero, &visitor, &stage));
    MARROW_REQUIRE_OK(marrow_scene_update(life.scene, 0.25, nullptr));
    MARROW_REQUIRE_OK(marrow_instance_attach(life.hero, sword_node, "hand_R", nullptr));
    block = saved(life.mixer);
    instance_block = saved_instance(life.hero);
    spare_model = read_small();
    MARROW_REQUIRE_OK(marrow_scene_create(&spare_scene));
    make_host();
    dead = make_dead();
  }
  ~World() {
    marrow_model_destroy(spare_model);
    marrow_scene_destroy(spare_scene);
    for (const marrow_host each : {host, spare_host}) marrow_host_destroy(each);
    for (const marrow_host_state each : {state, spare_state}) marrow_host_state_destroy(each);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  static std::uint32_t run_stage(void* context, marrow_pose_edit* edit) {
    const World& self = *static_cast<const World*>(context);
    if (self.visit) self.visit(edit);
    return MARROW_STAGE_CHANGED;
  }

  // Returns what body(edit) returns in the stage of the hero.
  marrow_status in_stage(const std::function<marrow_status(marrow_pose_edit*)>& body) {
    marrow_status status = -1;
    visit = [&](marrow_pose_edit* edit) { status = body(edit); };
    const marrow_status finished = marrow_instance_finish(life.hero);
    visit = nullptr;
    MARROW_REQUIRE_OK(finished);
    return status;
  }

  // A host of which a guest has loaded a skeleton and a mesh, and drawn it.
  void make_host() {
    std::uint32_t skeleton = 0, mesh = 0;
    for (marrow_host* each : {&host, &spare_host}) MARROW_REQUIRE_OK(marrow_host_create(nullptr, each));
    for (marrow_host_state* each : {&state, &spare_state}) MARROW_REQUIRE_OK(marrow_host_state_create(each));
    const void* const bytes = guest.bytes.data();
    MARROW_REQUIRE_OK(marrow_host_load_skeleton(host, bytes, guest.end(), guest.matrices, 3, &skeleton));
    MARROW_REQUIRE_OK(marrow_host_load_mesh(host, bytes, guest.end(), guest.corners, 3, kGuestSkinned, &mesh));
    REQUIRE(skeleton * mesh == 1);
    MARROW_REQUIRE_OK(marrow_host_skeleton_bind(host, skeleton));
    MARROW_REQUIRE_OK(marrow_host_set_bones(host, bytes, guest.end(), guest.matrices, 3));
    MARROW_REQUIRE_OK(marrow_host_draw_mesh(host, mesh));
    MARROW_REQUIRE_OK(marrow_host_save(host, state));
  }

  static marrow_model read_small() {
    const std::string text = R"({"asset": {"version": "2.0"}, "nodes": [{"name": "box"}],
      "animations": [{"channels": [], "samplers": []}]})";  // which moves nothing, and is warned of
    marrow_model model = 0;
    MARROW_REQUIRE_OK(marrow_model_read(text.data(), text.size(), nullptr, &model));
    return model;
  }

  // One of each kind whose life has ended.
  std::vector<std::uint64_t> make_dead() const {
    const marrow_model model = read_small();
    marrow_scene scene = 0;
    marrow_node dead_node = 0;
    marrow_instance instance = 0;
    marrow_mixer mixer = 0;
    marrow_action dead_action = 0;
    MARROW_REQUIRE_OK(marrow_scene_create(&scene));
    MARROW_REQUIRE_OK(marrow_node_create(life.scene, "gone", nullptr, 0, &dead_node));
    MARROW_REQUIRE_OK(marrow_instance_create(life.scene, character(), nullptr, &instance));
    MARROW_REQUIRE_OK(marrow_instance_mixer(instance, &mixer));
    MARROW_REQUIRE_OK(marrow_mixer_new_action(life.mixer, 0, clip("walk"), &dead_action));
    MARROW_REQUIRE_OK(marrow_action_release(dead_action));
    MARROW_REQUIRE_OK(marrow_instance_destroy(instance));
    MARROW_REQUIRE_OK(marrow_node_destroy(dead_node, 0));
    MARROW_REQUIRE_OK(marrow_scene_destroy(scene));
    MARROW_REQUIRE_OK(marrow_model_destroy(model));
    marrow_host dead_host = 0;
    marrow_host_state dead_state = 0;
    MARROW_REQUIRE_OK(marrow_host_create(nullptr, &dead_host));
    MARROW_REQUIRE_OK(marrow_host_state_create(&dead_state));
    MARROW_REQUIRE_OK(marrow_host_destroy(dead_host));
    MARROW_REQUIRE_OK(marrow_host_state_destroy(dead_state));
    return {model, scene, dead_node, instance, mixer, dead_action, dead_host, dead_state};
  }

  // One of each kind that is alive.
  std::vector<std::uint64_t> living() const {
    return {character(), life.scene, node, life.hero, life.mixer, action, bone, host, state};
  }

  // Memory of its own, of exactly that size.
  template <typename T>
  T* make(std::size_t count = 1) {
    memory.push_back(std::make_unique<std::byte[]>(count * sizeof(T)));
    return reinterpret_cast<T*>(memory.back().get());
  }
  template <typename T>
  T* sized() {
    T* const info = make<T>();
    info->struct_size = sizeof(T);
    return info;
  }

  // What there is to see of everything that could have changed.
  std::uint64_t digest() {
    Hasher hash;
    for (const Life* each : {&life, &other}) {
      std::uint64_t nodes = 0, instances = 0;
      MARROW_REQUIRE_OK(marrow_scene_counts(each->scene, &nodes, &instances));
      hash.add(nodes);
      hash.add(instances);
      hash.add(saved(each->mixer));
      hash.add(saved_instance(each->hero));
      hash.add(std::uint64_t{stage_count(each->hero)});
      const std::vector<marrow_affine> matrices = palette(each->hero);
      hash.add(std::span<const float>(matrices[0].m, matrices.size() * 12));
    }
    for (const marrow_node n : {node, sword_node, bone, alien_node, alien_bone}) {
      marrow_affine world;
      MARROW_REQUIRE_OK(marrow_node_world(n, &world));
      hash.add(world.m);
      hash.add(text(
          [&](char* out, std::uint64_t size, std::uint64_t* count) { return marrow_node_name(n, out, size, count); }));
    }
    std::uint64_t of_state = 0, of_draws = 0;
    MARROW_REQUIRE_OK(marrow_host_hash(host, &of_state, &of_draws));
    hash.add(of_state);
    hash.add(of_draws);
    return hash.finish();
  }
};

// A call of every function of marrow.h and marrow_host.h that takes an argument, with arguments that are good in that
// world (calls.cpp).
std::vector<Call> all_calls(World& w);

}  // namespace marrow::test
