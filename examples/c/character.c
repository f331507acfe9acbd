/* The character in C: it stands, walks and runs through the world, waves and nods meanwhile, and has a sword in its
 * hand. The last second is played twice, from a snapshot.
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

/* A pose stage: nods every two seconds. Its state bytes, which snapshots contain, are a double: the phase of the
 * nod, from 0 to 1. */
static uint32_t nod(void* context, marrow_pose_edit* edit) {
  const uint32_t head = *(const uint32_t*)context;
  marrow_transform local;
  void* state;
  double dt, x, y, z, w, tilt;
  double* phase;
  check(marrow_pose_edit_dt(edit, &dt));
  check(marrow_pose_edit_state(edit, &state, NULL));
  check(marrow_pose_edit_local(edit, head, &local));
  phase = (double*)state;
  *phase += dt / 2;
  if (*phase >= 1) *phase -= 1;

  /* The rotation times (tilt, 0, 0, 1), which set_local normalises. Products of floats are exact in double, so all
   * languages and machines get the same bits. */
  tilt = (float)(0.3 * (*phase < 0.5 ? *phase : 1 - *phase));
  x = local.rotation[0];
  y = local.rotation[1];
  z = local.rotation[2];
  w = local.rotation[3];
  local.rotation[0] = (float)(x + w * tilt);
  local.rotation[1] = (float)(y + z * tilt);
  local.rotation[2] = (float)(z - y * tilt);
  local.rotation[3] = (float)(w - x * tilt);
  check(marrow_pose_edit_set_local(edit, head, &local));
  return MARROW_STAGE_CHANGED;
}

struct game {
  marrow_scene scene;
  marrow_instance hero;
  marrow_node body, blade;
  marrow_mixer mixer;
  uint32_t layer, idle, walk, run, wave;
  marrow_transform place;
};

static void play(struct game* g, int first, int last) {
  marrow_play_options waving = MARROW_PLAY_OPTIONS_INIT;
  int frame, i;
  waving.fade_in = 0.2;
  for (frame = first; frame <= last; ++frame) {
    marrow_transform step;
    if (frame == 61) check(marrow_mixer_cross_fade_to(g->mixer, 0, g->walk, 0.3, NULL, NULL));
    if (frame == 121) check(marrow_mixer_play(g->mixer, g->layer, g->wave, &waving, NULL));
    if (frame == 181) check(marrow_mixer_cross_fade_to(g->mixer, 0, g->run, 0.4, NULL, NULL));
    if (frame == 241) check(marrow_mixer_fade_out_layer(g->mixer, g->layer, 0.5, MARROW_EASE_SMOOTH));
    if (frame == 301) check(marrow_mixer_cross_fade_to(g->mixer, 0, g->idle, 0.3, NULL, NULL));
    check(marrow_scene_update(g->scene, 1.0 / 60, NULL));

    /* The root motion of the clips moves the place in the world. None of them turns. */
    check(marrow_mixer_root_motion(g->mixer, &step));
    for (i = 0; i < 3; ++i) g->place.translation[i] += step.translation[i];
    check(marrow_node_set_local(g->body, &g->place));

    if (frame % 60 == 0) {
      marrow_affine palette[MAX_JOINTS], world;
      uint64_t count;
      check(marrow_instance_palette(g->hero, 0, palette, MAX_JOINTS, &count));
      check(marrow_node_world(g->blade, &world));
      printf("%d s: palette %016llx, sword at %.6f %.6f %.6f\n", frame / 60,
             (unsigned long long)hash_of(palette, count), (double)world.m[3], (double)world.m[7], (double)world.m[11]);
    }
  }
}

int main(int argc, char** argv) {
  const char* folder = argc > 1 ? argv[1] : "assets";
  const marrow_transform start = MARROW_TRANSFORM_IDENTITY;
  marrow_model model, sword_model;
  marrow_instance sword;
  marrow_layer_options arms = MARROW_LAYER_OPTIONS_INIT;
  marrow_pose_stage nodding = MARROW_POSE_STAGE_INIT;
  marrow_transform place;
  struct game game;
  float mask[MAX_JOINTS];
  uint32_t chest, head, stage;
  uint64_t size;
  void* block;

  check(MARROW_CHECK_ABI());
  model = load(folder, "character.glb");
  sword_model = load(folder, "sword.glb");
  game.idle = find_clip(model, "idle");
  game.walk = find_clip(model, "walk");
  game.run = find_clip(model, "run");
  game.wave = find_clip(model, "wave");
  game.place = start;

  check(marrow_scene_create(&game.scene));
  check(marrow_instance_create(game.scene, model, NULL, &game.hero));
  check(marrow_instance_create(game.scene, sword_model, NULL, &sword));
  check(marrow_instance_node(game.hero, &game.body));
  check(marrow_instance_node(sword, &game.blade));
  check(marrow_instance_attach(game.hero, game.blade, "grip_R", NULL));

  /* The base layer moves everything; the one above it the chest and what is on it, alone. */
  check(marrow_instance_mixer(game.hero, &game.mixer));
  check(marrow_mixer_set_root_motion(game.mixer, NULL));
  check(marrow_mixer_play(game.mixer, 0, game.idle, NULL, NULL));
  check(marrow_model_find_joint(model, "chest", &chest));
  check(marrow_model_branch_mask(model, chest, 1, mask, MAX_JOINTS, &arms.mask_count));
  arms.mask = mask;
  check(marrow_mixer_add_layer(game.mixer, &arms, &game.layer));

  check(marrow_model_find_joint(model, "head", &head));
  nodding.name = "nod";
  nodding.state_bytes = sizeof(double);
  nodding.run = nod;
  nodding.context = &head;
  check(marrow_instance_add_stage(game.hero, &nodding, &stage));

  play(&game, 1, 300);
  check(marrow_instance_snapshot_size(game.hero, &size));
  block = malloc((size_t)size);
  check(marrow_instance_save(game.hero, block, size, &size));
  place = game.place;
  play(&game, 301, 360);

  /* The same second again. */
  check(marrow_instance_restore(game.hero, block, size));
  game.place = place;
  play(&game, 301, 360);

  free(block);
  check(marrow_scene_destroy(game.scene));
  check(marrow_model_destroy(sword_model));
  check(marrow_model_destroy(model));
  return 0;
}
