// Handles: what is gone is found out, whatever has taken its place; and what a snapshot brings back is good again.
#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <thread>

#include "ffi/life.h"
#include "marrow/core/hash.h"
#include "src/ffi/shared_slot_table.h"

namespace marrow {
namespace {

using namespace test;

TEST_CASE("a slot that is used again a thousand times never makes an old handle good") {
  Life life;
  std::set<marrow_node> old;
  for (int i = 0; i < 1000; ++i) {
    marrow_node node = 0;
    MARROW_REQUIRE_OK(marrow_node_create(life.scene, "node", nullptr, 0, &node));
    REQUIRE(old.insert(node).second);
    MARROW_REQUIRE_OK(marrow_node_destroy(node, 0));
  }
  marrow_transform local;
  for (const marrow_node node : old) REQUIRE(marrow_node_local(node, &local) == MARROW_ERROR_DEAD_HANDLE);
}

TEST_CASE("a slot whose generations are used up is retired") {
  ffi::SharedSlotTable<int, 10, 2> table;  // generations 1, 2, 3
  std::set<std::pair<std::uint32_t, std::uint32_t>> given;
  for (std::uint32_t i = 0; i < 3 * 1024; ++i) {
    const std::optional<SlotRef> ref = table.add(7);
    REQUIRE(ref.has_value());
    REQUIRE(given.insert({ref->slot, ref->generation}).second);
    REQUIRE(!table.is_dead(*ref));
    REQUIRE(*table.find(*ref) == 7);
    table.remove(*ref);
    REQUIRE(table.find(*ref) == nullptr);
    REQUIRE(table.is_dead(*ref));
  }
  CHECK(!table.add(7).has_value());
}

TEST_CASE("with an owner goes all that it owns") {
  Life life;
  marrow_instance mate = 0;
  marrow_mixer mixer = 0;
  marrow_action action = 0;
  marrow_node top = 0, node = 0, bone = 0, root = 0;
  marrow_instance_options options = MARROW_INSTANCE_OPTIONS_INIT;
  const auto make = [&] {
    MARROW_REQUIRE_OK(marrow_node_create(life.scene, "top", nullptr, 0, &top));
    options.parent = top;
    MARROW_REQUIRE_OK(marrow_instance_create(life.scene, character(), &options, &mate));
    MARROW_REQUIRE_OK(marrow_instance_node(mate, &root));
    MARROW_REQUIRE_OK(marrow_instance_find_bone(mate, "hand_R", &bone));
    MARROW_REQUIRE_OK(marrow_node_create(life.scene, "held", nullptr, bone, &node));
    MARROW_REQUIRE_OK(marrow_instance_mixer(mate, &mixer));
    MARROW_REQUIRE_OK(marrow_mixer_play(mixer, 0, clip("walk"), nullptr, &action));
  };
  const auto check_dead = [&] {
    marrow_affine world;
    for (const marrow_node each : {top, node, bone, root}) {
      CHECK(marrow_node_world(each, &world) == MARROW_ERROR_DEAD_HANDLE);
    }
    CHECK(marrow_instance_update(mate, 0) == MARROW_ERROR_DEAD_HANDLE);
    CHECK(marrow_mixer_stop_all(mixer) == MARROW_ERROR_DEAD_HANDLE);
    CHECK(marrow_action_play(action) == MARROW_ERROR_DEAD_HANDLE);
  };
  make();
  MARROW_REQUIRE_OK(marrow_node_destroy(top, 0));
  check_dead();
  make();
  MARROW_REQUIRE_OK(marrow_scene_clear(life.scene));
  check_dead();
  make();
  MARROW_REQUIRE_OK(marrow_scene_destroy(life.scene));
  check_dead();
  CHECK(marrow_scene_refresh(life.scene) == MARROW_ERROR_DEAD_HANDLE);
}

TEST_CASE("what is asked for twice has one handle") {
  Life life;
  marrow_node a = 0, b = 0;
  marrow_mixer mixer = 0;
  MARROW_REQUIRE_OK(marrow_instance_find_bone(life.hero, "head", &a));
  std::uint32_t joint = 0;
  MARROW_REQUIRE_OK(marrow_model_find_joint(character(), "head", &joint));
  MARROW_REQUIRE_OK(marrow_instance_bone(life.hero, joint, &b));
  CHECK(a == b);
  MARROW_REQUIRE_OK(marrow_instance_mixer(life.hero, &mixer));
  CHECK(mixer == life.mixer);
  marrow_node hero = 0, found = 0, root = 0;
  MARROW_REQUIRE_OK(marrow_instance_node(life.hero, &hero));
  MARROW_REQUIRE_OK(marrow_scene_root(life.scene, &root));
  MARROW_REQUIRE_OK(marrow_node_find(root, "head", &found));
  CHECK(found == a);
  marrow_instance instance = 0;
  MARROW_REQUIRE_OK(marrow_node_instance(a, &instance));
  CHECK(instance == life.hero);
  MARROW_REQUIRE_OK(marrow_node_parent(root, &found));
  CHECK(found == 0);
}

TEST_CASE("a snapshot brings the handle of a released action back, and makes the one that took its place dead") {
  Life life;
  marrow_action kept = 0, released = 0, later = 0;
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("walk"), nullptr, &kept));
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("run"), nullptr, &released));
  const std::vector<std::byte> block = saved(life.mixer);
  MARROW_REQUIRE_OK(marrow_action_release(released));
  CHECK(marrow_action_play(released) == MARROW_ERROR_DEAD_HANDLE);
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("jump"), nullptr, &later));
  MARROW_REQUIRE_OK(marrow_mixer_restore(life.mixer, block.data(), block.size()));
  marrow_action_info info = {};
  info.struct_size = sizeof info;
  MARROW_REQUIRE_OK(marrow_action_get_info(released, &info));
  CHECK(info.clip == static_cast<std::int32_t>(clip("run")));
  CHECK(info.playing == 1);
  CHECK(marrow_action_play(later) == MARROW_ERROR_DEAD_HANDLE);
  MARROW_REQUIRE_OK(marrow_action_play(kept));
}

// A mixer with two places for actions, which are said to have been used so often.
marrow_status use_up(const Life& life, std::uint32_t generation) {
  std::vector<marrow_action> used;  // a block tells of places that were used
  for (marrow_action action = 0; marrow_mixer_new_action(life.mixer, 0, clip("walk"), &action) == MARROW_OK;) {
    used.push_back(action);
  }
  for (const marrow_action action : used) MARROW_REQUIRE_OK(marrow_action_release(action));
  std::vector<std::byte> block = saved(life.mixer);
  constexpr std::size_t kGenerations = 52;  // in a snapshot: behind its header
  std::uint32_t version = 0, places = 0;
  std::memcpy(&version, block.data() + 4, sizeof version);
  std::memcpy(&places, block.data() + 12, sizeof places);
  REQUIRE(places == 2);
  for (int i = 0; i < 2; ++i) std::memcpy(block.data() + kGenerations + 4 * i, &generation, sizeof generation);
  const std::uint64_t sum = hash_bytes(std::span<const std::byte>(block).first(block.size() - 8), version);
  std::memcpy(block.data() + block.size() - 8, &sum, sizeof sum);
  return marrow_mixer_restore(life.mixer, block.data(), block.size());
}

TEST_CASE("an action that there is no handle for is not made, and the mixer stays as it is") {
  marrow_instance_options options = MARROW_INSTANCE_OPTIONS_INIT;
  options.actions = options.max_actions = 2;
  Life life(&options);
  const auto count_actions = [&] {
    std::uint64_t count = 0;
    MARROW_REQUIRE_OK(marrow_mixer_actions(life.mixer, nullptr, 0, &count));
    return count;
  };
  constexpr std::uint32_t kEnd = 1u << 22;  // of the generations that a handle can tell
  REQUIRE(use_up(life, kEnd - 1) == MARROW_OK);
  std::set<marrow_action> given;
  for (int i = 0; i < 2; ++i) {  // the last of each place
    marrow_action action = 0;
    MARROW_REQUIRE_OK(marrow_mixer_new_action(life.mixer, 0, clip("walk"), &action));
    CHECK(given.insert(action).second);
    MARROW_REQUIRE_OK(marrow_action_play(action));
    MARROW_REQUIRE_OK(marrow_action_release(action));
  }
  marrow_action action = 77;
  CHECK(marrow_mixer_new_action(life.mixer, 0, clip("walk"), &action) == MARROW_ERROR_LIMIT_EXCEEDED);
  CHECK(marrow_mixer_clip_action(life.mixer, 0, clip("walk"), &action) == MARROW_ERROR_LIMIT_EXCEEDED);
  CHECK(marrow_mixer_play(life.mixer, 0, clip("walk"), nullptr, &action) == MARROW_ERROR_LIMIT_EXCEEDED);
  CHECK(marrow_mixer_cross_fade_to(life.mixer, 0, clip("walk"), 0.1, nullptr, &action) == MARROW_ERROR_LIMIT_EXCEEDED);
  CHECK(action == 77);
  CHECK(count_actions() == 0);
  for (const marrow_action old : given) CHECK(marrow_action_play(old) == MARROW_ERROR_DEAD_HANDLE);

  // And none comes with a snapshot.
  Life other(&options);
  MARROW_REQUIRE_OK(marrow_mixer_play(other.mixer, 0, clip("walk"), nullptr, &action));
  CHECK(use_up(other, kEnd) == MARROW_ERROR_INVALID_ARGUMENT);
  MARROW_REQUIRE_OK(marrow_action_play(action));
}

TEST_CASE("the action of a mixer is not that of another, though both have the same place in theirs") {
  Life a, b;
  marrow_action first = 0, second = 0;
  MARROW_REQUIRE_OK(marrow_mixer_play(a.mixer, 0, clip("walk"), nullptr, &first));
  MARROW_REQUIRE_OK(marrow_mixer_play(b.mixer, 0, clip("walk"), nullptr, &second));
  CHECK(first != second);
  CHECK(marrow_action_sync(first, second) == MARROW_ERROR_FOREIGN_HANDLE);
  CHECK(marrow_action_cross_fade(first, second, 0.1, nullptr) == MARROW_ERROR_FOREIGN_HANDLE);
}

TEST_CASE("threads with scenes of their own do not meet, and get the same bits") {
  (void)character();
  std::vector<std::vector<marrow_affine>> results(4);
  std::vector<std::thread> threads;
  for (std::vector<marrow_affine>& result : results) {
    threads.emplace_back([&result] {
      const marrow_model model = character();
      for (int round = 0; round < 20; ++round) {
        marrow_scene scene = 0;
        marrow_instance hero = 0;
        marrow_mixer mixer = 0;
        std::uint64_t count = 0;
        if (marrow_scene_create(&scene) != MARROW_OK) return;
        marrow_instance_create(scene, model, nullptr, &hero);
        marrow_instance_mixer(hero, &mixer);
        marrow_mixer_play(mixer, 0, 1, nullptr, nullptr);
        marrow_mixer_cross_fade_to(mixer, 0, 2, 0.5, nullptr, nullptr);
        for (int frame = 0; frame < 10; ++frame) marrow_scene_update(scene, 1.0 / 60, nullptr);
        marrow_instance_palette(hero, 0, nullptr, 0, &count);
        result.resize(count);
        marrow_instance_palette(hero, 0, result.data(), count, nullptr);
        marrow_scene_destroy(scene);
        marrow_scene_destroy(scene);  // fails, for this thread alone
        if (marrow_last_error()->status != MARROW_ERROR_DEAD_HANDLE) result.clear();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(!results[0].empty());
  for (const auto& result : results) {
    REQUIRE(result.size() == results[0].size());
    CHECK(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(marrow_affine)) == 0);
  }
}

}  // namespace
}  // namespace marrow
