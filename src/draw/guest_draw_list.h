// What a guest drew, on the GPU. Internal.
#pragma once

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

  // Brings to the GPU what the host's frame needs and is not there, and returns what to draw. It is good until the next
  // call. Fails if the context was lost or has no room.
  [[nodiscard]] Result<MeshList> collect(const GuestHost& host);

 private:
  GuestDrawList(GlDevice device, PaletteBuffer bones, PaletteBuffer inverse_binds)
      : device_(std::move(device)), bones_(std::move(bones)), inverse_binds_(std::move(inverse_binds)) {}

  // What was made on the GPU, and what of.
  template <typename Source, typename Made>
  using Known = std::unordered_map<const Source*, std::pair<std::shared_ptr<const Source>, Made>>;

  [[nodiscard]] Result<MeshDraw> draw_of(const GuestHost& host, const GuestDraw& draw);
  [[nodiscard]] Result<const GlMesh*> mesh_of(const std::shared_ptr<const GuestMesh>& mesh);
  [[nodiscard]] Result<PaletteRef> bones_of(const GuestHost& host, const GuestDraw& draw);
  [[nodiscard]] Result<PaletteRef> add_inverse_binds(const GuestSkeleton& skeleton);
  [[nodiscard]] Result<PaletteRef> skeleton_of(const std::shared_ptr<const GuestSkeleton>& skeleton);
  [[nodiscard]] Result<void> forget_dead();

  GlDevice device_;
  PaletteBuffer bones_;          // of the frame
  PaletteBuffer inverse_binds_;  // that stay
  Known<GuestMesh, GlMesh> meshes_;
  Known<GuestSkeleton, PaletteRef> skeletons_;
  std::vector<MeshDraw> draws_;
  std::optional<PaletteRef> last_bones_;                     // that were added in this frame,
  std::uint32_t last_first_bone_ = 0, last_bone_count_ = 0;  // and which of the host's they are
};

}  // namespace marrow
