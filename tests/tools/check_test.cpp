#include "check/check.h"

#include <doctest/doctest.h>

#include "check/report.h"
#include "tools/character.h"
#include "tools/findings.h"

namespace marrow::tool {
namespace {

using test::Character;
using test::check;
using test::of;

std::string names_of(const Findings& findings) {
  std::string out;
  for (const FindingGroup& group : grouped_by_rule(findings)) {
    out += std::string(out.empty() ? "" : " ") + rule_info(group.rule).name;
  }
  return out;
}

TEST_CASE("a clean character gives no findings") { CHECK(names_of(check(Character())).empty()); }

TEST_CASE("joints of the same name are told, with the first") {
  Character character;
  character.joints[2].name = "chest";
  CHECK(of(check(character), Rule::duplicate_joint_name) == "/nodes/2: \"chest\", as /nodes/1");
}

TEST_CASE("negative and uneven scales of joints are told, uneven ones where they bend something") {
  Character character;
  character.joints[0].rest.scale = {-1, 1, 1};
  CHECK(of(check(character), Rule::negative_scale) == "/nodes/0: \"hips\", scale -1 × 1 × 1");
  CHECK(of(check(character), Rule::uneven_scale).empty());
  character.joints[0].rest.scale = {1, 1, 0.5f};
  // In the order of the file, whose y axis is the model's z axis.
  CHECK(of(check(character), Rule::uneven_scale) == "/nodes/0: \"hips\", scale 1 × 0.5 × 1");
  ModelParts with_y_up = character.parts();
  with_y_up.up = Up::y;
  CHECK(of(check_skeleton(Subject(*Model::create(with_y_up))), Rule::uneven_scale) ==
        "/nodes/0: \"hips\", scale 1 × 1 × 0.5");
  character.joints[0].rest.scale = {1, 1, 1};
  character.joints[2].rest.scale = {1, 1, 0.5f};
  CHECK(of(check(character), Rule::uneven_scale).empty());
}

TEST_CASE("scales of a clip count like those at rest") {
  Character character;
  character.clips[0].tracks.push_back(
      {0, Property::scale, Interpolation::linear, {0, 0.3f, 1}, {1, 1, 1, 1, 1, 2, -1, 1, 1}});
  const Findings findings = check(character);
  CHECK(of(findings, Rule::negative_scale) == "/animations/0/channels/2: \"hips\" in \"Walk\"");
  CHECK(of(findings, Rule::uneven_scale) == "/animations/0/channels/2: \"hips\" in \"Walk\"");
}

TEST_CASE("a joint at the place of its parent is told, unless a clip moves it away") {
  Character character;
  character.joints[2].rest.translation = {};
  CHECK(of(check(character), Rule::zero_length_bone) == "/nodes/2: \"hand\" in \"chest\"");
  character.clips[0].tracks.push_back({2, Property::translation, Interpolation::linear, {0}, {0, 0, 0.5f}});
  CHECK(of(check(character), Rule::zero_length_bone).empty());
}

TEST_CASE("joints that move no vertex are told for each skin") {
  Character character;
  for (std::uint16_t& joint : character.vertices.joints) joint = 0;
  CHECK(of(check(character), Rule::unused_joint) == "/skins/0: 2 of 3 joints: \"chest\", \"hand\"");
}

TEST_CASE("a skin that nobody wears is told, unless there is no mesh at all") {
  ModelParts parts = Character().parts();
  parts.nodes.back().skin = kNone;
  CHECK(of(check_skins(Subject(*Model::create(parts))), Rule::unused_skin) == "/skins/0: 3 joints");
  parts.nodes.pop_back();
  parts.meshes.clear();
  CHECK(check_skins(Subject(*Model::create(parts))).empty());
}

TEST_CASE("more than four influences are told with what is lost") {
  Character character;
  Vertices& vertices = character.vertices;
  vertices.influences = 8;
  vertices.joints.assign(48, 0);
  vertices.weights.assign(48, 0);
  for (std::size_t v = 0; v < 6; ++v) {
    vertices.weights[8 * v] = 1;
    vertices.joints[8 * v] = static_cast<std::uint16_t>(v / 2);
  }
  CHECK(of(check(character), Rule::empty_influences) ==
        "/meshes/0/primitives/0: each vertex has 8 influences; no vertex uses more than 1");
  for (std::size_t i = 0; i < 5; ++i) vertices.weights[i] = 0.2f;
  const Findings findings = check(character);
  CHECK(of(findings, Rule::empty_influences).empty());
  CHECK(of(findings, Rule::many_influences) ==
        "/meshes/0/primitives/0: 1 of 6 vertices have up to 5; dropping the smallest loses up to 20 % of the weight");
}

TEST_CASE("skins of many joints are told, and those that no uniform buffer holds") {
  for (const std::size_t count : {256u, 257u, 341u, 342u}) {
    Character character;
    while (character.joints.size() < count) {
      character.joints.push_back({"extra" + std::to_string(character.joints.size()), 0, {{0, 0, 0.1f}, {}, {1, 1, 1}}});
    }
    const Findings findings = check(character);
    CAPTURE(count);
    CHECK(of(findings, Rule::many_joints).empty() == (count == 256 || count == 342));
    CHECK(of(findings, Rule::too_many_joints).empty() == (count != 342));
  }
}

TEST_CASE("a rest pose that is not the bind pose is told with how far it is") {
  Character character;
  character.joints[2].rest.rotation = from_axis_angle({1, 0, 0}, 1.0f);
  const Findings findings = check(character);
  CHECK(names_of(findings) == "bind-pose");
  CHECK(of(findings, Rule::bind_pose).starts_with("/skins/0: vertices are up to 0.288 units away"));
}

TEST_CASE("a mesh that was bound in another space than the model's is as good") {
  Character character;
  for (Vec3& point : character.vertices.positions) point = {10 * point.x, 10 * point.y, 10 * point.z};
  for (const Vec3 place : {Vec3{0, 0, 0.9f}, Vec3{0, 0, 1.4f}, Vec3{0.5f, 0, 1.4f}}) {
    Affine bind;
    bind.m[0][0] = bind.m[1][1] = bind.m[2][2] = 0.1f;
    bind.m[0][3] = -place.x, bind.m[1][3] = -place.y, bind.m[2][3] = -place.z;
    character.inverse_binds.push_back(bind);
  }
  CHECK(names_of(check(character)).empty());
  // Its node may say the same.
  character.body.rest.scale = {0.1f, 0.1f, 0.1f};
  CHECK(names_of(check(character)).empty());
  character.body.rest.scale = {0.2f, 0.2f, 0.2f};
  CHECK(names_of(check(character)) == "skinned-node-moved");
}

TEST_CASE("where the mesh was not bound at rest, the size alone tells whether its node agrees") {
  Character character;
  character.joints[2].rest.rotation = from_axis_angle({1, 0, 0}, 1.0f);
  character.body.rest.translation = {2, 0, 0};
  CHECK(of(check(character), Rule::skinned_node_moved).empty());
  character.body.rest.scale = {3, 3, 3};
  CHECK(of(check(character), Rule::skinned_node_moved) == "/nodes/3: \"body\" would be 3 times as large");
}

TEST_CASE("a joint that turns its part inside out is told") {
  Character character;
  Affine bind;
  bind.m[0][0] = -1, bind.m[2][3] = -1.4f, bind.m[0][3] = 0.5f;
  character.inverse_binds.resize(3);
  character.inverse_binds[0].m[2][3] = -0.9f;
  character.inverse_binds[1].m[2][3] = -1.4f;
  character.inverse_binds[2] = bind;
  CHECK(of(check(character), Rule::mirrored_skin) == "/skins/0/joints/2: \"hand\"");
}

TEST_CASE("a transform on the node of a skinned mesh is told, whether it stands still or moves") {
  Character character;
  character.body.rest.translation = {2, 0, 0};
  CHECK(of(check(character), Rule::skinned_node_moved) == "/nodes/3: \"body\" would be 2 units away");

  ModelParts parts = Character().parts();
  JointDesc joints[4];
  for (std::uint32_t j = 0; j < 3; ++j) {
    joints[j].name = parts.skeleton.name(j);
    joints[j].parent = parts.skeleton.parent(j);
    joints[j].rest = parts.skeleton.rest(j);
  }
  joints[3].name = "body";
  const SkeletonBuild build = *Skeleton::create(joints);
  parts.skeleton = build.skeleton;
  for (std::size_t i = 0; i < 4; ++i) parts.nodes[i].joint = static_cast<std::int32_t>(build.joint_of_input[i]);
  const std::vector<Affine> binds(parts.skins[0].inverse_binds().begin(), parts.skins[0].inverse_binds().end());
  parts.skins[0] = *Skin::create(parts.skeleton, {build.joint_of_input.data(), 3}, binds);
  ClipKeys keys{"move", 1, {{build.joint_of_input[3], Property::translation, Interpolation::linear, {0, 1}, {}}}};
  keys.tracks[0].values = {0, 0, 0, 1, 0, 0};
  parts.clips = {*create_clip(parts.skeleton, keys)};
  CHECK(of(check_skins(Subject(*Model::create(parts))), Rule::skinned_node_moved) ==
        "/nodes/3: \"body\" is moved by a clip");
}

TEST_CASE("a skinned mesh below a joint of its skin is told") {
  Character character;
  character.body.parent = 1;
  CHECK(of(check(character), Rule::skinned_node_below_joint) == "/nodes/3: \"body\" below \"chest\"");
}

TEST_CASE("of the joints above a skinned mesh the nearest is told that its own skin has") {
  ModelParts parts = Character().parts();
  const auto told = [&] { return of(check_skins(Subject(*Model::create(parts))), Rule::skinned_node_below_joint); };
  const std::vector<Affine> bind(1);
  const std::uint32_t hips = 0;
  parts.skins.push_back(*Skin::create(parts.skeleton, {&hips, 1}, bind));
  auto vertices = std::make_shared<Vertices>(*parts.meshes[0].parts[0].vertices);
  vertices->joints.assign(vertices->joints.size(), 0);
  parts.meshes[0].parts[0].vertices = vertices;
  // Node 3 is the body. A plain node and one that wears the second skin go between it and the hand.
  parts.nodes.resize(6);
  parts.nodes[4].name = "between";
  parts.nodes[4].parent = 2;
  parts.nodes[5] = parts.nodes[3];
  parts.nodes[5].name = "other";
  parts.nodes[5].skin = 1;
  parts.nodes[5].parent = 4;
  parts.nodes[3].parent = 5;
  CHECK(told() == "/nodes/3: \"body\" below \"hand\"\n/nodes/5: \"other\" below \"hips\"");
  // What is beside the joints is not below them.
  parts.nodes[4].parent = kNone;
  CHECK(told().empty());
}

TEST_CASE("missing normals are told of what is lit, missing texture coordinates of what has a texture") {
  Character character;
  character.vertices.normals.clear();
  CHECK(of(check(character), Rule::missing_normals) == "/meshes/0/primitives/0: \"mesh\"");
  character.material.unlit = true;
  CHECK(names_of(check(character)).empty());

  ModelParts parts = Character().parts();
  parts.images.emplace_back();
  parts.materials[0].name = "paint";
  parts.materials[0].base_color_texture.image = 0;
  CHECK(check_meshes(Subject(*Model::create(parts))).empty());
  parts.materials[0].base_color_texture.uv_set = 1;
  CHECK(of(check_meshes(Subject(*Model::create(parts))), Rule::missing_uvs) ==
        "/meshes/0/primitives/0: TEXCOORD_1 for the material \"paint\"");
}

TEST_CASE("the primitive that is told is the file's where it is known") {
  Character character;
  character.vertices.normals.clear();
  character.vertices.influences = 5;
  character.vertices.joints.assign(30, 0);
  character.vertices.weights.assign(30, 0.2f);
  const Findings findings = check_all({character.model(), {}, {}, {{3}}});
  CHECK(of(findings, Rule::missing_normals).starts_with("/meshes/0/primitives/3: "));
  CHECK(of(findings, Rule::many_influences).starts_with("/meshes/0/primitives/3: "));
}

TEST_CASE("triangles without area are counted, however small or thin the others are") {
  Character character;
  character.indices.insert(character.indices.end(), {0, 0, 1, 0, 2, 4});  // a corner twice; three in a line
  CHECK(of(check(character), Rule::degenerate_triangles) == "/meshes/0/primitives/0: 2 of 6 triangles of \"mesh\"");
  character.indices.resize(12);
  for (const Vec3 scale : {Vec3{1e-6f, 1e-6f, 1e-6f}, Vec3{1e-3f, 1, 1}}) {  // small ones, slivers
    character.vertices = Character::make_vertices();
    for (Vec3& at : character.vertices.positions) at = {scale.x * at.x, scale.y * at.y, scale.z * at.z};
    CHECK(of(check(character), Rule::degenerate_triangles).empty());
  }
}

TEST_CASE("a size that no character has in metres is told") {
  for (const auto& [size, told] :
       {std::pair{0.01f, true}, {0.1f, false}, {1.0f, false}, {10.0f, false}, {100.0f, true}}) {
    const float factor = size;
    Character character;
    for (Vec3& point : character.vertices.positions) {
      point = {factor * point.x, factor * point.y, factor * point.z};
    }
    for (Character::Joint& joint : character.joints) {
      Vec3& at = joint.rest.translation;
      at = {factor * at.x, factor * at.y, factor * at.z};
    }
    CAPTURE(factor);
    CHECK(names_of(check(character)) == (told ? "units" : ""));
  }
}

TEST_CASE("a file without clips or without a skin is told so") {
  Character character;
  character.clips.clear();
  CHECK(names_of(check(character)) == "no-clips");
  character = Character();
  character.skinned = false;
  CHECK(names_of(check(character)) == "no-skin");
}

}  // namespace
}  // namespace marrow::tool
