/* The C ABI from C99, without a word of C++: c99_test FOLDER, where the character is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marrow/marrow.h"
#include "marrow/marrow_host.h"

static int failures = 0;

#define CHECK(condition)                                                                                  \
  do {                                                                                                    \
    if (!(condition)) {                                                                                   \
      const marrow_error* error_ = marrow_last_error();                                                   \
      fprintf(stderr, "%s:%d: %s is not so; the last error: %s: %s %s\n", __FILE__, __LINE__, #condition, \
              marrow_status_name(error_->status), error_->message, error_->place);                        \
      ++failures;                                                                                         \
    }                                                                                                     \
  } while (0)

/* The pose of a clip by functions alone is that of an instance that plays it. */
static void check_flat(marrow_model model, marrow_instance hero, marrow_mixer mixer) {
  marrow_model_info info;
  marrow_pose pose;
  marrow_affine *joints, *by_hand, *by_instance;
  uint64_t count = 0;
  uint32_t walk = 0;
  info.struct_size = sizeof info;
  CHECK(marrow_model_get_info(model, &info) == MARROW_OK);
  CHECK(marrow_model_find_clip(model, "walk", &walk) == MARROW_OK);
  CHECK(marrow_instance_palette(hero, 0, NULL, 0, &count) == MARROW_OK);
  CHECK(count > 0 && count <= info.joint_count);
  memset(&pose, 0, sizeof pose);
  pose.transforms = (marrow_transform*)malloc(info.joint_count * sizeof *pose.transforms);
  pose.transform_count = info.joint_count;
  joints = (marrow_affine*)malloc(info.joint_count * sizeof *joints);
  by_hand = (marrow_affine*)malloc(count * sizeof *by_hand);
  by_instance = (marrow_affine*)malloc(count * sizeof *by_instance);

  CHECK(marrow_sample(model, walk, 0.5, &pose) == MARROW_OK);
  CHECK(marrow_local_to_model(model, pose.transforms, info.joint_count, joints, info.joint_count) == MARROW_OK);
  CHECK(marrow_palette(model, 0, joints, info.joint_count, by_hand, count) == MARROW_OK);
  CHECK(marrow_mixer_play(mixer, 0, walk, NULL, NULL) == MARROW_OK);
  CHECK(marrow_instance_update(hero, 0.5) == MARROW_OK);
  CHECK(marrow_instance_palette(hero, 0, by_instance, count, NULL) == MARROW_OK);
  CHECK(memcmp(by_hand, by_instance, count * sizeof *by_hand) == 0);
  CHECK(marrow_instance_update(hero, 0.25) == MARROW_OK);
  CHECK(marrow_instance_palette(hero, 0, by_instance, count, NULL) == MARROW_OK);
  CHECK(memcmp(by_hand, by_instance, count * sizeof *by_hand) != 0);

  free(pose.transforms);
  free(joints);
  free(by_hand);
  free(by_instance);
}

/* Moves a joint of the pose up, and counts the runs that time passes in. */
static uint32_t lift(void* context, marrow_pose_edit* edit) {
  marrow_transform local;
  void* runs = NULL;
  uint64_t size = 0;
  double dt = -1;
  CHECK(marrow_pose_edit_dt(edit, &dt) == MARROW_OK);
  CHECK(marrow_pose_edit_state(edit, &runs, &size) == MARROW_OK);
  CHECK(size == sizeof(uint32_t));
  CHECK(marrow_pose_edit_local(edit, 0, &local) == MARROW_OK);
  local.translation[2] += *(const float*)context;
  CHECK(marrow_pose_edit_set_local(edit, 0, &local) == MARROW_OK);
  if (dt != 0) ++*(uint32_t*)runs;
  return MARROW_STAGE_CHANGED;
}

/* A stage moves the character; a snapshot has its state. */
static void check_stage(marrow_instance hero, float height) {
  marrow_pose_stage stage = MARROW_POSE_STAGE_INIT;
  marrow_affine* joints;
  unsigned char* block;
  uint64_t count = 0, size = 0;
  uint32_t number = 0;
  float before;
  CHECK(marrow_instance_joint_matrices(hero, NULL, 0, &count) == MARROW_OK);
  joints = (marrow_affine*)malloc(count * sizeof *joints);
  CHECK(marrow_instance_joint_matrices(hero, joints, count, NULL) == MARROW_OK);
  before = joints[0].m[11];
  stage.name = "lift";
  stage.state_bytes = sizeof(uint32_t);
  stage.run = lift;
  stage.context = &height;
  CHECK(marrow_instance_add_stage(hero, &stage, &number) == MARROW_OK);
  CHECK(marrow_instance_update(hero, 0) == MARROW_OK);
  CHECK(marrow_instance_joint_matrices(hero, joints, count, NULL) == MARROW_OK);
  CHECK(joints[0].m[11] > before + 0.9f * height);
  CHECK(marrow_instance_snapshot_size(hero, &size) == MARROW_OK);
  block = (unsigned char*)malloc(size);
  CHECK(marrow_instance_save(hero, block, size, &size) == MARROW_OK);
  CHECK(marrow_instance_restore(hero, block, size) == MARROW_OK);
  CHECK(marrow_instance_remove_stage(hero, number) == MARROW_OK);
  CHECK(marrow_instance_restore(hero, block, size) == MARROW_ERROR_INVALID_ARGUMENT);
  free(joints);
  free(block);
}

static void count_message(void* context, uint32_t level, const char* message) {
  if (level == MARROW_LOG_ERROR && strlen(message) > 5) ++*(int*)context;
}

/* What a game draws, by its bones and its transform. */
static void check_host(void) {
  static const float matrices[12] = {1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7}, corners[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  unsigned char memory[128];
  marrow_host host = 0;
  marrow_host_state before = 0;
  marrow_host_options options = MARROW_HOST_OPTIONS_INIT;
  marrow_host_draw draw;
  float positions[9];
  uint64_t count = 0;
  uint32_t mesh = 0, skeleton = 9;
  int messages = 0;
  memcpy(memory + 1, matrices, sizeof matrices);
  memcpy(memory + 50, corners, sizeof corners);
  options.log = count_message;
  options.log_context = &messages;
  CHECK(marrow_host_create(&options, &host) == MARROW_OK);
  CHECK(marrow_host_state_create(&before) == MARROW_OK);
  CHECK(marrow_host_save(host, before) == MARROW_OK);
  CHECK(marrow_host_load_skeleton(host, memory, sizeof memory, 100, 1, &skeleton) == MARROW_OK);
  CHECK(skeleton == 0 && messages == 1);
  CHECK(marrow_host_load_mesh(host, memory, sizeof memory, 50, 3, 0, &mesh) == MARROW_OK);
  CHECK(mesh == 1);
  CHECK(marrow_host_transform_set(host, memory, sizeof memory, 1) == MARROW_OK);
  CHECK(marrow_host_draw_mesh(host, mesh) == MARROW_OK);
  CHECK(marrow_host_draws(host, &draw, 1, &count) == MARROW_OK);
  CHECK(count == 1 && memcmp(&draw.transform, matrices, sizeof matrices) == 0);
  CHECK(marrow_host_draw_floats(host, 0, MARROW_POSITION, positions, 9, NULL) == MARROW_OK);
  CHECK(memcmp(positions, corners, sizeof corners) == 0);
  CHECK(marrow_host_restore(host, before) == MARROW_OK);
  CHECK(marrow_host_begin_frame(host) == MARROW_OK);
  CHECK(marrow_host_draw_mesh(host, mesh) == MARROW_OK);
  CHECK(marrow_host_draws(host, NULL, 0, &count) == MARROW_OK);
  CHECK(count == 0);
  CHECK(marrow_host_state_destroy(before) == MARROW_OK);
  CHECK(marrow_host_destroy(host) == MARROW_OK);
  CHECK(marrow_host_begin_frame(host) == MARROW_ERROR_DEAD_HANDLE);
}

int main(int argc, char** argv) {
  char path[1024];
  marrow_model model = 0;
  marrow_scene scene = 0;
  marrow_instance hero = 0;
  marrow_instance_options options = MARROW_INSTANCE_OPTIONS_INIT;
  marrow_mixer mixer = 0;
  if (argc != 2) return 2;
  snprintf(path, sizeof path, "%s/character.glb", argv[1]);

  CHECK(MARROW_CHECK_ABI() == MARROW_OK);
  CHECK(marrow_abi_version() == MARROW_ABI_VERSION);
  CHECK(strlen(marrow_version()) >= 5);
  CHECK(marrow_last_error()->status == MARROW_OK);
  CHECK(marrow_model_load("none.glb", NULL, &model) == MARROW_ERROR_UNREADABLE);
  CHECK(strstr(marrow_last_error()->message, "none.glb") != NULL);
  CHECK(model == 0);
  CHECK(marrow_model_load(path, NULL, &model) == MARROW_OK);
  CHECK(marrow_last_error()->status == MARROW_ERROR_UNREADABLE); /* what succeeds leaves it as it is */
  CHECK(marrow_scene_create(&scene) == MARROW_OK);
  options.name = "hero";
  CHECK(marrow_instance_create(scene, model, &options, &hero) == MARROW_OK);
  CHECK(marrow_model_destroy(model) == MARROW_OK); /* the instance lives on */
  CHECK(marrow_model_load(path, NULL, &model) == MARROW_OK);
  CHECK(marrow_instance_mixer(hero, &mixer) == MARROW_OK);
  check_flat(model, hero, mixer);
  check_stage(hero, 0.5f);
  check_host();
  CHECK(marrow_scene_destroy(scene) == MARROW_OK);
  CHECK(marrow_instance_update(hero, 0) == MARROW_ERROR_DEAD_HANDLE);
  CHECK(marrow_mixer_stop_all(mixer) == MARROW_ERROR_DEAD_HANDLE);
  CHECK(marrow_model_destroy(model) == MARROW_OK);
  CHECK(marrow_model_destroy(model) == MARROW_ERROR_DEAD_HANDLE);
  return failures == 0 ? 0 : 1;
}
