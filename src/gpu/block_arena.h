// BlockArena: blocks of bytes that a frame's shaders read, one after the other in one buffer or texture of the device.
// Internal.
//
// Blocks are added on the CPU and brought over together. Each frame takes the next of a few copies, so that nothing is
// written to that the GPU may still read. Once it has grown to what a frame needs it allocates no more.
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
  std::size_t visible_bytes = 0;  // that a shader sees from the beginning of each block on, used or not
  std::size_t first_bytes = 0;    // to begin with
  std::uint32_t copies = 3;
};

class BlockArena {
 public:
  BlockArena(const Device& device, const BlockArenaOptions& options);
  BlockArena(const BlockArena&) = delete;
  BlockArena& operator=(const BlockArena&) = delete;
  ~BlockArena();

  // Forgets the blocks of the frame before, and takes the next copy.
  void begin_frame();

  // A new block: its bytes, to be filled at once, and where it begins.
  struct Block {
    std::span<std::byte> bytes;
    std::uint32_t offset;
  };
  // Fails if the frame gets larger than offsets can say.
  [[nodiscard]] Result<Block> add(std::size_t bytes);

  // Fails if a block is of another frame, or not uploaded yet.
  [[nodiscard]] Result<void> check(std::uint64_t frame, std::size_t offset) const;

  // Brings what was added since the last time to the device. On failure nothing of it is there.
  [[nodiscard]] Result<void> upload();

  [[nodiscard]] DeviceHandle handle() const { return copies_[current_].handle; }
  [[nodiscard]] std::uint64_t frame() const { return frame_; }
  [[nodiscard]] const UploadCounters& counters() const { return counters_; }

 private:
  struct Copy {
    DeviceHandle handle = 0;
    std::size_t bytes = 0;
  };

  [[nodiscard]] Result<void> grow(Copy& copy, std::size_t bytes);
  void destroy(Copy& copy);
  [[nodiscard]] std::size_t needed_bytes() const;

  const Device& device_;
  BlockArenaOptions options_;
  std::size_t alignment_ = 1;
  std::size_t row_bytes_ = 0;  // of the texture; 0 for buffers
  std::vector<Copy> copies_;
  std::vector<std::byte> staged_;  // whole rows of the texture
  std::size_t used_ = 0, uploaded_ = 0;
  std::uint64_t frame_ = 1;
  std::uint32_t current_ = 0;
  UploadCounters counters_;
};

}  // namespace marrow
