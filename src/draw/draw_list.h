// What is drawn, part by part. Internal.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "marrow/gpu/morph_buffer.h"
#include "marrow/gpu/palette_buffer.h"
#include "src/draw/render_model.h"
#include "src/draw/render_program.h"

namespace marrow {

struct DrawItem {
  const GlMesh* mesh = nullptr;
  Topology topology = Topology::triangles;
  const Material* material = nullptr;
  std::span<const std::optional<RenderTexture>> textures;  // of the images that the material uses
  Affine world;                                            // of the node, or of the instance for what a skin moves
  RenderSkin skin = RenderSkin::none;
  const PaletteBuffer* palettes = nullptr;  // where the palette is
  PaletteRef palette;
  const PaletteBuffer* inverse_binds = nullptr;  // of RenderSkin::bound; null: raw
  PaletteRef skeleton;
  const MorphTargets* targets = nullptr;  // null: not morphed
  MorphRef morphs;
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

// Adds meshes that are in no scene.
void add_meshes(const MeshList& meshes, std::vector<DrawItem>& out);

}  // namespace marrow
