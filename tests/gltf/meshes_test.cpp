#include "src/gltf/meshes.h"

#include <doctest/doctest.h>

#include <limits>

#include "gltf/file_builder.h"

namespace marrow {
namespace {

using test::FileBuilder;
using test::Json;
using test::skinned_triangle;
using test::y_up;

// A mesh of `count` positions (i, 0, 0) in node 0.
FileBuilder points(std::size_t count) {
  FileBuilder file;
  std::vector<float> positions;
  for (std::size_t i = 0; i < count; ++i) positions.insert(positions.end(), {static_cast<float>(i), 0, 0});
  file.node({{"mesh", file.mesh({{"POSITION", file.accessor<float>(positions, "VEC3")}})}});
  return file;
}

Json& primitive_of(FileBuilder& file) { return file.json["meshes"][0]["primitives"][0]; }

TEST_CASE("strips, fans and loops become lists") {
  FileBuilder file = points(5);
  using Indices = std::vector<std::uint32_t>;
  const auto with_mode = [&](int mode) {
    primitive_of(file)["mode"] = mode;
    const Model model = file.model();
    return model.meshes()[0].parts[0];
  };
  CHECK(with_mode(0).indices == Indices{0, 1, 2, 3, 4});
  CHECK(with_mode(0).topology == Topology::points);
  CHECK(with_mode(1).indices == Indices{0, 1, 2, 3});
  CHECK(with_mode(2).indices == Indices{0, 1, 1, 2, 2, 3, 3, 4, 4, 0});
  CHECK(with_mode(3).indices == Indices{0, 1, 1, 2, 2, 3, 3, 4});
  CHECK(with_mode(3).topology == Topology::lines);
  CHECK(with_mode(4).indices == Indices{0, 1, 2});
  // Every second triangle of a strip is turned so that all face the same way.
  CHECK(with_mode(5).indices == Indices{0, 1, 2, 1, 3, 2, 2, 3, 4});
  CHECK(with_mode(6).indices == Indices{0, 1, 2, 0, 2, 3, 0, 3, 4});
  CHECK(with_mode(6).topology == Topology::triangles);
  primitive_of(file)["mode"] = 7;
  CHECK(file.error() == "/meshes/0/primitives/0/mode: the number 7 is too large");
}

TEST_CASE("indices of every size are read, and those beyond the vertices refused") {
  FileBuilder file = points(3);
  const auto indices_of = [&](std::size_t accessor) {
    primitive_of(file)["indices"] = accessor;
    return file.model().meshes()[0].parts[0].indices;
  };
  const std::vector<std::uint32_t> expected = {2, 1, 0};
  CHECK(indices_of(file.accessor<std::uint8_t>({2, 1, 0}, "SCALAR")) == expected);
  CHECK(indices_of(file.accessor<std::uint16_t>({2, 1, 0}, "SCALAR")) == expected);
  CHECK(indices_of(file.accessor<std::uint32_t>({2, 1, 0}, "SCALAR")) == expected);
  primitive_of(file)["indices"] = file.accessor<std::uint16_t>({0, 1, 3}, "SCALAR");
  CHECK(file.error() == "/meshes/0/primitives/0/indices: index 2 is for vertex 3, but there are 3");
  primitive_of(file)["indices"] = file.accessor<float>({0, 1, 2}, "SCALAR");
  CHECK(file.error().ends_with("/componentType: whole numbers that are not negative are wanted here"));
}

TEST_CASE("every attribute is read, with its integers normalised") {
  FileBuilder file = points(1);
  Json& attributes = primitive_of(file)["attributes"];
  attributes["NORMAL"] = file.accessor<std::int8_t>({0, 127, 0, 0}, "VEC3", true);
  file.json["accessors"].back()["count"] = 1;
  attributes["TANGENT"] = file.accessor<float>({1, 0, 0, -1}, "VEC4");
  attributes["TEXCOORD_0"] = file.accessor<std::uint16_t>({65535, 0}, "VEC2", true);
  attributes["TEXCOORD_1"] = file.accessor<float>({0.5f, 0.25f}, "VEC2");
  attributes["COLOR_0"] = file.accessor<std::uint8_t>({255, 0, 51, 0}, "VEC3", true);
  file.json["accessors"].back()["count"] = 1;
  const Model model = file.model(y_up());
  const Vertices& v = *model.meshes()[0].parts[0].vertices;
  CHECK(v.normals[0].y == 1);
  CHECK(v.tangents[0].w == -1);
  REQUIRE(v.uvs.size() == 2);
  CHECK(v.uvs[0][0].x == 1);
  CHECK(v.uvs[1][0].y == 0.25f);
  CHECK(v.colors[0].z == 51.0f / 255.0f);
  CHECK(v.colors[0].w == 1);
  attributes["NORMAL"] = file.accessor<float>({0, 1, 0, 0, 1, 0}, "VEC3");
  CHECK(file.error() == "/meshes/0/primitives/0/attributes/NORMAL: there are 1 positions but 2 of these");
}

TEST_CASE("weights are made to sum to 1, and whoever has none follows the first joint") {
  FileBuilder file = skinned_triangle();
  Json& attributes = primitive_of(file)["attributes"];
  attributes["JOINTS_0"] = file.accessor<std::uint16_t>({0, 1, 9, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  attributes["WEIGHTS_0"] = file.accessor<float>({1, 3, 0, 0, 0, 0, 0, 0, 1, -1, 0, 0}, "VEC4");
  const Model model = file.model();
  const Vertices& v = *model.meshes()[0].parts[0].vertices;
  CHECK(v.weights[0] == 0.25f);
  CHECK(v.weights[1] == 0.75f);
  CHECK(v.joints[2] == 0);  // was 9, with no weight
  CHECK(v.joints[4] == 1);
  CHECK(v.weights[4] == 1);
  CHECK(v.weights[9] == 0);
  const std::string warnings = file.warnings();
  CHECK(warnings.find("/attributes/WEIGHTS_0: the weights of 1 of 3 vertices do not sum to 1 (farthest: 4") !=
        std::string::npos);
  CHECK(warnings.find("1 of 3 vertices have no weights") != std::string::npos);
  CHECK(warnings.find("1 of 3 vertices have weights below zero") != std::string::npos);
}

TEST_CASE("more than four influences are kept") {
  FileBuilder file = skinned_triangle();
  Json& attributes = primitive_of(file)["attributes"];
  attributes["WEIGHTS_0"] = file.accessor<float>({0.5f, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  attributes["JOINTS_1"] = file.accessor<std::uint8_t>({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4");
  attributes["WEIGHTS_1"] = file.accessor<std::uint8_t>({128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", true);
  const Model model = file.model();
  const Vertices& v = *model.meshes()[0].parts[0].vertices;
  CHECK(v.influences == 8);
  CHECK(v.joints[4] == 1);
  CHECK(v.weights[4] == doctest::Approx(0.5).epsilon(0.01));
  attributes.erase("WEIGHTS_1");
  CHECK(file.model().meshes()[0].parts[0].vertices->influences == 4);
}

TEST_CASE("a vertex of a joint that the skin does not have is refused") {
  FileBuilder file = skinned_triangle();
  primitive_of(file)["attributes"]["JOINTS_0"] =
      file.accessor<std::uint8_t>({0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  CHECK(file.error() == "/meshes/0/primitives/0: a vertex refers to joint 2, but the skin of node 2 has 2 joints");
  // The file's primitive is named, not the model's part.
  Json& primitives = file.json["meshes"][0]["primitives"];
  primitives.insert(primitives.begin(), Json{{"attributes", Json::object()}});
  CHECK(file.error().starts_with("/meshes/0/primitives/1: a vertex refers to joint 2"));
}

TEST_CASE("parts of the same accessors share their vertices") {
  FileBuilder file = points(3);
  Json& primitives = file.json["meshes"][0]["primitives"];
  primitives.push_back(primitives[0]);
  primitives.push_back(primitives[0]);
  primitives[2]["attributes"]["NORMAL"] = primitives[2]["attributes"]["POSITION"];
  const Model model = file.model();
  const std::vector<MeshPart>& parts = model.meshes()[0].parts;
  CHECK(parts[0].vertices == parts[1].vertices);
  CHECK(parts[0].vertices != parts[2].vertices);
}

TEST_CASE("numbers that are not finite become 0, and primitives without positions are left out") {
  FileBuilder file;
  const float bad = std::numeric_limits<float>::quiet_NaN(), huge = 1e30f;
  file.node({{"mesh", file.mesh({{"POSITION", file.accessor<float>({bad, 1, huge}, "VEC3")}})}});
  file.json["meshes"][0]["primitives"].push_back({{"attributes", Json::object()}});
  const Model model = file.model(y_up());
  REQUIRE(model.meshes()[0].parts.size() == 1);
  const Vec3 v = model.meshes()[0].parts[0].vertices->positions[0];
  CHECK(v.x == 0);
  CHECK(v.y == 1);
  CHECK(v.z == 0);
  const std::string warnings = file.warnings();
  CHECK(warnings.find("/attributes/POSITION: 2 numbers are not finite") != std::string::npos);
  CHECK(warnings.find("/meshes/0/primitives/1/attributes: the primitive has no positions") != std::string::npos);
}

TEST_CASE("a thorough load tells which primitive each part is") {
  FileBuilder file = points(3);
  Json& primitives = file.json["meshes"][0]["primitives"];
  const Json good = primitives[0], empty = {{"attributes", Json::object()}};
  primitives = Json::array({empty, good, empty, good});
  file.mesh(good["attributes"]);
  LoadOptions options;
  CHECK(file.read(options)->part_primitives.empty());
  options.thorough = true;
  const Result<LoadedModel> loaded = file.read(options);
  REQUIRE(loaded.ok());
  CHECK(loaded->part_primitives == std::vector<std::vector<std::uint32_t>>{{1, 3}, {0}});
}

TEST_CASE("morph targets have as many vertices as the mesh") {
  FileBuilder file = points(2);
  primitive_of(file)["targets"] = {{{"POSITION", file.accessor<float>({0, 0, 1, 0, 2, 0}, "VEC3")},
                                    {"NORMAL", file.accessor<std::int8_t>({0, 0, 1, 0, 2, 0}, "VEC3")}}};
  const Model model = file.model();
  const MorphTarget& target = model.meshes()[0].parts[0].vertices->targets[0];
  CHECK(target.positions[0].y == -1);  // z becomes -y
  CHECK(target.positions[1].z == 2);
  CHECK(target.normals[1].z == 2);
  CHECK(target.tangents.empty());
  primitive_of(file)["targets"] = {{{"POSITION", file.accessor<float>({0, 0, 1}, "VEC3")}}};
  CHECK(file.error() == "/meshes/0/primitives/0/targets/0/POSITION: there are 2 positions but 1 of these");
}

}  // namespace
}  // namespace marrow
