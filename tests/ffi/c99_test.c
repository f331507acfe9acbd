/* The C ABI from C99, without a word of C++: c99_test FOLDER, where the character is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marrow/marrow.h"

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
  CHECK(marrow_scene_destroy(scene) == MARROW_OK);
  CHECK(marrow_instance_update(hero, 0) == MARROW_ERROR_DEAD_HANDLE);
  CHECK(marrow_mixer_stop_all(mixer) == MARROW_ERROR_DEAD_HANDLE);
  CHECK(marrow_model_destroy(model) == MARROW_OK);
  CHECK(marrow_model_destroy(model) == MARROW_ERROR_DEAD_HANDLE);
  return failures == 0 ? 0 : 1;
}
