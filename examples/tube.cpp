#include "tube.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

using namespace marrow;

namespace example {
namespace {

constexpr std::uint32_t kRings = 21, kSides = 24;

// Each ring of corners follows the lower joint, the upper, or in the middle something of both.
Mesh make_mesh() {
  auto vertices = std::make_shared<Vertices>();
  std::vector<std::uint32_t> indices;
  vertices->influences = 4;
  for (std::uint32_t ring = 0; ring < kRings; ++ring) {
    const float height = 2.0f * static_cast<float>(ring) / (kRings - 1);
    const float upper = std::clamp((height - 0.7f) / 0.6f, 0.0f, 1.0f);
    for (std::uint32_t side = 0; side < kSides; ++side) {
      const float angle = 6.2831853f * static_cast<float>(side) / kSides;
      const Vec3 out = {std::cos(angle), std::sin(angle), 0};
      vertices->positions.push_back({0.25f * out.x, 0.25f * out.y, height});
      vertices->normals.push_back(out);
      vertices->joints.append({0, 1, 0, 0});
      vertices->weights.append({1 - upper, upper, 0, 0});
      if (ring + 1 == kRings) continue;
      const std::uint32_t a = ring * kSides + side, b = ring * kSides + (side + 1) % kSides;
      indices.insert(indices.end(), {a, b, b + kSides, a, b + kSides, a + kSides});
    }
  }
  return {"tube", {{vertices, indices, Topology::triangles, -1}}, {}};
}

}  // namespace

Model make_tube() {
  ModelParts parts;
  JointDesc joints[2];
  joints[0].name = "lower";
  joints[1].name = "upper";
  joints[1].parent = 0;
  joints[1].rest.translation = {0, 0, 1};
  parts.skeleton = Skeleton::create(joints)->skeleton;

  const std::uint32_t skin_joints[] = {0, 1};
  Affine binds[2];
  binds[1].m[2][3] = -1;  // the upper joint is a metre above the ground
  parts.skins = {*Skin::create(parts.skeleton, skin_joints, binds)};

  const float times[] = {0, 0.5f, 1.5f, 2};
  const float turns[] = {0, 0, 0, 1, 0.5f, 0, 0, 0.866f, -0.5f, 0, 0, 0.866f, 0, 0, 0, 1};
  const TrackDesc tracks[] = {{1, Property::rotation, Interpolation::linear, times, turns}};
  parts.clips = {*Clip::create(parts.skeleton, {"bend", tracks, {}})};

  parts.meshes = {make_mesh()};
  for (std::uint32_t joint = 0; joint < 2; ++joint) {
    ModelNode node;
    node.name = joints[joint].name;
    node.parent = joints[joint].parent;
    node.rest = joints[joint].rest;
    node.joint = static_cast<std::int32_t>(joint);
    parts.nodes.push_back(node);
  }
  ModelNode body;
  body.name = "body";
  body.mesh = 0;
  body.skin = 0;
  parts.nodes.push_back(body);
  return *Model::create(std::move(parts));
}

}  // namespace example
