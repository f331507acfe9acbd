// What reading the reader with a mind to harm, and fuzzing it, has found: each case was once read, or cost too much.
#include <doctest/doctest.h>

#include "gltf/file_builder.h"

namespace marrow {
namespace {

using test::FileBuilder;
using test::Json;

constexpr const char* kTooMuch = " bytes, but only ";

bool is_refused(const FileBuilder& file, std::uint64_t memory_limit) {
  LoadOptions options = test::y_up();
  options.memory_limit = memory_limit;
  const std::string error = file.error(options);
  INFO(error);
  CHECK((error.empty() || error.find(kTooMuch) != std::string::npos));
  return !error.empty();
}

TEST_CASE("a channel that moves the weights of a mesh is paid for by each node that shows it") {
  FileBuilder file;
  const std::size_t key = file.accessor<float>({0}, "SCALAR");
  file.mesh({}, {{"targets", Json::array({Json::object()})}});
  for (int i = 0; i < 1000; ++i) file.node({{"mesh", 0}});
  const Json target = {{"extensions", {{"KHR_animation_pointer", {{"pointer", "/meshes/0/weights"}}}}}};
  Json channels;
  for (int i = 0; i < 50; ++i) channels.push_back({{"sampler", 0}, {"target", target}});
  file.json["animations"] =
      Json::array({{{"channels", channels}, {"samplers", Json::array({{{"input", key}, {"output", key}}})}}});
  CHECK(is_refused(file, 1 << 20));
  CHECK(!is_refused(file, 1 << 26));
}

TEST_CASE("keys that many clips share are paid for by each of them") {
  FileBuilder file;
  std::vector<float> times(1000);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<float>(i);
  const std::size_t keys = file.accessor(times, "SCALAR");
  file.mesh({}, {{"targets", Json::array({Json::object()})}});
  const std::size_t node = file.node({{"mesh", 0}});
  file.channel(node, "weights", keys, keys);
  CHECK(!is_refused(file, 100000));
  for (int i = 0; i < 20; ++i) file.json["animations"].push_back(file.json["animations"][0]);
  CHECK(is_refused(file, 100000));
  CHECK(!is_refused(file, 1 << 20));
}

TEST_CASE("what a clip has for every joint of the skeleton is paid for") {
  FileBuilder file;
  const std::size_t time = file.accessor<float>({0}, "SCALAR"), value = file.accessor<float>({0, 0, 0}, "VEC3");
  Json joints;
  for (int i = 0; i < 2000; ++i) joints.push_back(file.node({}));
  file.json["skins"] = Json::array({{{"joints", joints}}});
  file.channel(0, "translation", time, value);
  CHECK(!is_refused(file, 100000));
  for (int i = 0; i < 200; ++i) file.json["animations"].push_back(file.json["animations"][0]);
  CHECK(is_refused(file, 100000));
}

TEST_CASE("a file beside counts once, however it is spelled") {
  constexpr std::size_t kSize = 1 << 20;
  const Resolver resolver = [](const std::string&) -> Result<SharedBytes> {
    return share_bytes(std::vector<std::byte>(kSize));
  };
  const auto error_of = [&](const Json& json, const LoadOptions& options) {
    const std::string text = json.dump();
    const Result<LoadedModel> loaded = read_gltf(std::as_bytes(std::span(text)), resolver, options);
    return loaded ? "" : to_string(loaded.error());
  };
  const char* const kNames[] = {"a.bin", "./a.bin", "b/../a.bin", "b/.././/a%2ebin"};

  // Each buffer of another file lets more be spent.
  FileBuilder buffers;
  for (const char* name : kNames) {
    const std::size_t i = buffers.json["buffers"].size();
    buffers.json["buffers"].push_back({{"byteLength", kSize}, {"uri", name}});
    buffers.json["bufferViews"].push_back({{"buffer", i}, {"byteLength", 12}});
    buffers.json["accessors"].push_back({{"bufferView", i}, {"componentType", 5126}, {"count", 1}, {"type", "VEC3"}});
    buffers.mesh({{"POSITION", i}});
  }
  CHECK(error_of(buffers.json, {}) == "");
  buffers.json["accessors"].push_back({{"componentType", 5126}, {"count", 200 * kSize / 12}, {"type", "VEC3"}});
  buffers.mesh({{"POSITION", 4}}, {{"mode", 0}, {"indices", 5}});
  buffers.json["accessors"].push_back({{"componentType", 5125}, {"count", 1}, {"type", "SCALAR"}});
  CHECK(error_of(buffers.json, {}).find(kTooMuch) != std::string::npos);

  FileBuilder images;
  LoadOptions options;
  options.memory_limit = 5 * kSize / 2;
  for (const char* name : {"a.bin", "./a.bin", "b.bin", "b/../a.bin"}) images.json["images"].push_back({{"uri", name}});
  CHECK(error_of(images.json, options) == "");
  images.json["images"].push_back({{"uri", "././a.bin"}});
  CHECK(error_of(images.json, options).find(kTooMuch) != std::string::npos);
}

// A mesh of `vertices` points in a row, of which the first coordinate is the id of the attribute, and no triangle but
// many corners.
DracoDecoder fake_draco(std::uint32_t vertices, std::size_t corners) {
  return [=](const DracoStream& stream) -> Result<DracoMesh> {
    DracoMesh mesh;
    mesh.vertex_count = vertices;
    mesh.indices.resize(corners);
    for (const std::uint32_t id : stream.attributes) {
      mesh.attributes.push_back({3, std::vector<float>(std::size_t{vertices} * 3, static_cast<float>(id))});
    }
    return mesh;
  };
}

FileBuilder compressed_with_draco(const std::vector<int>& ids) {
  FileBuilder file;
  const std::size_t view = file.view<std::uint8_t>({1, 2, 3, 4});
  file.json["accessors"].push_back({{"componentType", 5126}, {"count", 3}, {"type", "VEC3"}});
  for (const int id : ids) {
    const Json draco = {{"bufferView", view}, {"attributes", {{"POSITION", id}}}};
    file.mesh({{"POSITION", 0}}, {{"extensions", {{"KHR_draco_mesh_compression", draco}}}});
  }
  return file;
}

TEST_CASE("parts that differ only in what they take from a compressed mesh do not share vertices") {
  LoadOptions options = test::y_up();
  options.draco = fake_draco(3, 3);
  FileBuilder file = compressed_with_draco({5, 7, 5});
  file.json["meshes"].push_back({{"primitives", Json::array({{{"attributes", {{"POSITION", 0}}}}})}});
  const Model model = file.model(options);
  const auto vertices = [&](std::size_t mesh) { return model.meshes()[mesh].parts[0].vertices; };
  CHECK(vertices(0)->positions[0].x == 5);
  CHECK(vertices(1)->positions[0].x == 7);
  CHECK(vertices(2) == vertices(0));
  CHECK(vertices(3)->positions[0].x == 0);
}

TEST_CASE("the indices of a compressed mesh are paid for") {
  LoadOptions options;
  options.draco = fake_draco(3, 30000);
  options.memory_limit = 200000;
  CHECK(compressed_with_draco({5}).error(options) == "");
  CHECK(compressed_with_draco({5, 5}).error(options).find(kTooMuch) != std::string::npos);
}

TEST_CASE("numbers of a material that no float holds are refused") {
  FileBuilder file;
  const auto error_with = [&](const char* key, const Json& value) {
    file.json["materials"] = Json::array({{{"pbrMetallicRoughness", {{key, value}}}, {key, value}}});
    return file.error();
  };
  CHECK(error_with("metallicFactor", 1e300) ==
        "/materials/0/pbrMetallicRoughness/metallicFactor: a number is beyond 1e18");
  CHECK(error_with("roughnessFactor", "rough") ==
        "/materials/0/pbrMetallicRoughness/roughnessFactor: expected a number, found a string");
  CHECK(error_with("alphaCutoff", -1e40) == "/materials/0/alphaCutoff: a number is beyond 1e18");
  CHECK(error_with("alphaCutoff", 0.25) == "");
  CHECK(file.model().materials()[0].alpha_cutoff == 0.25f);
}

TEST_CASE("of thousands of sets of texture coordinates the first 64 are read") {
  FileBuilder file;
  const std::size_t corners = file.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  const std::size_t uvs = file.accessor<float>({0, 0, 1, 0, 0, 1}, "VEC2");
  Json attributes = {{"POSITION", corners}};
  for (int i = 0; i < 2000; ++i) attributes["TEXCOORD_" + std::to_string(i)] = uvs;
  file.mesh(attributes);
  CHECK(file.model().meshes()[0].parts[0].vertices->uvs.size() == 64);
  CHECK(file.warnings() ==
        "/meshes/0/primitives/0/attributes/TEXCOORD_64: there are more than 64 sets; the others are left out\n");
}

TEST_CASE("things of thousands of keys are refused, since each reference to one looks at all of them") {
  Json keys = Json::object();
  for (int i = 0; i < 300; ++i) keys["key" + std::to_string(i)] = 0;
  FileBuilder file;
  file.json["textures"] = Json::array({{{"extras", keys}}, keys});
  CHECK(file.error() == "/textures/1: 300 keys are more than the 256 that can be read");
  file.json.erase("textures");
  file.json["animations"] = Json::array({{{"channels", Json::array()}, {"samplers", Json::array({keys})}}});
  CHECK(file.error() == "/animations/0/samplers/0: 300 keys are more than the 256 that can be read");
  FileBuilder sparse;
  sparse.json["accessors"] =
      Json::array({{{"componentType", 5126}, {"count", 1}, {"type", "VEC3"}, {"sparse", {{"values", keys}}}}});
  sparse.mesh({{"POSITION", 0}});
  CHECK(sparse.error() == "/accessors/0/sparse/values: 300 keys are more than the 256 that can be read");
  file.json["animations"][0]["samplers"] = Json::array({1});
  CHECK(file.error() == "/animations/0/samplers/0: expected an object, found a number");
}

TEST_CASE("many warnings of one kind, or of one part of the file, do not hide others") {
  FileBuilder file;
  file.node({{"name", "a"}});
  const std::size_t times = file.accessor<float>({0, 1}, "SCALAR");
  const std::size_t flips = file.accessor<float>({0, 0, 0, 1, 0, 0, 0, -1}, "VEC4");
  for (int i = 0; i < 600; ++i) {
    file.json["animations"].push_back({{"name", "x"}, {"channels", Json::array()}, {"samplers", Json::array()}});
    file.channel(0, "rotation", times, flips);
  }
  file.channel(0, "rotation", times, flips);  // again in the last clip
  file.json["images"] = Json::array({Json::object()});
  LoadOptions options;
  options.thorough = true;
  const std::string text = file.warnings(options);
  CHECK(text.find("/animations/599/channels/1: another channel moves the same") != std::string::npos);
  CHECK(text.find("/images/0: ") != std::string::npos);
  CHECK(text.ends_with("/animations: and 100 more notes\n"));
}

}  // namespace
}  // namespace marrow
