#include "src/draw/draw_list.h"

#include "marrow/core/assert.h"
#include "marrow/draw/add_palette.h"
#include "marrow/math/affine.h"
#include "marrow/math/vec3.h"

namespace marrow {
namespace {

const Material kPlain = [] {
  Material material;
  material.metallic = 0;
  material.double_sided = true;
  return material;
}();

// Whether most bones of a palette mirror.
bool mirrors(std::span<const Affine> palette) {
  std::size_t count = 0;
  for (const Affine& bone : palette) count += determinant(bone) < 0 ? 1 : 0;
  return 2 * count > palette.size();
}

}  // namespace

Result<void> add_instance(const Instance& instance, const RenderModel& model, Vec3 eye, const DrawBuffers& buffers,
                          std::vector<DrawItem>& out) {
  const std::span<const ModelNode> nodes = model.model.nodes();
  std::int32_t known_skin = kNone;  // that `bones_mirror` is of; the nodes of a character mostly share one
  bool bones_mirror = false;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    const ModelNode& node = nodes[n];
    if (node.mesh == kNone) continue;
    const Node place = instance.model_node(n);
    if (!place.shown()) continue;
    const auto skin = static_cast<std::uint32_t>(node.skin);
    const std::span<const Affine> bones = node.skin == kNone ? std::span<const Affine>() : instance.palette(skin);
    if (node.skin != kNone && node.skin != known_skin) {
      known_skin = node.skin;
      bones_mirror = mirrors(bones);
    }
    for (const RenderPart& part : model.meshes[static_cast<std::size_t>(node.mesh)]) {
      DrawItem item;
      item.mesh = &part.mesh;
      item.topology = part.topology;
      item.textures = model.textures;
      item.material =
          part.material == kNone ? &kPlain : &model.model.materials()[static_cast<std::size_t>(part.material)];
      Affine middle;  // where the part is, nearly
      if (part.influences && node.skin != kNone) {
        const bool large = bones.size() > kBonesOf16KiB;
        item.skin = large ? RenderSkin::texture : RenderSkin::uniform;
        PaletteBuffer& palettes = large ? *buffers.large_palettes : buffers.palettes;
        const Result<PaletteRef> palette = add_palette(palettes, instance, skin);
        if (!palette) return palette.error();
        item.palettes = &palettes;
        item.palette = *palette;
        item.world = instance.node().world();
        middle = bones.empty() ? item.world : multiply(item.world, bones[0]);
        item.mirrored = (determinant(item.world) < 0) != bones_mirror;
      } else {
        item.world = middle = place.world();
        item.mirrored = determinant(item.world) < 0;
      }
      if (part.morphs) {
        const Result<MorphRef> morphs = buffers.morphs.add(*part.morphs, instance.morph_weights(n));
        if (!morphs) return morphs.error();
        item.targets = &*part.morphs;
        item.morphs = *morphs;
      }
      item.distance = length(transform_point(middle, part.middle) - eye);
      out.push_back(item);
    }
  }
  return {};
}

void add_meshes(const MeshList& meshes, std::vector<DrawItem>& out) {
  for (const MeshDraw& draw : meshes.draws) {
    MARROW_ASSERT(draw.mesh != nullptr, "a draw has a mesh");
    DrawItem item;
    item.mesh = draw.mesh;
    item.material = &kPlain;
    item.world = draw.world;
    item.mirrored = (determinant(draw.world) < 0) != draw.bones_mirror;
    if (draw.bones) {
      MARROW_ASSERT(meshes.bones != nullptr, "bones are in a buffer");
      item.skin = RenderSkin::bound;
      item.palettes = meshes.bones;
      item.palette = *draw.bones;
    }
    if (draw.bones && draw.inverse_binds) {
      MARROW_ASSERT(meshes.inverse_binds != nullptr, "inverse binds are in a buffer");
      item.inverse_binds = meshes.inverse_binds;
      item.skeleton = *draw.inverse_binds;
    }
    out.push_back(item);
  }
}

}  // namespace marrow
