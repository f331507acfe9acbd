// What of a scene is drawn, part by part. Internal.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/gpu/morph_buffer.h"
#include "marrow/gpu/palette_buffer.h"
#include "src/gpu/render_model.h"
#include "src/gpu/render_program.h"

namespace marrow {

struct DrawItem {
  const RenderModel* model = nullptr;
  const RenderPart* part = nullptr;
  const Material* material = nullptr;
  Affine world;  // of the node, or of the instance for what a skin moves
  RenderSkin skin = RenderSkin::none;
  PaletteRef palette;
  MorphRef morphs;
  bool morphed = false;
  bool mirrored = false;  // front faces are seen from behind
  float distance = 0;     // from the camera
};

// Where palettes and weights of a frame go.
struct DrawBuffers {
  PaletteBuffer& palettes;        // of skins of up to kBonesOf16KiB bones
  PaletteBuffer* large_palettes;  // of the others; null if there are none
  MorphBuffer& morphs;
};

// Adds what is shown of an instance. Fails as the buffers do.
[[nodiscard]] Result<void> add_instance(const Instance& instance, const RenderModel& model, Vec3 eye,
                                        const DrawBuffers& buffers, std::vector<DrawItem>& out);

}  // namespace marrow
