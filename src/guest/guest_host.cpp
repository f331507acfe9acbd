#include "marrow/guest/guest_host.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "marrow/core/assert.h"
#include "marrow/core/hash.h"
#include "marrow/math/affine.h"
#include "src/core/serial.h"
#include "src/guest/guest_mesh.h"
#include "src/guest/guest_state.h"
#include "src/skin/vertex_bytes.h"

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

// What there are some of, in words.
struct Noun {
  const char* one;
  const char* many;
};
constexpr Noun kBones{"bone", "bones"}, kMatrices{"matrix", "matrices"}, kVertices{"vertex", "vertices"},
    kIndices{"index", "indices"};

std::string counted(std::uint32_t count, const Noun& noun) {
  return std::to_string(count) + " " + (count == 1 ? noun.one : noun.many);
}

// A part of a guest's memory; or why there is none. Sizes fit: 2^32 elements of fewer than 2^32 bytes.
struct Part {
  std::span<const std::byte> bytes;
  std::string problem;
};
Part part_of(std::span<const std::byte> memory, std::uint32_t address, std::uint32_t count, std::size_t size,
             const Noun& what) {
  if (address == 0) return {{}, "the pointer to " + counted(count, what) + " is null"};
  const std::uint64_t bytes = std::uint64_t{count} * size;
  if (bytes > memory.size() || address > memory.size() - bytes) {
    return {{},
            counted(count, what) + " at " + hex(address) + " would end at byte " + std::to_string(address + bytes) +
                ", and the memory has " + std::to_string(memory.size())};
  }
  return {memory.subspan(address, static_cast<std::size_t>(bytes)), {}};
}

bool is_finite(const Affine& a) {
  for (const auto& row : a.m) {
    for (const float number : row) {
      if (!std::isfinite(number)) return false;
    }
  }
  return true;
}

Affine matrix_at(const std::byte* at) {
  Affine out;
  for (std::size_t i = 0; i < 12; ++i) out.m[i / 4][i % 4] = get_at<float>(at, i);
  return out;
}

// Reads matrices; those that are not finite become the identity. Returns how many were not.
std::uint32_t read_matrices(std::span<const std::byte> bytes, Affine* out) {
  std::uint32_t mended = 0;
  for (std::size_t i = 0; i * kMatrixBytes < bytes.size(); ++i) {
    out[i] = matrix_at(bytes.data() + i * kMatrixBytes);
    if (is_finite(out[i])) continue;
    out[i] = {};
    ++mended;
  }
  return mended;
}

std::string not_finite(std::uint32_t count, std::size_t of) {
  return std::to_string(count) + " of " + std::to_string(of) + " matrices are not finite, and taken as the identity";
}

void add(Hasher& hasher, std::span<const Affine> matrices) {
  if (!matrices.empty()) hasher.add(std::span(&matrices[0].m[0][0], 12 * matrices.size()));
}

template <typename Resource>
void hash_resources(Hasher& hasher, const std::vector<std::shared_ptr<const Resource>>& resources) {
  hasher.add(std::uint64_t{resources.size()});
  for (const auto& resource : resources) hasher.add(resource->hash);
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

bool GuestHost::has_room(std::uint64_t bytes) const { return state_.loaded_bytes + bytes <= options_.max_loaded_bytes; }

std::uint32_t GuestHost::load_skeleton(std::span<const std::byte> memory, std::uint32_t inverse_binds,
                                       std::uint32_t bone_count) {
  const auto refuse = [&](const std::string& sentence) {
    say(LogLevel::error, "load_skeleton", sentence);
    return 0u;
  };
  if (bone_count == 0) return refuse("a skeleton has at least one bone");
  if (bone_count > kMaxGuestBones) {
    return refuse(std::to_string(bone_count) + " bones are too many: a skeleton has at most 256");
  }
  const Part part = part_of(memory, inverse_binds, bone_count, kMatrixBytes, kMatrices);
  if (!part.problem.empty()) return refuse(part.problem);
  const std::uint64_t size = kHandleBytes + part.bytes.size();
  if (!has_room(size)) return refuse("there is no room for more skeletons");

  auto skeleton = std::make_shared<GuestSkeleton>();
  skeleton->inverse_binds.resize(bone_count);
  skeleton->hash = hash_bytes(part.bytes);
  skeleton->serial = next_serial();
  if (const std::uint32_t mended = read_matrices(part.bytes, skeleton->inverse_binds.data()); mended > 0) {
    say(LogLevel::warning, "load_skeleton", not_finite(mended, bone_count));
  }
  state_.skeletons.push_back(std::move(skeleton));
  state_.loaded_bytes += size;
  return static_cast<std::uint32_t>(state_.skeletons.size());
}

void GuestHost::skeleton_bind(std::uint32_t skeleton) {
  if (skeleton > state_.skeletons.size()) {
    say(LogLevel::warning, "skeleton_bind",
        "there is no skeleton " + std::to_string(skeleton) + "; what was bound stays bound");
    return;
  }
  state_.bound_skeleton = skeleton;
}

void GuestHost::set_bones(std::span<const std::byte> memory, std::uint32_t matrices, std::uint32_t count) {
  const auto warn = [&](const std::string& sentence) { say(LogLevel::warning, "set_bones", sentence); };
  if (count > kMaxGuestBones) {
    warn(std::to_string(count) + " bones are too many: the first 256 are taken");
    count = kMaxGuestBones;
  }
  Part part;
  if (count > 0) part = part_of(memory, matrices, count, kMatrixBytes, kMatrices);
  if (!part.problem.empty()) return warn(part.problem + "; the bones stay as they were");
  if (state_.bound_skeleton > 0) {
    const std::size_t wanted = state_.skeletons[state_.bound_skeleton - 1]->inverse_binds.size();
    if (count != wanted) {
      warn(counted(count, kBones) + ", and the skeleton that is bound has " + std::to_string(wanted) +
           (count < wanted ? ": the others are the identity" : ""));
    }
  }
  // Nothing is changed before all is said: a log may fail.
  const std::uint32_t mended = read_matrices(part.bytes, given_.data());
  if (mended > 0) warn(not_finite(mended, count));
  std::copy_n(given_.begin(), count, state_.bones.begin());
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
  if (!layout) return refuse("there is no vertex format " + std::to_string(format) + ": it is a sum of 1, 2, 4 and 8");
  if (vertex_count == 0) return refuse("a mesh has at least one triangle");
  const Part corners = part_of(memory, vertices, vertex_count, vertex_layout(*layout).stride, kVertices);
  if (!corners.problem.empty()) return refuse(corners.problem);
  GuestMeshBytes bytes{format, *layout, corners.bytes, std::nullopt};
  if (indices != nullptr) {
    const Part part = part_of(memory, *indices, index_count, sizeof(std::uint16_t), kIndices);
    if (!part.problem.empty()) return refuse(part.problem);
    bytes.indices = part.bytes;
  }
  const std::uint64_t size =
      kHandleBytes + guest_mesh_size(*layout, vertex_count, indices != nullptr ? index_count : vertex_count);
  if (!has_room(size)) {
    return refuse("there is no room for a mesh of " + std::to_string(size) + " bytes beside the " +
                  std::to_string(state_.loaded_bytes) + " that are loaded");
  }
  Result<ReadGuestMesh> read = read_guest_mesh(bytes);
  if (!read) {
    const Error& error = read.error();
    return refuse(error.place.empty() ? error.message : error.place + ": " + error.message);
  }
  if (read->mended_weights > 0) {
    say(LogLevel::warning, call,
        "the weights of " + std::to_string(read->mended_weights) + " of " + std::to_string(vertex_count) +
            " vertices do not sum to 255, and are divided by their sum");
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
    say(LogLevel::warning, "transform_set", sentence + "; the transform stays as it was");
  };
  const Part part = part_of(memory, matrix, 1, kMatrixBytes, kMatrices);
  if (!part.problem.empty()) return warn(part.problem);
  const Affine transform = matrix_at(part.bytes.data());
  if (!is_finite(transform)) return warn("the matrix is not finite");
  state_.transform = transform;
}

void GuestHost::transform_set_position(float x, float y, float z) {
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z)) {
    say(LogLevel::warning, "transform_set_position", "the position is not finite; the transform stays as it was");
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
        "a frame has at most " + std::to_string(options_.max_draws) + " draws; this one is left out");
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
    hasher.add(draw.mesh->hash);
    hasher.add(draw.skeleton == nullptr ? 0 : draw.skeleton->hash);
    hasher.add(std::uint64_t{draw.bone_count});
    add(hasher, host.bones(draw));
    add(hasher, std::span(&draw.transform, 1));
  }
  return hasher.finish();
}

}  // namespace marrow
