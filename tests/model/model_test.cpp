#include "marrow/model/model.h"

#include <doctest/doctest.h>

#include "humanoid.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/skin/skinning.h"

namespace marrow {
namespace {

// A skinned mesh made by hand: two joints, a triangle, a prop that hangs on the second joint.
ModelParts made_by_hand() {
  JointDesc joints[2];
  joints[0].name = "root";
  joints[1].name = "tip";
  joints[1].parent = 0;
  joints[1].rest.translation = {0, 0, 2};
  ModelParts parts;
  parts.skeleton = Skeleton::create(joints)->skeleton;
  const std::uint32_t skin_joints[] = {0, 1};
  parts.skins.push_back(*Skin::create(parts.skeleton, skin_joints, {}));
  auto vertices = std::make_shared<Vertices>();
  vertices->positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  vertices->influences = 1;
  vertices->joints = {0, 0, 1};
  vertices->weights = {1, 1, 1};
  Mesh mesh;
  mesh.parts.push_back({vertices, {0, 1, 2}, Topology::triangles, 0});
  parts.meshes.push_back(mesh);
  parts.materials.emplace_back();
  parts.nodes.resize(4);
  parts.nodes[3].joint = 0;
  parts.nodes[1].joint = 1;
  parts.nodes[1].parent = 3;
  parts.nodes[0].parent = 1;
  parts.nodes[0].rest.translation = {0, 5, 0};
  parts.nodes[2].mesh = 0;
  parts.nodes[2].skin = 0;
  return parts;
}

std::string error_with(void (*change)(ModelParts&)) {
  ModelParts parts = made_by_hand();
  change(parts);
  const Result<Model> model = Model::create(std::move(parts));
  return model ? "" : to_string(model.error());
}

TEST_CASE("a model made by hand is posed and skinned") {
  const Result<Model> model = Model::create(made_by_hand());
  REQUIRE(model.ok());
  Pose pose(model->skeleton());
  Transform moved = pose.transform(1);
  moved.translation.x = 7;
  pose.set_transform(1, moved);
  std::vector<Affine> joints(2), nodes(4), matrices(2);
  local_to_model(pose, joints);
  node_matrices(*model, joints, nodes);
  CHECK(nodes[1].m[0][3] == 7);
  CHECK(nodes[0].m[0][3] == 7);
  CHECK(nodes[0].m[1][3] == 5);
  CHECK(nodes[0].m[2][3] == 2);
  palette(model->skins()[0], joints, matrices);
  std::vector<Vec3> positions(3);
  skin_vertices(*model->meshes()[0].parts[0].vertices, {}, matrices, {positions, {}, {}});
  CHECK(positions[1].x == 1);
  CHECK(positions[2].x == 7);
}

TEST_CASE("nodes are put in an order with parents first") {
  const Result<Model> model = Model::create(made_by_hand());
  std::vector<bool> seen(4, false);
  for (const std::uint32_t node : model->nodes_in_order()) {
    const std::int32_t parent = model->nodes()[node].parent;
    if (parent != kNone) CHECK(seen[static_cast<std::size_t>(parent)]);
    seen[node] = true;
  }
  CHECK(model->nodes_in_order().size() == 4);
}

TEST_CASE("what does not fit together is refused by name") {
  CHECK(error_with([](ModelParts&) {}) == "");
  CHECK(error_with([](ModelParts& p) { p.nodes[2].mesh = 1; }) == "nodes/2/mesh: there is no mesh 1; the model has 1");
  CHECK(error_with([](ModelParts& p) { p.nodes[2].skin = -2; }) ==
        "nodes/2/skin: there is no skin -2; the model has 1");
  CHECK(error_with([](ModelParts& p) { p.nodes[2].parent = 4; }) ==
        "nodes/2/parent: there is no node 4; the model has 4");
  CHECK(error_with([](ModelParts& p) { p.nodes[0].joint = 1; }) == "nodes/1/joint: two nodes are joint 1");
  CHECK(error_with([](ModelParts& p) { p.nodes[1].parent = kNone; }) ==
        "nodes/1/parent: the parent of the node is not that of its joint");
  CHECK(error_with([](ModelParts& p) { p.nodes[2].parent = 2; }) == "nodes/2: the node is its own ancestor");
  CHECK(error_with([](ModelParts& p) { p.meshes[0].parts[0].indices[2] = 3; }) ==
        "meshes/0/parts/0/indices/2: index 3 is beyond the 3 vertices");
  CHECK(error_with([](ModelParts& p) { p.meshes[0].parts[0].indices.pop_back(); }) ==
        "meshes/0/parts/0/indices: 2 indices do not make whole triangles or lines");
  CHECK(error_with([](ModelParts& p) { p.meshes[0].parts[0].vertices = nullptr; }) ==
        "meshes/0/parts/0: the part has no vertices");
  CHECK(error_with([](ModelParts& p) { p.meshes[0].parts[0].material = 1; }) ==
        "meshes/0/parts/0/material: there is no material 1; the model has 1");
  CHECK(error_with([](ModelParts& p) { p.materials[0].base_color_texture.image = 0; }) ==
        "materials/0/base_color_texture: there is no image 0; the model has 0");
  CHECK(error_with([](ModelParts& p) {
          Vertices v = *p.meshes[0].parts[0].vertices;
          v.joints[1] = 2;
          p.meshes[0].parts[0].vertices = std::make_shared<Vertices>(v);
        }) == "nodes/2/skin: meshes/0/parts/0 has vertices of joint 2, but the skin of the node has 2 joints");
  CHECK(error_with([](ModelParts& p) {
          Vertices v = *p.meshes[0].parts[0].vertices;
          v.weights[1] = 0.5f;
          p.meshes[0].parts[0].vertices = std::make_shared<Vertices>(v);
        }).starts_with("meshes/0/parts/0/vertices/weights/1: "));
  CHECK(error_with([](ModelParts& p) { p.skins.push_back(humanoid::make_skin(humanoid::make_skeleton())); }) ==
        "skins/1: the skin is for another skeleton");
  CHECK(error_with([](ModelParts& p) { p.clips.push_back(Clip()); }) == "clips/0: the clip is for another skeleton");
}

}  // namespace
}  // namespace marrow
