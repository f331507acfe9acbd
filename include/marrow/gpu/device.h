// Device: the little that marrow asks of a graphics API to bring palettes and morph weights to the GPU.
//
// A table of functions with a context: gl_device.h makes one for OpenGL ES 3, WebGL 2 and OpenGL 3.3; an engine with
// another API, or with its own handling of buffers, fills in its own, all functions of it. They are called on the
// thread that calls marrow: by make, begin_frame, upload, and where what was made is destroyed or assigned to. What is
// made with a device has a copy of it, and so keeps its context alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "marrow/gpu/palette_storage.h"

namespace marrow {

enum class BufferUse : std::uint8_t { uniform, storage };

// A buffer or texture of the device; 0 is none.
using DeviceHandle = std::uint64_t;

struct Device {
  std::shared_ptr<void> context;  // is what the functions are given
  DeviceLimits limits;

  // Makes a buffer, or a texture of RGBA32F without mipmaps that vertex shaders read texel by texel. Returns 0 if the
  // device's memory is full.
  DeviceHandle (*create_buffer)(void* context, BufferUse use, std::size_t bytes) = nullptr;
  DeviceHandle (*create_texture)(void* context, std::uint32_t width, std::uint32_t height) = nullptr;

  // Writes a part of a buffer, or whole rows of a texture. What was drawn before must not change by it.
  void (*write_buffer)(void* context, DeviceHandle buffer, std::size_t offset,
                       std::span<const std::byte> bytes) = nullptr;
  void (*write_texture)(void* context, DeviceHandle texture, std::uint32_t first_row, std::uint32_t rows,
                        std::span<const std::byte> bytes) = nullptr;

  // Frees them, once the GPU is done with what was drawn.
  void (*destroy_buffer)(void* context, DeviceHandle buffer) = nullptr;
  void (*destroy_texture)(void* context, DeviceHandle texture) = nullptr;

  // True once everything on the device is gone: the driver was reset, or the browser took the context away.
  bool (*is_lost)(void* context) = nullptr;
};

// Where a palette, or a block of weights, is on the device.
struct BufferBinding {
  DeviceHandle handle = 0;
  std::size_t offset = 0;        // in bytes, for buffers
  std::size_t bytes = 0;         // that a shader sees from there on
  std::uint32_t first_bone = 0;  // for textures
};

// Counts since begin_frame.
struct UploadCounters {
  std::uint32_t blocks = 0;       // palettes, or blocks of weights, that were added
  std::uint32_t packed = 0;       // of them: those that were copied, as no copy of them was there
  std::uint32_t writes = 0;       // calls that write to the device
  std::uint64_t bytes = 0;        // that they write
  std::uint32_t allocations = 0;  // of buffers or textures
};

}  // namespace marrow
