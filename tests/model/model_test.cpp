#include "marrow/model/model.h"

#include <doctest/doctest.h>

#include <cmath>

#include "fixtures/humanoid.h"
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

TEST_CASE("a whole model is skinned as the header shows: parts without influences follow their node") {
  ModelParts parts = made_by_hand();
  auto loose = std::make_shared<Vertices>();
  loose->positions = {{1, 0, 0}};
  loose->targets.resize(1);
  loose->targets[0].positions = {{0, 8, 0}};
  parts.meshes[0].parts.push_back({loose, {0}, Topology::points, kNone});
  parts.meshes[0].morph_names = {"up"};
  JointDesc joints[3];
  const float half = 0.5f;
  joints[0].name = "root";
  joints[1].parent = 0;
  joints[1].rest.translation = {0, 0, 2};
  joints[2].name = "body";
  joints[2].rest.translation = {100, 0, 0};
  joints[2].morph_weights = {&half, 1};
  const SkeletonBuild build = *Skeleton::create(joints);
  parts.skeleton = build.skeleton;
  parts.skins[0] = *Skin::create(parts.skeleton, {build.joint_of_input.data(), 2}, {});
  parts.nodes[3].joint = static_cast<std::int32_t>(build.joint_of_input[0]);
  parts.nodes[1].joint = static_cast<std::int32_t>(build.joint_of_input[1]);
  parts.nodes[2].joint = static_cast<std::int32_t>(build.joint_of_input[2]);
  const Result<Model> made = Model::create(parts);
  REQUIRE(made.ok());
  const Model& model = *made;
  const Pose pose(model.skeleton());

  std::vector<Affine> matrices_of_joints(3), nodes(4);
  std::vector<std::vector<Affine>> palettes(1, std::vector<Affine>(2));
  local_to_model(pose, matrices_of_joints);
  node_matrices(model, matrices_of_joints, nodes);
  palette(model.skins()[0], matrices_of_joints, palettes[0]);
  std::vector<std::vector<Vec3>> skinned;
  for (std::size_t n = 0; n < model.nodes().size(); ++n) {
    const ModelNode& node = model.nodes()[n];
    if (node.mesh == kNone || !node.shown) continue;
    std::span<const float> weights;
    if (node.joint != kNone) weights = pose.morph_weights(static_cast<std::uint32_t>(node.joint));
    for (const MeshPart& part : model.meshes()[static_cast<std::size_t>(node.mesh)].parts) {
      std::span<const Affine> matrices(&nodes[n], 1);
      if (node.skin != kNone && part.vertices->influences > 0) matrices = palettes[static_cast<std::size_t>(node.skin)];
      std::vector<Vec3>& out = skinned.emplace_back(part.vertices->positions.size());
      skin_vertices(*part.vertices, weights, matrices, {out, {}, {}});
    }
  }
  REQUIRE(skinned.size() == 2);
  CHECK(skinned[0][1].x == 1);  // by the skin, wherever the node is
  CHECK(skinned[0][2].z == 2);
  CHECK(skinned[1][0].x == 101);  // by the node
  CHECK(skinned[1][0].y == 4);    // with the weight of the node's joint
}

TEST_CASE("nodes are found by name, the first of it, and what is missing is named") {
  ModelParts parts = made_by_hand();
  parts.nodes.push_back({});
  parts.nodes.back().name = parts.nodes[0].name = "twin";
  const Model model = *Model::create(parts);
  CHECK(*model.node("twin") == 0);
  CHECK(*model.node(parts.nodes[1].name) == 1);
  CHECK(model.node("sword").error().message == "there is no node \"sword\"");
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
        }) == "meshes/0/parts/0: a vertex refers to joint 2, but the skin of node 2 has 2 joints");
  CHECK(error_with([](ModelParts& p) {
          Vertices v = *p.meshes[0].parts[0].vertices;
          v.weights[1] = 0.5f;
          p.meshes[0].parts[0].vertices = std::make_shared<Vertices>(v);
        }).starts_with("meshes/0/parts/0/vertices/weights/1: "));
  CHECK(error_with([](ModelParts& p) { p.skins.push_back(humanoid::make_skin(humanoid::make_skeleton())); }) ==
        "skins/1: the skin is for another skeleton");
  CHECK(error_with([](ModelParts& p) { p.nodes[0].rest.scale.y = std::nanf(""); }) ==
        "nodes/0/rest: the rest transform has a value that is not finite or beyond 1e18");
  CHECK(error_with([](ModelParts& p) { p.nodes[2].rest.translation.z = 2e18f; }).starts_with("nodes/2/rest: "));
  CHECK(error_with([](ModelParts& p) { p.clips.push_back(Clip()); }) == "clips/0: the clip is for another skeleton");
}

TEST_CASE("a mesh on a joint with another number of morph weights is refused") {
  const auto error_of = [](std::size_t weights, std::size_t targets) {
    const std::vector<float> values(weights, 0.0f);
    JointDesc joint;
    joint.morph_weights = values;
    ModelParts parts;
    parts.skeleton = Skeleton::create({&joint, 1})->skeleton;
    auto vertices = std::make_shared<Vertices>();
    vertices->positions = {{0, 0, 0}};
    vertices->targets.resize(targets);
    parts.meshes.push_back({"face", {{vertices, {}, Topology::points, kNone}}, std::vector<std::string>(targets)});
    parts.nodes.resize(1);
    parts.nodes[0].joint = 0;
    parts.nodes[0].mesh = 0;
    const Result<Model> model = Model::create(std::move(parts));
    return model ? "" : to_string(model.error());
  };
  CHECK(error_of(2, 2) == "");
  CHECK(error_of(0, 2) == "");  // they are 0
  CHECK(error_of(3, 2) == "nodes/0/mesh: the mesh has 2 morph targets, but the joint of the node 3 morph weights");
  CHECK(error_of(1, 2).starts_with("nodes/0/mesh: "));
  CHECK(error_of(1, 0).starts_with("nodes/0/mesh: "));
}

}  // namespace
}  // namespace marrow
