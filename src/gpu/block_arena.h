// BlockArena: blocks of bytes that shaders read, one after the other in one buffer or texture of the device. Internal.
//
// Blocks are staged on the CPU, and `upload` copies them to the device. Each frame uses the next of a few copies on the
// device, so that it writes nothing that the GPU may still read. A block with a key keeps its place from frame to
// frame, and is written to each copy once for each version. A block without a key lasts one frame.
//
// Places of blocks that frames no longer add are taken back when they exceed what a recent frame added: the other
// blocks then move together, and those that moved are written again. Once it has grown to what frames need, nothing is
// allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/gpu/device.h"

namespace marrow {

struct BlockArenaOptions {
  PaletteStorage storage = PaletteStorage::uniform_3x4;
  std::size_t visible_bytes = 0;  // that a shader sees from the beginning of each block, used or not
  std::uint32_t blocks = 1;       // of that size, to allocate at once
  std::uint32_t copies = 3;       // at least 1, at most 32
};

struct BlockKey {
  std::uint64_t owner = 0;
  std::uint32_t item = 0;

  friend bool operator==(const BlockKey& a, const BlockKey& b) { return a.owner == b.owner && a.item == b.item; }
};

class BlockArena {
 public:
  BlockArena(const Device& device, const BlockArenaOptions& options);
  BlockArena(const BlockArena&) = delete;
  BlockArena& operator=(const BlockArena&) = delete;
  ~BlockArena();

  // Begins a frame with the next copy. Blocks of the last frame can no longer be found by their numbers.
  void begin_frame();

  // A block of this frame: its number, and its bytes, which the caller fills at once if `stale`.
  struct Added {
    std::uint32_t block;
    std::span<std::byte> bytes;
    bool stale;
  };
  // Adds a block without a key; it is always stale. Fails if the device cannot hold the blocks of the frame together.
  [[nodiscard]] Result<Added> add(std::size_t bytes);

  // Adds a block that is stale unless it is staged with this version and size. A second version in one frame is another
  // block.
  [[nodiscard]] Result<Added> add(BlockKey key, std::uint64_t version, std::size_t bytes);

  // Returns the offset of a block of this frame. Fails if the frame is another, or the block is not uploaded.
  [[nodiscard]] Result<std::uint32_t> offset_of(std::uint64_t frame, std::uint32_t block) const;

  // Writes the blocks of this frame that the present copy lacks: one write for each run of them, at most 64. On failure
  // it writes nothing. Handles that were bound stay valid until the next frame, also if the copies had to grow.
  [[nodiscard]] Result<void> upload();

  [[nodiscard]] DeviceHandle handle() const { return copies_[current_]; }
  [[nodiscard]] std::uint64_t frame() const { return frame_; }
  [[nodiscard]] const UploadCounters& counters() const { return counters_; }

 private:
  // Sorted by offset, as each new block goes behind the others.
  struct Block {
    BlockKey key;
    std::uint64_t version = 0;
    std::uint64_t frame = 0;  // that added it last; 0: none
    std::uint32_t offset = 0, bytes = 0;
    std::uint32_t next = 0;     // with the same hash
    std::uint32_t written = 0;  // a bit for each copy: it has the staged bytes
    bool has_key = false;
  };
  // A range of bytes to write: of texture rows, whole ones.
  struct Run {
    std::size_t begin, end;
  };

  [[nodiscard]] std::size_t padded(std::size_t bytes) const;
  [[nodiscard]] bool is_dirty(const Block& block) const;
  [[nodiscard]] std::size_t bucket_of(const BlockKey& key) const;
  void rebuild_table(std::size_t buckets);
  void use(std::uint32_t block);
  [[nodiscard]] Result<std::uint32_t> append(std::size_t bytes);
  void close_gaps();
  void make_space_in_frame();
  void drop_unused();
  void count_dirty();

  [[nodiscard]] DeviceHandle make(std::size_t bytes) const;
  [[nodiscard]] bool make_copies(std::size_t bytes);
  [[nodiscard]] Result<void> grow();
  void forget_copies();
  void destroy(std::vector<DeviceHandle>& handles) const;
  void collect_runs();
  void merge_runs();
  void write(const Run& run);

  Device device_;
  BlockArenaOptions options_;
  std::size_t alignment_ = 1;
  std::size_t row_bytes_ = 0;  // of the texture; 0 for buffers
  std::size_t max_bytes_ = 0;  // of a frame

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> table_;  // the first block of each hash; a power of two
  std::vector<std::byte> staged_;     // whole rows of the texture
  std::size_t used_ = 0;              // bytes up to the end of the last block
  std::size_t frame_bytes_ = 0;       // of the blocks of this frame, padded
  std::size_t recent_bytes_ = 0;      // the most of recent frames

  std::vector<DeviceHandle> copies_;   // 0 before the first upload
  std::vector<DeviceHandle> retired_;  // were too small; the next frame frees them
  std::size_t copy_bytes_ = 0;         // of each
  std::uint32_t current_ = 0;          // the copy of this frame
  std::uint64_t frame_ = 0;            // a serial: no frame of another arena has the same
  bool has_uploaded_ = false;          // in this frame
  bool has_holes_ = false;             // blocks without bytes, of dropped ones

  std::size_t dirty_ = 0, first_dirty_ = 0, last_dirty_ = 0;  // how many blocks to write, and where they are
  std::vector<Run> runs_;
  std::vector<std::size_t> gaps_;  // between runs
  UploadCounters counters_;
};

}  // namespace marrow
