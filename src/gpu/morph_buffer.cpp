#include "marrow/gpu/morph_buffer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "marrow/core/assert.h"
#include "src/gpu/block_arena.h"
#include "src/gpu/device_errors.h"

namespace marrow {
namespace {

// As the block of the shader begins.
struct MorphHead {
  std::int32_t targets, vertices, texels, unused;
};

bool has_normals(const Vertices& vertices) {
  return std::any_of(vertices.targets.begin(), vertices.targets.end(),
                     [](const MorphTarget& target) { return !target.normals.empty(); });
}

Vec4 texel(std::span<const Vec3> deltas, std::size_t vertex) {
  if (deltas.empty()) return {0, 0, 0, 0};
  return {deltas[vertex].x, deltas[vertex].y, deltas[vertex].z, 0};
}

// Writes a block whose bytes are as many as it has.
void write_block(const MorphHead& head, std::span<const float> weights, std::span<std::byte> out) {
  std::memset(out.data(), 0, out.size());
  std::memcpy(out.data(), &head, sizeof head);
  const std::span<const float> used = weights.first(std::min(weights.size(), static_cast<std::size_t>(head.targets)));
  if (!used.empty()) std::memcpy(out.data() + sizeof head, used.data(), used.size_bytes());
}

}  // namespace

std::vector<Vec4> pack_morph_deltas(const Vertices& vertices) {
  const bool normals = has_normals(vertices);
  const std::size_t count = vertices.positions.size();
  std::vector<Vec4> texels;
  texels.reserve(vertices.targets.size() * count * (normals ? 2 : 1));
  for (const MorphTarget& target : vertices.targets) {
    for (std::size_t i = 0; i < count; ++i) {
      texels.push_back(texel(target.positions, i));
      if (normals) texels.push_back(texel(target.normals, i));
    }
  }
  return texels;
}

std::size_t morph_block_bytes(std::uint32_t targets) {
  return sizeof(MorphHead) + (std::size_t{targets} + 3) / 4 * 4 * sizeof(float);
}

void pack_morph_weights(const Vertices& vertices, std::span<const float> weights, std::span<std::byte> out) {
  const auto targets = static_cast<std::uint32_t>(vertices.targets.size());
  MARROW_ASSERT(out.size() == morph_block_bytes(targets), "the memory must be as large as the block is");
  write_block({static_cast<std::int32_t>(targets), static_cast<std::int32_t>(vertices.positions.size()),
               has_normals(vertices) ? 2 : 1, 0},
              weights, out);
}

Result<MorphTargets> MorphTargets::create(const Device& device, const Vertices& vertices) {
  if (const Result<void> good = check_vertices(vertices); !good) return good.error();
  if (device.is_lost(device.context.get())) return lost_error();
  const std::size_t count = vertices.positions.size(), targets = vertices.targets.size();
  const bool normals = has_normals(vertices);
  const std::uint64_t total = std::uint64_t{count} * targets * (normals ? 2 : 1);
  const std::uint64_t side = std::min(device.limits.texture_size, 16384u);
  if (total > side * side) {
    return Error{ErrorCode::limit_exceeded,
                 "the morph targets take " + std::to_string(total) + " texels, and a texture of this device has " +
                     std::to_string(side * side),
                 "targets"};
  }
  MorphTargets made;
  made.device_ = device;
  made.targets_ = static_cast<std::uint32_t>(targets);
  made.vertices_ = static_cast<std::uint32_t>(count);
  made.texels_ = normals ? 2 : 1;
  if (total == 0) return made;

  constexpr std::uint64_t kUsualWidth = 1024;  // as wide as the device can only if there are very many
  const auto columns = static_cast<std::size_t>(total > kUsualWidth * side ? side : std::min(kUsualWidth, side));
  const std::size_t rows = (static_cast<std::size_t>(total) + columns - 1) / columns;
  std::vector<Vec4> texels = pack_morph_deltas(vertices);
  texels.resize(columns * rows);
  made.texture_ = device.create_texture(device.context.get(), static_cast<std::uint32_t>(columns),
                                        static_cast<std::uint32_t>(rows));
  if (made.texture_ == 0) {
    return device_memory_error(texels.size() * sizeof(Vec4), "targets");
  }
  device.write_texture(device.context.get(), made.texture_, 0, static_cast<std::uint32_t>(rows),
                       std::as_bytes(std::span(texels)));
  return made;
}

MorphTargets::MorphTargets(MorphTargets&& other) noexcept
    : device_(std::move(other.device_)),
      texture_(std::exchange(other.texture_, 0)),
      targets_(other.targets_),
      vertices_(other.vertices_),
      texels_(other.texels_) {}

MorphTargets& MorphTargets::operator=(MorphTargets&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(texture_, other.texture_);
  targets_ = other.targets_;
  vertices_ = other.vertices_;
  texels_ = other.texels_;
  return *this;
}

MorphTargets::~MorphTargets() {
  if (texture_ != 0) device_.destroy_texture(device_.context.get(), texture_);
}

struct MorphBuffer::Impl {
  std::uint32_t max_targets;
  BlockArena arena;
};

MorphBuffer::MorphBuffer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
MorphBuffer::MorphBuffer(MorphBuffer&&) noexcept = default;
MorphBuffer& MorphBuffer::operator=(MorphBuffer&&) noexcept = default;
MorphBuffer::~MorphBuffer() = default;

Result<MorphBuffer> MorphBuffer::create(const Device& device, const MorphBufferOptions& options) {
  BlockArenaOptions arena;
  arena.visible_bytes = morph_block_bytes(options.max_targets);
  arena.blocks = options.meshes;
  arena.copies = options.copies;
  if (arena.visible_bytes > device.limits.uniform_bytes) {
    return Error{ErrorCode::limit_exceeded,
                 std::to_string(options.max_targets) + " morph targets were asked for, and a uniform buffer of this " +
                     "device holds the weights of " +
                     std::to_string((device.limits.uniform_bytes - sizeof(MorphHead)) / sizeof(float)),
                 {}};
  }
  return MorphBuffer(std::unique_ptr<Impl>(new Impl{options.max_targets, BlockArena(device, arena)}));
}

void MorphBuffer::begin_frame() { impl_->arena.begin_frame(); }
UploadCounters MorphBuffer::counters() const { return impl_->arena.counters(); }
Result<void> MorphBuffer::upload() { return impl_->arena.upload(); }

Result<MorphRef> MorphBuffer::add(const MorphTargets& targets, std::span<const float> weights) {
  const std::uint32_t count = targets.targets();
  if (count > impl_->max_targets) {
    return Error{ErrorCode::limit_exceeded,
                 "the mesh has " + std::to_string(count) + " morph targets, and the buffer was made for " +
                     std::to_string(impl_->max_targets),
                 {}};
  }
  weights = weights.first(std::min<std::size_t>(weights.size(), count));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i])) {
      return Error{ErrorCode::not_finite, "a morph weight is not finite", {"weights", i}};
    }
  }
  const Result<BlockArena::Added> added = impl_->arena.add(morph_block_bytes(count));
  if (!added) return added.error();
  write_block({static_cast<std::int32_t>(count), static_cast<std::int32_t>(targets.vertices()),
               static_cast<std::int32_t>(targets.texels()), 0},
              weights, added->bytes);
  return MorphRef{impl_->arena.frame(), added->block, count, targets.texture()};
}

Result<BufferBinding> MorphBuffer::binding(MorphRef ref) const {
  const Result<std::uint32_t> offset = impl_->arena.offset_of(ref.frame, ref.block);
  if (!offset) return offset.error();
  return BufferBinding{impl_->arena.handle(), *offset, morph_block_bytes(impl_->max_targets), 0};
}

}  // namespace marrow
