// A character for the tests of scenes: the humanoid of the benchmarks as a model, with nodes that are no joints.
#pragma once

#include "fixtures/humanoid.h"
#include "marrow/model/model.h"

namespace marrow::test {

// A node for each joint, in the order of the joints; then "helmet" below the head with "plume" below it, and "stand"
// at the root. Clips: idle, walk, run.
inline Model make_character() {
  ModelParts parts;
  parts.name = "hero";
  parts.skeleton = humanoid::make_skeleton(3);
  parts.skins = {humanoid::make_skin(parts.skeleton)};
  parts.clips = {
      humanoid::make_clip(parts.skeleton, {"idle", 2.0, 0.1}),
      humanoid::make_clip(parts.skeleton, {"walk", 40.0 / 30.0, 0.5, humanoid::Keys::dense, Interpolation::linear, 2}),
      humanoid::make_clip(parts.skeleton, {"run", 20.0 / 30.0, 1.0, humanoid::Keys::dense, Interpolation::linear, 3})};
  for (std::uint32_t j = 0; j < parts.skeleton.joint_count(); ++j) {
    ModelNode node;
    node.name = parts.skeleton.name(j);
    node.parent = parts.skeleton.parent(j);
    node.rest = parts.skeleton.rest(j);
    node.joint = static_cast<std::int32_t>(j);
    parts.nodes.push_back(node);
  }
  const auto count = static_cast<std::int32_t>(parts.nodes.size());
  ModelNode helmet, plume, stand;
  helmet.name = "helmet";
  helmet.parent = static_cast<std::int32_t>(*parts.skeleton.joint("head"));
  helmet.rest.translation = {0, 0, 0.1f};
  plume.name = "plume";
  plume.parent = count;
  plume.rest.translation = {0, 0.05f, 0.2f};
  stand.name = "stand";
  stand.rest.scale = {2, 2, 0.1f};
  parts.nodes.insert(parts.nodes.end(), {helmet, plume, stand});
  return *Model::create(std::move(parts));
}

}  // namespace marrow::test
