// Models of random numbers with everything that a model can hold.
#pragma once

#include "anim/random_clip.h"
#include "marrow/model/model.h"

namespace marrow::test {

inline Model random_model(Random& random, std::uint32_t clips = 3) {
  ModelParts parts;
  parts.name = "model \"one\"";
  parts.up = random.below(2) == 0 ? Up::z : Up::y;
  const std::uint32_t joints = 1 + random.below(20);
  parts.skeleton = random_skeleton(random, joints, 11);
  for (std::uint32_t i = 0; i < clips; ++i) {
    Recipe recipe;
    recipe.shared = 0.5 * i;
    recipe.present = i == 2 ? 0.3 : 0.9;
    parts.clips.push_back(good_clip(parts.skeleton, random_tracks(random, parts.skeleton, recipe)));
  }
  std::vector<std::uint32_t> order;
  std::vector<Affine> binds(joints);
  for (std::uint32_t j = 0; j < joints; ++j) {
    order.push_back(joints - 1 - j);
    for (auto& row : binds[j].m) {
      for (float& x : row) x = random.rangef(-2, 2);
    }
  }
  parts.skins.push_back(*Skin::create(parts.skeleton, order, binds, "skin"));

  const auto point = [&] { return Vec3{random.rangef(-1, 1), random.rangef(-1, 1), random.rangef(-1, 1)}; };
  auto vertices = std::make_shared<Vertices>();
  const std::size_t count = 3 + random.below(30);
  vertices->influences = 4;
  vertices->uvs.resize(2);
  vertices->targets.resize(2);
  for (std::size_t v = 0; v < count; ++v) {
    vertices->positions.push_back(point());
    vertices->normals.push_back(point());
    const Vec3 t = point();
    vertices->tangents.push_back({t.x, t.y, t.z, 1});
    vertices->colors.push_back({1, 0.5f, 0.25f, 1});
    for (Array<Vec2>& set : vertices->uvs) set.push_back({0.5f, 2.0f});
    for (std::uint32_t i = 0; i < 4; ++i) {
      vertices->joints.push_back(static_cast<std::uint16_t>(random.below(joints)));
      vertices->weights.push_back(0.25f);
    }
    vertices->targets[0].positions.push_back(point());
    vertices->targets[1].normals.push_back(point());
    vertices->targets[1].tangents.push_back(point());
  }
  auto plain = std::make_shared<Vertices>();
  plain->positions = {point(), point()};
  parts.meshes.push_back({"body",
                          {{vertices, {0, 1, 2}, Topology::triangles, 0}, {vertices, {2, 1}, Topology::lines, 1}},
                          {"smile", "blink"}});
  parts.meshes.push_back({"stick", {{plain, {0, 1}, Topology::points, kNone}}, {}});
  Material skin_material;
  skin_material.name = "skin";
  skin_material.base_color = {0.1f, 0.2f, 0.3f, 0.4f};
  skin_material.base_color_texture = {0, 1, Wrap::mirror, Wrap::clamp, true, {1, 2}, 3, {4, 5}};
  skin_material.emissive = {6, 7, 8};
  skin_material.emissive_texture.image = 0;
  skin_material.metallic = 0.5f;
  skin_material.roughness = 0.25f;
  skin_material.alpha_mode = AlphaMode::mask;
  skin_material.alpha_cutoff = 0.125f;
  skin_material.double_sided = true;
  skin_material.unlit = true;
  parts.materials = {skin_material, {}};
  parts.images.push_back({"image", "image/png", "a b.png", {std::byte{1}, std::byte{2}, std::byte{3}}});

  // Each joint has a node, in another order; then one with each mesh.
  parts.nodes.resize(joints + std::size_t{2});
  for (std::uint32_t j = 0; j < joints; ++j) {
    ModelNode& node = parts.nodes[joints - 1 - j];
    node.name = parts.skeleton.name(j);
    node.joint = static_cast<std::int32_t>(j);
    node.rest = parts.skeleton.rest(j);
    const std::int32_t parent = parts.skeleton.parent(j);
    node.parent = parent == kNoParent ? kNone : static_cast<std::int32_t>(joints) - 1 - parent;
  }
  parts.nodes[joints].name = "body";
  parts.nodes[joints].mesh = 0;
  parts.nodes[joints].skin = 0;
  parts.nodes[joints + 1].mesh = 1;
  parts.nodes[joints + 1].parent = 0;
  parts.nodes[joints + 1].rest.translation = {1, 2, 3};
  parts.nodes[joints + 1].shown = false;
  return *Model::create(std::move(parts));
}

}  // namespace marrow::test
