/* Two fighters, frame by frame: player 0 has the sword, player 1 the axe. Left and right walk, A strikes, B guards.
 *
 * Every picture of every move is baked by init, thirty a second, as what vertices are multiplied by; from there on the
 * game counts integers, as games do that must agree over a network. No skeleton is ever bound. */
#include "axe.h"
#include "character.h"
#include "grip.h"
#include "idle.h"
#include "marrow_guest.h"
#include "sword.h"
#include "walk.h"

enum { bone_count = CHARACTER_BONE_COUNT };

/* The moves and their pictures, each shown for two updates. */
enum { stand, stride, strike, hurt, guard, fall, move_count };
enum {
  stand_frames = 126,
  stride_frames = 31,
  strike_frames = 19,
  hurt_frames = 13,
  guard_frames = 6,
  fall_frames = 16
};
static const int32_t first_frame[move_count] = {0, 126, 157, 176, 189, 195};
static const int32_t frame_count[move_count] = {stand_frames, stride_frames, strike_frames,
                                                hurt_frames,  guard_frames,  fall_frames};
enum { all_frames = 211 };

/* Lengths are in millimetres, times in updates. */
enum {
  walk_step = 22,
  nearest = 900,  /* that two can be */
  reach = 1450,   /* of a strike */
  edge = 3000,    /* of the ring */
  hit_first = 14, /* when a strike hits */
  hit_last = 22,
  full_health = 100,
  round_pause = 150 /* before the next round */
};

typedef struct fighter {
  int32_t x, speed; /* along the ring; the speed is that of being knocked back */
  int32_t move, time;
  int32_t health, struck; /* whether the present strike has hit */
} fighter;

static struct {
  uint32_t mesh, weapons[2], bar;
  int32_t pause; /* until the next round; 0 while one is on */
  fighter fighters[2];
  guest_matrix frames[all_frames][bone_count]; /* model * inverse bind */
  guest_matrix hands[all_frames];              /* where a weapon is, in the model */
} game;

static const guest_clip idle = MARROW_GUEST_CLIP(IDLE), walk = MARROW_GUEST_CLIP(WALK), grip = MARROW_GUEST_CLIP(GRIP);

/* ---- Baking ------------------------------------------------------------------------------------------------------ */

static void bake(int32_t frame, const guest_transform* pose) {
  static guest_transform held[bone_count], fingers[bone_count];
  for (uint32_t i = 0; i < bone_count; ++i) held[i] = pose[i];
  guest_sample(&grip, 0.0f, fingers);
  guest_layer(held, fingers, GRIP_ANIMATED_BONES, GRIP_ANIMATED_BONE_COUNT, 1.0f);
  held[0].translation[0] = 0.0f; /* The root stays; the game moves the fighter. */
  held[0].translation[1] = 0.0f;
  guest_to_model(held, CHARACTER_BONE_PARENTS, bone_count, game.frames[frame]);
  game.hands[frame] = game.frames[frame][guest_find_bone(CHARACTER_BONE_NAMES, bone_count, "grip_R")];
  guest_to_final(game.frames[frame], CHARACTER_INVERSE_BIND_MATRICES, bone_count);
}

/* Turns a bone of a pose about an axis of its parent. */
static void turn(guest_transform* pose, const char* name, float x, float y, float z, float radians) {
  guest_transform* bone = &pose[guest_find_bone(CHARACTER_BONE_NAMES, bone_count, name)];
  bone->rotation = guest_turn(guest_axis_angle(x, y, z, radians), bone->rotation);
}

/* Turns the right arm at the shoulder and the elbow, forwards and up, and the joints that make half of each turn. */
static void lift(guest_transform* pose, float shoulder, float elbow) {
  turn(pose, "upper_arm_R", 1, 0, 0, -shoulder);
  turn(pose, "shoulder_R", 1, 0, 0, -0.5f * shoulder);
  turn(pose, "lower_arm_R", 1, 0, 0, -elbow);
  turn(pose, "elbow_R", 1, 0, 0, -0.5f * elbow);
}

/* Turns the trunk to the left, and bends it forwards. */
static void bend(guest_transform* pose, float left, float forwards) {
  turn(pose, "spine_1", 0, 0, 1, 0.5f * left);
  turn(pose, "spine_2", 0, 0, 1, 0.5f * left);
  turn(pose, "spine_1", 1, 0, 0, 0.5f * forwards);
  turn(pose, "chest", 1, 0, 0, 0.5f * forwards);
}

/* Bakes what lies between two poses: frames from `first`, at the end of which there is the second. Returns the next. */
static int32_t bake_between(const guest_transform* from, const guest_transform* to, int32_t first, int32_t count) {
  static guest_transform pose[bone_count];
  for (int32_t i = 1; i <= count; ++i) {
    for (uint32_t bone = 0; bone < bone_count; ++bone) pose[bone] = from[bone];
    guest_blend(pose, to, bone_count, (float)i / (float)count);
    bake(first++, pose);
  }
  return first;
}

static void bake_moves(void) {
  static guest_transform ready[bone_count], raised[bone_count], struck[bone_count], other[bone_count];
  for (int32_t i = 0; i < stand_frames; ++i) {
    guest_sample(&idle, (float)i / 30.0f, other);
    bake(first_frame[stand] + i, other);
  }
  for (int32_t i = 0; i < stride_frames; ++i) {
    guest_sample(&walk, (float)i / 30.0f, other);
    bake(first_frame[stride] + i, other);
  }

  /* The other moves are key poses, made by turning a few bones of the first picture of standing, and what is between.
   */
  guest_sample(&idle, 0.0f, ready);
  guest_sample(&idle, 0.0f, raised);
  lift(raised, 2.3f, 0.9f);
  bend(raised, -0.5f, -0.15f);
  guest_sample(&idle, 0.0f, struck);
  lift(struck, 0.9f, 0.1f);
  bend(struck, 0.6f, 0.5f);
  int32_t next = bake_between(ready, raised, first_frame[strike], 6);
  next = bake_between(raised, struck, next, 3);
  next = bake_between(struck, struck, next, 3);
  bake_between(struck, ready, next, 7);

  guest_sample(&idle, 0.0f, other);
  bend(other, 0.3f, -0.7f);
  next = bake_between(ready, other, first_frame[hurt], 3);
  bake_between(other, ready, next, 10);

  guest_sample(&idle, 0.0f, other);
  lift(other, 1.2f, 1.1f);
  bend(other, 0.3f, 0.1f);
  bake_between(ready, other, first_frame[guard], guard_frames);

  guest_sample(&idle, 0.0f, other);
  turn(other, "root", 1, 0, 0, -1.5f);
  other[0].translation[2] = 0.12f;
  bake_between(ready, other, first_frame[fall], fall_frames);
}

/* ---- Playing ----------------------------------------------------------------------------------------------------- */

static void start(fighter* f, int32_t move) {
  f->move = move;
  f->time = 0;
  f->struck = 0;
}

static void start_round(void) {
  for (int32_t i = 0; i < 2; ++i) {
    game.fighters[i].x = i == 0 ? -900 : 900;
    game.fighters[i].speed = 0;
    game.fighters[i].health = full_health;
    start(&game.fighters[i], stand);
  }
  game.pause = 0;
}

static int32_t picture_of(const fighter* f) { return first_frame[f->move] + f->time / 2; }

/* Steps one fighter by what its player presses. `ahead` is 1 where the other is to the right, else -1. */
static void step(fighter* f, uint32_t pressed, int32_t ahead) {
  const int32_t last = 2 * frame_count[f->move] - 1;
  const int32_t way = (pressed & GUEST_RIGHT ? 1 : 0) - (pressed & GUEST_LEFT ? 1 : 0);
  f->x += f->speed;
  f->speed = f->speed * 7 / 8;
  if (f->move == fall) {
    if (f->time < last) ++f->time;
  } else if (f->move == strike || f->move == hurt) {
    if (++f->time > last) start(f, stand);
  } else if (pressed & GUEST_A) {
    start(f, strike);
  } else if (pressed & GUEST_B) {
    if (f->move != guard) start(f, guard);
    if (f->time < 2 * guard_frames - 1) ++f->time;
  } else if (way != 0) {
    if (f->move != stride) start(f, stride);
    f->x += way * walk_step;
    f->time += way == ahead ? 1 : 2 * stride_frames - 1; /* backwards, the pictures go backwards */
    f->time %= 2 * stride_frames;
  } else {
    if (f->move != stand) start(f, stand);
    f->time = (f->time + 1) % (2 * stand_frames);
  }
}

/* Returns whether a strike hits now: in its time, within its reach, and once. */
static int32_t hits(const fighter* from, const fighter* to) {
  const int32_t distance = to->x > from->x ? to->x - from->x : from->x - to->x;
  const int32_t now = from->move == strike && from->time >= hit_first && from->time <= hit_last;
  return now && !from->struck && distance <= reach && to->move != fall;
}

static void take_hit(fighter* f, int32_t away) {
  const int32_t guarded = f->move == guard;
  f->speed = away * (guarded ? 30 : 70);
  f->health -= guarded ? 2 : 12;
  if (f->health <= 0) {
    f->health = 0;
    start(f, fall);
    game.pause = round_pause;
  } else if (!guarded) {
    start(f, hurt);
  }
}

/* Keeps the fighters in the ring and apart: the first always left of the second. */
static void separate(fighter* left, fighter* right) {
  const int32_t missing = nearest - (right->x - left->x);
  if (missing > 0) {
    left->x -= missing / 2;
    right->x += missing - missing / 2;
  }
  if (left->x < -edge) left->x = -edge;
  if (right->x < left->x + nearest) right->x = left->x + nearest;
  if (right->x > edge) right->x = edge;
  if (left->x > right->x - nearest) left->x = right->x - nearest;
}

MARROW_GUEST_EXPORT(init) void init(void) {
  static const float corners[8][3] = {{0, -0.02f, 0},     {1, -0.02f, 0},     {1, 0.02f, 0},     {0, 0.02f, 0},
                                      {0, -0.02f, 0.07f}, {1, -0.02f, 0.07f}, {1, 0.02f, 0.07f}, {0, 0.02f, 0.07f}};
  static const uint16_t faces[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                     1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
  static float vertices[8][7]; /* a bar a metre long, in a colour */
  static const float color[4] = {0.75f, 0.12f, 0.1f, 1};
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 7; ++k) vertices[i][k] = k < 3 ? corners[i][k] : color[k - 3];
  }
  game.bar = load_mesh_indexed(vertices[0], 8, faces, 36, GUEST_COLOR);
  game.mesh = load_mesh_packed_indexed(CHARACTER_VERTICES, CHARACTER_VERTEX_COUNT, CHARACTER_INDICES,
                                       CHARACTER_INDEX_COUNT, CHARACTER_VERTEX_FORMAT);
  game.weapons[0] = load_mesh_packed_indexed(SWORD_VERTICES, SWORD_VERTEX_COUNT, SWORD_INDICES, SWORD_INDEX_COUNT,
                                             SWORD_VERTEX_FORMAT);
  game.weapons[1] =
      load_mesh_packed_indexed(AXE_VERTICES, AXE_VERTEX_COUNT, AXE_INDICES, AXE_INDEX_COUNT, AXE_VERTEX_FORMAT);
  bake_moves();
  start_round();
}

MARROW_GUEST_EXPORT(update) void update(void) {
  fighter *left = &game.fighters[0], *right = &game.fighters[1];
  const int32_t over = game.pause > 0;
  if (over && --game.pause == 0) start_round();
  step(left, over ? 0 : buttons(0), 1);
  step(right, over ? 0 : buttons(1), -1);
  const int32_t left_hits = hits(left, right), right_hits = hits(right, left); /* perhaps both */
  left->struck |= left_hits;
  right->struck |= right_hits;
  if (left_hits) take_hit(right, 1);
  if (right_hits) take_hit(left, -1);
  separate(left, right);
}

MARROW_GUEST_EXPORT(render) void render(void) {
  skeleton_bind(0);
  for (int i = 0; i < 2; ++i) {
    const fighter* f = &game.fighters[i];
    const int32_t picture = picture_of(f);
    const float x = (float)f->x / 1000.0f, ahead = i == 0 ? 1.0f : -1.0f;

    /* The character is modelled looking along -y; the two look along x and -x. */
    const guest_matrix place = {{0, -ahead, 0, x, ahead, 0, 0, 0, 0, 0, 1, 0}};
    const guest_matrix weapon = guest_multiply(&place, &game.hands[picture]);
    set_bones(game.frames[picture][0].m, bone_count);
    transform_set(place.m);
    draw_mesh(game.mesh);
    transform_set(weapon.m);
    draw_mesh(game.weapons[i]);

    /* How healthy it is: a bar, which empties towards the edge. */
    const float length = 1.4f * (float)f->health / (float)full_health;
    const guest_matrix bar = {{length, 0, 0, i == 0 ? -1.6f : 1.6f - length, 0, 1, 0, 0, 0, 0, 1, 2.3f}};
    if (f->health > 0) {
      transform_set(bar.m);
      draw_mesh(game.bar);
    }
  }
}
