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
  std::uint32_t blocks = 1;       // as large as that, to make room for at once
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
  // Fails if the device cannot hold so much at once.
  [[nodiscard]] Result<Block> add(std::size_t bytes);

  // Fails if a block is of another arena or frame, or not uploaded yet.
  [[nodiscard]] Result<void> check(std::uint64_t frame, std::size_t offset, std::size_t bytes) const;

  // Brings what was added since the last time to the device. On failure nothing of it is there. What was bound before
  // stays as it is until the next frame, also if there had to be more room.
  [[nodiscard]] Result<void> upload();

  [[nodiscard]] DeviceHandle handle() const { return copies_[current_]; }
  [[nodiscard]] std::uint64_t frame() const { return frame_; }
  [[nodiscard]] const UploadCounters& counters() const { return counters_; }

 private:
  [[nodiscard]] DeviceHandle make(std::size_t bytes) const;
  [[nodiscard]] bool make_copies(std::size_t bytes);
  [[nodiscard]] Result<void> grow();
  void destroy(std::vector<DeviceHandle>& handles) const;

  Device device_;
  BlockArenaOptions options_;
  std::size_t alignment_ = 1;
  std::size_t row_bytes_ = 0;          // of the texture; 0 for buffers
  std::size_t max_bytes_ = 0;          // of a frame
  std::vector<std::byte> staged_;      // whole rows of the texture
  std::vector<DeviceHandle> copies_;   // 0 before the first upload
  std::vector<DeviceHandle> retired_;  // too small by now; freed by the next frame
  std::size_t copy_bytes_ = 0;         // of each
  std::size_t used_ = 0, uploaded_ = 0;
  std::uint64_t frame_ = 0;  // a serial: no frame of another arena has the same
  std::uint32_t current_ = 0;
  UploadCounters counters_;
};

}  // namespace marrow
