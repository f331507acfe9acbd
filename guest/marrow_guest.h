/* marrow_guest.h: what a game needs inside a fantasy console, where it is a WASM module with animation of its own.
 *
 *   static const guest_clip walk = MARROW_GUEST_CLIP(WALK);   // the arrays of `marrow export animation`
 *   static guest_transform pose[BONE_COUNT];
 *   static guest_matrix bones[BONE_COUNT];
 *   ...
 *   guest_sample(&walk, guest_loop_time(time, walk.duration), pose);  // where each bone is, relative to its parent
 *   guest_to_model(pose, BONE_PARENTS, BONE_COUNT, bones);            // where each bone is in the model
 *   skeleton_bind(skeleton);
 *   set_bones(bones[0].m, BONE_COUNT);
 *   draw_mesh(mesh);
 *
 * Two halves: the functions that the console has for a game, and arithmetic that a game may use or not. The console
 * calls init once, then update and render for each frame, sixty times a second; see MARROW_GUEST_EXPORT.
 *
 * MEMORY is the game's own. Nothing here allocates or remembers: all state is in the game's variables, so a console
 * that saves and restores a game's memory saves and restores its animation. The console copies what pointers lead to
 * before a call returns.
 *
 * BITS are the same on every machine and compiler, and those of marrow_guest.rs: only + - * / and comparisons, in one
 * order. Compile with -ffp-contract=off (or -std=c99 with gcc) and without -ffast-math. Whatever numbers go in, if they
 * are finite so is what comes out: results are computed in double, and those that a float cannot hold become its
 * largest.
 *
 * C99 and C++, no library. Right-handed, z up, metres, seconds, radians. Matrices are 3x4, row by row. */
#ifndef MARROW_GUEST_H
#define MARROW_GUEST_H

#include <stdint.h>

#ifdef __FAST_MATH__
#error "marrow_guest.h needs arithmetic as it is written: compile without -ffast-math"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "marrow_guest.h needs float arithmetic to be done in float (use SSE2 on 32-bit x86)"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#ifdef __wasm__
#define MARROW_GUEST_IMPORT(name) __attribute__((import_module("env"), import_name(#name)))
#define MARROW_GUEST_EXPORT(name) __attribute__((export_name(#name)))
#else /* a program for this machine, with the console's functions linked to it */
#define MARROW_GUEST_IMPORT(name)
#define MARROW_GUEST_EXPORT(name)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What the console has ---------------------------------------------------------------------------------------- */

/* What vertices have beside their position, in this order. A format is the sum. Float vertices: 3 floats, then uv 2,
 * color 4, normal 3 floats, then 4 bytes of bones and 4 of weights that sum to 255. Packed ones: the bytes of
 * `marrow export mesh`. */
enum { GUEST_UV = 1, GUEST_COLOR = 2, GUEST_NORMAL = 4, GUEST_BONES = 8 };

/* What buttons are held: the bits of `buttons`. Up is away from the camera, +y. */
enum { GUEST_LEFT = 1, GUEST_RIGHT = 2, GUEST_UP = 4, GUEST_DOWN = 8, GUEST_A = 16, GUEST_B = 32 };

/* All of these return a number for what was loaded, and 0 where that failed; indices are those of triangles. */
MARROW_GUEST_IMPORT(load_skeleton) uint32_t load_skeleton(const float* inverse_binds, uint32_t bone_count);
MARROW_GUEST_IMPORT(load_mesh) uint32_t load_mesh(const float* vertices, uint32_t vertex_count, uint32_t format);
MARROW_GUEST_IMPORT(load_mesh_indexed)
uint32_t load_mesh_indexed(const float* vertices, uint32_t vertex_count, const uint16_t* indices, uint32_t index_count,
                           uint32_t format);
MARROW_GUEST_IMPORT(load_mesh_packed)
uint32_t load_mesh_packed(const uint8_t* vertices, uint32_t vertex_count, uint32_t format);
MARROW_GUEST_IMPORT(load_mesh_packed_indexed)
uint32_t load_mesh_packed_indexed(const uint8_t* vertices, uint32_t vertex_count, const uint16_t* indices,
                                  uint32_t index_count, uint32_t format);

/* Says what set_bones gets from now on: with a skeleton, bones in model space; with 0, what vertices are multiplied by,
 * the inverse binds being part of it (guest_to_final). */
MARROW_GUEST_IMPORT(skeleton_bind) void skeleton_bind(uint32_t skeleton);

/* Sets the bones of what is drawn from now on: 12 floats for each. */
MARROW_GUEST_IMPORT(set_bones) void set_bones(const float* matrices, uint32_t count);

/* Set where things are drawn from now on: nowhere else than they are, by a matrix, by the position of that alone. */
MARROW_GUEST_IMPORT(transform_identity) void transform_identity(void);
MARROW_GUEST_IMPORT(transform_set) void transform_set(const float* matrix);
MARROW_GUEST_IMPORT(transform_set_position) void transform_set_position(float x, float y, float z);
MARROW_GUEST_IMPORT(draw_mesh) void draw_mesh(uint32_t mesh);

/* Returns the buttons that a player (0 or 1) holds. */
MARROW_GUEST_IMPORT(buttons) uint32_t buttons(uint32_t player);

#ifdef __cplusplus
}
#endif

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

/* Returns the nearest float; the largest one for what is beyond. */
static inline float guest_float(double x) {
  const double largest = 3.4028234663852886e38;
  return (float)(x > largest ? largest : x < -largest ? -largest : x);
}

/* Returns the square root; 0 for what has none. For a float it is exact when rounded to float: Newton's method from a
 * guess by the exponent, whose error of 3.5 % goes to 6e-4, 2e-7, 2e-14 and below what a double can tell. */
static inline double guest_sqrt(double x) {
  union {
    double number;
    uint64_t bits;
  } y;
  if (!(x > 0.0)) return 0.0;
  if (x > 1.7976931348623157e308) return x;
  y.number = x;
  y.bits = (y.bits >> 1) + 0x1ff76c0000000000u;
  for (int i = 0; i < 4; ++i) y.number = 0.5 * (y.number + x / y.number);
  return y.number;
}

/* Sine of x plus a number of quarter turns: x is taken to the nearest quarter turn first (Cody and Waite, 1980), and
 * there the power series suffices. */
static inline float guest_sin_from(float x, int64_t quarters) {
  const double all = (double)x, to_quarters = all * 0.63661977236758138;
  if (!(to_quarters > -1e9 && to_quarters < 1e9)) return guest_sin_from(0.0f, quarters);
  const int64_t n = (int64_t)(to_quarters < 0.0 ? to_quarters - 0.5 : to_quarters + 0.5);
  const double r = (all - (double)n * 1.57079632673412561417) - (double)n * 6.07710050650619224932e-11, s = r * r;
  const int64_t q = (n + quarters) & 3;
  const double sine = r * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110 * (1 - s / 156))))));
  const double cosine = 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90 * (1 - s / 132)))));
  const double value = q == 0 || q == 2 ? sine : cosine;
  return (float)(q < 2 ? value : -value);
}

/* Return the sine and cosine of an angle, to the last bit of a float or the one beside it up to a million; where there
 * is no angle left in the number, from a thousand million on, those of 0. */
static inline float guest_sin(float radians) { return guest_sin_from(radians, 0); }
static inline float guest_cos(float radians) { return guest_sin_from(radians, 1); }

/* Returns a value that is a step nearer to the target, or the target. For fades: guest_approach(weight, 1, dt / 0.25).
 */
static inline float guest_approach(float value, float target, float step) {
  const float next = guest_float(value < target ? (double)value + (double)step : (double)value - (double)step);
  return (value < target ? next < target : next > target) ? next : target;
}

/* Returns the time of a clip that goes round and round: at least 0 and less than the duration; 0 where there is none.
 */
static inline float guest_loop_time(double time_s, float duration_s) {
  const double length = (double)duration_s, cycles = time_s / length;
  if (!(length > 0.0 && cycles > -4e15 && cycles < 4e15)) return 0.0f;
  double whole = (double)(int64_t)cycles;
  if (whole > cycles) whole -= 1.0;
  const float time = guest_float(time_s - whole * length);
  return time >= 0.0f && time < duration_s ? time : 0.0f;
}

/* Returns the time of a clip that plays once: at least 0 and at most the duration. */
static inline float guest_clamp_time(double time_s, float duration_s) {
  if (!(time_s > 0.0 && duration_s > 0.0f)) return 0.0f;
  return time_s < (double)duration_s ? guest_float(time_s) : duration_s;
}

/* ---- Matrices and rotations -------------------------------------------------------------------------------------- */

typedef struct guest_matrix {
  float m[12]; /* the axes x, y, z in columns 0, 1, 2; the translation in column 3 */
} guest_matrix;

/* A rotation of unit length: the axis times the sine of half the angle, and the cosine. */
typedef struct guest_quat {
  float x, y, z, w;
} guest_quat;

/* Scale, then rotation, then translation. */
typedef struct guest_transform {
  float translation[3];
  guest_quat rotation;
  float scale[3];
} guest_transform;

static inline guest_matrix guest_identity(void) {
  const guest_matrix out = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  return out;
}

static inline guest_matrix guest_translation(float x, float y, float z) {
  const guest_matrix out = {{1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z}};
  return out;
}

/* Returns the matrix that first does b, then a. */
static inline guest_matrix guest_multiply(const guest_matrix* a, const guest_matrix* b) {
  guest_matrix out;
  for (int row = 0; row < 3; ++row) {
    const double x = (double)a->m[4 * row], y = (double)a->m[4 * row + 1], z = (double)a->m[4 * row + 2];
    for (int column = 0; column < 4; ++column) {
      const double sum = x * (double)b->m[column] + y * (double)b->m[4 + column] + z * (double)b->m[8 + column];
      out.m[4 * row + column] = guest_float(column == 3 ? sum + (double)a->m[4 * row + 3] : sum);
    }
  }
  return out;
}

/* Returns the rotation around an axis of unit length. */
static inline guest_quat guest_axis_angle(float x, float y, float z, float radians) {
  const float s = guest_sin(0.5f * radians);
  const guest_quat out = {x * s, y * s, z * s, guest_cos(0.5f * radians)};
  return out;
}

/* Returns the rotation that first does b, then a. */
static inline guest_quat guest_turn(guest_quat a, guest_quat b) {
  const double ax = (double)a.x, ay = (double)a.y, az = (double)a.z, aw = (double)a.w;
  const double bx = (double)b.x, by = (double)b.y, bz = (double)b.z, bw = (double)b.w;
  const guest_quat out = {
      guest_float(aw * bx + ax * bw + ay * bz - az * by), guest_float(aw * by - ax * bz + ay * bw + az * bx),
      guest_float(aw * bz + ax * by - ay * bx + az * bw), guest_float(aw * bw - ax * bx - ay * by - az * bz)};
  return out;
}

/* sin(u angle) / sin(angle), given y = sin(angle / 2)^2 up to 1/2: u times the hypergeometric series
 * 2F1(1 - u, 1 + u; 3/2; y). No term is negative, and each is less than y times the one before. */
static inline double guest_slerp_weight(double u, double y) {
  double term = u, sum = u;
  for (int k = 1; k < 40; ++k) {
    const double n = (double)k;
    term = term * ((n * n - u * u) * y / (n * (n + 0.5)));
    sum = sum + term;
    if (term < 1e-10) break;
  }
  return sum;
}

/* Returns the rotation at u (0 to 1) of the shorter way from a to b, at an even pace: within 2e-7 radians, and without
 * trigonometry, by the series of Eberly, "A Fast and Accurate Algorithm for Computing SLERP", 2011. It is in the cosine
 * there; taking the chord loses nothing for small angles. */
static inline guest_quat guest_slerp(guest_quat a, guest_quat b, double u) {
  if (!(u > 0.0)) return a;
  if (!(u < 1.0)) return b;
  const double ax = (double)a.x, ay = (double)a.y, az = (double)a.z, aw = (double)a.w;
  const double dot = ax * (double)b.x + ay * (double)b.y + az * (double)b.z + aw * (double)b.w, sign = dot < 0 ? -1 : 1;
  const double bx = sign * (double)b.x, by = sign * (double)b.y, bz = sign * (double)b.z, bw = sign * (double)b.w;
  const double dx = bx - ax, dy = by - ay, dz = bz - az, dw = bw - aw;
  const double chord = 0.25 * (dx * dx + dy * dy + dz * dz + dw * dw), y = chord > 0.5 ? 0.5 : chord;
  const double from = guest_slerp_weight(1.0 - u, y), to = guest_slerp_weight(u, y);
  const guest_quat out = {guest_float(ax * from + bx * to), guest_float(ay * from + by * to),
                          guest_float(az * from + bz * to), guest_float(aw * from + bw * to)};
  return out;
}

/* Returns the matrix of a transform. */
static inline guest_matrix guest_compose(const guest_transform* t) {
  const double x = (double)t->rotation.x, y = (double)t->rotation.y, z = (double)t->rotation.z;
  const double w = (double)t->rotation.w;
  const double sx = (double)t->scale[0], sy = (double)t->scale[1], sz = (double)t->scale[2];
  guest_matrix out;
  out.m[0] = guest_float((1 - 2 * (y * y + z * z)) * sx);
  out.m[1] = guest_float(2 * (x * y - z * w) * sy);
  out.m[2] = guest_float(2 * (x * z + y * w) * sz);
  out.m[3] = t->translation[0];
  out.m[4] = guest_float(2 * (x * y + z * w) * sx);
  out.m[5] = guest_float((1 - 2 * (x * x + z * z)) * sy);
  out.m[6] = guest_float(2 * (y * z - x * w) * sz);
  out.m[7] = t->translation[1];
  out.m[8] = guest_float(2 * (x * z - y * w) * sx);
  out.m[9] = guest_float(2 * (y * z + x * w) * sy);
  out.m[10] = guest_float((1 - 2 * (x * x + y * y)) * sz);
  out.m[11] = t->translation[2];
  return out;
}

typedef struct guest_axis {
  double x, y, z;
} guest_axis;

static inline double guest_dot(guest_axis a, guest_axis b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline guest_axis guest_cross(guest_axis a, guest_axis b) {
  const guest_axis out = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  return out;
}

static inline guest_axis guest_divide(guest_axis a, double d) {
  const guest_axis out = {a.x / d, a.y / d, a.z / d};
  return out;
}

/* Some axis at right angles to one of unit length: across the coordinate axis that it is farthest from. */
static inline guest_axis guest_across(guest_axis a) {
  const double x = a.x * a.x, y = a.y * a.y, z = a.z * a.z;
  const int first = x <= y && x <= z, second = !first && y <= z;
  const guest_axis farthest = {first ? 1.0 : 0.0, second ? 1.0 : 0.0, first || second ? 0.0 : 1.0};
  const guest_axis out = guest_cross(a, farthest);
  return guest_divide(out, guest_sqrt(guest_dot(out, out)));
}

/* The rotation that a quaternion of any length but 0 is, w not negative. */
static inline guest_quat guest_unit(double x, double y, double z, double w) {
  const double length = guest_sqrt(x * x + y * y + z * z + w * w), d = w < 0.0 ? -length : length;
  const guest_quat out = {guest_float(x / d), guest_float(y / d), guest_float(z / d), guest_float(w / d)};
  return out;
}

/* The rotation that takes x, y and z to three axes (Shepperd, "Quaternion from Rotation Matrix", 1978). */
static inline guest_quat guest_from_axes(guest_axis x, guest_axis y, guest_axis z) {
  const double trace = x.x + y.y + z.z;
  if (trace >= x.x && trace >= y.y && trace >= z.z) return guest_unit(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace);
  if (x.x >= y.y && x.x >= z.z) return guest_unit(1.0 + 2.0 * x.x - trace, y.x + x.y, z.x + x.z, y.z - z.y);
  if (y.y >= z.z) return guest_unit(y.x + x.y, 1.0 + 2.0 * y.y - trace, z.y + y.z, z.x - x.z);
  return guest_unit(z.x + x.z, z.y + y.z, 1.0 + 2.0 * z.z - trace, x.y - y.x);
}

/* Returns the transform of a matrix, or the nearest for one with shear. A matrix that mirrors gets a negative scale on
 * x. A column without length, or along those before it, gets the scale 0, and an axis that fits the others. */
static inline guest_transform guest_decompose(const guest_matrix* a) {
  guest_axis axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double scale[3] = {0, 0, 0};
  int known[3];
  for (int i = 0; i < 3; ++i) {
    guest_axis rest = {(double)a->m[i], (double)a->m[4 + i], (double)a->m[8 + i]};
    const double whole = guest_sqrt(guest_dot(rest, rest));
    for (int j = 0; j < i; ++j) {
      if (!known[j]) continue;
      const double along = guest_dot(axes[j], rest);
      rest.x -= axes[j].x * along;
      rest.y -= axes[j].y * along;
      rest.z -= axes[j].z * along;
    }
    const double length = guest_sqrt(guest_dot(rest, rest));
    known[i] = length > 1e-7 * whole;
    if (!known[i]) continue;
    scale[i] = length;
    axes[i] = guest_divide(rest, length);
  }
  const int any = known[0] || known[1] || known[2];
  for (int i = 0; i < 3 && any; ++i) {
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    if (known[i]) continue;
    axes[i] = known[next] && known[last] ? guest_cross(axes[next], axes[last])
                                         : guest_across(axes[known[next] ? next : last]);
    known[i] = 1;
  }
  if (guest_dot(axes[0], guest_cross(axes[1], axes[2])) < 0.0) {
    axes[0] = guest_divide(axes[0], -1.0);
    scale[0] = -scale[0];
  }
  const guest_transform out = {{a->m[3], a->m[7], a->m[11]},
                               guest_from_axes(axes[0], axes[1], axes[2]),
                               {guest_float(scale[0]), guest_float(scale[1]), guest_float(scale[2])}};
  return out;
}

/* ---- Clips and poses --------------------------------------------------------------------------------------------- */

/* A clip in the arrays of `marrow export animation`, which it does not own. */
typedef struct guest_clip {
  const float* times;     /* of the frames, ascending */
  const float* keyframes; /* frame by frame, bone by bone, relative to parents: matrices, or with --trs 10 numbers */
  const uint8_t* interpolations; /* for each bone: 0 holds the frame before, 1 goes to the next */
  uint32_t frame_count, bone_count, keyframe_size;
  float duration; /* seconds */
} guest_clip;

/* The clip whose arrays begin with a word: MARROW_GUEST_CLIP(WALK) for WALK_KEYFRAMES. */
#define MARROW_GUEST_CLIP(CLIP)                                                                   \
  {                                                                                               \
    CLIP##_KEYFRAME_TIMES, CLIP##_KEYFRAMES, CLIP##_INTERPOLATIONS, CLIP##_ANIMATION_FRAME_COUNT, \
        CLIP##_ANIMATION_BONE_COUNT, CLIP##_KEYFRAME_SIZE, CLIP##_ANIMATION_DURATION              \
  }

/* Returns a bone of a frame. */
static inline guest_transform guest_key(const guest_clip* clip, uint32_t frame, uint32_t bone) {
  const float* v = clip->keyframes + (frame * clip->bone_count + bone) * clip->keyframe_size;
  if (clip->keyframe_size == 10) {
    const guest_transform out = {{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}, {v[7], v[8], v[9]}};
    return out;
  }
  guest_matrix matrix;
  for (int i = 0; i < 12; ++i) matrix.m[i] = v[i];
  return guest_decompose(&matrix);
}

/* Returns what lies between two transforms: a up to 0, b from 1 on. Rotations go the shorter way, all else straight. */
static inline guest_transform guest_mix(const guest_transform* a, const guest_transform* b, double u) {
  if (!(u > 0.0)) return *a;
  if (!(u < 1.0)) return *b;
  guest_transform out;
  for (int i = 0; i < 3; ++i) {
    const double t = (double)a->translation[i], s = (double)a->scale[i];
    out.translation[i] = guest_float(t + ((double)b->translation[i] - t) * u);
    out.scale[i] = guest_float(s + ((double)b->scale[i] - s) * u);
  }
  out.rotation = guest_slerp(a->rotation, b->rotation, u);
  return out;
}

/* Writes the bones of a clip at a time; before the first frame and after the last one, those of that. */
static inline void guest_sample(const guest_clip* clip, float time_s, guest_transform* pose) {
  uint32_t frame = 0, end = clip->frame_count; /* the frame is the last whose time has come, if any has */
  while (end - frame > 1) {
    const uint32_t middle = frame + (end - frame) / 2;
    const int come = clip->times[middle] <= time_s;
    frame = come ? middle : frame;
    end = come ? end : middle;
  }
  const uint32_t next = frame + 1 < clip->frame_count ? frame + 1 : frame;
  const double from = (double)clip->times[frame], length = (double)clip->times[next] - from;
  const double u = length > 0.0 && time_s > clip->times[frame] ? ((double)time_s - from) / length : 0.0;
  for (uint32_t bone = 0; bone < clip->bone_count; ++bone) {
    pose[bone] = guest_key(clip, frame, bone);
    if (u == 0.0 || clip->interpolations[bone] == 0) continue;
    const guest_transform to = guest_key(clip, next, bone);
    pose[bone] = guest_mix(&pose[bone], &to, u);
  }
}

/* Blends a pose towards another: unchanged for a weight of 0, the other for 1. */
static inline void guest_blend(guest_transform* pose, const guest_transform* other, uint32_t count, float weight) {
  for (uint32_t bone = 0; bone < count; ++bone) pose[bone] = guest_mix(&pose[bone], &other[bone], (double)weight);
}

/* The same for the bones of a list, such as WAVE_ANIMATED_BONES. */
static inline void guest_layer(guest_transform* pose, const guest_transform* other, const uint32_t* bones,
                               uint32_t count, float weight) {
  for (uint32_t i = 0; i < count; ++i) pose[bones[i]] = guest_mix(&pose[bones[i]], &other[bones[i]], (double)weight);
}

/* Writes the matrices of the bones in the model. Parents come before their children; -1 is none. */
static inline void guest_to_model(const guest_transform* pose, const int32_t* parents, uint32_t bone_count,
                                  guest_matrix* model) {
  for (uint32_t bone = 0; bone < bone_count; ++bone) {
    const guest_matrix local = guest_compose(&pose[bone]);
    model[bone] = parents[bone] < 0 ? local : guest_multiply(&model[parents[bone]], &local);
  }
}

/* Makes model * inverse bind of the model's bones, which set_bones gets while no skeleton is bound. */
static inline void guest_to_final(guest_matrix* bones, const float* inverse_binds, uint32_t bone_count) {
  for (uint32_t bone = 0; bone < bone_count; ++bone) {
    guest_matrix inverse_bind;
    for (int i = 0; i < 12; ++i) inverse_bind.m[i] = inverse_binds[12 * bone + (uint32_t)i];
    bones[bone] = guest_multiply(&bones[bone], &inverse_bind);
  }
}

/* Returns the bone of a name; 0, the first, where there is none. */
static inline uint32_t guest_find_bone(const char* const* names, uint32_t bone_count, const char* name) {
  for (uint32_t bone = 0; bone < bone_count; ++bone) {
    const char *a = names[bone], *b = name;
    while (*a != 0 && *a == *b) ++a, ++b;
    if (*a == *b) return bone;
  }
  return 0;
}

#endif
