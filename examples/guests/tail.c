/* A fish whose tail follows by springs: bones that no clip moves.
 *
 * Arrows steer, B hurries; left alone it swims along a path of its own. The head goes where it wants. Every other joint
 * is pulled behind the one ahead of it by a damped spring, which lags in turns and swings out after them. The mesh is
 * made by init, and the bones are written in model space straight from the joints: there is no hierarchy to walk. */
#include "marrow_guest.h"
#include "tube.h"

enum { joint_count = 10, ring_count = 11, fin_count = 12 };
enum {
  vertex_count = ring_count * tube_sides + fin_count * 3,
  index_count = (ring_count - 1) * tube_sides * 6 + fin_count * 3
};

static const float dt = 1.0f / 60.0f;
static const float spacing = 0.15f;                     /* between joints, metres */
static const float stiffness = 140.0f, damping = 11.0f; /* of the springs, for each unit of mass */
static const float turn_step = 0.05f;                   /* radians in a frame */
static const float edge = 3.2f;                         /* metres from the middle; beyond, it turns back */

static struct {
  uint32_t mesh, skeleton;
  uint32_t ticks;
  float facing_x, facing_y, speed;
  float stroke; /* of the tail, in radians */
  float joints[joint_count][3], velocities[joint_count][3];
  guest_matrix bones[joint_count];
} game;

/* ---- The mesh ---------------------------------------------------------------------------------------------------- */

static tube_vertex vertices[vertex_count];
static uint16_t indices[index_count];

/* Adds a triangle with one normal: fins are flat. Eyes are, too. */
static void add_fin(uint32_t fin, const float corners[3][3], const float* color) {
  float a[3], b[3];
  for (int k = 0; k < 3; ++k) {
    a[k] = corners[1][k] - corners[0][k];
    b[k] = corners[2][k] - corners[0][k];
  }
  const float cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  const float square = cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2];
  const float length = (float)guest_sqrt((double)square);
  const float normal[3] = {cross[0] / length, cross[1] / length, cross[2] / length};
  for (uint32_t i = 0; i < 3; ++i) {
    const uint32_t vertex = ring_count * tube_sides + fin * 3 + i;
    vertices[vertex] = tube_point(corners[i][0], corners[i][1], corners[i][2], normal, color, spacing, joint_count);
    indices[(ring_count - 1) * tube_sides * 6 + fin * 3 + i] = (uint16_t)vertex;
  }
}

static void build_mesh(void) {
  static const float shape[ring_count][3] = {{0.30f, 0, 0},           {0.26f, 0.05f, 0.06f},  {0.15f, 0.10f, 0.14f},
                                             {0.0f, 0.14f, 0.20f},    {-0.20f, 0.16f, 0.24f}, {-0.45f, 0.15f, 0.22f},
                                             {-0.70f, 0.11f, 0.16f},  {-0.95f, 0.07f, 0.10f}, {-1.15f, 0.04f, 0.065f},
                                             {-1.30f, 0.025f, 0.05f}, {-1.36f, 0, 0}};
  static const float orange[3] = {0.85f, 0.28f, 0.05f}, white[3] = {0.90f, 0.86f, 0.78f},
                     dark[3] = {0.04f, 0.04f, 0.05f};
  static const float red[3] = {0.70f, 0.12f, 0.06f};
  tube_ring rings[ring_count];
  for (uint32_t i = 0; i < ring_count; ++i) {
    const float* color = i == 3 || i == 7 ? white : orange; /* two bands */
    rings[i].x = shape[i][0];
    rings[i].width = shape[i][1];
    rings[i].height = shape[i][2];
    for (int k = 0; k < 3; ++k) {
      rings[i].color[k] = color[k];
      rings[i].below[k] = white[k];
    }
  }
  tube_build(rings, ring_count, spacing, joint_count, vertices, indices);

  static const float fins[8][3][3] = {
      {{0.0f, 0, 0.18f}, {-0.25f, 0, 0.42f}, {-0.45f, 0, 0.21f}}, /* on the back */
      {{-0.25f, 0, 0.42f}, {-0.70f, 0, 0.33f}, {-0.45f, 0, 0.21f}},
      {{-0.45f, 0, 0.21f}, {-0.70f, 0, 0.33f}, {-0.75f, 0, 0.14f}},
      {{-0.60f, 0, -0.17f}, {-0.90f, 0, -0.30f}, {-0.85f, 0, -0.11f}}, /* below */
      {{-1.25f, 0, 0.0f}, {-1.72f, 0, 0.34f}, {-1.52f, 0, 0.0f}},      /* of the tail */
      {{-1.25f, 0, 0.0f}, {-1.52f, 0, 0.0f}, {-1.72f, 0, -0.34f}},
      {{-0.02f, 0.13f, -0.05f}, {-0.18f, 0.15f, -0.05f}, {-0.32f, 0.34f, -0.16f}}, /* at the sides */
      {{-0.02f, -0.13f, -0.05f}, {-0.32f, -0.34f, -0.16f}, {-0.18f, -0.15f, -0.05f}}};
  for (uint32_t i = 0; i < 8; ++i) add_fin(i, fins[i], red);

  static const float eyes[4][3][3] = {{{0.17f, 0.105f, 0.03f}, {0.14f, 0.112f, 0.06f}, {0.11f, 0.122f, 0.03f}},
                                      {{0.17f, 0.105f, 0.03f}, {0.11f, 0.122f, 0.03f}, {0.14f, 0.117f, 0.0f}},
                                      {{0.17f, -0.105f, 0.03f}, {0.11f, -0.122f, 0.03f}, {0.14f, -0.112f, 0.06f}},
                                      {{0.17f, -0.105f, 0.03f}, {0.14f, -0.117f, 0.0f}, {0.11f, -0.122f, 0.03f}}};
  for (uint32_t i = 0; i < 4; ++i) add_fin(8 + i, eyes[i], dark);
}

/* ---- The motion -------------------------------------------------------------------------------------------------- */

static void unit(float* v) {
  const float length = (float)guest_sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  for (int k = 0; k < 3; ++k) v[k] = length > 0.0f ? v[k] / length : 0.0f;
}

/* Turns the fish towards a place on the ground plan, by a step at most. */
static void steer(float x, float y) {
  float to[3] = {x - game.joints[0][0], y - game.joints[0][1], 0};
  unit(to);
  const float ahead = game.facing_x * to[0] + game.facing_y * to[1];
  const float left = game.facing_x * to[1] - game.facing_y * to[0];
  const float cosine = guest_cos(turn_step), sine = left < 0.0f ? -guest_sin(turn_step) : guest_sin(turn_step);
  float turned[3] = {game.facing_x * cosine - game.facing_y * sine, game.facing_x * sine + game.facing_y * cosine, 0};
  unit(turned);
  if (ahead < cosine && (to[0] != 0.0f || to[1] != 0.0f)) {
    game.facing_x = turned[0];
    game.facing_y = turned[1];
  }
}

static void move_head(uint32_t pressed) {
  float* head = game.joints[0];
  const float time = (float)game.ticks * dt;
  const float x = (pressed & GUEST_RIGHT ? 1.0f : 0.0f) - (pressed & GUEST_LEFT ? 1.0f : 0.0f);
  const float y = (pressed & GUEST_UP ? 1.0f : 0.0f) - (pressed & GUEST_DOWN ? 1.0f : 0.0f);
  if (head[0] * head[0] + head[1] * head[1] > edge * edge) {
    steer(0.0f, 0.0f);
  } else if (x != 0.0f || y != 0.0f) {
    steer(head[0] + x, head[1] + y);
  } else {
    steer(2.4f * guest_cos(0.5f * time), 1.3f * guest_sin(time)); /* a lying eight */
  }
  game.speed = guest_approach(game.speed, pressed & GUEST_B ? 2.6f : 1.4f, 2.0f * dt);
  game.stroke += (3.0f + 3.0f * game.speed) * dt;
  if (game.stroke > 6.2831853f) game.stroke -= 6.2831853f;
  head[0] += game.facing_x * game.speed * dt;
  head[1] += game.facing_y * game.speed * dt;
  head[2] = 1.1f + 0.12f * guest_sin(0.9f * time);
}

/* The direction of the body ahead of a joint; of the head, where it looks, swaying with each stroke. */
static void direction(uint32_t joint, float* out) {
  if (joint == 0) {
    const float sway = 0.25f * guest_sin(game.stroke), c = guest_cos(sway), s = guest_sin(sway);
    out[0] = game.facing_x * c - game.facing_y * s;
    out[1] = game.facing_x * s + game.facing_y * c;
    out[2] = 0.0f;
    return;
  }
  for (int k = 0; k < 3; ++k) out[k] = game.joints[joint - 1][k] - game.joints[joint][k];
  unit(out);
}

/* Steps the springs: first the speed from the force, then the place from the speed (semi-implicit Euler), then the
 * length of the body, which does not stretch. */
static void follow(void) {
  for (uint32_t i = 1; i < joint_count; ++i) {
    float ahead[3];
    float *joint = game.joints[i], *velocity = game.velocities[i];
    direction(i - 1, ahead);
    for (int k = 0; k < 3; ++k) {
      const float rest = game.joints[i - 1][k] - ahead[k] * spacing;
      velocity[k] += (stiffness * (rest - joint[k]) - damping * velocity[k]) * dt;
      joint[k] += velocity[k] * dt;
    }
    direction(i, ahead);
    for (int k = 0; k < 3; ++k) joint[k] = game.joints[i - 1][k] - ahead[k] * spacing;
  }
}

/* Writes the bones: each at its joint, relative to the head, along the body there, upright. */
static void pose(void) {
  for (uint32_t i = 0; i < joint_count; ++i) {
    float x[3], behind[3];
    direction(i, x);
    direction(i + 1 < joint_count ? i + 1 : i, behind);
    for (int k = 0; k < 3; ++k) x[k] += behind[k];
    unit(x);
    float y[3] = {-x[1], x[0], 0.0f};
    unit(y);
    const float z[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    for (int k = 0; k < 3; ++k) {
      game.bones[i].m[4 * k] = x[k];
      game.bones[i].m[4 * k + 1] = y[k];
      game.bones[i].m[4 * k + 2] = z[k];
      game.bones[i].m[4 * k + 3] = game.joints[i][k] - game.joints[0][k];
    }
  }
}

MARROW_GUEST_EXPORT(init) void init(void) {
  static guest_matrix inverse_binds[joint_count];
  build_mesh();
  tube_inverse_binds(spacing, joint_count, inverse_binds);
  game.mesh = load_mesh_indexed(vertices[0].position, vertex_count, indices, index_count, tube_format);
  game.skeleton = load_skeleton(inverse_binds[0].m, joint_count);
  game.facing_x = 1.0f;
  game.speed = 1.4f;
  for (uint32_t i = 0; i < joint_count; ++i) {
    game.joints[i][0] = -(float)i * spacing;
    game.joints[i][2] = 1.1f;
  }
  pose();
}

MARROW_GUEST_EXPORT(update) void update(void) {
  ++game.ticks;
  move_head(buttons(0));
  follow();
  pose();
}

MARROW_GUEST_EXPORT(render) void render(void) {
  const float* head = game.joints[0];
  skeleton_bind(game.skeleton);
  set_bones(game.bones[0].m, joint_count);
  transform_identity();
  transform_set_position(head[0], head[1], head[2]);
  draw_mesh(game.mesh);

  /* A small one on the other side of the middle, half a turn around: the same bones, at another place. */
  const guest_matrix small = {{-0.4f, 0, 0, -head[0], 0, -0.4f, 0, -head[1], 0, 0, 0.4f, 0.5f}};
  transform_set(small.m);
  draw_mesh(game.mesh);
}
