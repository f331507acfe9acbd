/* A garden party: characters, flowers and a pillar in one frame, with two skeletons and none.
 *
 * Three characters share a skeleton and a mesh: one walks around the pillar, one jumps, one waves. Flowers have a
 * skeleton of their own, made by init, and sway by arithmetic. The pillar has none.
 *
 * Right makes it go twice as fast, and left stands still: the one who walks, of player 0, and the one who waves, of
 * player 1. */
#include "character.h"
#include "idle.h"
#include "jump.h"
#include "marrow_guest.h"
#include "tube.h"
#include "walk.h"
#include "wave.h"

enum { bone_count = CHARACTER_BONE_COUNT };
enum { stem_bones = 10, ring_count = 11 };
enum { stem_vertices = ring_count * tube_sides, stem_indices = (ring_count - 1) * tube_sides * 6 };
enum { box_vertices = 36, pillar_vertices = 3 * box_vertices };

static const float spacing = 0.13f; /* of the stem's bones, metres */
static const float pillar_y = 0.9f, way_radius = 1.5f, walk_speed = 1.35f;

/* Idle, walk and wave are in translations, rotations and scales; jump is in matrices, which are taken apart as they are
 * sampled. */
static const guest_clip idle = MARROW_GUEST_CLIP(IDLE), walk = MARROW_GUEST_CLIP(WALK);
static const guest_clip jump = MARROW_GUEST_CLIP(JUMP), wave = MARROW_GUEST_CLIP(WAVE);

enum { walker, jumper, waver, guest_count };

static struct {
  uint32_t character, character_skeleton, flower, flower_skeleton, pillar;
  uint32_t ticks, walked, waved; /* in frames */
  guest_matrix places[guest_count];
  guest_matrix bones[guest_count][bone_count];
  guest_matrix stem[stem_bones];
} game;

/* ---- What is made by init ---------------------------------------------------------------------------------------- */

static uint32_t load_flower(void) {
  static const float shape[ring_count][3] = {{0.0f, 0.06f, 0},   {-0.3f, 0.045f, 0},  {-0.6f, 0.04f, 0},
                                             {-0.9f, 0.035f, 0}, {-1.15f, 0.035f, 0}, {-1.18f, 0.09f, 1},
                                             {-1.24f, 0.22f, 1}, {-1.28f, 0.27f, 1},  {-1.30f, 0.20f, 1},
                                             {-1.33f, 0.12f, 2}, {-1.37f, 0, 2}};
  static const float colors[3][3] = {{0.10f, 0.36f, 0.08f}, {0.75f, 0.16f, 0.35f}, {0.90f, 0.62f, 0.08f}};
  static tube_vertex vertices[stem_vertices];
  static uint16_t indices[stem_indices];
  tube_ring rings[ring_count];
  for (uint32_t i = 0; i < ring_count; ++i) {
    rings[i].x = shape[i][0];
    rings[i].width = shape[i][1];
    rings[i].height = shape[i][1];
    for (int k = 0; k < 3; ++k) {
      rings[i].color[k] = colors[(int)shape[i][2]][k];
      rings[i].below[k] = rings[i].color[k];
    }
  }
  tube_build(rings, ring_count, spacing, stem_bones, vertices, indices);
  return load_mesh_indexed(vertices[0].position, stem_vertices, indices, stem_indices, tube_format);
}

/* A vertex of what does not move by itself. */
typedef struct prop_vertex {
  float position[3], color[4], normal[3];
} prop_vertex;

/* Writes the triangles of an upright box, from a height to another. */
static void build_box(float half, float from, float to, prop_vertex* out) {
  static const float corners[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
  const float middle = 0.5f * (from + to), half_height = 0.5f * (to - from);
  const float size[3] = {half, half, half_height};
  for (uint32_t i = 0; i < box_vertices; ++i) {
    /* Two faces for each axis; the two axes after it span them, the other way round on the far side. */
    const uint32_t axis = i / 12, second = (axis + 1) % 3, third = (axis + 2) % 3;
    const float side = i % 12 < 6 ? 1.0f : -1.0f;
    const float* corner = corners[i % 6];
    prop_vertex vertex = {{0}, {0.55f, 0.53f, 0.50f, 1}, {0}};
    vertex.position[axis] = side * size[axis];
    vertex.position[second] = side * corner[0] * size[second];
    vertex.position[third] = corner[1] * size[third];
    vertex.position[2] += middle;
    vertex.normal[axis] = side;
    out[i] = vertex;
  }
}

static uint32_t load_pillar(void) {
  static prop_vertex vertices[pillar_vertices];
  build_box(0.34f, 0.0f, 0.18f, vertices);
  build_box(0.22f, 0.18f, 1.30f, vertices + box_vertices);
  build_box(0.30f, 1.30f, 1.45f, vertices + 2 * box_vertices);
  return load_mesh(vertices[0].position, pillar_vertices, GUEST_COLOR | GUEST_NORMAL);
}

/* ---- What moves -------------------------------------------------------------------------------------------------- */

static void animate(void) {
  static guest_transform pose[bone_count], other[bone_count], stem[stem_bones];
  static int32_t stem_parents[stem_bones];
  const double time = (double)game.ticks / 60.0;
  const double walk_time = (double)game.walked / 60.0, wave_time = (double)game.waved / 60.0;

  /* Around the pillar, looking along the way: on a circle that is a right angle to where it stands. */
  const float angle = guest_loop_time(walk_time * (double)(walk_speed / way_radius), 6.2831853f);
  const float x = guest_cos(angle), y = guest_sin(angle);
  const guest_matrix place = {{-x, y, 0, way_radius * x, -y, -x, 0, pillar_y + way_radius * y, 0, 0, 1, 0}};
  game.places[walker] = place;
  guest_sample(&walk, guest_loop_time(walk_time, walk.duration), pose);
  pose[0].translation[0] = 0.0f; /* The root goes ahead in the clip; here the place does. */
  pose[0].translation[1] = 0.0f;
  guest_to_model(pose, CHARACTER_BONE_PARENTS, bone_count, game.bones[walker]);

  guest_sample(&jump, guest_loop_time(time, jump.duration), pose);
  guest_to_model(pose, CHARACTER_BONE_PARENTS, bone_count, game.bones[jumper]);

  guest_sample(&idle, guest_loop_time(wave_time + 2.0, idle.duration), pose);
  guest_sample(&wave, guest_loop_time(wave_time, wave.duration), other);
  guest_layer(pose, other, WAVE_ANIMATED_BONES, WAVE_ANIMATED_BONE_COUNT, 1.0f);
  guest_to_model(pose, CHARACTER_BONE_PARENTS, bone_count, game.bones[waver]);

  /* Each bone of the stem leans a little against the one below; the lean runs up the stem as a wave. */
  const float wind = guest_loop_time(time * 1.6, 6.2831853f);
  for (uint32_t i = 0; i < stem_bones; ++i) {
    const float lean = 0.07f * guest_sin(wind - 0.5f * (float)i), across = 0.05f * guest_cos(wind - 0.4f * (float)i);
    stem_parents[i] = (int32_t)i - 1;
    stem[i].translation[0] = i == 0 ? 0.0f : -spacing;
    stem[i].rotation = guest_turn(guest_axis_angle(0, 1, 0, lean), guest_axis_angle(0, 0, 1, across));
    for (int k = 0; k < 3; ++k) stem[i].scale[k] = 1.0f;
  }
  guest_to_model(stem, stem_parents, stem_bones, game.stem);
}

MARROW_GUEST_EXPORT(init) void init(void) {
  static guest_matrix inverse_binds[stem_bones];
  tube_inverse_binds(spacing, stem_bones, inverse_binds);
  game.character = load_mesh_packed_indexed(CHARACTER_VERTICES, CHARACTER_VERTEX_COUNT, CHARACTER_INDICES,
                                            CHARACTER_INDEX_COUNT, CHARACTER_VERTEX_FORMAT);
  game.character_skeleton = load_skeleton(CHARACTER_INVERSE_BIND_MATRICES, bone_count);
  game.flower = load_flower();
  game.flower_skeleton = load_skeleton(inverse_binds[0].m, stem_bones);
  game.pillar = load_pillar();
  game.places[jumper] = guest_translation(-1.7f, -0.9f, 0.0f);
  game.places[waver] = guest_translation(1.6f, -1.0f, 0.0f);
  animate();
}

/* How many frames of its own time somebody lives in this one. */
static uint32_t pace(uint32_t player) {
  const uint32_t held = buttons(player);
  return 1u + (held & GUEST_RIGHT ? 1u : 0u) - (held & GUEST_LEFT ? 1u : 0u);
}

MARROW_GUEST_EXPORT(update) void update(void) {
  ++game.ticks;
  game.walked += pace(0);
  game.waved += pace(1);
  animate();
}

/* Draws a flower at a place: the tube, which goes along -x, is stood upright, so that -x is up. */
static void draw_flower(float x, float y, float size) {
  const guest_matrix place = {{0, 0, size, x, 0, size, 0, y, -size, 0, 0, 0}};
  transform_set(place.m);
  draw_mesh(game.flower);
}

MARROW_GUEST_EXPORT(render) void render(void) {
  skeleton_bind(game.character_skeleton);
  for (int i = 0; i < guest_count; ++i) {
    set_bones(game.bones[i][0].m, bone_count);
    transform_set(game.places[i].m);
    draw_mesh(game.character);
  }

  skeleton_bind(game.flower_skeleton); /* from here on, bones are those of a flower */
  set_bones(game.stem[0].m, stem_bones);
  draw_flower(-2.6f, 0.6f, 1.0f);
  draw_flower(-2.2f, 1.0f, 0.7f);
  draw_flower(2.5f, 0.8f, 1.1f);

  skeleton_bind(0); /* and from here on there are none */
  transform_identity();
  transform_set_position(0.0f, pillar_y, 0.0f);
  draw_mesh(game.pillar);
}
