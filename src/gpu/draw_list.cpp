#include "src/gpu/draw_list.h"

#include "marrow/math/affine.h"
#include "src/gpu/vector_math.h"

namespace marrow {
namespace {

const Material kPlain = [] {
  Material material;
  material.metallic = 0;
  material.double_sided = true;
  return material;
}();

// Whether most bones of a palette mirror.
bool is_mirrored(std::span<const Affine> palette) {
  std::size_t count = 0;
  for (const Affine& bone : palette) count += determinant(bone) < 0 ? 1 : 0;
  return 2 * count > palette.size();
}

}  // namespace

Result<void> add_instance(const Instance& instance, const RenderModel& model, Vec3 eye, const DrawBuffers& buffers,
                          std::vector<DrawItem>& out) {
  const std::span<const ModelNode> nodes = model.model.nodes();
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    const ModelNode& node = nodes[n];
    if (node.mesh == kNone) continue;
    const Node place = instance.model_node(n);
    if (!place.shown()) continue;
    for (const RenderPart& part : model.meshes[static_cast<std::size_t>(node.mesh)]) {
      DrawItem item;
      item.model = &model;
      item.part = &part;
      item.material =
          part.material == kNone ? &kPlain : &model.model.materials()[static_cast<std::size_t>(part.material)];
      Affine middle;  // where the part is, nearly
      if (part.influences && node.skin != kNone) {
        const auto skin = static_cast<std::uint32_t>(node.skin);
        const std::span<const Affine> bones = instance.palette(skin);
        const bool large = bones.size() > kBonesOf16KiB;
        item.skin = large ? RenderSkin::texture : RenderSkin::uniform;
        const Result<PaletteRef> palette = (large ? *buffers.large_palettes : buffers.palettes).of(instance, skin);
        if (!palette) return palette.error();
        item.palette = *palette;
        item.world = instance.node().world();
        middle = bones.empty() ? item.world : multiply(item.world, bones[0]);
        item.mirrored = (determinant(item.world) < 0) != is_mirrored(bones);
      } else {
        item.world = middle = place.world();
        item.mirrored = determinant(item.world) < 0;
      }
      if (part.morphs) {
        const Result<MorphRef> morphs = buffers.morphs.add(*part.morphs, instance.morph_weights(n));
        if (!morphs) return morphs.error();
        item.morphs = *morphs;
        item.morphed = true;
      }
      item.distance = length(minus(transform_point(middle, part.middle), eye));
      out.push_back(item);
    }
  }
  return {};
}

}  // namespace marrow
