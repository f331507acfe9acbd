#include "marrow/gltf/reader.h"

#include <doctest/doctest.h>

#include <cmath>

#include "fixtures/random.h"
#include "gltf/file_builder.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "marrow/skin/skinning.h"

namespace marrow {
namespace {

using test::FileBuilder;
using test::Json;
using test::skinned_triangle;
using test::y_up;

struct Posed {
  std::vector<Affine> joints, nodes;
  std::vector<std::vector<Affine>> palettes;
};

Posed pose_model(const Model& model, const Pose& pose) {
  Posed out{std::vector<Affine>(model.skeleton().joint_count()), std::vector<Affine>(model.nodes().size()), {}};
  local_to_model(pose, out.joints);
  node_matrices(model, out.joints, out.nodes);
  for (const Skin& skin : model.skins()) palette(skin, out.joints, out.palettes.emplace_back(skin.size()));
  return out;
}

Posed posed_at(const Model& model, double time) {
  Pose pose(model.skeleton());
  sample(model.clips()[0], time, pose);
  return pose_model(model, pose);
}

TEST_CASE("a skinned triangle bends as its clip says") {
  const Model model = skinned_triangle().model(y_up());
  REQUIRE(model.skeleton().joint_count() == 2);
  CHECK(model.skeleton().joint("tip").value() == 1u);
  CHECK(model.nodes()[2].joint == kNone);
  REQUIRE(model.clips().size() == 1);
  CHECK(model.clips()[0].duration() == 1.0);
  const Posed posed = posed_at(model, 1.0);
  std::vector<Vec3> positions(3);
  skin_vertices(*model.meshes()[0].parts[0].vertices, {}, posed.palettes[0], {positions, {}, {}});
  // A quarter turn about z through (0, 1, 0) takes the tip, two above, to two on the left.
  CHECK(positions[0].x == doctest::Approx(0));
  CHECK(positions[1].y == doctest::Approx(2));
  CHECK(positions[2].x == doctest::Approx(-2));
  CHECK(positions[2].y == doctest::Approx(1));
}

TEST_CASE("with z up everything is that with y up, turned") {
  // A file of random transforms, matrices among them, and all kinds of keys.
  test::Random random(7);
  FileBuilder file = skinned_triangle();
  const auto numbers = [&](int count) {
    Json list = Json::array();
    for (int i = 0; i < count; ++i) list.push_back(random.rangef(-2, 2));
    return list;
  };
  const auto keys = [&](std::size_t count) {
    std::vector<float> list(count);
    for (float& x : list) x = random.rangef(-2, 2);
    return list;
  };
  file.json["nodes"][0]["scale"] = {1, -2, 3};
  file.json["nodes"][0]["rotation"] = {0.5, 0.5, -0.5, 0.5};
  file.json["nodes"][1]["children"] = {3};
  file.node({{"name", "deep"}, {"translation", numbers(3)}, {"scale", numbers(3)}, {"children", {4}}});
  file.node({{"name", "static"}, {"matrix", {0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 3, 0, 4, 5, 6, 1}}});
  const std::size_t times = file.accessor<float>({0, 1}, "SCALAR");
  file.channel(0, "translation", times, file.accessor<float>(keys(6), "VEC3"), "STEP");
  file.channel(1, "scale", times, file.accessor<float>(keys(18), "VEC3"), "CUBICSPLINE");
  file.channel(1, "rotation", times, file.accessor<float>(keys(24), "VEC4"), "CUBICSPLINE");
  file.channel(3, "translation", times, file.accessor<float>(keys(6), "VEC3"));
  const Model y = file.model(y_up()), z = file.model();
  CHECK(y.up() == Up::y);
  CHECK(z.up() == Up::z);
  const Affine turn = {{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}};
  const auto check_turned = [&](const std::vector<Affine>& in_y, const std::vector<Affine>& in_z) {
    REQUIRE(in_y.size() == in_z.size());
    for (std::size_t i = 0; i < in_y.size(); ++i) {
      const Affine expected = multiply(multiply(turn, in_y[i]), inverse(turn));
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) CHECK(in_z[i].m[r][c] == doctest::Approx(expected.m[r][c]).epsilon(1e-5));
      }
    }
  };
  for (const double time : {-1.0, 0.0, 0.3, 0.77, 2.0}) {
    const Posed a = posed_at(y, time), b = posed_at(z, time);
    check_turned(a.nodes, b.nodes);
    check_turned(a.palettes[0], b.palettes[0]);
  }
  const Vertices &a = *y.meshes()[0].parts[0].vertices, &b = *z.meshes()[0].parts[0].vertices;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 expected = transform_point(turn, a.positions[i]);
    CHECK(b.positions[i].x == expected.x);
    CHECK(b.positions[i].y == expected.y);
    CHECK(b.positions[i].z == expected.z);
  }
}

TEST_CASE("joints are sorted parents first, and a skin keeps its own order") {
  FileBuilder file = skinned_triangle();
  // The same with the joints told in reverse, and a node between them that is none.
  file.json["skins"][0]["joints"] = {1, 0};
  file.json["nodes"][0]["children"] = {3};
  file.node({{"name", "between"}, {"translation", {5, 0, 0}}, {"children", {1}}});
  const Model model = file.model(y_up());
  CHECK(model.skeleton().joint_count() == 3);
  CHECK(model.skeleton().name(0) == "root");
  CHECK(model.skeleton().name(1) == "between");
  CHECK(model.skeleton().name(2) == "tip");
  CHECK(model.skins()[0].joints()[0] == 2);
  CHECK(model.skins()[0].joints()[1] == 0);
  const Posed posed = pose_model(model, Pose(model.skeleton()));
  CHECK(posed.nodes[1].m[0][3] == 5);
  CHECK(posed.nodes[1].m[1][3] == 3);
  // The inverse bind matrices went with the joints: (0, -1, 0) is now the tip's.
  CHECK(posed.palettes[0][0].m[1][3] == 2);
}

TEST_CASE("what is above a joint counts, and what is beside it is no joint") {
  FileBuilder file = skinned_triangle();
  file.node({{"name", "armature"}, {"scale", {2, 2, 2}}, {"children", {0, 4}}});
  file.node({{"name", "hat"}, {"translation", {0, 1, 0}}});
  const Model model = file.model(y_up());
  CHECK(model.skeleton().joint_count() == 3);
  CHECK(model.skeleton().name(0) == "armature");
  CHECK(!model.skeleton().joint("hat"));
  const Posed posed = pose_model(model, Pose(model.skeleton()));
  CHECK(posed.nodes[1].m[1][3] == 6);
  CHECK(posed.nodes[4].m[1][3] == 2);
}

TEST_CASE("without inverse bind matrices they are identities") {
  FileBuilder file = skinned_triangle();
  file.json["skins"][0].erase("inverseBindMatrices");
  const Model model = file.model(y_up());
  const Posed posed = pose_model(model, Pose(model.skeleton()));
  CHECK(posed.palettes[0][1].m[1][3] == 3);
}

TEST_CASE("what has no name is called after its place in the file") {
  FileBuilder file = skinned_triangle();
  file.json["nodes"][1].erase("name");
  const Model model = file.model();
  CHECK(model.skeleton().name(1) == "bone_1");
  CHECK(model.nodes()[1].name == "bone_1");
  CHECK(model.clips()[0].name() == "clip_0");
}

TEST_CASE("matrices are taken apart, and shear is told") {
  FileBuilder file;
  file.node({{"matrix", {0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 1, 2, 3, 1}}});
  CHECK(file.warnings(y_up()) == "");
  const Model model = file.model(y_up());
  CHECK(model.nodes()[0].rest.scale.x == doctest::Approx(2));
  CHECK(model.nodes()[0].rest.scale.y == doctest::Approx(3));
  CHECK(model.nodes()[0].rest.rotation.z == doctest::Approx(std::sqrt(0.5)));
  CHECK(model.nodes()[0].rest.translation.z == 3);
  file.json["nodes"][0]["matrix"] = {1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  CHECK(file.warnings(y_up()).starts_with("/nodes/0/matrix: the matrix has shear"));
  file.json["nodes"][0]["matrix"] = {9e17, 9e17, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  CHECK(file.error() == "/nodes/0/matrix: the matrix has a scale beyond 1e18");
}

TEST_CASE("rotations that are not unit are normalised, those without length left out, with a warning") {
  FileBuilder file;
  file.node({{"rotation", {0, 0, 3, 4}}});
  file.node({{"rotation", {0, 0, 0, 0}}});
  const std::string warnings = file.warnings();
  CHECK(warnings.find("/nodes/0/rotation: the rotation is not of unit length") != std::string::npos);
  CHECK(warnings.find("/nodes/1/rotation: the rotation has no length") != std::string::npos);
  const Model model = file.model(y_up());
  CHECK(model.nodes()[0].rest.rotation.z == doctest::Approx(0.6));
  CHECK(model.nodes()[1].rest.rotation.w == 1);
}

TEST_CASE("the hierarchy must be one: no cycles, no two parents, no numbers out of range") {
  FileBuilder file;
  file.node({{"children", {1}}});
  file.node({{"children", {2}}});
  file.node({});
  CHECK(file.error() == "");
  file.json["nodes"][2]["children"] = {1};
  CHECK(file.error() == "/nodes/2/children/0: node 1 is a child of node 0 already");
  file.json["nodes"][0] = Json::object();
  CHECK(file.error().ends_with("/children: the node is its own ancestor"));
  file.json["nodes"][2]["children"] = {2};
  CHECK(file.error() == "/nodes/2/children/0: node 2 is a child of node 1 already");
  file.json["nodes"][2]["children"] = {3};
  CHECK(file.error() == "/nodes/2/children/0: there is no node 3; the file has 3");
  file.json["nodes"][2]["children"] = "none";
  CHECK(file.error() == "/nodes/2/children: expected an array, found a string");
}

TEST_CASE("nodes outside the scene are there, but not shown") {
  FileBuilder file;
  file.node({{"children", {1}}});
  file.node({});
  file.node({});
  CHECK(file.model().nodes()[2].shown);
  file.json["scenes"] = Json::array({{{"nodes", {2}}}, {{"nodes", {0}}}});
  file.json["scene"] = 1;
  const Model model = file.model();
  CHECK(model.nodes()[0].shown);
  CHECK(model.nodes()[1].shown);
  CHECK(!model.nodes()[2].shown);
}

TEST_CASE("versions and extensions that cannot be read are refused by name, others warned of") {
  FileBuilder file;
  file.json["extensionsUsed"] = {"KHR_materials_ior", "ACME_secret"};
  CHECK(file.warnings() == "/extensionsUsed/1: the extension ACME_secret is not known and was passed over\n");
  file.json["extensionsRequired"] = {"ACME_secret"};
  CHECK(file.error() ==
        "/extensionsRequired/0: the file cannot be read without the extension ACME_secret, which is not known");
  file.json["extensionsRequired"] = {"KHR_materials_ior", "KHR_mesh_quantization"};
  CHECK(file.warnings().starts_with("/extensionsRequired/0: the extension KHR_materials_ior is required but not read"));
  file.json["asset"]["version"] = "1.0";
  CHECK(file.error() == "/asset/version: glTF of version 1.0; only 2 can be read");
  file.json["asset"] = {{"version", "2.0"}, {"minVersion", "2.1"}};
  CHECK(file.error() == "/asset/minVersion: the file needs a reader of glTF 2.1; this one reads 2.0");
  file.json.erase("asset");
  CHECK(file.error() == "/asset: not a glTF file: there is no asset");
}

TEST_CASE("an empty file is an empty model, and text that is not JSON is refused with its line") {
  const FileBuilder file;
  CHECK(file.model().nodes().empty());
  const std::string text = "{\n  \"asset\": }";
  const Result<LoadedModel> loaded = read_gltf(std::as_bytes(std::span(text)));
  REQUIRE(!loaded.ok());
  CHECK(to_string(loaded.error()).starts_with("line 2, column 12: "));
  CHECK(!read_gltf({}).ok());
}

TEST_CASE("without meshes the motion is the same") {
  const FileBuilder file = skinned_triangle();
  LoadOptions options;
  options.meshes = false;
  const Model with = file.model(), without = file.model(options);
  CHECK(without.meshes().empty());
  CHECK(with.skeleton().hash() == without.skeleton().hash());
  CHECK(with.clips()[0].hash() == without.clips()[0].hash());
}

}  // namespace
}  // namespace marrow
