/* marrow.h: marrow from C, and from everything that can call C.
 *
 *   marrow_model model;
 *   if (marrow_model_load("hero.glb", NULL, &model) != MARROW_OK) return fail(marrow_last_error()->message);
 *   marrow_scene scene;
 *   marrow_instance hero;
 *   marrow_mixer mixer;
 *   marrow_scene_create(&scene);
 *   marrow_instance_create(scene, model, NULL, &hero);
 *   marrow_instance_mixer(hero, &mixer);
 *   marrow_mixer_play(mixer, 0, walk, NULL, NULL);
 *   ...
 *   marrow_scene_update(scene, dt, NULL);
 *   marrow_instance_palette(hero, 0, matrices, matrix_count, NULL);
 *
 * C99, and C++. What things mean is said in the C++ headers: scene/scene.h, mixer/mixer.h and so on; this one says what
 * is different. Right-handed, metres, seconds, radians; z is up unless a model is loaded otherwise.
 *
 * STATUS. Every function that can fail returns a marrow_status, and 0 is success. Whatever a program passes (null, a
 * handle that is dead or made up, a number that is none, a buffer that is too short) is answered with a status and
 * changes nothing. marrow_last_error tells more. Only pointers that are neither null nor good cannot be found out.
 *
 * HANDLES are numbers; 0 is none. A handle knows its kind and its owner, and that what it referred to is gone, also
 * when something else has taken the place. Whoever creates a model or a scene destroys it. A scene owns its nodes and
 * instances, an instance its mixer and bones, a mixer its actions: they go with their owner. A model may be destroyed
 * while instances of it live: they keep what they need.
 *
 * BUFFERS come with their size in elements. A function that copies out takes (out, capacity, count): `count`, if it is
 * not null, gets how many elements there are. With a null `out` and a capacity of 0 that is all; a capacity that is too
 * small is MARROW_ERROR_SHORT_BUFFER, and then only `count` is written. Texts count with the zero at their end.
 * Results are written only on success, `count` also where the buffer is too short.
 *
 * TEXTS that go in end with a zero; all are UTF-8. What comes from a file that is not is mended by U+FFFD; names that
 * are to be kept and are not are MARROW_ERROR_INVALID_ARGUMENT. Paths are what the system takes.
 *
 * OPTIONS are structs that may grow: `struct_size` is their sizeof where the program is compiled. A null pointer stands
 * for the defaults, which are those of the _INIT macros. A library takes those of an older program, with the defaults
 * for what it does not have, and of a newer one, if what is more is zero: else MARROW_ERROR_UNSUPPORTED. Structs that
 * are filled in go by their struct_size in the same way. Structs without one stay as they are.
 *
 * THREADS. Models may be used by any number of threads at once. One thread at a time may use a scene and what is in it;
 * different scenes are independent. Models and scenes may be created on any thread; nothing may be destroyed while
 * another thread uses it. During an update the library calls the program's pose stages, on the threads of the executor
 * if there is one.
 *
 * Matrices are 3x4, row by row; quaternions x y z w. Results are the same bits as those of the C++ functions. */
#ifndef MARROW_H
#define MARROW_H

#include <stddef.h>
#include <stdint.h>

#ifndef MARROW_API
#if defined(__GNUC__) && !defined(_WIN32)
#define MARROW_API __attribute__((visibility("default")))
#else
#define MARROW_API
#endif
#endif

#ifdef __cplusplus
#define MARROW_NOEXCEPT noexcept
extern "C" {
#else
#define MARROW_NOEXCEPT
#endif

/* ---- Versions --------------------------------------------------------------------------------------------------- */

/* Changes where a program that was compiled with another one would not work. */
#define MARROW_ABI_VERSION 5u

/* Returns the MARROW_ABI_VERSION that the library was compiled with. */
MARROW_API uint32_t marrow_abi_version(void) MARROW_NOEXCEPT;

/* Returns the version of the library, e.g. "0.1.0". Lives for ever. */
MARROW_API const char* marrow_version(void) MARROW_NOEXCEPT;

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

typedef int32_t marrow_status;

enum {
  MARROW_OK = 0,
  MARROW_ERROR_INVALID_ARGUMENT = 1, /* a value that makes no sense: a weight below zero, a mode that is none */
  MARROW_ERROR_NOT_FINITE = 2,       /* NaN, infinity, or a number too large to compute with */
  MARROW_ERROR_SIZE_MISMATCH = 3,    /* two lengths that should agree and do not */
  MARROW_ERROR_NOT_SORTED = 4,       /* key times that run backwards */
  MARROW_ERROR_CYCLE = 5,            /* joints or nodes below themselves, actions that follow themselves */
  MARROW_ERROR_TWO_PARENTS = 6,      /* a joint that two others claim as their child */
  MARROW_ERROR_DUPLICATE = 7,        /* a second one of what there may be one of */
  MARROW_ERROR_LIMIT_EXCEEDED = 8,   /* more than a limit allows */
  MARROW_ERROR_UNREADABLE = 9,       /* a file that is missing or cannot be read */
  MARROW_ERROR_MALFORMED = 10,       /* data that is not what its format asks for */
  MARROW_ERROR_UNSUPPORTED = 11,     /* something that this build of the library cannot do */
  MARROW_ERROR_NOT_ALLOWED = 12,     /* something that the options do not permit */
  MARROW_ERROR_DEVICE_LOST = 13,     /* a graphics device that is gone */

  MARROW_ERROR_NULL_POINTER = 32,   /* a pointer that must not be null is */
  MARROW_ERROR_BAD_HANDLE = 33,     /* a handle that is 0, of another kind, or was never given out */
  MARROW_ERROR_DEAD_HANDLE = 34,    /* the object is gone; or an edit is used outside its stage */
  MARROW_ERROR_FOREIGN_HANDLE = 35, /* a handle to something of another scene, instance or mixer */
  MARROW_ERROR_SHORT_BUFFER = 36,   /* a buffer that does not hold what is to be written */
  MARROW_ERROR_OUT_OF_RANGE = 37,   /* an index past the end */
  MARROW_ERROR_NOT_FOUND = 38,      /* a name or stage that does not exist */
  MARROW_ERROR_REFUSED = 39,        /* a command that makes no sense as things are; the message says why */
  MARROW_ERROR_BUSY = 40,           /* called by an executor or a stage of the scene, or by the log of the host */
  MARROW_ERROR_ABI_MISMATCH = 41,   /* the program was compiled with a header of another ABI version */
  MARROW_ERROR_OUT_OF_MEMORY = 42,
  MARROW_ERROR_INTERNAL = 43 /* a mistake of the library */
};

/* Returns the name of a status, e.g. "short_buffer"; "unknown" for numbers that are none. Lives for ever. */
MARROW_API const char* marrow_status_name(marrow_status status) MARROW_NOEXCEPT;

typedef struct marrow_error {
  marrow_status status; /* MARROW_OK if nothing has failed yet */
  const char* message;  /* a sentence; cut where it is very long */
  const char* place;    /* where in the input, e.g. "/meshes/0" or the name of a parameter; empty if nowhere */
} marrow_error;

/* Returns what the last call on this thread that failed had to say; never null. Good until the next call on this
 * thread that fails, or its end. Calls that succeed leave it as it is. */
MARROW_API const marrow_error* marrow_last_error(void) MARROW_NOEXCEPT;

/* Fails with MARROW_ERROR_ABI_MISMATCH if a program compiled for an ABI version cannot use the library. To be called
 * once, first: if (MARROW_CHECK_ABI() != MARROW_OK) ... */
#define MARROW_CHECK_ABI() marrow_check_abi(MARROW_ABI_VERSION)
MARROW_API marrow_status marrow_check_abi(uint32_t abi_version) MARROW_NOEXCEPT;

/* ---- Types ------------------------------------------------------------------------------------------------------ */

typedef uint64_t marrow_model;    /* what a file holds; never changes */
typedef uint64_t marrow_scene;    /* nodes in a tree, and the instances in it */
typedef uint64_t marrow_node;     /* a place in a scene; bones are nodes too */
typedef uint64_t marrow_instance; /* one living character, or thing */
typedef uint64_t marrow_mixer;    /* what plays the clips of an instance */
typedef uint64_t marrow_action;   /* a clip being played by a mixer */

#define MARROW_NONE (-1) /* in place of an index: there is none */

/* Scale, then rotation, then translation. The rotation need not be of unit length where a node is given one. */
typedef struct marrow_transform {
  float translation[3];
  float rotation[4]; /* x y z w */
  float scale[3];
} marrow_transform;

#define MARROW_TRANSFORM_IDENTITY        \
  {                                      \
    {0, 0, 0}, {0, 0, 0, 1}, { 1, 1, 1 } \
  }

/* The upper three rows of a 4x4 matrix, row by row; the translation is m[3], m[7], m[11]. */
typedef struct marrow_affine {
  float m[12];
} marrow_affine;

/* A box; one with nothing in it has `low` above `high`. */
typedef struct marrow_box {
  float low[3];
  float high[3];
} marrow_box;

/* ---- Models ----------------------------------------------------------------------------------------------------- */

enum { MARROW_UP_Z = 0, MARROW_UP_Y = 1 };

typedef struct marrow_load_options {
  uint32_t struct_size;
  uint32_t up;            /* MARROW_UP_Y keeps the axes of the file */
  uint32_t skip_meshes;   /* 1: without meshes and materials */
  uint32_t allow_outside; /* 1: buffers may be outside the file's folder */
  uint64_t memory_limit;  /* bytes that may be spent on what is read; 0: 64 MiB and 64 times, for .mrw 16 times, the
                             size of the file */
  uint32_t verify;        /* 1 checks a .mrw file before it is used; 0 is for files that nobody else can change */
  uint32_t reserved;      /* 0 */
} marrow_load_options;

#define MARROW_LOAD_OPTIONS_INIT \
  { sizeof(marrow_load_options), MARROW_UP_Z, 0, 0, 0, 1, 0 }

/* Loads a model from a file, .gltf, .glb or marrow's own .mrw: what it is is told by its first bytes. A .mrw file is
 * used in place, and must not be written to while the model or an instance of it lives. Files compressed with
 * meshoptimizer or Draco are MARROW_ERROR_UNSUPPORTED. To be destroyed by the caller. */
MARROW_API marrow_status marrow_model_load(const char* path, const marrow_load_options* options,
                                           marrow_model* model) MARROW_NOEXCEPT;

/* The same from memory, which needs to live only for the call; everything must be in it. */
MARROW_API marrow_status marrow_model_read(const void* bytes, uint64_t size, const marrow_load_options* options,
                                           marrow_model* model) MARROW_NOEXCEPT;

/* Ends the life of the handle. Instances of the model live on. */
MARROW_API marrow_status marrow_model_destroy(marrow_model model) MARROW_NOEXCEPT;

typedef struct marrow_model_info {
  uint32_t struct_size; /* to be set by the caller */
  uint32_t up;
  uint32_t joint_count;
  uint32_t morph_count; /* of all joints together */
  uint32_t clip_count;
  uint32_t skin_count;
  uint32_t mesh_count;
  uint32_t material_count;
  uint32_t node_count;
  uint32_t warning_count;
} marrow_model_info;

/* Tells how much there is in a model. */
MARROW_API marrow_status marrow_model_get_info(marrow_model model, marrow_model_info* info) MARROW_NOEXCEPT;

/* Copies the name of a model; and what was odd in its file, a sentence each. */
MARROW_API marrow_status marrow_model_name(marrow_model model, char* out, uint64_t capacity,
                                           uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_model_warning(marrow_model model, uint32_t warning, char* out, uint64_t capacity,
                                              uint64_t* count) MARROW_NOEXCEPT;

/* Finds the first joint or clip of a name. MARROW_ERROR_NOT_FOUND if there is none; the message has similar names. */
MARROW_API marrow_status marrow_model_find_joint(marrow_model model, const char* name, uint32_t* joint) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_model_find_clip(marrow_model model, const char* name, uint32_t* clip) MARROW_NOEXCEPT;

/* Copies the name of a joint. */
MARROW_API marrow_status marrow_model_joint_name(marrow_model model, uint32_t joint, char* out, uint64_t capacity,
                                                 uint64_t* count) MARROW_NOEXCEPT;

/* Copies the parents of all joints, which come before them; MARROW_NONE for a root. */
MARROW_API marrow_status marrow_model_joint_parents(marrow_model model, int32_t* out, uint64_t capacity,
                                                    uint64_t* count) MARROW_NOEXCEPT;

/* Copies the rest pose: a transform for each joint, relative to its parent; and the morph weights of all joints. */
MARROW_API marrow_status marrow_model_rest_pose(marrow_model model, marrow_transform* out, uint64_t capacity,
                                                uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_model_rest_morphs(marrow_model model, float* out, uint64_t capacity,
                                                  uint64_t* count) MARROW_NOEXCEPT;

/* Tells which of the morph weights of a pose are those of a joint; either result may be null. */
MARROW_API marrow_status marrow_model_joint_morphs(marrow_model model, uint32_t joint, uint32_t* first,
                                                   uint32_t* morph_count) MARROW_NOEXCEPT;

/* Copies a mask with 1 for a joint and all below it, and 0 elsewhere, a value for each joint. With `feather` it rises
 * to 1 in that many generations. */
MARROW_API marrow_status marrow_model_branch_mask(marrow_model model, uint32_t joint, uint32_t feather, float* out,
                                                  uint64_t capacity, uint64_t* count) MARROW_NOEXCEPT;

/* Copies the name of a clip; and tells its length in seconds. */
MARROW_API marrow_status marrow_model_clip_name(marrow_model model, uint32_t clip, char* out, uint64_t capacity,
                                                uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_model_clip_duration(marrow_model model, uint32_t clip, double* seconds) MARROW_NOEXCEPT;

/* Copies the name of a skin; its joints, in the order of its palette; and their inverse bind matrices. */
MARROW_API marrow_status marrow_model_skin_name(marrow_model model, uint32_t skin, char* out, uint64_t capacity,
                                                uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_model_skin_joints(marrow_model model, uint32_t skin, uint32_t* out, uint64_t capacity,
                                                  uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_model_skin_inverse_binds(marrow_model model, uint32_t skin, marrow_affine* out,
                                                         uint64_t capacity, uint64_t* count) MARROW_NOEXCEPT;

typedef struct marrow_node_info {
  uint32_t struct_size; /* to be set by the caller */
  int32_t parent;       /* each of these may be MARROW_NONE */
  int32_t joint;
  int32_t mesh;
  int32_t skin;
  uint32_t shown; /* 0 for what is not in the file's scene */
  marrow_transform rest;
} marrow_node_info;

/* Tells of a node of the file; and copies its name. */
MARROW_API marrow_status marrow_model_get_node(marrow_model model, uint32_t model_node,
                                               marrow_node_info* info) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_model_node_name(marrow_model model, uint32_t model_node, char* out, uint64_t capacity,
                                                uint64_t* count) MARROW_NOEXCEPT;

/* Copies the name of a mesh; and tells how many parts it has. */
MARROW_API marrow_status marrow_model_mesh_name(marrow_model model, uint32_t mesh, char* out, uint64_t capacity,
                                                uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_model_mesh_parts(marrow_model model, uint32_t mesh,
                                                 uint32_t* part_count) MARROW_NOEXCEPT;

enum { MARROW_TRIANGLES = 0, MARROW_LINES = 1, MARROW_POINTS = 2 }; /* lists: 3, 2, 1 indices each */

typedef struct marrow_part_info {
  uint32_t struct_size; /* to be set by the caller */
  uint32_t topology;
  uint32_t vertex_count;
  uint32_t index_count;
  uint32_t influences; /* joints of each vertex */
  uint32_t uv_count;   /* sets of texture coordinates */
  uint32_t target_count;
  int32_t material; /* MARROW_NONE for the default */
} marrow_part_info;

/* Tells of a part of a mesh, which is drawn at once. */
MARROW_API marrow_status marrow_model_get_part(marrow_model model, uint32_t mesh, uint32_t part,
                                               marrow_part_info* info) MARROW_NOEXCEPT;

enum {
  MARROW_POSITION = 0,        /* 3 floats for each vertex */
  MARROW_NORMAL = 1,          /* 3 */
  MARROW_TANGENT = 2,         /* 4 */
  MARROW_UV = 3,              /* 2; `set` is which of the sets */
  MARROW_COLOR = 4,           /* 4, linear */
  MARROW_WEIGHTS = 5,         /* `influences`, which sum to 1 */
  MARROW_TARGET_POSITION = 6, /* 3; `set` is which of the morph targets */
  MARROW_TARGET_NORMAL = 7,   /* 3 */
  MARROW_TARGET_TANGENT = 8   /* 3 */
};

/* Copies an attribute of all vertices, in floats; none where the part does not have it. `set` is 0 for all that have
 * but one; of texture coordinates and morph targets one that there is not is MARROW_ERROR_OUT_OF_RANGE. */
MARROW_API marrow_status marrow_model_part_floats(marrow_model model, uint32_t mesh, uint32_t part, uint32_t attribute,
                                                  uint32_t set, float* out, uint64_t capacity,
                                                  uint64_t* count) MARROW_NOEXCEPT;

/* Copies the joints of all vertices, `influences` for each: indices into the joints of the skin. */
MARROW_API marrow_status marrow_model_part_joints(marrow_model model, uint32_t mesh, uint32_t part, uint16_t* out,
                                                  uint64_t capacity, uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_model_part_indices(marrow_model model, uint32_t mesh, uint32_t part, uint32_t* out,
                                                   uint64_t capacity, uint64_t* count) MARROW_NOEXCEPT;

typedef struct marrow_material_info {
  uint32_t struct_size; /* to be set by the caller */
  uint32_t double_sided;
  uint32_t unlit;
  uint32_t alpha_mode; /* 0 opaque, 1 mask, 2 blend */
  float base_color[4]; /* linear */
  float emissive[3];
  float metallic;
  float roughness;
  float alpha_cutoff;
} marrow_material_info;

/* Tells of a material; and copies its name. */
MARROW_API marrow_status marrow_model_get_material(marrow_model model, uint32_t material,
                                                   marrow_material_info* info) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_model_material_name(marrow_model model, uint32_t material, char* out, uint64_t capacity,
                                                    uint64_t* count) MARROW_NOEXCEPT;

/* ---- Poses, by functions alone ---------------------------------------------------------------------------------- */

enum { MARROW_HAS_TRANSLATION = 1, MARROW_HAS_ROTATION = 2, MARROW_HAS_SCALE = 4, MARROW_HAS_MORPHS = 8 };

/* A pose in the caller's memory. `transforms` is one for each joint, relative to its parent. `morphs` is the morph
 * weights of all joints, joint by joint; null with a count of 0 if they are not wanted, or at rest. `present` is for
 * each joint which of its properties were set rather than left at rest (MARROW_HAS_...), which decides what takes part
 * in a blend; null with a count of 0 if that is not wanted, or for everything. */
typedef struct marrow_pose {
  marrow_transform* transforms;
  uint64_t transform_count;
  float* morphs;
  uint64_t morph_count;
  uint8_t* present;
  uint64_t present_count;
} marrow_pose;

/* Writes the pose of a clip at a time, which is clamped to its keys. */
MARROW_API marrow_status marrow_sample(marrow_model model, uint32_t clip, double seconds,
                                       const marrow_pose* out) MARROW_NOEXCEPT;

typedef struct marrow_blend_input {
  marrow_pose pose; /* finite, and rotations of unit length */
  float weight;     /* its share, together with `fade`; 0 or more */
  float fade;       /* from 0 to 1 */
} marrow_blend_input;

enum { MARROW_REPLACE = 0, MARROW_ADD = 1 };
enum { MARROW_FILL_FADE = 0, MARROW_FILL_WEIGHT = 1 };

typedef struct marrow_blend_layer {
  const marrow_blend_input* inputs;
  uint64_t input_count;
  const float* mask; /* a value from 0 to 1 for each joint; null with a count of 0 for all */
  uint64_t mask_count;
  uint32_t mode;     /* MARROW_REPLACE, MARROW_ADD */
  uint32_t fill;     /* MARROW_FILL_FADE, MARROW_FILL_WEIGHT */
  float weight;      /* from 0 to 1 */
  uint32_t reserved; /* 0 */
} marrow_blend_layer;

/* Writes the rest pose with all layers applied, first to last; at most 256 inputs in all. `out` may be one of the
 * inputs. */
MARROW_API marrow_status marrow_blend(marrow_model model, const marrow_blend_layer* layers, uint64_t layer_count,
                                      const marrow_pose* out) MARROW_NOEXCEPT;

/* Writes the matrix of every joint relative to the model. Both arrays are as long as the joints are many. */
MARROW_API marrow_status marrow_local_to_model(marrow_model model, const marrow_transform* transforms,
                                               uint64_t transform_count, marrow_affine* model_from_joint,
                                               uint64_t matrix_count) MARROW_NOEXCEPT;

/* Writes the palette of a skin: model_from_joint * inverse bind for each of its joints. */
MARROW_API marrow_status marrow_palette(marrow_model model, uint32_t skin, const marrow_affine* model_from_joint,
                                        uint64_t matrix_count, marrow_affine* palette,
                                        uint64_t palette_count) MARROW_NOEXCEPT;

/* An array of the caller's: what is null is not there, or not wanted. `stride` is bytes from one vertex to the next, 0
 * if they are side by side; `bytes` is the size of it all. */
typedef struct marrow_array {
  void* data;
  uint64_t bytes;
  uint64_t stride;
} marrow_array;

typedef struct marrow_skin_job {
  uint32_t struct_size;
  uint32_t influences; /* joints and weights of each vertex; 0: all follow the first matrix */
  uint64_t vertex_count;
  marrow_array positions; /* 3 floats each */
  marrow_array normals;   /* 3 floats */
  marrow_array tangents;  /* 4 floats */
  marrow_array joints;    /* `influences` uint16_t; one beyond the palette is taken as the last */
  marrow_array weights;   /* `influences` floats */
  const marrow_affine* palette;
  uint64_t palette_count;
  marrow_array out_positions; /* may be the arrays they come from, but not overlap them otherwise */
  marrow_array out_normals;
  marrow_array out_tangents;
} marrow_skin_job;

/* Moves vertices as a palette says, by linear blending. Data and strides of floats are multiples of four bytes, those
 * of joints of two. Numbers that are not finite are passed on to the vertices they concern. */
MARROW_API marrow_status marrow_skin_vertices(const marrow_skin_job* job) MARROW_NOEXCEPT;

/* ---- Scenes and nodes ------------------------------------------------------------------------------------------- */

/* Makes an empty scene, to be destroyed by the caller. Destroying one ends everything in it. */
MARROW_API marrow_status marrow_scene_create(marrow_scene* scene) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_scene_destroy(marrow_scene scene) MARROW_NOEXCEPT;

/* Destroys everything in a scene but its root. */
MARROW_API marrow_status marrow_scene_clear(marrow_scene scene) MARROW_NOEXCEPT;

/* The node that all others are below. */
MARROW_API marrow_status marrow_scene_root(marrow_scene scene, marrow_node* root) MARROW_NOEXCEPT;

/* Tells how many nodes and instances there are, bones and the root not counted; either may be null. */
MARROW_API marrow_status marrow_scene_counts(marrow_scene scene, uint64_t* nodes, uint64_t* instances) MARROW_NOEXCEPT;

/* The program's threads. `run` calls run_job(data, i) for each i below job_count, in any order and on any threads, and
 * returns when the last call has returned. Calls with handles of the scenes that are being
 * updated return MARROW_ERROR_BUSY. */
typedef struct marrow_executor {
  void (*run)(void* context, uint32_t job_count, void (*run_job)(void* data, uint32_t job), void* data);
  void* context;
} marrow_executor;

/* Updates all instances that have a mixer or a pose stage by `seconds`, then the world matrices. A null executor is the
 * thread of the caller. MARROW_ERROR_REFUSED if the executor did not do all jobs, or did some twice. */
MARROW_API marrow_status marrow_scene_update(marrow_scene scene, double seconds,
                                             const marrow_executor* executor) MARROW_NOEXCEPT;

/* Brings the world matrices up to date, and finishes the instances whose poses were edited. */
MARROW_API marrow_status marrow_scene_refresh(marrow_scene scene) MARROW_NOEXCEPT;

/* Makes a node. The name may be null for none, the transform null for the identity, the parent 0 for the root. */
MARROW_API marrow_status marrow_node_create(marrow_scene scene, const char* name, const marrow_transform* local,
                                            marrow_node parent, marrow_node* node) MARROW_NOEXCEPT;

enum {
  MARROW_CHILDREN_DESTROY = 0, /* the children are destroyed with the node, and so on down */
  MARROW_CHILDREN_KEEP = 1     /* they become children of its parent, and stay where they are in the world */
};

/* Destroys a node and its instance. Refused for bones and the root. */
MARROW_API marrow_status marrow_node_destroy(marrow_node node, uint32_t children) MARROW_NOEXCEPT;

/* Copies and sets the name of a node. Bones keep theirs. */
MARROW_API marrow_status marrow_node_name(marrow_node node, char* out, uint64_t capacity,
                                          uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_node_set_name(marrow_node node, const char* name) MARROW_NOEXCEPT;

/* The scene of a node; its parent, 0 for the root; and the instance that it is the root or a part of, 0 if none. */
MARROW_API marrow_status marrow_node_scene(marrow_node node, marrow_scene* scene) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_node_parent(marrow_node node, marrow_node* parent) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_node_instance(marrow_node node, marrow_instance* instance) MARROW_NOEXCEPT;

/* Copies the children of a node: of a bone the bones below it, then what was added. */
MARROW_API marrow_status marrow_node_children(marrow_node node, marrow_node* out, uint64_t capacity,
                                              uint64_t* count) MARROW_NOEXCEPT;

/* Finds the first node of a name below this one, or it itself. MARROW_ERROR_NOT_FOUND if there is none. */
MARROW_API marrow_status marrow_node_find(marrow_node node, const char* name, marrow_node* found) MARROW_NOEXCEPT;

/* Whether a node that gets another parent keeps its local transform or its place in the world. */
enum { MARROW_PRESERVE_LOCAL = 0, MARROW_PRESERVE_WORLD = 1 };

/* How far a node is from the matrix that was asked for: see PlaceResult in scene/node.h. */
typedef struct marrow_place_result {
  float rotation_error;
  float position_error;
} marrow_place_result;

/* add:     makes `child` a child of `node`.
 * remove:  makes `child`, a child of `node`, a child of the root.
 * `result` may be null. */
MARROW_API marrow_status marrow_node_add(marrow_node node, marrow_node child, uint32_t preserve,
                                         marrow_place_result* result) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_node_remove(marrow_node node, marrow_node child, uint32_t preserve,
                                            marrow_place_result* result) MARROW_NOEXCEPT;

/* The transform relative to the parent. To set that of a bone is to override it. */
MARROW_API marrow_status marrow_node_local(marrow_node node, marrow_transform* local) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_node_set_local(marrow_node node, const marrow_transform* local) MARROW_NOEXCEPT;

/* The matrix from the node to the world; always up to date. Refused for bones to set. */
MARROW_API marrow_status marrow_node_world(marrow_node node, marrow_affine* world) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_node_set_world(marrow_node node, const marrow_affine* world,
                                               marrow_place_result* result) MARROW_NOEXCEPT;

/* Whether the node wants to be seen, and whether all above it do, too; either may be null. */
MARROW_API marrow_status marrow_node_visible(marrow_node node, uint32_t* visible, uint32_t* shown) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_node_set_visible(marrow_node node, uint32_t visible) MARROW_NOEXCEPT;

/* ---- Instances -------------------------------------------------------------------------------------------------- */

typedef struct marrow_instance_options {
  uint32_t struct_size;
  uint32_t actions;              /* of the mixer, to allocate at once: at most 1023 */
  uint32_t max_actions;          /* up to which it grows, at most 1023; 0: 128, or the clips of the model and 16 */
  uint32_t layers;               /* at most 255, with the base */
  uint32_t events;               /* at most 65535 */
  uint32_t reserved;             /* 0 */
  const char* name;              /* of its root; null: that of the model */
  const marrow_transform* local; /* of its root; null: the identity */
  marrow_node parent;            /* 0: the root of the scene */
} marrow_instance_options;

#define MARROW_INSTANCE_OPTIONS_INIT \
  { sizeof(marrow_instance_options), 16, 0, 4, 64, 0, NULL, NULL, 0 }

/* Makes one more of what a model holds, at rest. Destroying it is destroying its node, with all below. */
MARROW_API marrow_status marrow_instance_create(marrow_scene scene, marrow_model model,
                                                const marrow_instance_options* options,
                                                marrow_instance* instance) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_destroy(marrow_instance instance) MARROW_NOEXCEPT;

/* The root of an instance; the node of a joint, by name or number; and the node of a node of the model. */
MARROW_API marrow_status marrow_instance_node(marrow_instance instance, marrow_node* node) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_find_bone(marrow_instance instance, const char* name,
                                                   marrow_node* bone) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_bone(marrow_instance instance, uint32_t joint,
                                              marrow_node* bone) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_model_node(marrow_instance instance, uint32_t model_node,
                                                    marrow_node* node) MARROW_NOEXCEPT;

/* What plays the clips of an instance, always the same. */
MARROW_API marrow_status marrow_instance_mixer(marrow_instance instance, marrow_mixer* mixer) MARROW_NOEXCEPT;

/* The steps of an update: time, fades and events; the pose; its matrices. `update` is all three. */
MARROW_API marrow_status marrow_instance_update(marrow_instance instance, double seconds) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_advance(marrow_instance instance, double seconds) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_evaluate(marrow_instance instance) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_finish(marrow_instance instance) MARROW_NOEXCEPT;

/* Updates many instances, of one scene or several, none of them twice, by so many seconds. Nodes that they carry follow
 * with marrow_scene_refresh. */
MARROW_API marrow_status marrow_update_instances(const marrow_instance* instances, uint64_t count, double seconds,
                                                 const marrow_executor* executor) MARROW_NOEXCEPT;

/* pose:      copies the local pose out, before stages and overrides.
 * set_pose:  copies a local pose in; call it between evaluate and finish. Rotations must be of unit length. */
MARROW_API marrow_status marrow_instance_pose(marrow_instance instance, const marrow_pose* out) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_set_pose(marrow_instance instance, const marrow_pose* pose) MARROW_NOEXCEPT;

/* Copies the matrices as last finished, in model space: of all joints; of all nodes of the model; and the palette of a
 * skin, which is what vertices are moved by. */
MARROW_API marrow_status marrow_instance_joint_matrices(marrow_instance instance, marrow_affine* out, uint64_t capacity,
                                                        uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_node_matrices(marrow_instance instance, marrow_affine* out, uint64_t capacity,
                                                       uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_palette(marrow_instance instance, uint32_t skin, marrow_affine* out,
                                                 uint64_t capacity, uint64_t* count) MARROW_NOEXCEPT;

/* Copies the morph weights of a node of the model; none if it has no morph targets. */
MARROW_API marrow_status marrow_instance_morphs(marrow_instance instance, uint32_t model_node, float* out,
                                                uint64_t capacity, uint64_t* count) MARROW_NOEXCEPT;

/* Overrides the local transform of a bone of this instance, by a weight from 0 to 1, until it is cleared. */
MARROW_API marrow_status marrow_instance_set_override(marrow_instance instance, marrow_node bone,
                                                      const marrow_transform* transform, float weight) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_clear_override(marrow_instance instance, marrow_node bone) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_clear_overrides(marrow_instance instance) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_has_override(marrow_instance instance, marrow_node bone,
                                                      uint32_t* has) MARROW_NOEXCEPT;

/* attach:  makes `thing` a child of the bone of that name. `offset` is its new local transform; null is the identity.
 * detach:  makes `thing` a child of the root, and keeps its place in the world. `result` may be null. */
MARROW_API marrow_status marrow_instance_attach(marrow_instance instance, marrow_node thing, const char* bone,
                                                const marrow_transform* offset) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_detach(marrow_instance instance, marrow_node thing,
                                                marrow_place_result* result) MARROW_NOEXCEPT;

enum { MARROW_LINEAR = 0, MARROW_DUAL_QUATERNION = 1 };

/* Sets how the vertices of a mesh are blended by marrow_instance_skin. */
MARROW_API marrow_status marrow_instance_set_skinning(marrow_instance instance, uint32_t mesh,
                                                      uint32_t skinning) MARROW_NOEXCEPT;

/* Writes the vertices of a part of the mesh of a node of the model, in model space, as the finished pose and the morph
 * weights put them. Counts are in floats: 3, 3 and 4 for each vertex; null with a count of 0 for what is not wanted. */
MARROW_API marrow_status marrow_instance_skin(marrow_instance instance, uint32_t model_node, uint32_t part,
                                              float* positions, uint64_t position_floats, float* normals,
                                              uint64_t normal_floats, float* tangents,
                                              uint64_t tangent_floats) MARROW_NOEXCEPT;

/* A box around all meshes that are shown, as finished: in model space; and in the world, with what is attached. */
MARROW_API marrow_status marrow_instance_bounds(marrow_instance instance, marrow_box* box) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_world_bounds(marrow_instance instance, marrow_box* box) MARROW_NOEXCEPT;

/* Copies the state of an instance out as a block of bytes without pointers: that of its mixer, the state bytes of its
 * stages, their pending times, and its overrides. The block does not contain the pose, node transforms,
 * visibility or attached nodes.
 *   snapshot_size:  the most that `save` writes now; a further stage or override needs more.
 *   save:           without a buffer, `count` is the snapshot size; otherwise it is the number of bytes written.
 *   restore:        fails on a block that is damaged, or of an instance with another skeleton, clips or stages. Then
 *                   nothing has changed. Call marrow_instance_update(instance, 0) afterwards for the pose and matrices.
 */
MARROW_API marrow_status marrow_instance_snapshot_size(marrow_instance instance, uint64_t* size) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_save(marrow_instance instance, void* out, uint64_t capacity,
                                              uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_restore(marrow_instance instance, const void* block,
                                                 uint64_t size) MARROW_NOEXCEPT;

/* ---- Pose stages ------------------------------------------------------------------------------------------------ */

/* A pose stage is a function of the program that changes the pose of an instance between its clips and its matrices:
 * look-at, inverse kinematics, springs, physics. The stages of an instance run in the order in which they were added,
 * then the overrides of bones. They work on a copy: marrow_instance_pose is the pose before them.
 *
 * Stages run in every function that finishes an instance: marrow_scene_update, marrow_scene_refresh,
 * marrow_update_instances, marrow_instance_update and marrow_instance_finish. They are called on the thread of the
 * caller, or with an executor on the threads of the executor: stages of different instances then run at the same time.
 * So a stage may read data that no other stage writes, and write only its own data. It is called with round to nearest
 * and with denormals, whatever the thread has set. It must return normally.
 *
 * While a stage runs, each call with a handle of a scene that is being updated returns MARROW_ERROR_BUSY. A stage gets
 * the pose through its edit instead. */
typedef struct marrow_pose_edit marrow_pose_edit;

/* Whether time can change the result of a stage. MARROW_STAGE_UNCHANGED is a promise: as long as the pose and the data
 * of the stage stay the same, further runs change neither the result nor the state bytes, for any time step. When all
 * stages of an instance without a mixer have promised that, updates skip the instance. marrow_instance_touch ends that,
 * and so does a change of its pose, overrides or stages. */
enum { MARROW_STAGE_UNCHANGED = 0, MARROW_STAGE_CHANGED = 1 };

typedef struct marrow_pose_stage {
  uint32_t struct_size;
  uint32_t version;                                       /* saved blocks have the name and version */
  uint64_t state_bytes;                                   /* at most 1 MiB */
  const char* name;                                       /* copied; not null or empty */
  uint32_t (*run)(void* context, marrow_pose_edit* edit); /* MARROW_STAGE_...; not null */
  void* context;                                          /* passed to `run`; not owned */
} marrow_pose_stage;

#define MARROW_POSE_STAGE_INIT \
  { sizeof(marrow_pose_stage), 1, 0, NULL, NULL, NULL }

/* Adds a stage after those that the instance has, and removes one. An instance never uses the number of a stage twice.
 * `run` and `context` must be valid until the stage is removed or the instance destroyed. MARROW_ERROR_LIMIT_EXCEEDED
 * for more than 1 MiB of state, MARROW_ERROR_NOT_FOUND if the instance has no such stage. */
MARROW_API marrow_status marrow_instance_add_stage(marrow_instance instance, const marrow_pose_stage* stage,
                                                   uint32_t* number) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_remove_stage(marrow_instance instance, uint32_t number) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_stage_count(marrow_instance instance, uint32_t* stage_count) MARROW_NOEXCEPT;

/* Reports that the data of a stage has changed: the next update, finish or marrow_scene_refresh runs the stages again.
 */
MARROW_API marrow_status marrow_instance_touch(marrow_instance instance) MARROW_NOEXCEPT;

/* An edit is valid during the call of `run`, on its thread. Elsewhere these functions return MARROW_ERROR_DEAD_HANDLE.
 * Do not keep the pointer: a later call may get the same. Errors of these functions concern the stage alone: the update
 * that called the stage succeeds.
 *
 * The time in seconds that the instance was advanced since the stage was added or last ran; 0 if it was not. At 0 a
 * stage must not change its state bytes. */
MARROW_API marrow_status marrow_pose_edit_dt(marrow_pose_edit* edit, double* seconds) MARROW_NOEXCEPT;

/* The state bytes of the stage, to read and write during the call. They are zero when the stage is added, are saved and
 * restored with the instance, and are aligned to 16. `size` may be null. */
MARROW_API marrow_status marrow_pose_edit_state(marrow_pose_edit* edit, void** state, uint64_t* size) MARROW_NOEXCEPT;

/* The transform of a joint relative to its parent. Setting it normalises the rotation. MARROW_ERROR_NOT_FINITE for
 * values that are not finite or beyond 1e18, MARROW_ERROR_INVALID_ARGUMENT for a rotation without length. */
MARROW_API marrow_status marrow_pose_edit_local(marrow_pose_edit* edit, uint32_t joint,
                                                marrow_transform* local) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_pose_edit_set_local(marrow_pose_edit* edit, uint32_t joint,
                                                    const marrow_transform* local) MARROW_NOEXCEPT;

/* The matrix of a joint in model space, and those of all joints, with all changes so far. They are computed on demand:
 * after a change the subtree of the changed joint is computed again. */
MARROW_API marrow_status marrow_pose_edit_joint_matrix(marrow_pose_edit* edit, uint32_t joint,
                                                       marrow_affine* matrix) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_pose_edit_joint_matrices(marrow_pose_edit* edit, marrow_affine* out, uint64_t capacity,
                                                         uint64_t* count) MARROW_NOEXCEPT;

/* The morph weights of a joint; none if it has no morph targets. To set them, pass all weights of the joint, finite and
 * at most 1e18. After that all matrices are computed again. */
MARROW_API marrow_status marrow_pose_edit_morphs(marrow_pose_edit* edit, uint32_t joint, float* out, uint64_t capacity,
                                                 uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_pose_edit_set_morphs(marrow_pose_edit* edit, uint32_t joint, const float* weights,
                                                     uint64_t count) MARROW_NOEXCEPT;

/* ---- Mixers ----------------------------------------------------------------------------------------------------- */

enum { MARROW_ONCE = 0, MARROW_REPEAT = 1, MARROW_PING_PONG = 2 };
enum { MARROW_EASE_LINEAR = 0, MARROW_EASE_SMOOTH = 1, MARROW_EASE_IN = 2, MARROW_EASE_OUT = 3 };

/* The members of marrow_play_options that an action gets; the others stay as they are. */
enum { MARROW_PLAY_SPEED = 1, MARROW_PLAY_LOOP = 2, MARROW_PLAY_REPETITIONS = 4, MARROW_PLAY_WEIGHT = 8 };

typedef struct marrow_play_options {
  uint32_t struct_size;
  uint32_t set; /* a sum of MARROW_PLAY_SPEED and so on */
  double speed;
  double fade_in; /* seconds, from the present fade */
  uint32_t loop;
  uint32_t repetitions; /* 0: endless */
  float weight;
  uint32_t reserved; /* 0 */
} marrow_play_options;

#define MARROW_PLAY_OPTIONS_INIT \
  { sizeof(marrow_play_options), 0, 1, 0, MARROW_REPEAT, 0, 1, 0 }

typedef struct marrow_fade_options {
  uint32_t struct_size;
  uint32_t easing;
  uint32_t warp;     /* 1: both sides go at one pace, and keep step */
  uint32_t reserved; /* 0 */
} marrow_fade_options;

#define MARROW_FADE_OPTIONS_INIT \
  { sizeof(marrow_fade_options), MARROW_EASE_LINEAR, 0, 0 }

/* Gets the action of a clip of the model in a layer, always the same, stopped if it is new; or a further one. Both are
 * held until they are released. Actions that are only played may be reused for other clips once they are stopped, when
 * the mixer has as many as it can; their handles are dead then. Layer 0 is the base. */
MARROW_API marrow_status marrow_mixer_clip_action(marrow_mixer mixer, uint32_t layer, uint32_t clip,
                                                  marrow_action* action) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_new_action(marrow_mixer mixer, uint32_t layer, uint32_t clip,
                                                 marrow_action* action) MARROW_NOEXCEPT;

/* Plays the action of a clip beside what plays, or in place of all others of the layer, at once and without `fade_in`.
 * `action` may be null. */
MARROW_API marrow_status marrow_mixer_play(marrow_mixer mixer, uint32_t layer, uint32_t clip,
                                           const marrow_play_options* options, marrow_action* action) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_switch_to(marrow_mixer mixer, uint32_t layer, uint32_t clip,
                                                const marrow_play_options* options,
                                                marrow_action* action) MARROW_NOEXCEPT;

/* Fades from everything that plays in a layer to the action of a clip, without a jump at any moment; 0 seconds switch.
 * `action` may be null. */
MARROW_API marrow_status marrow_mixer_cross_fade_to(marrow_mixer mixer, uint32_t layer, uint32_t clip, double seconds,
                                                    const marrow_fade_options* options,
                                                    marrow_action* action) MARROW_NOEXCEPT;

/* The same for the clip of a name in the base layer of an instance's mixer. MARROW_ERROR_NOT_FOUND if the model has
 * none. */
MARROW_API marrow_status marrow_instance_play(marrow_instance instance, const char* clip,
                                              const marrow_play_options* options,
                                              marrow_action* action) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_switch_to(marrow_instance instance, const char* clip,
                                                   const marrow_play_options* options,
                                                   marrow_action* action) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_instance_cross_fade_to(marrow_instance instance, const char* clip, double seconds,
                                                       const marrow_fade_options* options,
                                                       marrow_action* action) MARROW_NOEXCEPT;

/* Stops all actions of all layers; or stops or fades out those of one. */
MARROW_API marrow_status marrow_mixer_stop_all(marrow_mixer mixer) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_stop_layer(marrow_mixer mixer, uint32_t layer) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_fade_out_layer(marrow_mixer mixer, uint32_t layer, double seconds,
                                                     uint32_t easing) MARROW_NOEXCEPT;

/* Copies the actions of a mixer; and tells the one of a layer that was last started, 0 if it no longer plays. */
MARROW_API marrow_status marrow_mixer_actions(marrow_mixer mixer, marrow_action* out, uint64_t capacity,
                                              uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_current(marrow_mixer mixer, uint32_t layer,
                                              marrow_action* action) MARROW_NOEXCEPT;

typedef struct marrow_layer_options {
  uint32_t struct_size;
  uint32_t mode;     /* MARROW_REPLACE, MARROW_ADD */
  uint32_t fill;     /* MARROW_FILL_FADE, MARROW_FILL_WEIGHT */
  float weight;      /* from 0 to 1 */
  const float* mask; /* a value from 0 to 1 for each joint; null with a count of 0 for all */
  uint64_t mask_count;
} marrow_layer_options;

#define MARROW_LAYER_OPTIONS_INIT \
  { sizeof(marrow_layer_options), MARROW_REPLACE, MARROW_FILL_FADE, 1, NULL, 0 }

/* Adds a layer on top of the others, and tells its number, which may be null. */
MARROW_API marrow_status marrow_mixer_add_layer(marrow_mixer mixer, const marrow_layer_options* options,
                                                uint32_t* layer) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_layer_count(marrow_mixer mixer, uint32_t* layer_count) MARROW_NOEXCEPT;

/* The weight of a layer, from 0 to 1; to get there in so many seconds, 0 for at once. */
MARROW_API marrow_status marrow_mixer_layer_weight(marrow_mixer mixer, uint32_t layer, float* weight) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_fade_layer(marrow_mixer mixer, uint32_t layer, float weight, double seconds,
                                                 uint32_t easing) MARROW_NOEXCEPT;

/* Sets which joints a layer moves, a value from 0 to 1 for each; null with a count of 0 for all. */
MARROW_API marrow_status marrow_mixer_set_mask(marrow_mixer mixer, uint32_t layer, const float* mask,
                                               uint64_t mask_count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_set_fill(marrow_mixer mixer, uint32_t layer, uint32_t fill) MARROW_NOEXCEPT;

/* How fast the mixer's time goes. */
MARROW_API marrow_status marrow_mixer_time_scale(marrow_mixer mixer, double* scale) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_set_time_scale(marrow_mixer mixer, double scale) MARROW_NOEXCEPT;

enum { MARROW_EVENT_MARK = 0, MARROW_EVENT_LOOPED = 1, MARROW_EVENT_FINISHED = 2 };

typedef struct marrow_event {
  marrow_action action; /* may have been released since */
  double offset;        /* seconds from the start of the update */
  uint64_t loops;       /* of MARROW_EVENT_LOOPED */
  uint32_t kind;
  uint32_t mark; /* of MARROW_EVENT_MARK: its index */
  float weight;  /* of the action, with its fade */
  uint32_t reserved;
} marrow_event;

/* Copies the events of the last advance; returns the number of events beyond the capacity; and copies the name of the
 * mark of an event. */
MARROW_API marrow_status marrow_mixer_events(marrow_mixer mixer, marrow_event* out, uint64_t capacity,
                                             uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_dropped_events(marrow_mixer mixer, uint64_t* dropped) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_event_name(marrow_mixer mixer, uint32_t event, char* out, uint64_t capacity,
                                                 uint64_t* count) MARROW_NOEXCEPT;

typedef struct marrow_mark {
  double seconds;
  const char* name; /* null for none */
} marrow_mark;

/* Gives a clip of the model its marks, for all actions of it in this mixer, in place of those before. */
MARROW_API marrow_status marrow_mixer_set_marks(marrow_mixer mixer, uint32_t clip, const marrow_mark* marks,
                                                uint64_t count) MARROW_NOEXCEPT;

typedef struct marrow_root_motion_options {
  uint32_t struct_size;
  uint32_t joint;
  uint32_t horizontal; /* which motion is taken out: 1 or 0 each */
  uint32_t vertical;
  uint32_t yaw;
  float up[3]; /* zeros: the axis that is up in the model */
} marrow_root_motion_options;

#define MARROW_ROOT_MOTION_OPTIONS_INIT                         \
  {                                                             \
    sizeof(marrow_root_motion_options), 0, 1, 1, 1, { 0, 0, 0 } \
  }

/* Takes the motion of a joint out of the pose; or leaves it in again. */
MARROW_API marrow_status marrow_mixer_set_root_motion(marrow_mixer mixer,
                                                      const marrow_root_motion_options* options) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_clear_root_motion(marrow_mixer mixer) MARROW_NOEXCEPT;

/* How far the root went in the last advance, in model space; the scale is 1. */
MARROW_API marrow_status marrow_mixer_root_motion(marrow_mixer mixer, marrow_transform* delta) MARROW_NOEXCEPT;

/* Copies out everything that changes while playing, as bytes without pointers; without a buffer, `count` is how many
 * are enough now; more actions need more. `restore` takes such a block, of this mixer or one with the same clips and
 * masks; handles of actions are good again as they were. The pose follows with the next evaluate. */
MARROW_API marrow_status marrow_mixer_save(marrow_mixer mixer, void* out, uint64_t capacity,
                                           uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_mixer_restore(marrow_mixer mixer, const void* block, uint64_t size) MARROW_NOEXCEPT;

/* ---- Actions ---------------------------------------------------------------------------------------------------- */

/* Commands, as in mixer/action.h: `play` starts or goes on; `stop` rewinds and leaves the blend; `pause` stays in it;
 * `reset` goes to the start; `seek` to a time in the clip; fades start from where they are. */
MARROW_API marrow_status marrow_action_play(marrow_action action) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_action_stop(marrow_action action) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_action_pause(marrow_action action) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_action_resume(marrow_action action) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_action_reset(marrow_action action) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_action_seek(marrow_action action, double seconds) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_action_fade_in(marrow_action action, double seconds, uint32_t easing) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_action_fade_out(marrow_action action, double seconds, uint32_t easing) MARROW_NOEXCEPT;

MARROW_API marrow_status marrow_action_set_speed(marrow_action action, double speed) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_action_set_weight(marrow_action action, float weight) MARROW_NOEXCEPT;

/* After `repetitions` passes the action holds its end; 0 is endless. */
MARROW_API marrow_status marrow_action_set_loop(marrow_action action, uint32_t loop,
                                                uint32_t repetitions) MARROW_NOEXCEPT;

/* Puts an action in phase with another of its mixer, and keeps it there; 0 ends it. */
MARROW_API marrow_status marrow_action_sync(marrow_action action, marrow_action leader) MARROW_NOEXCEPT;

/* Fades one action of a mixer out and another in; or everything in the layer of an action out, and it in. */
MARROW_API marrow_status marrow_action_cross_fade(marrow_action from, marrow_action to, double seconds,
                                                  const marrow_fade_options* options) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_action_cross_fade_to(marrow_action to, double seconds,
                                                     const marrow_fade_options* options) MARROW_NOEXCEPT;

/* Ends the life of an action. */
MARROW_API marrow_status marrow_action_release(marrow_action action) MARROW_NOEXCEPT;

typedef struct marrow_action_info {
  uint32_t struct_size; /* to be set by the caller */
  uint32_t layer;
  int32_t clip; /* of the model */
  uint32_t loop;
  double time;  /* in the clip */
  double phase; /* time / duration */
  double speed;
  uint64_t passes;      /* ends of the clip reached since it was started */
  marrow_action leader; /* 0 for none */
  float weight;
  float fade;
  uint32_t repetitions;
  uint32_t playing; /* these are 0 or 1 */
  uint32_t paused;
  uint32_t finished; /* holds the end */
  uint32_t active;   /* takes part in the blend */
  uint32_t fading;
  double fade_remaining; /* seconds of the mixer's time until the fade ends */
} marrow_action_info;

MARROW_API marrow_status marrow_action_get_info(marrow_action action, marrow_action_info* info) MARROW_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
