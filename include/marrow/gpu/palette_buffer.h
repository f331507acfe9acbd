// PaletteBuffer: the palettes of a frame, of any number of characters, in one buffer or texture of the GPU.
//
//   Result<PaletteBuffer> palettes = PaletteBuffer::create(device, {.max_bones = 67});
//   ...
//   palettes->begin_frame();
//   const Result<PaletteRef> hero = palettes->add({hero_id, 0}, version, matrices);   // once for each skin that is
//   seen palettes->upload();                                          // one write for all of them
//   skinning.bind(*palettes, *hero, largest_joint);              // gl_skinning.h; then draw, as often as wanted
//
// A palette is in model space: one can be drawn at many places, and by all meshes of its skin. What is not added costs
// nothing. For an instance of a scene, add_palette (draw/add_palette.h) is one call. More can be added and uploaded
// after drawing; refs and what is bound stay valid until the next begin_frame. Inverse binds
// never change: keep them in a PaletteBuffer of their own, and do not call its begin_frame again.
//
// Where the palettes go is chosen when the buffer is made (palette_storage.h). Each frame writes to another copy, three
// by default, so that no driver has to wait for the GPU. After the first frame nothing is allocated until there are
// more palettes than ever before. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "marrow/core/result.h"
#include "marrow/gpu/device.h"
#include "marrow/math/types.h"

namespace marrow {

struct PaletteBufferOptions {
  std::uint32_t max_bones = kBonesOf16KiB;     // of one palette: as many as the shader declares
  std::uint32_t palettes = 1;                  // to make room for at once; it grows
  std::optional<PaletteStorage> storage = {};  // none: chosen by choose_storage
  std::uint32_t copies = 3;                    // frames until memory is written again
};

// Identifies a palette: the program's number for a character, and the index of the skin.
struct PaletteKey {
  std::uint64_t owner = 0;
  std::uint32_t skin = 0;

  friend bool operator==(const PaletteKey& a, const PaletteKey& b) { return a.owner == b.owner && a.skin == b.skin; }
};

// A palette of the frame.
struct PaletteRef {
  std::uint64_t frame = 0;   // of one buffer: no other has the same
  std::uint32_t offset = 0;  // in bytes
  std::uint32_t bones = 0;
};

class PaletteBuffer {
 public:
  // Fails if the device cannot take palettes of so many bones; see choose_storage.
  [[nodiscard]] static Result<PaletteBuffer> create(const Device& device, const PaletteBufferOptions& options = {});
  PaletteBuffer(PaletteBuffer&&) noexcept;
  PaletteBuffer& operator=(PaletteBuffer&&) noexcept;
  ~PaletteBuffer();

  [[nodiscard]] PaletteStorage storage() const;
  [[nodiscard]] std::uint32_t max_bones() const;

  // Begins a frame: the refs of the last are no longer valid.
  void begin_frame();

  // Takes a copy of a palette. Fails if it has more bones than the buffer was made for, or the device cannot hold it
  // beside those of the frame so far.
  [[nodiscard]] Result<PaletteRef> add(std::span<const Affine> bones);

  // Adds a palette once in a frame: further calls with the same key and version return the same ref, however many
  // meshes ask. Another version of the same key is added beside it.
  [[nodiscard]] Result<PaletteRef> add(PaletteKey key, std::uint64_t version, std::span<const Affine> bones);

  // Brings what was added to the GPU, in one write. Calls the device. Fails if the context was lost, or there is no
  // room; what was uploaded before stays.
  [[nodiscard]] Result<void> upload();

  // Where a palette is. Fails if it is of another frame, or not uploaded yet.
  [[nodiscard]] Result<BufferBinding> binding(PaletteRef ref) const;

  [[nodiscard]] UploadCounters counters() const;

 private:
  struct Impl;
  explicit PaletteBuffer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace marrow
