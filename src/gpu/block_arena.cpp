#include "src/gpu/block_arena.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "marrow/core/assert.h"
#include "marrow/core/serial.h"
#include "src/gpu/device_errors.h"

namespace marrow {
namespace {

constexpr std::size_t kTexelBytes = 16;
constexpr std::size_t kMaxBytes = std::size_t{1} << 31;
constexpr std::uint32_t kMaxCopies = 32;
constexpr std::uint32_t kNoBlock = ~0u;
constexpr std::size_t kMinBuckets = 8;

// A call of the driver takes about as long as a copy of so many bytes: a gap that no block of the frame is in is
// written if it is smaller.
constexpr std::size_t kBridgedBytes = std::size_t{16} << 10;
constexpr std::size_t kMaxWrites = 64;

// Unused bytes that are not worth a move.
constexpr std::size_t kSpareBytes = std::size_t{64} << 10;
constexpr std::size_t kRecentFrames = 64;

std::size_t round_up(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

}  // namespace

BlockArena::BlockArena(const Device& device, const BlockArenaOptions& options)
    : device_(device), options_(options), max_bytes_(kMaxBytes), frame_(next_serial()) {
  MARROW_ASSERT(device.create_buffer != nullptr && device.create_texture != nullptr && device.write_buffer != nullptr &&
                    device.write_texture != nullptr && device.destroy_buffer != nullptr &&
                    device.destroy_texture != nullptr && device.is_lost != nullptr,
                "a device must have all functions");
  copies_.resize(std::clamp<std::uint32_t>(options.copies, 1, kMaxCopies));
  if (is_texture(options.storage)) {
    alignment_ = bone_bytes(options.storage);
    row_bytes_ = kBonesPerTextureRow * alignment_;
    max_bytes_ = std::min(max_bytes_, device.limits.texture_size * row_bytes_);
  } else {
    const bool uniform = options.storage != PaletteStorage::storage_3x4;
    alignment_ =
        std::max<std::size_t>(uniform ? device.limits.uniform_alignment : device.limits.storage_alignment, kTexelBytes);
  }
  const std::uint64_t wanted = std::uint64_t{options.blocks} * padded(options.visible_bytes);
  const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, max_bytes_));
  staged_.resize(row_bytes_ == 0 ? first : round_up(first, row_bytes_));
  table_.assign(kMinBuckets, kNoBlock);
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

std::size_t BlockArena::padded(std::size_t bytes) const { return round_up(bytes, alignment_); }

bool BlockArena::is_dirty(const Block& block) const {
  return block.frame == frame_ && (block.written >> current_ & 1) == 0;
}

// ---- Blocks ------------------------------------------------------------------------------------------------------

std::size_t BlockArena::bucket_of(const BlockKey& key) const {
  const std::uint64_t product = (key.owner * 64 + key.item) * 0x9e3779b97f4a7c15u;  // Knuth's multiplicative hash
  return static_cast<std::size_t>(product >> 20) & (table_.size() - 1);
}

void BlockArena::rebuild_table(std::size_t buckets) {
  table_.assign(buckets, kNoBlock);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (!blocks_[i].has_key) continue;
    std::uint32_t& first = table_[bucket_of(blocks_[i].key)];
    blocks_[i].next = first;
    first = static_cast<std::uint32_t>(i);
  }
}

// Counts the block among those of this frame.
void BlockArena::use(std::uint32_t index) {
  Block& block = blocks_[index];
  block.frame = frame_;
  frame_bytes_ += padded(block.bytes);
  ++counters_.blocks;
  if (!is_dirty(block)) return;
  first_dirty_ = dirty_ == 0 ? index : std::min<std::size_t>(first_dirty_, index);
  last_dirty_ = dirty_ == 0 ? index : std::max<std::size_t>(last_dirty_, index);
  ++dirty_;
}

// Returns a new block behind the others.
Result<std::uint32_t> BlockArena::append(std::size_t bytes) {
  const auto fits = [&] { return padded(used_) + bytes <= max_bytes_; };
  if (!fits() && used_ > frame_bytes_) make_space_in_frame();
  if (!fits()) {
    return Error{ErrorCode::limit_exceeded,
                 "with this the frame has more than " + std::to_string(max_bytes_ / bone_bytes(options_.storage)) +
                     " bones together, which is what this device holds in " + to_string(options_.storage),
                 {}};
  }
  Block block;
  block.offset = static_cast<std::uint32_t>(padded(used_));
  block.bytes = static_cast<std::uint32_t>(bytes);
  if (bytes == 0) block.written = ~0u;
  used_ = block.offset + bytes;
  if (used_ > staged_.size()) {
    const std::size_t size = std::max(used_, 2 * staged_.size());
    staged_.resize(row_bytes_ == 0 ? size : round_up(size, row_bytes_));
  }
  blocks_.push_back(block);
  runs_.reserve(blocks_.capacity());
  gaps_.reserve(blocks_.capacity());
  return static_cast<std::uint32_t>(blocks_.size() - 1);
}

Result<BlockArena::Added> BlockArena::add(std::size_t bytes) {
  const Result<std::uint32_t> index = append(bytes);
  if (!index) return index.error();
  use(*index);
  ++counters_.packed;
  return Added{*index, std::span(staged_).subspan(blocks_[*index].offset, bytes), true};
}

Result<BlockArena::Added> BlockArena::add(BlockKey key, std::uint64_t version, std::size_t bytes) {
  std::uint32_t index = kNoBlock;  // a block of the key that this frame has not used
  for (std::uint32_t i = table_[bucket_of(key)]; i != kNoBlock; i = blocks_[i].next) {
    const Block& block = blocks_[i];
    if (!(block.key == key)) continue;
    if (block.version == version && block.bytes == bytes) {
      if (block.frame != frame_) use(i);
      return Added{i, {}, false};
    }
    if (index == kNoBlock && block.frame != frame_ && padded(block.bytes) == padded(bytes)) index = i;
  }
  if (index == kNoBlock) {
    const Result<std::uint32_t> made = append(bytes);
    if (!made) return made.error();
    index = *made;
    Block& block = blocks_[index];
    block.key = key;
    block.has_key = true;
    if (blocks_.size() > table_.size()) {
      rebuild_table(2 * table_.size());
    } else {
      std::uint32_t& first = table_[bucket_of(key)];
      block.next = first;
      first = index;
    }
  }
  Block& block = blocks_[index];
  block.version = version;
  block.bytes = static_cast<std::uint32_t>(bytes);
  block.written = bytes == 0 ? ~0u : 0;
  use(index);
  ++counters_.packed;
  return Added{index, std::span(staged_).subspan(block.offset, bytes), true};
}

Result<std::uint32_t> BlockArena::offset_of(std::uint64_t frame, std::uint32_t block) const {
  if (frame != frame_ || block >= blocks_.size()) {
    return Error{ErrorCode::invalid_argument,
                 "it was not added to this buffer in this frame: refs are good until the next begin_frame",
                 {}};
  }
  if (is_dirty(blocks_[block])) return Error{ErrorCode::invalid_argument, "it was added after the last upload", {}};
  return blocks_[block].offset;
}

// ---- Frames ------------------------------------------------------------------------------------------------------

// Moves the blocks together, with what is staged of them.
void BlockArena::close_gaps() {
  used_ = 0;
  for (Block& block : blocks_) {
    const auto offset = static_cast<std::uint32_t>(padded(used_));
    if (offset != block.offset && block.bytes > 0) {
      std::memmove(staged_.data() + offset, staged_.data() + block.offset, block.bytes);
      block.written = 0;
    }
    block.offset = offset;
    used_ = offset + block.bytes;
  }
  rebuild_table(table_.size());
}

// Leaves the blocks of this frame alone. Their numbers stay; if the GPU may read some at their places, these stay too,
// as the next upload makes other copies.
void BlockArena::make_space_in_frame() {
  for (Block& block : blocks_) {
    if (block.frame == frame_) continue;
    block = {};
    block.written = ~0u;
  }
  has_holes_ = true;
  close_gaps();
  if (has_uploaded_) copy_bytes_ = 0;
  count_dirty();
}

// Between two frames, drops the blocks that no longer count.
void BlockArena::drop_unused() {
  while (!blocks_.empty() && !blocks_.back().has_key) blocks_.pop_back();
  used_ = blocks_.empty() ? 0 : blocks_.back().offset + blocks_.back().bytes;
  recent_bytes_ = std::max(frame_bytes_, recent_bytes_ - recent_bytes_ / kRecentFrames);
  if (!has_holes_ && used_ <= 2 * recent_bytes_ + kSpareBytes) return;
  std::erase_if(blocks_, [&](const Block& block) { return !block.has_key || block.frame != frame_; });
  has_holes_ = false;
  close_gaps();
}

void BlockArena::begin_frame() {
  destroy(retired_);
  drop_unused();
  frame_ = next_serial();
  current_ = (current_ + 1) % static_cast<std::uint32_t>(copies_.size());
  frame_bytes_ = dirty_ = 0;
  has_uploaded_ = false;
  counters_ = {};
}

void BlockArena::count_dirty() {
  dirty_ = static_cast<std::size_t>(
      std::count_if(blocks_.begin(), blocks_.end(), [&](const Block& block) { return is_dirty(block); }));
  first_dirty_ = 0;
  last_dirty_ = blocks_.empty() ? 0 : blocks_.size() - 1;
}

// ---- The device --------------------------------------------------------------------------------------------------

DeviceHandle BlockArena::make(std::size_t bytes) const {
  void* const context = device_.context.get();
  if (row_bytes_ == 0) {
    const bool storage = options_.storage == PaletteStorage::storage_3x4;
    return device_.create_buffer(context, storage ? BufferUse::storage : BufferUse::uniform, bytes);
  }
  return device_.create_texture(context, static_cast<std::uint32_t>(row_bytes_ / kTexelBytes),
                                static_cast<std::uint32_t>(bytes / row_bytes_));
}

void BlockArena::forget_copies() {
  copy_bytes_ = 0;
  for (Block& block : blocks_) block.written = block.bytes == 0 ? ~0u : 0;
  count_dirty();
}

// All copies at once: the next frames will need as much.
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
  forget_copies();
  copy_bytes_ = bytes;
  counters_.allocations += static_cast<std::uint32_t>(copies_.size());
  return true;
}

// Makes copies for what is staged, and twice as large as before if the device has that much memory. A shader sees as
// many bytes of the last block as of the others.
Result<void> BlockArena::grow() {
  const std::size_t needed = row_bytes_ != 0 ? round_up(used_, row_bytes_) : used_ + options_.visible_bytes;
  if (needed <= copy_bytes_) return {};
  const std::size_t staged = row_bytes_ != 0 ? staged_.size() : staged_.size() + options_.visible_bytes;
  const std::size_t most = row_bytes_ != 0 ? max_bytes_ : max_bytes_ + options_.visible_bytes;
  const std::size_t ample = std::min(std::max({needed, staged, 2 * copy_bytes_}), most);
  if (make_copies(ample) || make_copies(needed)) return {};
  return device_.is_lost(device_.context.get()) ? lost_error() : device_memory_error(needed);
}

// Collects the ranges of the dirty blocks, and marks these as written. A block of the frame that the copy has ends a
// run.
void BlockArena::collect_runs() {
  const std::size_t grain = row_bytes_ != 0 ? row_bytes_ : 1;
  runs_.clear();
  std::size_t bridged = 0;
  for (std::size_t i = first_dirty_; i <= last_dirty_; ++i) {
    Block& block = blocks_[i];
    if (block.frame != frame_) continue;
    if (!is_dirty(block)) {
      if (block.bytes > 0) bridged = 0;
      continue;
    }
    block.written |= 1u << current_;
    const std::size_t begin = block.offset / grain * grain, end = round_up(block.offset + block.bytes, grain);
    if (!runs_.empty() && begin <= runs_.back().end + bridged) {
      runs_.back().end = std::max(runs_.back().end, end);
    } else {
      runs_.push_back({begin, end});
    }
    bridged = kBridgedBytes;
  }
}

// Writes the narrowest gaps too, so that there are no more runs than kMaxWrites.
void BlockArena::merge_runs() {
  if (runs_.size() <= kMaxWrites) return;
  const std::size_t surplus = runs_.size() - kMaxWrites;
  gaps_.clear();
  for (std::size_t i = 1; i < runs_.size(); ++i) gaps_.push_back(runs_[i].begin - runs_[i - 1].end);
  const auto middle = gaps_.begin() + static_cast<std::ptrdiff_t>(surplus - 1);
  std::nth_element(gaps_.begin(), middle, gaps_.end());
  const std::size_t widest = *middle;
  auto as_wide = surplus - static_cast<std::size_t>(std::count_if(gaps_.begin(), gaps_.end(),
                                                                  [&](std::size_t gap) { return gap < widest; }));
  std::size_t count = 1;
  for (std::size_t i = 1; i < runs_.size(); ++i) {
    const std::size_t gap = runs_[i].begin - runs_[count - 1].end;
    if (gap < widest || (gap == widest && as_wide > 0)) {
      if (gap == widest) --as_wide;
      runs_[count - 1].end = runs_[i].end;
    } else {
      runs_[count++] = runs_[i];
    }
  }
  runs_.resize(count);
}

void BlockArena::write(const Run& run) {
  const std::span<const std::byte> bytes(staged_.data() + run.begin, run.end - run.begin);
  void* const context = device_.context.get();
  if (row_bytes_ != 0) {
    device_.write_texture(context, handle(), static_cast<std::uint32_t>(run.begin / row_bytes_),
                          static_cast<std::uint32_t>(bytes.size() / row_bytes_), bytes);
  } else {
    device_.write_buffer(context, handle(), run.begin, bytes);
  }
  ++counters_.writes;
  counters_.bytes += bytes.size();
}

Result<void> BlockArena::upload() {
  if (device_.is_lost(device_.context.get())) {
    forget_copies();
    return lost_error();
  }
  if (dirty_ == 0) return {};
  if (Result<void> grown = grow(); !grown) return grown;
  collect_runs();
  merge_runs();
  for (const Run& run : runs_) write(run);
  dirty_ = 0;
  has_uploaded_ = true;
  return {};
}

}  // namespace marrow
