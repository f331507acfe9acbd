// GuestHost: the functions by which a game that runs in a sandbox, such as a WASM guest, draws its characters.
//
//   GuestHost host;
//   ...                                              // the runtime's imports call the functions below:
//   host.load_skeleton(memory, pointer, bone_count);  // `memory` is all of the guest's, as it is at that moment
//   ...
//   host.begin_frame();                              // then the guest's update and render
//   renderer.draw(host, options, area);              // guest_renderer.h; or draws() and guest_palette
//
// The guest poses its bones itself, in its own memory, and passes finished matrices. A copy of the guest's memory and
// globals and of `state()` is therefore a whole snapshot: restoring it restores handles, binding, bones and transform,
// bit for bit.
//
// Nothing that a guest passes is trusted. Pointers and counts are checked against its memory before the first byte is
// read. Bytes are read one by one: addresses need no alignment. A call that fails writes a message to the log and
// changes nothing; a call that returns a handle then returns 0. The options limit the memory that a guest can make the
// host use.
//
// The log is called in the middle of a call: it must use neither the host nor the guest, and must not change the
// guest's memory. If it throws, or memory runs out, the call has changed nothing.
//
// Matrices are 3x4, row by row (Affine), 48 bytes each. A matrix that is not finite is replaced by the identity, with a
// warning. A host belongs to one guest, and is used by one thread at a time. After the first frames a frame allocates
// nothing, unless it draws more than any before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/log.h"
#include "marrow/math/types.h"
#include "marrow/skin/vertex_formats.h"
#include "marrow/skin/vertices.h"

namespace marrow {

inline constexpr std::uint32_t kMaxGuestBones = 256;

// Which attributes a guest's vertices have beside their positions, as `marrow export mesh` says in VERTEX_FORMAT. They
// stand in the order position, uv, color, normal, bones, weights, with nothing between them:
//
//   float vertices    3 floats, 2 floats, 4 floats, 3 floats, 4 bytes, 4 bytes
//   packed vertices   f16x4, unorm16x2, unorm8x4, oct32, 4 bytes, 4 bytes (vertex_formats.h)
//
// The weights of a vertex are parts of 255.
enum GuestVertexFlags : std::uint32_t { kGuestUv = 1, kGuestColor = 2, kGuestNormal = 4, kGuestSkinned = 8 };

// What a guest has loaded. Never changes; shared by the host, its frames and copies of its state.
struct GuestSkeleton {
  std::vector<Affine> inverse_binds;
  std::uint64_t hash = 0;    // of the bytes that it was made of
  std::uint64_t serial = 0;  // a number that nothing else that any guest loads ever has
};
struct GuestMesh {
  std::uint32_t flags = 0;  // GuestVertexFlags
  Vertices vertices;        // four influences where it is skinned
  std::vector<std::uint32_t> indices;
  std::uint64_t hash = 0;
  std::uint64_t serial = 0;
};

// Everything about a host that a guest can change, but for the draws of the frame. Copied and compared as a value: what
// was loaded is shared.
struct GuestState {
  std::vector<std::shared_ptr<const GuestSkeleton>> skeletons;  // handle 1 is the first
  std::vector<std::shared_ptr<const GuestMesh>> meshes;
  std::uint64_t loaded_bytes = 0;    // that all these take
  std::uint32_t bound_skeleton = 0;  // 0: raw
  std::uint32_t bone_count = 0;      // given by the last set_bones; the others are the identity
  std::array<Affine, kMaxGuestBones> bones;
  Affine transform;
};

// Returns a hash of all of it: equal for hosts that have seen the same.
[[nodiscard]] std::uint64_t hash_of(const GuestState& state);

// A mesh that was drawn, with what was in force at that moment.
struct GuestDraw {
  std::shared_ptr<const GuestMesh> mesh;
  std::shared_ptr<const GuestSkeleton> skeleton;  // bound; null: raw
  std::uint32_t first_bone = 0, bone_count = 0;   // see GuestHost::bones
  Affine transform;
};

struct GuestOptions {
  std::uint64_t max_loaded_bytes = std::uint64_t{256} << 20;  // of meshes and skeletons
  std::uint32_t max_draws = 4096;                             // in a frame; each may bring 12 KiB of bones

  // Where the messages go, one for each thing that was wrong; null for marrow::log_message.
  LogHandler log = nullptr;
  void* log_user = nullptr;
};

class GuestHost {
 public:
  explicit GuestHost(const GuestOptions& options = {});

  // What a guest calls. `memory` is the guest's, and addresses are offsets into it; 0 is null.

  // Loads inverse binds. Returns a handle. Returns 0, with a message, if there are none or more than 256, if the
  // pointer is null, if they are not all in the memory, or if they exceed max_loaded_bytes.
  std::uint32_t load_skeleton(std::span<const std::byte> memory, std::uint32_t inverse_binds, std::uint32_t bone_count);

  // Binds a skeleton: bones are now in model space, and are multiplied by its inverse binds. 0 unbinds: bones are used
  // as they are. The binding stays until it is changed. An invalid handle is ignored, with a warning.
  void skeleton_bind(std::uint32_t skeleton);

  // Sets the bones for the draws that follow. Bones from `count` on are the identity. Warns if `count` is above 256,
  // and uses the first 256; warns if the bound skeleton has another number of bones. If the pointer is null, or the
  // bones are not all in the memory, nothing changes, with a warning. The pointer may be null if `count` is 0.
  void set_bones(std::span<const std::byte> memory, std::uint32_t matrices, std::uint32_t count);

  // Load triangles of float or packed vertices, in vertex order or by 16-bit indices. `format` is a sum of
  // GuestVertexFlags. Return a handle. Return 0, with a message, if
  // - a pointer is null, or its data is not all in the memory
  // - the corners do not make whole triangles, or an index is out of range
  // - the format is unknown, or a number is not finite
  // - the mesh exceeds max_loaded_bytes.
  // Weights that do not sum to 255 are divided by their sum, with a warning. If all are 0, the first bone gets 255.
  std::uint32_t load_mesh(std::span<const std::byte> memory, std::uint32_t vertices, std::uint32_t vertex_count,
                          std::uint32_t format);
  std::uint32_t load_mesh_indexed(std::span<const std::byte> memory, std::uint32_t vertices, std::uint32_t vertex_count,
                                  std::uint32_t indices, std::uint32_t index_count, std::uint32_t format);
  std::uint32_t load_mesh_packed(std::span<const std::byte> memory, std::uint32_t vertices, std::uint32_t vertex_count,
                                 std::uint32_t format);
  std::uint32_t load_mesh_packed_indexed(std::span<const std::byte> memory, std::uint32_t vertices,
                                         std::uint32_t vertex_count, std::uint32_t indices, std::uint32_t index_count,
                                         std::uint32_t format);

  // Set the transform of what is drawn next: the world from the model, applied after skinning. It stays until changed,
  // and is the identity at first. `transform_set` takes one matrix; `transform_set_position` changes its translation
  // alone. A matrix or position that is not finite, or a matrix that is not all in the memory, changes nothing, with a
  // warning.
  void transform_identity();
  void transform_set(std::span<const std::byte> memory, std::uint32_t matrix);
  void transform_set_position(float x, float y, float z);

  // Draws a mesh with the current transform; a skinned mesh also with the current bones and bound skeleton. Invalid
  // handles, and draws beyond max_draws, are ignored with a warning.
  void draw_mesh(std::uint32_t mesh);

  // What the host's owner calls.

  // Forgets what was drawn. Nothing else changes from frame to frame.
  void begin_frame();

  // What was drawn since, in order.
  [[nodiscard]] std::span<const GuestDraw> draws() const { return draws_; }

  // The bones of a draw of this frame, as many as were given. The others are the identity.
  [[nodiscard]] std::span<const Affine> bones(const GuestDraw& draw) const;

  [[nodiscard]] const GuestState& state() const { return state_; }

  // Copies the state: all of it, or nothing if memory runs out. Allocates nothing if `to` held as much before.
  void save(GuestState& to) const;

  // Brings back a state of this host, or of another with the same options, between two frames. The draws stay as they
  // are.
  void restore(const GuestState& state);

 private:
  enum class VertexKind : std::uint8_t { floats, packed };
  std::uint32_t load(const char* call, std::span<const std::byte> memory, VertexKind kind, std::uint32_t vertices,
                     std::uint32_t vertex_count, const std::uint32_t* indices, std::uint32_t index_count,
                     std::uint32_t format);
  [[nodiscard]] std::string beyond_limit(std::uint64_t bytes) const;  // empty if `bytes` more may be loaded
  void say(LogLevel level, const char* call, const std::string& sentence) const;

  GuestOptions options_;
  GuestState state_;
  std::vector<GuestDraw> draws_;
  std::vector<Affine> frame_bones_;  // of the draws
  std::uint32_t drawn_bones_ = 0;    // where the present bones are among them
  bool bones_are_drawn_ = false;     // whether they are there
};

// Returns the format for a mesh's vertices on a GPU: each attribute as floats, joints and weights as bytes.
[[nodiscard]] VertexFormat guest_vertex_format(const GuestMesh& mesh);

// Writes what each bone of a draw of this frame moves vertices by, all 256 of them: bone * inverse bind if a skeleton
// is bound, else the bone. Deterministic to the bit. For skin_vertices (skinning.h), before the transform.
void guest_palette(const GuestHost& host, const GuestDraw& draw, std::span<Affine, kMaxGuestBones> out);

// Returns a hash of what was drawn since begin_frame: of each draw, in order, the bytes that its mesh and its skeleton
// were made of, its bones and its transform. The same game gives the same, however it was compiled and run.
[[nodiscard]] std::uint64_t hash_of_draws(const GuestHost& host);

}  // namespace marrow
