// The modules above the mixer: skinning, bounds, packing, and scenes with all that happens in them.
#include <cstdlib>

#include "golden.h"
#include "marrow/core/hash.h"
#include "marrow/math/quat.h"
#include "marrow/scene/scene.h"
#include "marrow/skin/bounds.h"
#include "marrow/skin/influences.h"
#include "marrow/skin/skinning.h"
#include "marrow/skin/vertex_formats.h"

namespace marrow::golden {
namespace {

void add(Hasher& hasher, std::span<const Vec3> vectors) {
  if (!vectors.empty()) hasher.add({&vectors[0].x, 3 * vectors.size()});
}
void add(Hasher& hasher, std::span<const Affine> matrices) { hasher.add({matrices[0].m[0], 12 * matrices.size()}); }
void add(Hasher& hasher, const Box& box) { hasher.add({&box.low.x, 6}); }

// Points with normals, tangents, a morph target and four influences, in numbers of few bits.
Vertices make_mesh(std::uint32_t joints) {
  Vertices v;
  v.influences = 4;
  v.targets.resize(1);
  for (std::uint32_t i = 0; i < 203; ++i) {
    const auto part = [i](std::uint32_t k) { return static_cast<float>((i * 37 + k * 101) % 256) / 128.0f - 1.0f; };
    v.positions.push_back({part(0), part(1), part(2)});
    v.normals.push_back({part(3), part(4), 1});
    v.tangents.push_back({1, part(5), part(6), i % 2 == 0 ? 1.0f : -1.0f});
    v.targets[0].positions.push_back({part(7), 0, part(8)});
    v.uvs.resize(1);
    v.uvs[0].push_back({static_cast<float>(i) / 256, 0.5f});
    const float weights[] = {0.5f, 0.25f, 0.125f, 0.125f};
    for (std::uint32_t k = 0; k < 4; ++k) {
      v.joints.push_back(static_cast<std::uint16_t>((i / 8 + k * (1 + i % 5)) % joints));
      v.weights.push_back(weights[(k + i) % 4]);
    }
  }
  return v;
}

void hash_skin(const Vertices& v, const InfluenceGroups& groups, const SkinBounds& bounds, const Instance& instance,
               float morph, Hasher& hasher) {
  std::vector<Vec3> positions(v.positions.size()), normals(positions.size());
  std::vector<Vec4> tangents(positions.size());
  const SkinnedVertices out = {positions, normals, tangents};
  const auto add_all = [&] {
    add(hasher, positions);
    add(hasher, normals);
    hasher.add({&tangents[0].x, 4 * tangents.size()});
  };
  const float weights[] = {morph};
  const std::span<const Affine> palette = instance.palette(0);
  skin_vertices(v, weights, palette, out);
  add_all();
  skin_vertices(v, weights, palette, out, &groups);
  add_all();
  add(hasher, bounds.box(palette, weights));
  const Instance::DualPalette dual = instance.dual_palette(0);
  skin_vertices(v, weights, dual.joints, dual.stretches, out);
  add_all();
  skin_vertices(v, {}, dual.joints, false, out, &groups);
  add_all();
  add(hasher, bounds.box(palette, dual.joints, dual.stretches, weights));
}

}  // namespace

void hash_scene(const Scene& input, Hasher& hasher) {
  const auto mesh = std::make_shared<const Vertices>(make_mesh(input.skin.size()));
  ModelParts parts;
  parts.skeleton = input.skeleton;
  parts.skins = {input.skin};
  parts.meshes = {{"mesh", {{mesh, {0, 1, 2}, Topology::triangles, -1}}, {"target"}}};
  parts.nodes.resize(1);
  parts.nodes[0].mesh = 0;
  parts.nodes[0].skin = 0;
  const Model model = *Model::create(std::move(parts));
  const InfluenceGroups groups(*mesh);
  const SkinBounds bounds(*mesh);

  marrow::Scene scene;
  std::vector<Instance> crowd;
  std::vector<Node> things;
  for (int i = 0; i < 6; ++i) {
    InstanceOptions options;
    options.local = {{static_cast<float>(i), 0.5f, 0}, {0.5f, 0.5f, -0.5f, 0.5f}, {1, 2, 0.5f}};
    if (i == 3) options.parent = crowd[0].bone("chest");
    crowd.push_back(scene.instantiate(model, options));
    crowd.back().mixer().play(input.clips[static_cast<std::size_t>(i) % input.clips.size()]);
    crowd.back().set_skinning(0, Skinning::dual_quaternion);
    things.push_back(scene.add_node("thing", {{0, 0.25f, 0}, {0, 0, 1, 0}, {1, 1, 1}}, crowd.back().bone("hand_R")));
  }
  for (int frame = 0; frame < 120; ++frame) {
    const auto at = [frame](std::size_t size) { return static_cast<std::size_t>(frame) % size; };
    if (frame % 8 == 0) {
      crowd[at(6)].mixer().cross_fade_to(input.clips[at(input.clips.size())], 0.25);
      crowd[at(5)].bone("head").set_local({{0, 0, 0.125f}, {0, 0.5f, 0.5f, 0.5f}, {1, 1, 1}});
      crowd[at(4)].set_override(crowd[at(4)].bone("chest"), {{}, {0.5f, 0.5f, 0.5f, 0.5f}, {1, 1, 1}}, 0.375f);
    }
    // Under another parent, with shear between them.
    if (frame % 12 == 0) crowd[at(5)].bone("hand_L").add(things[at(6)], Preserve::world);
    scene.update(1.0 / 64);
    for (const Instance& instance : crowd) {
      add(hasher, instance.palettes());
      add(hasher, instance.bounds());
      add(hasher, instance.world_bounds());
      const Affine world = instance.bone("hand_R").world();
      add(hasher, std::span(&world, 1));
    }
    for (const Node& thing : things) {
      const Affine world = thing.world();
      add(hasher, std::span(&world, 1));
    }
    if (frame % 15 == 0) hash_skin(*mesh, groups, bounds, crowd[at(6)], static_cast<float>(frame) / 64, hasher);
  }
  for (const VertexFormat& format : {kPackedVertex, kFloatVertex}) {
    const Result<std::vector<std::byte>> packed = pack_vertices(*mesh, format);
    if (!packed) std::abort();
    hasher.add(*packed);
    add(hasher, unpack_vertices(*packed, format)->normals);
  }
}

}  // namespace marrow::golden
