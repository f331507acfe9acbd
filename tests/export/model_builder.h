// Small models made by hand: every node is a joint.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "marrow/anim/clip_keys.h"
#include "marrow/math/affine.h"
#include "marrow/model/model.h"

namespace marrow::test {

// Joints must be added parents first, and generation by generation, so that they keep their numbers.
class ModelBuilder {
 public:
  std::uint32_t joint(std::string name, std::int32_t parent, const Transform& rest = {}) {
    nodes_.push_back({std::move(name), parent, rest, static_cast<std::int32_t>(nodes_.size()), kNone, kNone, true});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  // A node that no skeleton has.
  std::uint32_t node(std::string name, std::int32_t parent, const Transform& rest = {}) {
    loose_.push_back({std::move(name), parent, rest, kNone, kNone, kNone, true});
    return static_cast<std::uint32_t>(loose_.size() - 1);
  }
  ModelNode& loose(std::uint32_t node) { return loose_[node]; }
  ModelNode& at(std::uint32_t joint) { return nodes_[joint]; }

  void skin(std::vector<std::uint32_t> joints, std::vector<Affine> inverse_binds = {}) {
    skins_.emplace_back(std::move(joints), std::move(inverse_binds));
  }
  void clip(std::string name, std::vector<TrackKeys> tracks, std::optional<double> duration = {}) {
    clips_.push_back({std::move(name), std::move(tracks), duration});
  }

  // A triangle; with a joint of a skin for each corner, or none.
  std::int32_t triangle(std::vector<Vec3> corners, std::vector<std::uint16_t> joints = {}) {
    auto vertices = std::make_shared<Vertices>();
    vertices->positions = std::move(corners);
    vertices->influences = joints.empty() ? 0 : 1;
    vertices->weights.assign(joints.size(), 1.0f);
    vertices->joints = std::move(joints);
    return mesh(vertices, {0, 1, 2});
  }
  std::int32_t mesh(std::shared_ptr<const Vertices> vertices, std::vector<std::uint32_t> indices,
                    Topology topology = Topology::triangles) {
    Mesh mesh;
    mesh.name = "mesh " + std::to_string(parts.meshes.size());
    mesh.morph_names.resize(vertices->targets.size());
    mesh.parts.push_back({std::move(vertices), std::move(indices), topology, kNone});
    parts.meshes.push_back(std::move(mesh));
    return static_cast<std::int32_t>(parts.meshes.size() - 1);
  }

  Model build() {
    std::vector<JointDesc> descs(nodes_.size());
    for (std::size_t i = 0; i < descs.size(); ++i) {
      descs[i].name = nodes_[i].name;
      descs[i].parent = nodes_[i].parent;
      descs[i].rest = nodes_[i].rest;
    }
    const Result<SkeletonBuild> skeleton = Skeleton::create(descs);
    REQUIRE(skeleton);
    for (std::uint32_t i = 0; i < descs.size(); ++i) REQUIRE(skeleton->joint_of_input[i] == i);
    parts.skeleton = skeleton->skeleton;
    for (const auto& [joints, binds] : skins_) {
      const Result<Skin> skin = Skin::create(parts.skeleton, joints, binds);
      REQUIRE(skin);
      parts.skins.push_back(*skin);
    }
    for (const auto& [name, tracks, duration] : clips_) {
      std::vector<TrackDesc> track_descs;
      for (const TrackKeys& t : tracks)
        track_descs.push_back({t.joint, t.property, t.interpolation, t.times, t.values});
      const Result<Clip> clip = Clip::create(parts.skeleton, {name, track_descs, duration});
      REQUIRE_MESSAGE(clip, to_string(clip.error()));
      parts.clips.push_back(*clip);
    }
    parts.nodes = nodes_;
    parts.nodes.insert(parts.nodes.end(), loose_.begin(), loose_.end());
    const Result<Model> model = Model::create(parts);
    REQUIRE_MESSAGE(model, to_string(model.error()));
    return *model;
  }

  ModelParts parts;

 private:
  struct ClipValues {
    std::string name;
    std::vector<TrackKeys> tracks;
    std::optional<double> duration;
  };
  std::vector<ModelNode> nodes_, loose_;
  std::vector<std::pair<std::vector<std::uint32_t>, std::vector<Affine>>> skins_;
  std::vector<ClipValues> clips_;
};

inline Transform moved(float x, float y, float z) { return {{x, y, z}, {}, {1, 1, 1}}; }
inline Affine translation(float x, float y, float z) { return to_affine(moved(x, y, z)); }

}  // namespace marrow::test
