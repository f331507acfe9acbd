// Memory through C: once everything has been made, a frame takes none.
#include <doctest/doctest.h>

#include "ffi/life.h"
#include "support/allocations.h"

namespace marrow {
namespace {

using namespace test;

void run_in_order(void*, std::uint32_t count, void (*run)(void*, std::uint32_t), void* data) {
  for (std::uint32_t job = 0; job < count; ++job) run(data, job);
}

TEST_CASE("updates, batches, palettes, snapshots and the flat functions allocate nothing through C") {
  Life life;
  const marrow_executor executor = {run_in_order, nullptr};
  marrow_action action = 0;
  marrow_node bone = 0;
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("walk"), nullptr, &action));
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("run"), nullptr, nullptr));
  MARROW_REQUIRE_OK(marrow_instance_find_bone(life.hero, "hand_R", &bone));
  std::vector<marrow_affine> matrices(kJoints);
  std::vector<marrow_transform> transforms(kJoints);
  std::vector<std::byte> block = saved(life.mixer);
  const marrow_pose pose = {transforms.data(), transforms.size(), nullptr, 0, nullptr, 0};
  marrow_affine world;
  marrow_status status = MARROW_OK;
  const auto frame = [&] {
    status |= marrow_scene_update(life.scene, 1.0 / 60, &executor);
    status |= marrow_update(&life.hero, 1, 1.0 / 60, &executor);
    status |= marrow_instance_palette(life.hero, 0, matrices.data(), matrices.size(), nullptr);
    status |= marrow_action_cross_fade_to(action, 0.2, nullptr);
    status |= marrow_node_world(bone, &world);
    status |= marrow_mixer_save(life.mixer, block.data(), block.size(), nullptr);
    status |= marrow_mixer_restore(life.mixer, block.data(), block.size());
    status |= marrow_sample(character(), clip("walk"), 0.3, &pose);
    status |= marrow_local_to_model(character(), transforms.data(), kJoints, matrices.data(), kJoints);
  };
  frame();
  CHECK(allocations_in([&] {
          for (int i = 0; i < 100; ++i) frame();
        }) == 0);
  CHECK(status == MARROW_OK);
}

}  // namespace
}  // namespace marrow
