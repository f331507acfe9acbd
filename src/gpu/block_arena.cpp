#include "src/gpu/block_arena.h"

#include <algorithm>
#include <string>

#include "src/gpu/device_errors.h"

namespace marrow {
namespace {

constexpr std::size_t kTexelBytes = 16;
constexpr std::size_t kMaxBytes = std::size_t{1} << 31;

std::size_t round_up(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

}  // namespace

BlockArena::BlockArena(const Device& device, const BlockArenaOptions& options) : device_(device), options_(options) {
  copies_.resize(std::max<std::uint32_t>(options.copies, 1));
  if (is_texture(options.storage)) {
    row_bytes_ = kBonesPerTextureRow * bone_bytes(options.storage);
    alignment_ = bone_bytes(options.storage);
  } else {
    const bool uniform = options.storage != PaletteStorage::storage_3x4;
    alignment_ =
        std::max<std::size_t>(uniform ? device.limits.uniform_alignment : device.limits.storage_alignment, kTexelBytes);
  }
  staged_.resize(round_up(options.first_bytes, std::max<std::size_t>(row_bytes_, 1)));
}

BlockArena::~BlockArena() {
  for (Copy& copy : copies_) destroy(copy);
}

void BlockArena::begin_frame() {
  used_ = uploaded_ = 0;
  ++frame_;
  current_ = (current_ + 1) % static_cast<std::uint32_t>(copies_.size());
  counters_ = {};
}

Result<BlockArena::Block> BlockArena::add(std::size_t bytes) {
  const std::size_t offset = round_up(used_, alignment_);
  if (offset + bytes > kMaxBytes) {
    return Error{ErrorCode::limit_exceeded, "a frame has more than 2 GB for the GPU", {}};
  }
  used_ = offset + bytes;
  if (used_ > staged_.size()) {
    const std::size_t size = std::max(used_, 2 * staged_.size());
    staged_.resize(row_bytes_ == 0 ? size : round_up(size, row_bytes_));
  }
  ++counters_.blocks;
  return Block{std::span(staged_).subspan(offset, bytes), static_cast<std::uint32_t>(offset)};
}

Result<void> BlockArena::check(std::uint64_t frame, std::size_t offset) const {
  if (frame != frame_) {
    return Error{ErrorCode::invalid_argument, "it was added in another frame: add it again after begin_frame", {}};
  }
  if (offset >= uploaded_) return Error{ErrorCode::invalid_argument, "it was added after the last upload", {}};
  return {};
}

// A shader sees as many bytes of the last block as of the others.
std::size_t BlockArena::needed_bytes() const {
  return row_bytes_ != 0 ? round_up(used_, row_bytes_) : used_ + options_.visible_bytes;
}

void BlockArena::destroy(Copy& copy) {
  (row_bytes_ != 0 ? device_.destroy_texture : device_.destroy_buffer)(device_.context, copy.handle);
  copy = {};
}

Result<void> BlockArena::grow(Copy& copy, std::size_t bytes) {
  std::size_t size = std::max(bytes, 2 * copy.bytes);
  DeviceHandle handle = 0;
  if (row_bytes_ != 0) {
    const std::size_t rows = round_up(bytes, row_bytes_) / row_bytes_, most = device_.limits.texture_size;
    if (rows > most) {
      return Error{ErrorCode::limit_exceeded,
                   "the palettes of one frame have more than " + std::to_string(most * kBonesPerTextureRow) +
                       " bones together, which is what a texture of this device holds",
                   {}};
    }
    size = std::min(round_up(size, row_bytes_), most * row_bytes_);
    handle = device_.make_texture(device_.context, static_cast<std::uint32_t>(row_bytes_ / kTexelBytes),
                                  static_cast<std::uint32_t>(size / row_bytes_));
  } else {
    const BufferUse use = options_.storage == PaletteStorage::storage_3x4 ? BufferUse::storage : BufferUse::uniform;
    handle = device_.make_buffer(device_.context, use, size);
  }
  if (handle == 0) {
    return no_room_error(size);
  }
  destroy(copy);
  copy = {handle, size};
  uploaded_ = 0;
  ++counters_.allocations;
  return {};
}

Result<void> BlockArena::upload() {
  if (device_.is_lost(device_.context)) {
    return lost_error();
  }
  if (used_ == uploaded_) return {};
  Copy& copy = copies_[current_];
  if (copy.bytes < needed_bytes()) {
    if (Result<void> grown = grow(copy, needed_bytes()); !grown) return grown;
  }
  if (row_bytes_ != 0) {
    const std::size_t first = uploaded_ / row_bytes_, end = round_up(used_, row_bytes_) / row_bytes_;
    const std::span<const std::byte> rows(staged_.data() + first * row_bytes_, (end - first) * row_bytes_);
    device_.write_texture(device_.context, copy.handle, static_cast<std::uint32_t>(first),
                          static_cast<std::uint32_t>(end - first), rows);
    counters_.bytes += rows.size();
  } else {
    const std::span<const std::byte> bytes(staged_.data() + uploaded_, used_ - uploaded_);
    device_.write_buffer(device_.context, copy.handle, uploaded_, bytes);
    counters_.bytes += bytes.size();
  }
  ++counters_.writes;
  uploaded_ = used_;
  return {};
}

}  // namespace marrow
