// What a guest drew, on the GPU. Internal.
#pragma once

#include <bitset>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/draw/gl_mesh.h"
#include "marrow/draw/renderer.h"
#include "marrow/gpu/palette_buffer.h"
#include "marrow/guest/guest_host.h"

namespace marrow {

class GuestDrawList {
 public:
  [[nodiscard]] static Result<GuestDrawList> create(const GlDevice& device);

  // Uploads what the host's frame needs and the GPU lacks. Returns the meshes to draw, valid until the next call. Fails
  // if the context was lost, or if the device has not enough memory.
  [[nodiscard]] Result<MeshList> collect(const GuestHost& host);

 private:
  GuestDrawList(GlDevice device, PaletteBuffer bones, PaletteBuffer inverse_binds)
      : device_(std::move(device)), bones_(std::move(bones)), inverse_binds_(std::move(inverse_binds)) {}

  using Mirrors = std::bitset<kMaxGuestBones>;  // a bit for each matrix: its determinant is negative

  // Objects by the sources that they were made from. Keeps the sources alive.
  template <typename Source, typename Made>
  using Known = std::unordered_map<const Source*, std::pair<std::shared_ptr<const Source>, Made>>;

  // Bones of the host's frame, and where they are in `bones_`.
  struct FrameBones {
    std::uint32_t first, count;
    PaletteRef ref;
    Mirrors mirrors;
  };

  [[nodiscard]] static Mirrors find_mirrors(std::span<const Affine> matrices);
  [[nodiscard]] Result<MeshDraw> draw_of(const GuestHost& host, const GuestDraw& draw);
  [[nodiscard]] Result<const GlMesh*> mesh_of(const std::shared_ptr<const GuestMesh>& mesh);
  [[nodiscard]] Result<FrameBones> bones_of(const GuestHost& host, const GuestDraw& draw);
  [[nodiscard]] const Mirrors& mirrors_of(const std::shared_ptr<const GuestSkeleton>& skeleton);

  GlDevice device_;
  PaletteBuffer bones_;  // of the frame
  PaletteBuffer inverse_binds_;
  Known<GuestMesh, GlMesh> meshes_;
  Known<GuestSkeleton, Mirrors> skeletons_;
  std::vector<MeshDraw> draws_;
  std::optional<FrameBones> last_;  // the bones that were added last in this frame
};

}  // namespace marrow
