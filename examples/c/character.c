/* The character in C: it stands, walks and runs through the world, waves meanwhile, and has a sword in its
 * hand.
 *
 *   cc character.c $(pkg-config --cflags --libs marrow) -o character && ./character assets
 *
 * examples/python and examples/rust do the same, and print the same. */
#include <marrow/marrow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_JOINTS 256

/* Ends the program with what the library has to say, unless a call succeeds. */
static void check(marrow_status status) {
  const marrow_error* error = marrow_last_error();
  if (status == MARROW_OK) return;
  fprintf(stderr, "%s: %s %s\n", marrow_status_name(status), error->message, error->place);
  exit(1);
}

static marrow_model load(const char* folder, const char* name) {
  char path[1024];
  marrow_model model;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  check(marrow_model_load(path, NULL, &model));
  return model;
}

static uint32_t find_clip(marrow_model model, const char* name) {
  uint32_t clip;
  check(marrow_model_find_clip(model, name, &clip));
  return clip;
}

/* FNV-1a, of the bytes of the palette: the same number on every machine. */
static uint64_t hash_of(const marrow_affine* palette, uint64_t count) {
  const unsigned char* bytes = (const unsigned char*)palette;
  uint64_t hash = 14695981039346656037u;
  uint64_t i;
  for (i = 0; i < count * sizeof *palette; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

int main(int argc, char** argv) {
  const char* folder = argc > 1 ? argv[1] : "assets";
  marrow_model model, sword_model;
  marrow_scene scene;
  marrow_instance hero, sword;
  marrow_node body, blade;
  marrow_mixer mixer;
  marrow_layer_options arms = MARROW_LAYER_OPTIONS_INIT;
  marrow_play_options waving = MARROW_PLAY_OPTIONS_INIT;
  marrow_transform place = MARROW_TRANSFORM_IDENTITY;
  float mask[MAX_JOINTS];
  uint32_t chest, layer, idle, walk, run, wave;
  int frame, i;

  check(MARROW_CHECK_ABI());
  model = load(folder, "character.glb");
  sword_model = load(folder, "sword.glb");
  idle = find_clip(model, "idle");
  walk = find_clip(model, "walk");
  run = find_clip(model, "run");
  wave = find_clip(model, "wave");

  check(marrow_scene_create(&scene));
  check(marrow_instance_create(scene, model, NULL, &hero));
  check(marrow_instance_create(scene, sword_model, NULL, &sword));
  check(marrow_instance_node(hero, &body));
  check(marrow_instance_node(sword, &blade));
  check(marrow_instance_attach(hero, blade, "grip_R", NULL, NULL));

  /* The base layer moves everything; the one above it the chest and what is on it, alone. */
  check(marrow_instance_mixer(hero, &mixer));
  check(marrow_mixer_set_root_motion(mixer, NULL));
  check(marrow_mixer_play(mixer, 0, idle, NULL, NULL));
  check(marrow_model_find_joint(model, "chest", &chest));
  check(marrow_model_branch_mask(model, chest, 1, mask, MAX_JOINTS, &arms.mask_count));
  arms.mask = mask;
  check(marrow_mixer_add_layer(mixer, &arms, &layer));
  waving.fade_in = 0.2;

  for (frame = 1; frame <= 360; ++frame) {
    marrow_transform step;
    if (frame == 61) check(marrow_mixer_cross_fade_to(mixer, 0, walk, 0.3, NULL, NULL));
    if (frame == 121) check(marrow_mixer_play(mixer, layer, wave, &waving, NULL));
    if (frame == 181) check(marrow_mixer_cross_fade_to(mixer, 0, run, 0.4, NULL, NULL));
    if (frame == 241) check(marrow_mixer_fade_out_layer(mixer, layer, 0.5, MARROW_EASE_SMOOTH));
    if (frame == 301) check(marrow_mixer_cross_fade_to(mixer, 0, idle, 0.3, NULL, NULL));
    check(marrow_scene_update(scene, 1.0 / 60, NULL));

    /* What the clips say of the way goes to the place in the world. None of them turns. */
    check(marrow_mixer_root_motion(mixer, &step));
    for (i = 0; i < 3; ++i) place.translation[i] += step.translation[i];
    check(marrow_node_set_local(body, &place));

    if (frame % 60 == 0) {
      marrow_affine palette[MAX_JOINTS], world;
      uint64_t count;
      check(marrow_instance_palette(hero, 0, palette, MAX_JOINTS, &count));
      check(marrow_node_world(blade, &world));
      printf("%d s: palette %016llx, sword at %.6f %.6f %.6f\n", frame / 60,
             (unsigned long long)hash_of(palette, count), (double)world.m[3], (double)world.m[7], (double)world.m[11]);
    }
  }

  check(marrow_scene_destroy(scene));
  check(marrow_model_destroy(sword_model));
  check(marrow_model_destroy(model));
  return 0;
}
