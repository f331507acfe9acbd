// Morph targets on the GPU: MorphTargets has the deltas of a mesh, which stay; MorphBuffer the weights of a frame, of
// any number of meshes, as PaletteBuffer has palettes without keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/gpu/device.h"
#include "marrow/gpu/palette_buffer.h"
#include "marrow/skin/vertices.h"

namespace marrow {

// For engines that upload them themselves, as the shaders have them: the deltas (target after target, of each vertex
// the position, and the normal if any target has normals), and the block of weights, which is as large as
// morph_block_bytes says.
[[nodiscard]] std::vector<Vec4> pack_morph_deltas(const Vertices& vertices);
[[nodiscard]] std::size_t morph_block_bytes(std::uint32_t targets);
void pack_morph_weights(const Vertices& vertices, std::span<const float> weights, std::span<std::byte> out);

// Positions and normals of all targets of some vertices, in a texture of RGBA32F.
class MorphTargets {
 public:
  // Calls the device. Fails on vertices that `check_vertices` refuses, and on more than a texture can hold.
  [[nodiscard]] static Result<MorphTargets> create(const Device& device, const Vertices& vertices);
  MorphTargets(MorphTargets&& other) noexcept;
  MorphTargets& operator=(MorphTargets&& other) noexcept;
  ~MorphTargets();

  [[nodiscard]] DeviceHandle texture() const { return texture_; }
  [[nodiscard]] std::uint32_t targets() const { return targets_; }
  [[nodiscard]] std::uint32_t vertices() const { return vertices_; }
  [[nodiscard]] std::uint32_t texels() const { return texels_; }  // of one vertex: 1, or 2 with normals

 private:
  MorphTargets() = default;

  Device device_;
  DeviceHandle texture_ = 0;
  std::uint32_t targets_ = 0, vertices_ = 0, texels_ = 1;
};

// The weights of one mesh in a frame.
struct MorphRef {
  std::uint64_t frame = 0;  // of one buffer: no other has the same
  std::uint32_t block = 0;  // its number in the frame
  std::uint32_t targets = 0;
  DeviceHandle texture = 0;  // of the targets that they are for
};

struct MorphBufferOptions {
  std::uint32_t max_targets = 64;  // of one mesh: as many as the shader declares
  std::uint32_t meshes = 1;        // to allocate at once; the buffer grows
  std::uint32_t copies = 3;        // frames until memory is written again, from 1 to 32
};

class MorphBuffer {
 public:
  // Fails if so many weights do not fit in a uniform buffer of the device.
  [[nodiscard]] static Result<MorphBuffer> create(const Device& device, const MorphBufferOptions& options = {});
  MorphBuffer(MorphBuffer&&) noexcept;
  MorphBuffer& operator=(MorphBuffer&&) noexcept;
  ~MorphBuffer();

  // As in PaletteBuffer. `add` takes weights for the first targets, with 0 for the rest, and leaves out those beyond
  // the last target; it fails on more targets than the buffer was made for, and on a weight that is not finite.
  void begin_frame();
  [[nodiscard]] Result<MorphRef> add(const MorphTargets& targets, std::span<const float> weights);
  [[nodiscard]] Result<void> upload();
  [[nodiscard]] Result<BufferBinding> binding(MorphRef ref) const;
  [[nodiscard]] UploadCounters counters() const;

 private:
  struct Impl;
  explicit MorphBuffer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace marrow
