/* marrow_host.h: games that run in a sandbox, from C: for a console in any language, with any WASM runtime.
 *
 *   marrow_host host;
 *   marrow_host_create(NULL, &host);
 *   ...                                          the runtime's imports call the functions below:
 *   marrow_host_load_skeleton(host, memory, memory_size, inverse_binds, bone_count, &skeleton);
 *   ...
 *   marrow_host_begin_frame(host);               then the game's update and render
 *   marrow_host_draws(host, draws, capacity, &draw_count);
 *   marrow_host_draw_palette(host, 0, matrices, MARROW_HOST_BONES, NULL);
 *   ...
 *   marrow_host_save(host, state);               beside the game's memory and globals; and to go back:
 *   marrow_host_restore(host, state);
 *
 * The game poses its bones itself, in its own memory, and hands over finished matrices, 3x4 and row by row. So whoever
 * copies its memory, its globals and the state of its host can go back, to the bit.
 *
 * Statuses, handles, buffers and options are as marrow.h says. What a game does wrong is no mistake of the console: it
 * is said in the log, the status is MARROW_OK, and a handle that it asked for is 0. Pointers and counts are checked
 * against its memory, and need no alignment. A matrix that is not finite is taken as the identity. guest/guest_host.h
 * says which input is rejected, cut or repaired.
 *
 * THREADS. One thread at a time may use a host or a state; different ones are independent. */
#ifndef MARROW_HOST_H
#define MARROW_HOST_H

#include "marrow/marrow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Hosts ------------------------------------------------------------------------------------------------------ */

typedef uint64_t marrow_host;       /* what one game has loaded and drawn, to be destroyed by the caller */
typedef uint64_t marrow_host_state; /* a copy of what a game can change of its host; likewise */

#define MARROW_HOST_BONES 256u /* the most that there are */

/* What a game's vertices have beside their positions; `format` is the sum. They stand in the order position, uv, color,
 * normal, bones, weights, with nothing between them:
 *
 *   float vertices    3 floats, 2 floats, 4 floats, 3 floats, 4 bytes, 4 bytes
 *   packed vertices   4 halves, 2 unorm16, 4 unorm8, oct32, 4 bytes, 4 bytes: what `marrow export mesh` writes
 *
 * The weights of a vertex are parts of 255. */
enum { MARROW_HOST_UV = 1, MARROW_HOST_COLOR = 2, MARROW_HOST_NORMAL = 4, MARROW_HOST_SKINNED = 8 };

enum { MARROW_LOG_INFO = 0, MARROW_LOG_WARNING = 1, MARROW_LOG_ERROR = 2 };

typedef struct marrow_host_options {
  uint32_t struct_size;
  uint32_t max_draws;        /* in a frame; 0 is none */
  uint64_t max_loaded_bytes; /* of meshes and skeletons; 0 is none */
  /* Called with a sentence for each thing that a game does wrong, which lives only for the call. It must return,
   * without a change to the game's memory or a call of the game; it must not use the host, which is MARROW_ERROR_BUSY.
   * Null for where the C++ library sends its messages, which is nowhere at first. */
  void (*log)(void* log_context, uint32_t level, const char* message);
  void* log_context;
} marrow_host_options;

#define MARROW_HOST_OPTIONS_INIT \
  { sizeof(marrow_host_options), 4096, 268435456, NULL, NULL }

/* Makes a host of which a game has used nothing yet; and ends one. States that were saved of it live on. */
MARROW_API marrow_status marrow_host_create(const marrow_host_options* options, marrow_host* host) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_destroy(marrow_host host) MARROW_NOEXCEPT;

/* ---- What a game calls ------------------------------------------------------------------------------------------ */

/* `memory` is all of the game's, as it is at that moment; addresses are offsets into it, and 0 is null. */

/* Takes inverse binds, at most MARROW_HOST_BONES; binds a skeleton, so that bones are multiplied by its inverse binds,
 * or with 0 none, so that they are used as they are; and takes the bones for the draws that follow. Those that are not
 * given are the identity. All of it stays until it is changed. */
MARROW_API marrow_status marrow_host_load_skeleton(marrow_host host, const void* memory, uint64_t memory_size,
                                                   uint32_t inverse_binds, uint32_t bone_count,
                                                   uint32_t* skeleton) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_skeleton_bind(marrow_host host, uint32_t skeleton) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_set_bones(marrow_host host, const void* memory, uint64_t memory_size,
                                               uint32_t matrices, uint32_t bone_count) MARROW_NOEXCEPT;

/* Take triangles: of float or packed vertices, in their order or as 16-bit indices say. */
MARROW_API marrow_status marrow_host_load_mesh(marrow_host host, const void* memory, uint64_t memory_size,
                                               uint32_t vertices, uint32_t vertex_count, uint32_t format,
                                               uint32_t* mesh) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_load_mesh_indexed(marrow_host host, const void* memory, uint64_t memory_size,
                                                       uint32_t vertices, uint32_t vertex_count, uint32_t indices,
                                                       uint32_t index_count, uint32_t format,
                                                       uint32_t* mesh) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_load_mesh_packed(marrow_host host, const void* memory, uint64_t memory_size,
                                                      uint32_t vertices, uint32_t vertex_count, uint32_t format,
                                                      uint32_t* mesh) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_load_mesh_packed_indexed(marrow_host host, const void* memory,
                                                              uint64_t memory_size, uint32_t vertices,
                                                              uint32_t vertex_count, uint32_t indices,
                                                              uint32_t index_count, uint32_t format,
                                                              uint32_t* mesh) MARROW_NOEXCEPT;

/* Set the transform of the draws that follow, the world from the model, applied after skinning; the last changes its
 * translation alone. */
MARROW_API marrow_status marrow_host_transform_identity(marrow_host host) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_transform_set(marrow_host host, const void* memory, uint64_t memory_size,
                                                   uint32_t matrix) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_transform_set_position(marrow_host host, float x, float y,
                                                            float z) MARROW_NOEXCEPT;

/* Draws a mesh with the bones, skeleton and transform that are in force at this moment. */
MARROW_API marrow_status marrow_host_draw_mesh(marrow_host host, uint32_t mesh) MARROW_NOEXCEPT;

/* ---- What was drawn --------------------------------------------------------------------------------------------- */

/* Forgets what was drawn. Nothing else changes from frame to frame. */
MARROW_API marrow_status marrow_host_begin_frame(marrow_host host) MARROW_NOEXCEPT;

typedef struct marrow_host_draw {
  uint64_t mesh;       /* which it is: a number that nothing else that any game loads ever has */
  uint64_t skeleton;   /* likewise, of the one that was bound; 0: none, or the mesh has no bones */
  uint32_t first_bone; /* draws of a frame that have this and the next in common have the same bones */
  uint32_t bone_count; /* that were given; the others are the identity */
  marrow_affine transform;
} marrow_host_draw;

/* Copies what was drawn since the frame began, in order. */
MARROW_API marrow_status marrow_host_draws(marrow_host host, marrow_host_draw* out, uint64_t capacity,
                                           uint64_t* count) MARROW_NOEXCEPT;

/* Tells of the mesh of a draw, which is triangles; and copies its attributes, joints and indices, as the functions for
 * a part of a model do; texture coordinates of a mesh that has none are MARROW_ERROR_OUT_OF_RANGE. To be kept by the
 * number of the mesh, for as long as the caller likes: whenever it is drawn it can be had again. */
MARROW_API marrow_status marrow_host_draw_part(marrow_host host, uint32_t draw, marrow_part_info* info) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_draw_floats(marrow_host host, uint32_t draw, uint32_t attribute, float* out,
                                                 uint64_t capacity, uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_draw_joints(marrow_host host, uint32_t draw, uint16_t* out, uint64_t capacity,
                                                 uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_draw_indices(marrow_host host, uint32_t draw, uint32_t* out, uint64_t capacity,
                                                  uint64_t* count) MARROW_NOEXCEPT;

/* Copies the bones of a draw that were given; the inverse binds of its skeleton, none if it has no skeleton; and what
 * its vertices are moved by before the transform, all MARROW_HOST_BONES of them: bone * inverse bind, or the bone. */
MARROW_API marrow_status marrow_host_draw_bones(marrow_host host, uint32_t draw, marrow_affine* out, uint64_t capacity,
                                                uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_draw_inverse_binds(marrow_host host, uint32_t draw, marrow_affine* out,
                                                        uint64_t capacity, uint64_t* count) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_draw_palette(marrow_host host, uint32_t draw, marrow_affine* out,
                                                  uint64_t capacity, uint64_t* count) MARROW_NOEXCEPT;

/* ---- Going back ------------------------------------------------------------------------------------------------- */

/* Makes a state, that of a new host; and ends one. */
MARROW_API marrow_status marrow_host_state_create(marrow_host_state* state) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_state_destroy(marrow_host_state state) MARROW_NOEXCEPT;

/* Copies what a game can change of its host into a state; and brings it back between two frames, into this host or
 * another with the same options. What was loaded is shared, not copied. The draws stay as they are. */
MARROW_API marrow_status marrow_host_save(marrow_host host, marrow_host_state state) MARROW_NOEXCEPT;
MARROW_API marrow_status marrow_host_restore(marrow_host host, marrow_host_state state) MARROW_NOEXCEPT;

/* Tells hashes of what a game can change of its host, and of what it drew since the frame began: equal, on every
 * machine, for games that did the same. Either may be null, but not both. */
MARROW_API marrow_status marrow_host_hash(marrow_host host, uint64_t* of_state, uint64_t* of_draws) MARROW_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
