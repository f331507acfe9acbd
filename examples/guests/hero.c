/* A hero from exported arrays, who idles, walks, runs and waves with a sword in hand, and a friend who copies each
 * move.
 *
 * Arrows walk, B runs, A waves. All that changes is in `game`. The bones are posed once in a frame: sampled from clips,
 * blended by weights that go up and down over a quarter of a second, multiplied down the hierarchy. */
#include "character.h"
#include "grip.h"
#include "idle.h"
#include "marrow_guest.h"
#include "run.h"
#include "sword.h"
#include "walk.h"
#include "wave.h"

enum { bone_count = CHARACTER_BONE_COUNT };

static const float dt = 1.0f / 60.0f, fade = 0.25f;      /* seconds */
static const float walk_speed = 1.35f, run_speed = 3.6f; /* metres a second, so that feet stay where they step */
static const float turn_step = 0.15f;                    /* radians in a frame */
static const float reach = 3.0f;                         /* metres from the middle */

static const guest_clip idle = MARROW_GUEST_CLIP(IDLE), walk = MARROW_GUEST_CLIP(WALK), run = MARROW_GUEST_CLIP(RUN);
static const guest_clip wave = MARROW_GUEST_CLIP(WAVE), grip = MARROW_GUEST_CLIP(GRIP);

static struct {
  uint32_t mesh, sword, skeleton, hand;
  uint32_t ticks;
  float x, y;                    /* where the hero stands */
  float facing_x, facing_y;      /* where it looks: of unit length */
  float moving, running, waving; /* how much of each shows, 0 to 1 */
  float step;                    /* how far the gait is through its two steps, 0 to 1 */
  guest_transform pose[bone_count], other[bone_count], gait[bone_count];
  guest_matrix bones[bone_count];
} game;

static float held(uint32_t pressed, uint32_t button) { return pressed & button ? 1.0f : 0.0f; }

/* Turns the hero towards a direction of unit length, by a step at most. */
static void turn_to(float x, float y) {
  const float cosine = guest_cos(turn_step);
  const float ahead = game.facing_x * x + game.facing_y * y, left = game.facing_x * y - game.facing_y * x;
  const float sine = left < 0.0f ? -guest_sin(turn_step) : guest_sin(turn_step);
  const float turned_x = game.facing_x * cosine - game.facing_y * sine;
  const float turned_y = game.facing_x * sine + game.facing_y * cosine;
  game.facing_x = ahead < cosine ? turned_x : x;
  game.facing_y = ahead < cosine ? turned_y : y;
}

static void move(uint32_t pressed) {
  const float x = held(pressed, GUEST_RIGHT) - held(pressed, GUEST_LEFT);
  const float y = held(pressed, GUEST_UP) - held(pressed, GUEST_DOWN);
  const float length = (float)guest_sqrt((double)(x * x + y * y));
  const float moves = length > 0.0f ? 1.0f : 0.0f;
  if (length > 0.0f) turn_to(x / length, y / length);

  game.moving = guest_approach(game.moving, moves, dt / fade);
  game.running = guest_approach(game.running, moves * held(pressed, GUEST_B), dt / fade);
  game.waving = guest_approach(game.waving, held(pressed, GUEST_A), dt / fade);

  const float speed = game.moving * (walk_speed + (run_speed - walk_speed) * game.running);
  game.x += game.facing_x * speed * dt;
  game.y += game.facing_y * speed * dt;
  const float distance = (float)guest_sqrt((double)(game.x * game.x + game.y * game.y));
  if (distance > reach) {
    game.x = game.x / distance * reach;
    game.y = game.y / distance * reach;
  }

  /* Walk and run both begin as the left heel strikes, so one number keeps them in step while they are blended. */
  game.step += dt / (walk.duration + (run.duration - walk.duration) * game.running);
  if (game.step >= 1.0f) game.step -= 1.0f;
  if (game.moving == 0.0f) game.step = 0.0f;
}

static void animate(void) {
  const double time = (double)game.ticks / 60.0;
  guest_sample(&idle, guest_loop_time(time, idle.duration), game.pose);
  if (game.moving > 0.0f) {
    guest_sample(&walk, game.step * walk.duration, game.gait);
    guest_sample(&run, game.step * run.duration, game.other);
    guest_blend(game.gait, game.other, bone_count, game.running);
    game.gait[0].translation[0] = 0.0f; /* The root goes ahead in the clips; here the hero's place does. */
    game.gait[0].translation[1] = 0.0f;
    guest_blend(game.pose, game.gait, bone_count, game.moving);
  }
  if (game.waving > 0.0f) {
    guest_sample(&wave, guest_loop_time(time, wave.duration), game.other);
    guest_layer(game.pose, game.other, WAVE_ANIMATED_BONES, WAVE_ANIMATED_BONE_COUNT, game.waving);
  }
  guest_sample(&grip, 0.0f, game.other); /* The fingers of the right hand close around the sword. */
  guest_layer(game.pose, game.other, GRIP_ANIMATED_BONES, GRIP_ANIMATED_BONE_COUNT, 1.0f);
  guest_to_model(game.pose, CHARACTER_BONE_PARENTS, bone_count, game.bones);
}

MARROW_GUEST_EXPORT(init) void init(void) {
  game.mesh = load_mesh_packed_indexed(CHARACTER_VERTICES, CHARACTER_VERTEX_COUNT, CHARACTER_INDICES,
                                       CHARACTER_INDEX_COUNT, CHARACTER_VERTEX_FORMAT);
  game.sword = load_mesh_packed_indexed(SWORD_VERTICES, SWORD_VERTEX_COUNT, SWORD_INDICES, SWORD_INDEX_COUNT,
                                        SWORD_VERTEX_FORMAT);
  game.skeleton = load_skeleton(CHARACTER_INVERSE_BIND_MATRICES, bone_count);
  game.hand = guest_find_bone(CHARACTER_BONE_NAMES, bone_count, "grip_R");
  game.facing_y = -1.0f;
  animate();
}

MARROW_GUEST_EXPORT(update) void update(void) {
  ++game.ticks;
  move(buttons(0));
  animate();
}

MARROW_GUEST_EXPORT(render) void render(void) {
  skeleton_bind(game.skeleton);
  set_bones(game.bones[0].m, bone_count);

  /* The character is modelled looking along -y; this turns it to where it goes. */
  const float x = game.facing_x, y = game.facing_y;
  const guest_matrix place = {{-y, -x, 0, game.x, x, -y, 0, game.y, 0, 0, 1, 0}};
  transform_set(place.m);
  draw_mesh(game.mesh);

  /* The bones are in the model's space, so the same ones serve a second character at another place. */
  transform_set_position(1.9f, 1.6f, 0.0f);
  draw_mesh(game.mesh);

  /* What is held goes where the bone is; the rig has a bone that fits the handle, so there is no offset. */
  const guest_matrix in_hand = guest_multiply(&place, &game.bones[game.hand]);
  transform_set(in_hand.m);
  draw_mesh(game.sword);
}
