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

// A stage that uses all that an edit has.
std::uint32_t edit_everything(void* context, marrow_pose_edit* edit) {
  marrow_status& status = *static_cast<marrow_status*>(context);
  marrow_affine matrices[kJoints];
  marrow_transform local;
  void* state = nullptr;
  double seconds = 0;
  status |= marrow_pose_edit_dt(edit, &seconds);
  status |= marrow_pose_edit_state(edit, &state, nullptr);
  if (seconds != 0) ++static_cast<unsigned char*>(state)[0];
  status |= marrow_pose_edit_local(edit, 5, &local);
  local.translation[0] += 0.01f;
  status |= marrow_pose_edit_set_local(edit, 5, &local);
  status |= marrow_pose_edit_joint_matrix(edit, 5, matrices);
  std::uint32_t joint = 0;
  std::uint64_t count = 0;
  while (joint + 1 < kJoints && count == 0) status |= marrow_pose_edit_morphs(edit, ++joint, nullptr, 0, &count);
  float morphs[16] = {};
  status |= marrow_pose_edit_morphs(edit, joint, morphs, 16, nullptr);
  status |= marrow_pose_edit_set_morphs(edit, joint, morphs, count);
  status |= marrow_pose_edit_joint_matrices(edit, matrices, kJoints, nullptr);
  return MARROW_STAGE_CHANGED;
}

TEST_CASE("updates, batches, stages, palettes, snapshots and the flat functions allocate nothing through C") {
  Life life;
  const marrow_executor executor = {run_in_order, nullptr};
  marrow_action action = 0;
  marrow_node bone = 0;
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("walk"), nullptr, &action));
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("run"), nullptr, nullptr));
  MARROW_REQUIRE_OK(marrow_instance_find_bone(life.hero, "hand_R", &bone));
  std::vector<marrow_affine> matrices(kJoints);
  std::vector<marrow_transform> transforms(kJoints);
  marrow_status in_stage = MARROW_OK;
  std::uint32_t number = 0;
  const marrow_pose_stage stage = {sizeof stage, 1, 100, "everything", edit_everything, &in_stage};
  MARROW_REQUIRE_OK(marrow_instance_add_stage(life.hero, &stage, &number));
  std::vector<std::byte> block = saved(life.mixer), instance_block = saved_instance(life.hero);
  const marrow_pose pose = {transforms.data(), transforms.size(), nullptr, 0, nullptr, 0};
  marrow_affine world;
  marrow_status status = MARROW_OK;
  const auto frame = [&] {
    status |= marrow_scene_update(life.scene, 1.0 / 60, &executor);
    status |= marrow_update_instances(&life.hero, 1, 1.0 / 60, &executor);
    status |= marrow_instance_palette(life.hero, 0, matrices.data(), matrices.size(), nullptr);
    status |= marrow_action_cross_fade_to(action, 0.2, nullptr);
    status |= marrow_node_world(bone, &world);
    status |= marrow_mixer_save(life.mixer, block.data(), block.size(), nullptr);
    status |= marrow_mixer_restore(life.mixer, block.data(), block.size());
    status |= marrow_instance_save(life.hero, instance_block.data(), instance_block.size(), nullptr);
    status |= marrow_instance_update(life.hero, 1.0 / 60);
    status |= marrow_instance_restore(life.hero, instance_block.data(), instance_block.size());
    status |= marrow_scene_refresh(life.scene);
    status |= marrow_sample(character(), clip("walk"), 0.3, &pose);
    status |= marrow_local_to_model(character(), transforms.data(), kJoints, matrices.data(), kJoints);
  };
  frame();
  CHECK(allocations_in([&] {
          for (int i = 0; i < 100; ++i) frame();
        }) == 0);
  CHECK(status == MARROW_OK);
  CHECK(in_stage == MARROW_OK);
}

// Calls from loading to skinning. Each must succeed or run out of memory. `status` is the first that is not OK.
// Destroys its scene, and the model that it loaded.
struct Attempt {
  marrow_model loaded = 0;
  marrow_scene scene = 0;
  marrow_status status = MARROW_OK, in_stage = MARROW_OK;
  std::vector<std::byte> instance_block = std::vector<std::byte>(1 << 16);

  bool call(marrow_status result) {
    if (status == MARROW_OK) status = result;
    return result == MARROW_OK;
  }
  void run(const std::string& path) {
    if (call(marrow_model_load(path.c_str(), nullptr, &loaded))) run(loaded);
  }
  void run(marrow_model model) {
    marrow_instance hero = 0, second = 0;
    marrow_node node = 0;
    marrow_mixer mixer = 0;
    marrow_action action = 0;
    marrow_box box;
    marrow_root_motion_options root = MARROW_ROOT_MOTION_OPTIONS_INIT;
    const marrow_mark mark = {0.1, "a mark with a name that is longer than what a string stores in itself"};
    const marrow_transform place = MARROW_TRANSFORM_IDENTITY;
    std::uint32_t layer = 0;
    float mask[kJoints] = {};
    if (!call(marrow_scene_create(&scene))) return;
    if (!call(marrow_instance_create(scene, model, nullptr, &hero))) return;
    for (int i = 0; i < 40; ++i) call(marrow_node_create(scene, "a name that is longer than that", &place, 0, &node));
    call(marrow_instance_create(scene, model, nullptr, &second));
    if (call(marrow_instance_mixer(hero, &mixer))) {
      call(marrow_mixer_play(mixer, 0, 1, nullptr, &action));
      call(marrow_mixer_cross_fade_to(mixer, 0, 2, 0.3, nullptr, nullptr));
      call(marrow_mixer_set_root_motion(mixer, &root));
      call(marrow_mixer_set_marks(mixer, 1, &mark, 1));
      call(marrow_mixer_add_layer(mixer, nullptr, &layer));
      call(marrow_mixer_set_mask(mixer, 0, mask, kJoints));
      call(marrow_mixer_new_action(mixer, 0, 3, &action));
    }
    marrow_node bone = 0;
    if (call(marrow_instance_find_bone(hero, "hand_R", &bone))) {
      call(marrow_instance_set_override(hero, bone, &place, 1));
      if (node != 0) call(marrow_node_add(bone, node, MARROW_PRESERVE_WORLD, nullptr));
    }
    call(marrow_instance_set_skinning(hero, 0, MARROW_DUAL_QUATERNION));
    std::uint32_t number = 0;
    const marrow_pose_stage stage = {
        sizeof stage,    1,        100, "a stage with a name that is longer than what a string stores in itself",
        edit_everything, &in_stage};
    if (call(marrow_instance_add_stage(hero, &stage, &number))) call(marrow_instance_touch(hero));
    std::vector<std::byte>& block = instance_block;
    std::uint64_t size = block.size();
    if (call(marrow_instance_save(hero, block.data(), size, &size))) {
      call(marrow_instance_restore(hero, block.data(), size));
    }
    call(marrow_scene_update(scene, 0.2, nullptr));
    const marrow_executor executor = {run_in_order, nullptr};
    call(marrow_update_instances(&hero, 1, 0.2, &executor));
    call(marrow_instance_world_bounds(hero, &box));
    call(marrow_scene_update(scene, 0.2, &executor));
  }
  ~Attempt() {
    fail_no_allocation();
    CHECK(in_stage == MARROW_OK);
    if (scene != 0) CHECK(marrow_scene_update(scene, 0.1, nullptr) == MARROW_OK);  // goes on, whatever failed
    if (scene != 0) CHECK(marrow_scene_destroy(scene) == MARROW_OK);
    if (loaded != 0) CHECK(marrow_model_destroy(loaded) == MARROW_OK);
  }
};

TEST_CASE("whichever allocation fails, the call that needed it says so, and the scene goes on") {
  const std::string path = asset("character.glb");
  marrow_model model = 0;
  MARROW_REQUIRE_OK(marrow_model_load(path.c_str(), nullptr, &model));
  std::size_t loading = 0, living = 0;
  for (int i = 0; i < 2; ++i) {  // the first time tables are made, too
    loading = allocations_in([&] {
      Attempt attempt;
      attempt.run(path);
      REQUIRE(attempt.status == MARROW_OK);
    });
    living = allocations_in([&] {
      Attempt attempt;
      attempt.run(model);
      REQUIRE(attempt.status == MARROW_OK);
    });
  }
  REQUIRE(living > 50);
  REQUIRE(loading > living);
  int failures = 0;
  const auto fail_after = [&](std::size_t allocations, const auto& source) {
    CAPTURE(allocations);
    Attempt attempt;
    fail_allocation_after(allocations);
    attempt.run(source);
    fail_no_allocation();
    if (attempt.status == MARROW_OK) return;  // some containers try again with less
    ++failures;
    CHECK(attempt.status == MARROW_ERROR_OUT_OF_MEMORY);
  };
  for (std::size_t n = 0; n < loading; n += 61) fail_after(n, path);
  for (std::size_t n = 0; n < living; ++n) fail_after(n, model);
  CHECK(failures > 50);
  MARROW_REQUIRE_OK(marrow_model_destroy(model));
}

}  // namespace
}  // namespace marrow
