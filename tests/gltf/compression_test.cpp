// Compressed files, with decoders made up here: what the reader asks of one, and what it makes of the answer.
#include <doctest/doctest.h>

#include <algorithm>

#include "gltf/file_builder.h"

namespace marrow::test {
namespace {

// "Compressed" here means: every byte is one more than it should be.
Result<void> one_less(const MeshoptStream& stream, std::span<std::byte> out) {
  if (stream.bytes.size() != out.size()) return Error{ErrorCode::malformed, "the lengths differ", ""};
  std::transform(stream.bytes.begin(), stream.bytes.end(), out.begin(),
                 [](std::byte b) { return static_cast<std::byte>(static_cast<unsigned>(b) - 1); });
  return {};
}

LoadOptions with_meshopt(MeshoptDecoder decoder = one_less) {
  LoadOptions options = y_up();
  options.meshopt = std::move(decoder);
  return options;
}

// A triangle whose positions are compressed. The view itself points to a second buffer, without bytes if `fallback` is
// empty.
FileBuilder packed_triangle(const char* name, const std::string& fallback = "") {
  FileBuilder file;
  file.node({{"mesh", 0}});
  const std::size_t positions = file.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  file.mesh({{"POSITION", positions}});
  for (std::byte& b : file.buffer) b = static_cast<std::byte>(static_cast<unsigned>(b) + 1);
  Json& view = file.json["bufferViews"][0];
  view["buffer"] = 1;
  view["extensions"][name] = {{"buffer", 0},      {"byteOffset", 0}, {"byteLength", 36},
                              {"byteStride", 12}, {"count", 3},      {"mode", "ATTRIBUTES"}};
  file.json["buffers"] = Json::array({{{"byteLength", 36}}, {{"byteLength", 36}}});
  if (!fallback.empty()) file.json["buffers"][1]["uri"] = fallback;
  return file;
}

Array<Vec3> positions_of(const FileBuilder& file, const LoadOptions& options) {
  return file.model(options).meshes()[0].parts[0].vertices->positions;
}

TEST_CASE("a compressed view is decoded under either name of the extension") {
  for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
    CAPTURE(name);
    const Array<Vec3> positions = positions_of(packed_triangle(name), with_meshopt());
    REQUIRE(positions.size() == 3);
    CHECK(positions[1].x == 1);
    CHECK(positions[2].y == 1);
  }
}

TEST_CASE("a decoder is told what the file says") {
  FileBuilder file = packed_triangle("EXT_meshopt_compression");
  file.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["filter"] = "EXPONENTIAL";
  MeshoptStream seen;
  (void)file.error(with_meshopt([&](const MeshoptStream& stream, std::span<std::byte> out) {
    seen = stream;
    return one_less(stream, out);
  }));
  CHECK(seen.mode == MeshoptMode::attributes);
  CHECK(seen.filter == MeshoptFilter::exponential);
  CHECK(seen.count == 3);
  CHECK(seen.stride == 12);
  CHECK(seen.bytes.size() == 36);
}

TEST_CASE("without a decoder the plain bytes will do, and without those the file is refused") {
  // 36 bytes of zeros.
  const std::string zeros = "data:application/octet-stream;base64," + std::string(48, 'A');
  const Array<Vec3> positions = positions_of(packed_triangle("EXT_meshopt_compression", zeros), y_up());
  REQUIRE(positions.size() == 3);
  CHECK(positions[1].x == 0);
  CHECK(positions_of(packed_triangle("EXT_meshopt_compression", zeros), with_meshopt())[1].x == 1);
  CHECK(packed_triangle("EXT_meshopt_compression").error(y_up()) ==
        "/bufferViews/0/extensions/EXT_meshopt_compression: the data is compressed with meshoptimizer, and "
        "LoadOptions::meshopt is not set");
}

TEST_CASE("what a decoder says against a stream has the stream's place") {
  const auto refuse = [](const MeshoptStream&, std::span<std::byte>) -> Result<void> {
    return Error{ErrorCode::unsupported, "made by hand", ""};
  };
  CHECK(packed_triangle("KHR_meshopt_compression").error(with_meshopt(refuse)) ==
        "/bufferViews/0/extensions/KHR_meshopt_compression: made by hand");
}

TEST_CASE("streams whose numbers do not fit together never reach the decoder") {
  const struct {
    const char *key, *why;
    Json value;
  } cases[] = {
      {"mode", "mode", "CIRCLES"},          {"mode", "do not fit", "TRIANGLES"},
      {"filter", "filter", "BLUR"},         {"filter", "do not fit", "QUATERNION"},
      {"byteStride", "do not fit", 10},     {"byteStride", "too large", 300},
      {"count", "whole number", -1},        {"count", "would take", 4000000000u},
      {"byteLength", "not all inside", 37}, {"buffer", "there is no buffer", 9},
  };
  for (const auto& c : cases) {
    FileBuilder file = packed_triangle("EXT_meshopt_compression");
    file.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"][c.key] = c.value;
    bool asked = false;
    const std::string error = file.error(with_meshopt([&](const MeshoptStream& stream, std::span<std::byte> out) {
      asked = true;
      return one_less(stream, out);
    }));
    CAPTURE(c.key);
    CAPTURE(error);
    CHECK(error.starts_with("/bufferViews/0/extensions/EXT_meshopt_compression"));
    CHECK(error.find(c.why) != std::string::npos);
    CHECK(!asked);
  }
}

// A triangle whose vertices only a decoder has: positions under id 5, joints 3, weights 8, texture coordinates 2.
FileBuilder draco_triangle() {
  FileBuilder file;
  file.node({{"mesh", 0}, {"skin", 0}});
  file.node({});
  file.json["skins"] = Json::array({{{"joints", {0, 1}}}});
  file.view(std::vector<std::uint8_t>{1, 2, 3});
  const auto empty = [&](int component, const char* type) {
    file.json["accessors"].push_back({{"componentType", component}, {"count", 3}, {"type", type}});
    return file.json["accessors"].size() - 1;
  };
  const Json attributes = {{"POSITION", empty(5126, "VEC3")},
                           {"JOINTS_0", empty(5121, "VEC4")},
                           {"WEIGHTS_0", empty(5121, "VEC4")},
                           {"TEXCOORD_0", empty(5123, "VEC2")}};
  file.json["accessors"][2]["normalized"] = true;
  file.json["accessors"][3]["normalized"] = true;
  file.mesh(attributes,
            {{"indices", empty(5125, "SCALAR")},
             {"extensions",
              {{"KHR_draco_mesh_compression",
                {{"bufferView", 0},
                 {"attributes", {{"POSITION", 5}, {"JOINTS_0", 3}, {"WEIGHTS_0", 8}, {"TEXCOORD_0", 2}}}}}}}});
  return file;
}

DracoMesh decoded_triangle(const DracoStream& stream) {
  DracoMesh mesh;
  mesh.vertex_count = 3;
  mesh.indices = {0, 2, 1};
  for (const std::uint32_t id : stream.attributes) {
    if (id == 5) mesh.attributes.push_back({3, {0, 0, 0, 1, 0, 0, 0, 1, 0}});
    if (id == 3) mesh.attributes.push_back({4, {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}});
    if (id == 2) mesh.attributes.push_back({2, {0, 0, 65535, 0, 0, 13107}});
    if (id == 8) mesh.attributes.push_back({4, {255, 0, 0, 0, 255, 0, 0, 0, 51, 204, 0, 0}});
  }
  return mesh;
}

LoadOptions with_draco(DracoDecoder decoder) {
  LoadOptions options = y_up();
  options.draco = std::move(decoder);
  return options;
}

TEST_CASE("a Draco mesh gives vertices and triangles, integers normalised as its accessors say") {
  const Model model = draco_triangle().model(with_draco([](const DracoStream& stream) -> Result<DracoMesh> {
    CHECK(stream.bytes.size() == 3);
    return decoded_triangle(stream);
  }));
  const MeshPart& part = model.meshes()[0].parts[0];
  CHECK(part.vertices->positions[1].x == 1);
  CHECK(part.vertices->joints[4] == 1);
  CHECK(part.vertices->uvs[0][1].x == 1);
  CHECK(part.vertices->uvs[0][2].y == doctest::Approx(0.2));
  CHECK(part.vertices->weights[8] == doctest::Approx(0.2));
  CHECK(part.vertices->weights[9] == doctest::Approx(0.8));
  CHECK(std::vector<std::uint32_t>(part.indices.begin(), part.indices.end()) == std::vector<std::uint32_t>{0, 2, 1});
}

TEST_CASE("Draco's mesh is held to what the file says of it") {
  CHECK(draco_triangle().error(y_up()) ==
        "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression: the mesh is compressed with Draco, and "
        "LoadOptions::draco is not set");
  const struct {
    const char* why;
    void (*change)(DracoMesh& mesh);
  } cases[] = {
      {"another number of attributes", [](DracoMesh& mesh) { mesh.attributes.pop_back(); }},
      {"another number of components", [](DracoMesh& mesh) { mesh.attributes[1].values.pop_back(); }},
      {"index 1 is for vertex 3", [](DracoMesh& mesh) { mesh.indices[1] = 3; }},
  };
  for (const auto& c : cases) {
    const std::string error = draco_triangle().error(with_draco([&](const DracoStream& stream) -> Result<DracoMesh> {
      DracoMesh mesh = decoded_triangle(stream);
      c.change(mesh);
      return mesh;
    }));
    CAPTURE(error);
    CHECK(error.starts_with("/meshes/0/primitives/0"));
    CHECK(error.find(c.why) != std::string::npos);
  }
  const std::string error = draco_triangle().error(with_draco([](const DracoStream&) -> Result<DracoMesh> {
    return Error{ErrorCode::malformed, "made by hand", ""};
  }));
  CHECK(error == "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression: made by hand");
}

TEST_CASE("a Draco mesh that the file has plainly too needs no decoder") {
  FileBuilder file = draco_triangle();
  const std::size_t positions = file.accessor<float>({0, 0, 0, 7, 0, 0, 0, 1, 0}, "VEC3");
  const std::size_t joints = file.accessor<std::uint8_t>(std::vector<std::uint8_t>(12), "VEC4");
  const std::size_t weights = file.accessor<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  Json& primitive = file.json["meshes"][0]["primitives"][0];
  primitive["attributes"] = {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}};
  primitive.erase("indices");
  CHECK(positions_of(file, y_up())[1].x == 7);
}

}  // namespace
}  // namespace marrow::test
