// PaletteBuffer: the palettes of a frame, of any number of characters, in one buffer or texture of the GPU.
//
//   Result<PaletteBuffer> palettes = PaletteBuffer::create(device, {.max_bones = 67});
//   ...
//   palettes->begin_frame();
//   const Result<PaletteRef> hero = palettes->add({hero_serial, 0}, version, matrices);  // once for each visible skin
//   palettes->upload();
//   skinning.bind(*palettes, *hero, largest_joint);  // gl_skinning.h; then draw, as often as wanted
//
// A palette is in model space: one can be drawn at many places, and by all meshes of its skin. For an instance of a
// scene, add_palette (draw/add_palette.h) is one call. More can be added and uploaded after drawing; refs and bindings
// stay valid until the next begin_frame.
//
// Each frame uses the next of a few copies of the memory on the GPU, three by default, so that no driver has to wait.
// A palette with a key keeps its place. It is written once to each copy, then only when its version changes: a
// character that stands still costs no upload after three frames. Inverse binds never change: add them with a key in
// every frame that uses them, always with the same version. Palettes that frames no longer add are dropped before they
// take more space than those of a recent frame, and 64 KiB.
//
// Where the palettes go is chosen when the buffer is made (palette_storage.h). Nothing is allocated once the buffer has
// grown to what frames need, which is at most twice the space of their palettes. One thread at a time.
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
  std::uint32_t palettes = 1;                  // to allocate at once; the buffer grows
  std::optional<PaletteStorage> storage = {};  // none: chosen by choose_storage
  std::uint32_t copies = 3;                    // frames until memory is written again, from 1 to 32
  bool fill = false;                           // fills each palette up to max_bones with the identity
};

// Identifies a palette: a number that no other character has (Instance::serial or next_serial), and the index of the
// skin.
struct PaletteKey {
  std::uint64_t owner = 0;
  std::uint32_t skin = 0;

  friend bool operator==(const PaletteKey& a, const PaletteKey& b) { return a.owner == b.owner && a.skin == b.skin; }
};

// A palette of the frame.
struct PaletteRef {
  std::uint64_t frame = 0;  // of one buffer: no other has the same
  std::uint32_t block = 0;  // its number in the frame
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

  // Begins a frame: refs of the last frame are no longer valid.
  void begin_frame();

  // Copies a palette for this frame alone. Fails if it has more bones than the buffer was made for, or if the device
  // cannot hold the palettes of the frame together.
  [[nodiscard]] Result<PaletteRef> add(std::span<const Affine> bones);

  // Adds a palette that stays for the next frames. Copies it only if it is not there with this version: the version
  // must change whenever the matrices do. Further calls in a frame with the same key and version return the same ref.
  // Another version of the key in the same frame is added beside it. Fails as above.
  [[nodiscard]] Result<PaletteRef> add(PaletteKey key, std::uint64_t version, std::span<const Affine> bones);

  // Writes to the GPU the palettes of this frame that its copy lacks: one write for each run of neighbours, and at most
  // 64. Textures are written in whole rows. Calls the device. Fails if the device has no memory; palettes that were
  // uploaded before stay. Fails if the context was lost; if it comes back, the next upload writes everything again.
  [[nodiscard]] Result<void> upload();

  // Returns the place of a palette. Fails if the palette is of another frame, or not uploaded yet.
  [[nodiscard]] Result<BufferBinding> binding(PaletteRef ref) const;

  [[nodiscard]] UploadCounters counters() const;

 private:
  struct Impl;
  explicit PaletteBuffer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace marrow
