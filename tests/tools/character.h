// A character with nothing to complain of, for tests that spoil it.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "marrow/anim/clip_keys.h"
#include "marrow/math/quat.h"
#include "marrow/model/model.h"

namespace marrow::test {

// What a model is made of, to be changed before it is made.
struct Character {
  struct Joint {
    std::string name;
    std::int32_t parent;
    Transform rest;
  };

  // Hips, chest and hand; 1.7 tall.
  std::vector<Joint> joints = {{"hips", -1, {{0, 0, 0.9f}, {}, {1, 1, 1}}},
                               {"chest", 0, {{0, 0, 0.5f}, {}, {1, 1, 1}}},
                               {"hand", 1, {{0.5f, 0, 0}, {}, {1, 1, 1}}}};
  std::vector<Affine> inverse_binds;  // those of the rest pose if there are none
  Vertices vertices = make_vertices();
  std::vector<std::uint32_t> indices = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
  Material material;
  std::vector<ClipKeys> clips = {make_wave()};
  ModelNode body;  // the node of the mesh
  bool skinned = true;

  // Two columns of points that the three joints share.
  static Vertices make_vertices() {
    Vertices out;
    for (int i = 0; i < 6; ++i) {
      out.positions.push_back({i % 2 == 0 ? -0.3f : 0.6f, 0, static_cast<float>(i / 2) * 0.85f});
      out.normals.push_back({0, -1, 0});
      const auto joint = static_cast<std::uint16_t>(i / 2);
      out.joints.append({joint, 0, 0, 0});
      out.weights.append({1, 0, 0, 0});
    }
    out.uvs.emplace_back(6);
    out.influences = 4;
    return out;
  }

  // The hand swings and the chest bends, round and round; no key is between its neighbours.
  static ClipKeys make_wave() {
    ClipKeys keys{"Walk",
                  1,
                  {{2, Property::rotation, Interpolation::linear, {}, {}},
                   {1, Property::rotation, Interpolation::linear, {}, {}}}};
    for (int i = 0; i <= 10; ++i) {
      for (TrackKeys& track : keys.tracks) {
        const float phase = 0.62831853f * static_cast<float>(i % 10);
        const Quat q = from_axis_angle({1, 0, 0}, 0.5f * std::sin(phase) + 0.2f * std::cos(2 * phase));
        track.times.push_back(static_cast<float>(i) / 10);
        track.values.insert(track.values.end(), {q.x, q.y, q.z, q.w});
      }
    }
    return keys;
  }

  [[nodiscard]] ModelParts parts() const {
    ModelParts out;
    out.name = "character";
    std::vector<JointDesc> descs;
    std::vector<Affine> binds = inverse_binds;
    std::vector<Vec3> places;
    for (const Joint& joint : joints) {
      JointDesc desc;
      desc.name = joint.name;
      desc.parent = joint.parent;
      desc.rest = joint.rest;
      descs.push_back(desc);
      Vec3 place = joint.rest.translation;
      if (joint.parent >= 0) {
        const Vec3 above = places[static_cast<std::size_t>(joint.parent)];
        place = {place.x + above.x, place.y + above.y, place.z + above.z};
      }
      places.push_back(place);
      if (inverse_binds.empty()) {
        Affine bind;
        bind.m[0][3] = -place.x, bind.m[1][3] = -place.y, bind.m[2][3] = -place.z;
        binds.push_back(bind);
      }
      out.nodes.push_back({joint.name, joint.parent, joint.rest, 0, kNone, kNone, true});
    }
    const SkeletonBuild build = *Skeleton::create(descs);
    out.skeleton = build.skeleton;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      out.nodes[i].joint = static_cast<std::int32_t>(build.joint_of_input[i]);
    }
    if (skinned) out.skins.push_back(*Skin::create(out.skeleton, build.joint_of_input, binds, "skin"));
    ModelNode mesh = body;
    mesh.name = "body";
    mesh.mesh = 0;
    mesh.skin = skinned ? 0 : kNone;
    out.nodes.push_back(mesh);
    out.materials.push_back(material);
    out.meshes.push_back({"mesh", {{std::make_shared<const Vertices>(vertices), indices, Topology::triangles, 0}}, {}});
    for (const ClipKeys& keys : clips) out.clips.push_back(*create_clip(out.skeleton, keys));
    return out;
  }

  [[nodiscard]] Model model() const { return *Model::create(parts()); }
};

}  // namespace marrow::test
