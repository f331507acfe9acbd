/* A console in C, for one game: wasm2c makes C of its WASM, and this plays it, sixty frames for a second.
 *
 *   wasm2c -n guest fighter_c.wasm -o guest.c
 *   cc -O2 -ffp-contract=off -DWASM2C_Z_NAMES -I . -I /usr/share/wabt/wasm2c console.c guest.c \
 *     -lwasm-rt-impl $(pkg-config --cflags --libs marrow) -lm -o fighter
 *   ./fighter 240 2 18 0 1
 *
 * plays 240 frames, in which player 0 holds right, right and A, nothing, and left, for 30 frames each. WASM2C_Z_NAMES
 * is for wabt up to 1.0.32. -ffp-contract=off keeps a compiler from changing the game's arithmetic.
 *
 * It prints a hash of what each frame draws, the same as console --hash and the game compiled for this
 * machine. Every twenty frames it goes back by eight and plays them again, which must draw the same. */
#include <inttypes.h>
#include <marrow/marrow_host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"
#include "wasm-rt-impl.h"
#ifndef WASM2C_Z_NAMES
#include "wasm-rt-exceptions.h" /* of which wasm-rt-impl.h uses a function */
#endif

/* What wasm2c calls things. */
#ifdef WASM2C_Z_NAMES
#define GUEST(name) Z_guestZ_##name
#define ENV(name) Z_envZ_##name
#define START(guest, e) (Z_guest_init_module(), Z_guest_instantiate(guest, e))
#define END(guest) Z_guest_free(guest)
typedef Z_guest_instance_t guest_instance;
typedef struct Z_env_instance_t env;
struct Z_env_instance_t {
#else
#define GUEST(name) w2c_guest_##name
#define ENV(name) w2c_env_##name
#define START(guest, e) wasm2c_guest_instantiate(guest, e)
#define END(guest) wasm2c_guest_free(guest)
typedef w2c_guest guest_instance;
typedef struct w2c_env env;
struct w2c_env {
#endif
  marrow_host host;
  guest_instance* guest;
  uint32_t buttons;
};

enum { depth = 8, ring = depth + 1, held_frames = 30, rollback_every = 20 };

/* Ends the program with what the library has to say, unless a call succeeds. */
static void check(marrow_status status) {
  const marrow_error* error = marrow_last_error();
  if (status == MARROW_OK) return;
  fprintf(stderr, "%s: %s %s\n", marrow_status_name(status), error->message, error->place);
  exit(1);
}

/* ---- What the game calls ----------------------------------------------------------------------------------------- */

#define MEMORY(e) GUEST(memory)((e)->guest)->data, GUEST(memory)((e)->guest)->size

u32 ENV(buttons)(env* e, u32 player) { return player == 0 ? e->buttons : 0; }

u32 ENV(load_skeleton)(env* e, u32 inverse_binds, u32 bone_count) {
  uint32_t skeleton = 0;
  check(marrow_host_load_skeleton(e->host, MEMORY(e), inverse_binds, bone_count, &skeleton));
  return skeleton;
}
void ENV(skeleton_bind)(env* e, u32 skeleton) { check(marrow_host_skeleton_bind(e->host, skeleton)); }
void ENV(set_bones)(env* e, u32 matrices, u32 count) {
  check(marrow_host_set_bones(e->host, MEMORY(e), matrices, count));
}
u32 ENV(load_mesh)(env* e, u32 vertices, u32 vertex_count, u32 format) {
  uint32_t mesh = 0;
  check(marrow_host_load_mesh(e->host, MEMORY(e), vertices, vertex_count, format, &mesh));
  return mesh;
}
u32 ENV(load_mesh_indexed)(env* e, u32 vertices, u32 vertex_count, u32 indices, u32 index_count, u32 format) {
  uint32_t mesh = 0;
  check(marrow_host_load_mesh_indexed(e->host, MEMORY(e), vertices, vertex_count, indices, index_count, format, &mesh));
  return mesh;
}
u32 ENV(load_mesh_packed)(env* e, u32 vertices, u32 vertex_count, u32 format) {
  uint32_t mesh = 0;
  check(marrow_host_load_mesh_packed(e->host, MEMORY(e), vertices, vertex_count, format, &mesh));
  return mesh;
}
u32 ENV(load_mesh_packed_indexed)(env* e, u32 vertices, u32 vertex_count, u32 indices, u32 index_count, u32 format) {
  uint32_t mesh = 0;
  check(marrow_host_load_mesh_packed_indexed(e->host, MEMORY(e), vertices, vertex_count, indices, index_count, format,
                                             &mesh));
  return mesh;
}
void ENV(transform_identity)(env* e) { check(marrow_host_transform_identity(e->host)); }
void ENV(transform_set)(env* e, u32 matrix) { check(marrow_host_transform_set(e->host, MEMORY(e), matrix)); }
void ENV(transform_set_position)(env* e, f32 x, f32 y, f32 z) {
  check(marrow_host_transform_set_position(e->host, x, y, z));
}
void ENV(draw_mesh)(env* e, u32 mesh) { check(marrow_host_draw_mesh(e->host, mesh)); }

static void write_log(void* context, uint32_t level, const char* message) {
  (void)context;
  fprintf(stderr, "%s: %s\n", level == MARROW_LOG_ERROR ? "error" : "warning", message);
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

/* A game as it is between two frames: its memory, its globals, and what the host has of it. */
typedef struct snapshot {
  void* memory;
  uint64_t memory_size;
  guest_instance globals; /* with where the memory is, which stays */
  marrow_host_state state;
} snapshot;

static void save(snapshot* to, const env* e) {
  const wasm_rt_memory_t* memory = GUEST(memory)(e->guest);
  if (to->memory_size != memory->size) {
    to->memory_size = memory->size;
    to->memory = realloc(to->memory, memory->size);
    if (to->memory == NULL) {
      fprintf(stderr, "there is not enough memory\n");
      exit(1);
    }
  }
  memcpy(to->memory, memory->data, memory->size);
  to->globals = *e->guest;
  check(marrow_host_save(e->host, to->state));
}

static void restore(const snapshot* from, env* e) {
  if (GUEST(memory)(e->guest)->size != from->memory_size) {
    fprintf(stderr, "the game's memory has grown, and cannot be made smaller again\n");
    exit(1);
  }
  *e->guest = from->globals;
  memcpy(GUEST(memory)(e->guest)->data, from->memory, from->memory_size);
  check(marrow_host_restore(e->host, from->state));
}

static uint64_t play_frame(env* e, uint32_t buttons) {
  uint64_t draws = 0;
  e->buttons = buttons;
  check(marrow_host_begin_frame(e->host));
  GUEST(update)(e->guest);
  GUEST(render)(e->guest);
  check(marrow_host_hash(e->host, NULL, &draws));
  return draws;
}

/* What is held in a frame, by the arguments of the program. */
static uint32_t held(int argc, char** argv, uint32_t frame) {
  const uint32_t argument = frame / held_frames + 2;
  return argument < (uint32_t)argc ? (uint32_t)strtoul(argv[argument], NULL, 10) : 0;
}

int main(int argc, char** argv) {
  static snapshot snapshots[ring]; /* before each of the last frames */
  static uint64_t hashes[ring];
  static guest_instance guest;
  static env e;
  marrow_host_options options = MARROW_HOST_OPTIONS_INIT;
  const uint32_t frames = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
  uint32_t frame, i;
  int trap;
  if (frames == 0) {
    fprintf(stderr, "usage: %s FRAMES [BUTTONS...], a number for each 30 frames\n", argv[0]);
    return 2;
  }

  check(MARROW_CHECK_ABI());
  options.log = write_log;
  check(marrow_host_create(&options, &e.host));
  for (i = 0; i < ring; ++i) check(marrow_host_state_create(&snapshots[i].state));
  e.guest = &guest;
  wasm_rt_init();
  trap = wasm_rt_impl_try();
  if (trap != 0) {
    fprintf(stderr, "the game has failed: %s\n", wasm_rt_strerror((wasm_rt_trap_t)trap));
    return 1;
  }
  START(&guest, &e);
  GUEST(init)(&guest);
  for (frame = 0; frame < frames; ++frame) {
    save(&snapshots[frame % ring], &e);
    hashes[frame % ring] = play_frame(&e, held(argc, argv, frame));
    printf("frame %" PRIu32 " %016" PRIx64 "\n", frame, hashes[frame % ring]);
    if (frame % rollback_every != rollback_every - 1) continue;
    restore(&snapshots[(frame + 1 - depth) % ring], &e);
    for (i = frame + 1 - depth; i <= frame; ++i) {
      if (play_frame(&e, held(argc, argv, i)) == hashes[i % ring]) continue;
      fprintf(stderr, "frame %" PRIu32 " draws something else when it is played again\n", i);
      return 1;
    }
  }

  for (i = 0; i < ring; ++i) {
    check(marrow_host_state_destroy(snapshots[i].state));
    free(snapshots[i].memory);
  }
  check(marrow_host_destroy(e.host));
  END(&guest);
  wasm_rt_free();
  return 0;
}
