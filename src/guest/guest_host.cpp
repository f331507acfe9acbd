#include "marrow/guest/guest_host.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "marrow/core/assert.h"
#include "marrow/core/hash.h"
#include "marrow/core/serial.h"
#include "marrow/math/affine.h"
#include "src/guest/guest_mesh.h"

namespace marrow {
namespace {

constexpr std::size_t kMatrixBytes = 48;

// What a handle takes beside that which it stands for, with a few copies of the state.
constexpr std::uint64_t kHandleBytes = 512;

std::string hex(std::uint32_t address) {
  static const char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[address >> shift & 0xf];
  return text;
}

// A part of a guest's memory, or the reason why there is none.
struct Part {
  std::span<const std::byte> bytes;
  std::string problem;
};

// Returns the bytes of `count` elements. Their sum fits: 2^32 elements of fewer than 2^32 bytes.
Part part_of(std::span<const std::byte> memory, std::uint32_t address, std::uint32_t count, std::size_t size,
             const char* what) {
  if (address == 0) return {{}, "the pointer to the " + std::string(what) + " is null"};
  const std::uint64_t bytes = std::uint64_t{count} * size;
  if (bytes > memory.size() || address > memory.size() - bytes) {
    return {{},
            "the " + std::string(what) + ", " + std::to_string(bytes) + " bytes at " + hex(address) +
                ", end beyond the memory of " + std::to_string(memory.size()) + " bytes"};
  }
  return {memory.subspan(address, static_cast<std::size_t>(bytes)), {}};
}

static_assert(std::endian::native == std::endian::little, "numbers are copied out of a guest's memory as they are");

Affine matrix_at(std::span<const std::byte> bytes, std::size_t index) {
  Affine out;
  std::memcpy(&out, bytes.data() + index * kMatrixBytes, sizeof out);
  return out;
}

// The loop has no branch, so the compiler vectorises it.
bool are_finite(std::span<const std::byte> numbers) {
  constexpr std::uint32_t kExponent = 0x7f800000;  // all ones: infinity or NaN
  unsigned bad = 0;
  for (std::size_t i = 0; i < numbers.size() / sizeof(float); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, numbers.data() + i * sizeof bits, sizeof bits);
    bad |= static_cast<unsigned>((bits & kExponent) == kExponent);
  }
  return bad == 0;
}

std::size_t count_not_finite(std::span<const std::byte> matrices) {
  if (are_finite(matrices)) return 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i * kMatrixBytes < matrices.size(); ++i) count += is_finite(matrix_at(matrices, i)) ? 0 : 1;
  return count;
}

// Reads matrices. If `repair`, those that are not finite become the identity.
void read_matrices(std::span<const std::byte> bytes, bool repair, Affine* out) {
  for (std::size_t i = 0; i * kMatrixBytes < bytes.size(); ++i) {
    out[i] = matrix_at(bytes, i);
    if (repair && !is_finite(out[i])) out[i] = {};
  }
}

std::string not_finite(std::size_t count, std::size_t of) {
  return std::to_string(count) + " of " + std::to_string(of) + " matrices are not finite; the identity is used instead";
}

void add(Hasher& hasher, std::span<const Affine> matrices) {
  if (!matrices.empty()) hasher.add(std::span(&matrices[0].m[0][0], 12 * matrices.size()));
}

template <typename Resource>
void hash_resources(Hasher& hasher, const std::vector<std::shared_ptr<const Resource>>& resources) {
  hasher.add(std::uint64_t{resources.size()});
  for (const auto& resource : resources) hasher.add(resource->hash);
}

// Copies all of a state, or nothing if memory runs out.
void copy_state(const GuestState& from, GuestState& to) {
  to.skeletons.reserve(from.skeletons.size());
  to.meshes.reserve(from.meshes.size());
  to = from;
}

}  // namespace

std::uint64_t hash_of(const GuestState& state) {
  // Names all fields, so a new field does not compile before it is listed. loaded_bytes follows from the loaded.
  const auto& [skeletons, meshes, loaded_bytes, bound_skeleton, bone_count, bones, transform] = state;
  Hasher hasher;
  hash_resources(hasher, skeletons);
  hash_resources(hasher, meshes);
  hasher.add(std::uint64_t{bound_skeleton});
  hasher.add(std::uint64_t{bone_count});
  add(hasher, bones);
  add(hasher, std::span(&transform, 1));
  return hasher.finish();
}

GuestHost::GuestHost(const GuestOptions& options) : options_(options) {}

void GuestHost::say(LogLevel level, const char* call, const std::string& sentence) const {
  const std::string message = std::string(call) + ": " + sentence;
  if (options_.log != nullptr) {
    options_.log(level, message, options_.log_user);
  } else {
    log_message(level, message);
  }
}

std::string GuestHost::beyond_limit(std::uint64_t bytes) const {
  if (state_.loaded_bytes + bytes <= options_.max_loaded_bytes) return {};
  return "it needs " + std::to_string(bytes) + " bytes, and " + std::to_string(state_.loaded_bytes) + " of " +
         std::to_string(options_.max_loaded_bytes) + " are in use; load less or raise max_loaded_bytes";
}

std::uint32_t GuestHost::load_skeleton(std::span<const std::byte> memory, std::uint32_t inverse_binds,
                                       std::uint32_t bone_count) {
  const auto refuse = [&](const std::string& sentence) {
    say(LogLevel::error, "load_skeleton", sentence);
    return 0u;
  };
  if (bone_count == 0) return refuse("a skeleton has at least one bone");
  if (bone_count > kMaxGuestBones) {
    return refuse(std::to_string(bone_count) + " bones are too many; the limit is 256");
  }
  const Part part = part_of(memory, inverse_binds, bone_count, kMatrixBytes, "matrices");
  if (!part.problem.empty()) return refuse(part.problem);
  const std::uint64_t size = kHandleBytes + part.bytes.size();
  if (const std::string problem = beyond_limit(size); !problem.empty()) return refuse(problem);

  auto skeleton = std::make_shared<GuestSkeleton>();
  skeleton->inverse_binds.resize(bone_count);
  skeleton->hash = hash_bytes(part.bytes);
  skeleton->serial = next_serial();
  const std::size_t bad = count_not_finite(part.bytes);
  if (bad > 0) say(LogLevel::warning, "load_skeleton", not_finite(bad, bone_count));
  read_matrices(part.bytes, bad > 0, skeleton->inverse_binds.data());
  state_.skeletons.push_back(std::move(skeleton));
  state_.loaded_bytes += size;
  return static_cast<std::uint32_t>(state_.skeletons.size());
}

void GuestHost::skeleton_bind(std::uint32_t skeleton) {
  if (skeleton > state_.skeletons.size()) {
    say(LogLevel::warning, "skeleton_bind",
        "there is no skeleton " + std::to_string(skeleton) + "; the binding does not change");
    return;
  }
  state_.bound_skeleton = skeleton;
}

void GuestHost::set_bones(std::span<const std::byte> memory, std::uint32_t matrices, std::uint32_t count) {
  const auto warn = [&](const std::string& sentence) { say(LogLevel::warning, "set_bones", sentence); };
  if (count > kMaxGuestBones) {
    warn(std::to_string(count) + " bones are too many; the first 256 are used");
    count = kMaxGuestBones;
  }
  Part part;
  if (count > 0) part = part_of(memory, matrices, count, kMatrixBytes, "matrices");
  if (!part.problem.empty()) return warn(part.problem + "; the bones do not change");
  if (state_.bound_skeleton > 0) {
    const std::size_t wanted = state_.skeletons[state_.bound_skeleton - 1]->inverse_binds.size();
    if (count != wanted) {
      warn("the bone count is " + std::to_string(count) + ", and the bound skeleton has " + std::to_string(wanted) +
           (count < wanted ? "; the other bones are the identity" : ""));
    }
  }
  const std::size_t bad = count_not_finite(part.bytes);
  if (bad > 0) warn(not_finite(bad, count));

  // The log may throw: nothing changes before the last message.
  read_matrices(part.bytes, bad > 0, state_.bones.data());
  if (count < state_.bone_count) {
    std::fill(state_.bones.begin() + count, state_.bones.begin() + state_.bone_count, Affine{});
  }
  state_.bone_count = count;
  bones_are_drawn_ = false;
}

std::uint32_t GuestHost::load(const char* call, std::span<const std::byte> memory, VertexKind kind,
                              std::uint32_t vertices, std::uint32_t vertex_count, const std::uint32_t* indices,
                              std::uint32_t index_count, std::uint32_t format) {
  const auto refuse = [&](const std::string& sentence) {
    say(LogLevel::error, call, sentence);
    return 0u;
  };
  const std::optional<VertexFormat> layout = guest_format(format, kind == VertexKind::packed);
  if (!layout) return refuse("there is no vertex format " + std::to_string(format) + "; it is a sum of 1, 2, 4 and 8");
  if (vertex_count == 0) return refuse("a mesh has at least one triangle");
  const Part corners = part_of(memory, vertices, vertex_count, vertex_layout(*layout).stride, "vertices");
  if (!corners.problem.empty()) return refuse(corners.problem);
  GuestMeshBytes bytes{format, *layout, corners.bytes, std::nullopt};
  if (indices != nullptr) {
    const Part part = part_of(memory, *indices, index_count, sizeof(std::uint16_t), "indices");
    if (!part.problem.empty()) return refuse(part.problem);
    bytes.indices = part.bytes;
  }
  const std::uint64_t size =
      kHandleBytes + guest_mesh_size(*layout, vertex_count, indices != nullptr ? index_count : vertex_count);
  if (const std::string problem = beyond_limit(size); !problem.empty()) return refuse(problem);
  Result<ReadGuestMesh> read = read_guest_mesh(bytes);
  if (!read) return refuse(to_string(read.error()));
  if (read->repaired_weights > 0) {
    say(LogLevel::warning, call,
        "the weights of " + std::to_string(read->repaired_weights) + " of " + std::to_string(vertex_count) +
            " vertices do not sum to 255; they are divided by their sum");
  }
  read->mesh.serial = next_serial();
  state_.meshes.push_back(std::make_shared<const GuestMesh>(std::move(read->mesh)));
  state_.loaded_bytes += size;
  return static_cast<std::uint32_t>(state_.meshes.size());
}

std::uint32_t GuestHost::load_mesh(std::span<const std::byte> memory, std::uint32_t vertices,
                                   std::uint32_t vertex_count, std::uint32_t format) {
  return load("load_mesh", memory, VertexKind::floats, vertices, vertex_count, nullptr, 0, format);
}

std::uint32_t GuestHost::load_mesh_indexed(std::span<const std::byte> memory, std::uint32_t vertices,
                                           std::uint32_t vertex_count, std::uint32_t indices, std::uint32_t index_count,
                                           std::uint32_t format) {
  return load("load_mesh_indexed", memory, VertexKind::floats, vertices, vertex_count, &indices, index_count, format);
}

std::uint32_t GuestHost::load_mesh_packed(std::span<const std::byte> memory, std::uint32_t vertices,
                                          std::uint32_t vertex_count, std::uint32_t format) {
  return load("load_mesh_packed", memory, VertexKind::packed, vertices, vertex_count, nullptr, 0, format);
}

std::uint32_t GuestHost::load_mesh_packed_indexed(std::span<const std::byte> memory, std::uint32_t vertices,
                                                  std::uint32_t vertex_count, std::uint32_t indices,
                                                  std::uint32_t index_count, std::uint32_t format) {
  return load("load_mesh_packed_indexed", memory, VertexKind::packed, vertices, vertex_count, &indices, index_count,
              format);
}

void GuestHost::transform_identity() { state_.transform = {}; }

void GuestHost::transform_set(std::span<const std::byte> memory, std::uint32_t matrix) {
  const auto warn = [&](const std::string& sentence) {
    say(LogLevel::warning, "transform_set", sentence + "; the transform does not change");
  };
  const Part part = part_of(memory, matrix, 1, kMatrixBytes, "matrix");
  if (!part.problem.empty()) return warn(part.problem);
  const Affine transform = matrix_at(part.bytes, 0);
  if (!is_finite(transform)) return warn("the matrix is not finite");
  state_.transform = transform;
}

void GuestHost::transform_set_position(float x, float y, float z) {
  if (!is_finite(Affine{{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}})) {
    say(LogLevel::warning, "transform_set_position", "the position is not finite; the transform does not change");
    return;
  }
  state_.transform.m[0][3] = x;
  state_.transform.m[1][3] = y;
  state_.transform.m[2][3] = z;
}

void GuestHost::draw_mesh(std::uint32_t mesh) {
  if (mesh == 0 || mesh > state_.meshes.size()) {
    say(LogLevel::warning, "draw_mesh", "there is no mesh " + std::to_string(mesh));
    return;
  }
  if (draws_.size() >= options_.max_draws) {
    say(LogLevel::warning, "draw_mesh",
        "the limit of " + std::to_string(options_.max_draws) + " draws is reached; this draw is ignored");
    return;
  }
  GuestDraw draw;
  draw.mesh = state_.meshes[mesh - 1];
  draw.transform = state_.transform;
  if ((draw.mesh->flags & kGuestSkinned) != 0) {
    if (state_.bound_skeleton > 0) draw.skeleton = state_.skeletons[state_.bound_skeleton - 1];
    if (!bones_are_drawn_) {
      drawn_bones_ = static_cast<std::uint32_t>(frame_bones_.size());
      frame_bones_.insert(frame_bones_.end(), state_.bones.begin(), state_.bones.begin() + state_.bone_count);
      bones_are_drawn_ = true;
    }
    draw.first_bone = drawn_bones_;
    draw.bone_count = state_.bone_count;
  }
  draws_.push_back(std::move(draw));
}

void GuestHost::begin_frame() {
  draws_.clear();
  frame_bones_.clear();
  bones_are_drawn_ = false;
}

std::span<const Affine> GuestHost::bones(const GuestDraw& draw) const {
  MARROW_ASSERT(std::size_t{draw.first_bone} + draw.bone_count <= frame_bones_.size(), "a draw is of this frame");
  return std::span(frame_bones_).subspan(draw.first_bone, draw.bone_count);
}

void GuestHost::save(GuestState& to) const { copy_state(state_, to); }

void GuestHost::restore(const GuestState& state) {
  copy_state(state, state_);
  bones_are_drawn_ = false;
}

void guest_palette(const GuestHost& host, const GuestDraw& draw, std::span<Affine, kMaxGuestBones> out) {
  const std::span<const Affine> bones = host.bones(draw);
  std::copy(bones.begin(), bones.end(), out.begin());
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(bones.size()), out.end(), Affine{});
  if (draw.skeleton == nullptr) return;
  const std::vector<Affine>& binds = draw.skeleton->inverse_binds;
  for (std::size_t i = 0; i < binds.size(); ++i) out[i] = multiply(out[i], binds[i]);
}

std::uint64_t hash_of_draws(const GuestHost& host) {
  Hasher hasher;
  hasher.add(std::uint64_t{host.draws().size()});
  for (const GuestDraw& draw : host.draws()) {
    const auto& [mesh, skeleton, first_bone, bone_count, transform] = draw;
    hasher.add(mesh->hash);
    hasher.add(skeleton == nullptr ? 0 : skeleton->hash);
    hasher.add(std::uint64_t{bone_count});
    add(hasher, host.bones(draw));
    add(hasher, std::span(&transform, 1));
  }
  return hasher.finish();
}

}  // namespace marrow
