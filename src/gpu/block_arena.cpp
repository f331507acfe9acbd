#include "src/gpu/block_arena.h"

#include <algorithm>
#include <string>

#include "marrow/core/assert.h"
#include "src/core/serial.h"
#include "src/gpu/device_errors.h"

namespace marrow {
namespace {

constexpr std::size_t kTexelBytes = 16;
constexpr std::size_t kMaxBytes = std::size_t{1} << 31;

std::size_t round_up(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

}  // namespace

BlockArena::BlockArena(const Device& device, const BlockArenaOptions& options)
    : device_(device), options_(options), max_bytes_(kMaxBytes), frame_(next_serial()) {
  MARROW_ASSERT(device.make_buffer != nullptr && device.make_texture != nullptr && device.write_buffer != nullptr &&
                    device.write_texture != nullptr && device.destroy_buffer != nullptr &&
                    device.destroy_texture != nullptr && device.is_lost != nullptr,
                "a device must have all functions");
  copies_.resize(std::max<std::uint32_t>(options.copies, 1));
  if (is_texture(options.storage)) {
    alignment_ = bone_bytes(options.storage);
    row_bytes_ = kBonesPerTextureRow * alignment_;
    max_bytes_ = std::min(max_bytes_, device.limits.texture_size * row_bytes_);
  } else {
    const bool uniform = options.storage != PaletteStorage::storage_3x4;
    alignment_ =
        std::max<std::size_t>(uniform ? device.limits.uniform_alignment : device.limits.storage_alignment, kTexelBytes);
  }
  const std::uint64_t wanted = std::uint64_t{options.blocks} * round_up(options.visible_bytes, alignment_);
  const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, max_bytes_));
  staged_.resize(row_bytes_ == 0 ? first : round_up(first, row_bytes_));
}

BlockArena::~BlockArena() {
  destroy(copies_);
  destroy(retired_);
}

void BlockArena::destroy(std::vector<DeviceHandle>& handles) const {
  for (const DeviceHandle handle : handles) {
    if (handle == 0) continue;
    (row_bytes_ != 0 ? device_.destroy_texture : device_.destroy_buffer)(device_.context.get(), handle);
  }
  handles.clear();
}

void BlockArena::begin_frame() {
  destroy(retired_);
  used_ = uploaded_ = 0;
  frame_ = next_serial();
  current_ = (current_ + 1) % static_cast<std::uint32_t>(copies_.size());
  counters_ = {};
}

Result<BlockArena::Block> BlockArena::add(std::size_t bytes) {
  const std::size_t offset = round_up(used_, alignment_);
  if (offset + bytes > max_bytes_) {
    return Error{ErrorCode::limit_exceeded,
                 "with this the frame has more than " + std::to_string(max_bytes_ / bone_bytes(options_.storage)) +
                     " bones together, which is what this device holds in " + to_string(options_.storage),
                 {}};
  }
  used_ = offset + bytes;
  if (used_ > staged_.size()) {
    const std::size_t size = std::max(used_, 2 * staged_.size());
    staged_.resize(row_bytes_ == 0 ? size : round_up(size, row_bytes_));
  }
  ++counters_.blocks;
  return Block{std::span(staged_).subspan(offset, bytes), static_cast<std::uint32_t>(offset)};
}

Result<void> BlockArena::check(std::uint64_t frame, std::size_t offset, std::size_t bytes) const {
  if (frame != frame_) {
    return Error{ErrorCode::invalid_argument,
                 "it was not added to this buffer in this frame: refs are good until the next begin_frame",
                 {}};
  }
  if (offset + bytes > uploaded_) {
    return Error{ErrorCode::invalid_argument, "it was added after the last upload", {}};
  }
  return {};
}

DeviceHandle BlockArena::make(std::size_t bytes) const {
  void* const context = device_.context.get();
  if (row_bytes_ == 0) {
    const bool storage = options_.storage == PaletteStorage::storage_3x4;
    return device_.make_buffer(context, storage ? BufferUse::storage : BufferUse::uniform, bytes);
  }
  return device_.make_texture(context, static_cast<std::uint32_t>(row_bytes_ / kTexelBytes),
                              static_cast<std::uint32_t>(bytes / row_bytes_));
}

// All copies at once: what one frame needs the next will too.
bool BlockArena::make_copies(std::size_t bytes) {
  std::vector<DeviceHandle> made(copies_.size());
  for (DeviceHandle& handle : made) {
    handle = make(bytes);
    if (handle == 0) {
      destroy(made);
      return false;
    }
  }
  retired_.insert(retired_.end(), copies_.begin(), copies_.end());
  copies_ = std::move(made);
  copy_bytes_ = bytes;
  uploaded_ = 0;
  counters_.allocations += static_cast<std::uint32_t>(copies_.size());
  return true;
}

// Makes room for what is staged, and for twice as much as before if the device has that. A shader sees as many bytes of
// the last block as of the others.
Result<void> BlockArena::grow() {
  const std::size_t needed = row_bytes_ != 0 ? round_up(used_, row_bytes_) : used_ + options_.visible_bytes;
  if (needed <= copy_bytes_) return {};
  const std::size_t staged = row_bytes_ != 0 ? staged_.size() : staged_.size() + options_.visible_bytes;
  const std::size_t most = row_bytes_ != 0 ? max_bytes_ : max_bytes_ + options_.visible_bytes;
  const std::size_t ample = std::min(std::max({needed, staged, 2 * copy_bytes_}), most);
  if (make_copies(ample) || make_copies(needed)) return {};
  return device_.is_lost(device_.context.get()) ? lost_error() : no_room_error(needed);
}

Result<void> BlockArena::upload() {
  void* const context = device_.context.get();
  if (device_.is_lost(context)) return lost_error();
  if (used_ == uploaded_) return {};
  if (Result<void> grown = grow(); !grown) return grown;
  if (row_bytes_ != 0) {
    const std::size_t first = uploaded_ / row_bytes_, end = round_up(used_, row_bytes_) / row_bytes_;
    const std::span<const std::byte> rows(staged_.data() + first * row_bytes_, (end - first) * row_bytes_);
    device_.write_texture(context, handle(), static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end - first),
                          rows);
    counters_.bytes += rows.size();
  } else {
    const std::span<const std::byte> bytes(staged_.data() + uploaded_, used_ - uploaded_);
    device_.write_buffer(context, handle(), uploaded_, bytes);
    counters_.bytes += bytes.size();
  }
  ++counters_.writes;
  uploaded_ = used_;
  return {};
}

}  // namespace marrow
