// Files that mean harm, or were cut off: refused with a reason, and before they cost anything.
#include <doctest/doctest.h>

#include "gltf/file_builder.h"

namespace marrow {
namespace {

using test::FileBuilder;
using test::Json;
using test::skinned_triangle;

std::string read_error(const std::string& text) {
  const Result<LoadedModel> loaded = read_gltf(std::as_bytes(std::span(text)));
  return loaded ? "" : to_string(loaded.error());
}

constexpr const char* kBegin = R"({"asset":{"version":"2.0"},)";

TEST_CASE("a hundred bytes that claim gigabytes are refused") {
  FileBuilder file;
  file.json["accessors"] = Json::array({{{"componentType", 5126}, {"count", 357913942}, {"type", "VEC3"}}});
  file.node({{"mesh", file.mesh({{"POSITION", 0}})}});
  CHECK(file.error().starts_with("/meshes/0/primitives/0/attributes: would take 4294967304 bytes, but only 671"));
  // As animation keys, as indices, as inverse bind matrices.
  FileBuilder keys = FileBuilder();
  keys.json["accessors"] = Json::array({{{"componentType", 5126}, {"count", 4000000000}, {"type", "SCALAR"}}});
  keys.node({});
  keys.channel(0, "translation", 0, 0);
  CHECK(keys.error().starts_with("/accessors/0: would take 16000000000 bytes"));
  FileBuilder indices;
  const std::size_t corner = indices.accessor<float>({0, 0, 0}, "VEC3");
  indices.json["accessors"].push_back({{"componentType", 5125}, {"count", 4000000000}, {"type", "SCALAR"}});
  indices.node({{"mesh", indices.mesh({{"POSITION", corner}}, {{"indices", 1}})}});
  CHECK(indices.error().find("left of what a file of this size is allowed") != std::string::npos);
  FileBuilder binds = skinned_triangle();
  binds.json["accessors"].push_back({{"componentType", 5126}, {"count", 4000000000}, {"type", "MAT4"}});
  binds.json["skins"][0]["inverseBindMatrices"] = binds.json["accessors"].size() - 1;
  CHECK(binds.error().find("left of what a file of this size is allowed") != std::string::npos);
}

TEST_CASE("small data that is named again and again is refused when it adds up") {
  FileBuilder file;
  file.json["accessors"] = Json::array({{{"componentType", 5126}, {"count", 1000000}, {"type", "VEC3"}}});
  for (int i = 0; i < 1000; ++i) file.mesh({{"POSITION", 0}, {"_" + std::to_string(i), 0}});
  CHECK(file.error().find("left of what a file of this size is allowed") != std::string::npos);
}

TEST_CASE("the caller's limit counts instead") {
  LoadOptions options;
  options.memory_limit = 100;
  CHECK(skinned_triangle().error(options).find("left of what memory_limit allows") != std::string::npos);
  options.memory_limit = 1000000;
  CHECK(skinned_triangle().error(options) == "");
}

TEST_CASE("JSON of fifty thousand levels is refused") {
  std::string text = kBegin;
  text.append("\"extras\":").append(50000, '[').append(50000, ']').append("}");
  CHECK(read_error(text).ends_with("nested too deeply"));
}

TEST_CASE("ten million nodes are refused") {
  std::string text = kBegin;
  text.append("\"nodes\":[{}");
  for (int i = 1; i < 10000000; ++i) text.append(",{}");
  text.append("]}");
  CHECK(read_error(text).ends_with("too many values in one array or object"));
  text = kBegin;
  text.append("\"nodes\":[{}");
  for (int i = 0; i < (1 << 20); ++i) text.append(",{}");
  CHECK(read_error(text.append("]}")) == "/nodes: 1048577 are more than the 1048576 that can be read");
}

TEST_CASE("a chain of a hundred thousand nodes is read") {
  std::string text = kBegin;
  text.append("\"nodes\":[");
  constexpr int kCount = 100000;
  for (int i = 1; i < kCount; ++i) text.append("{\"children\":[").append(std::to_string(i)).append("]},");
  text.append("{\"name\":\"last\"}],\"skins\":[{\"joints\":[").append(std::to_string(kCount - 1)).append("]}]}");
  const Result<LoadedModel> loaded = read_gltf(std::as_bytes(std::span(text)));
  REQUIRE(loaded.ok());
  CHECK(loaded->model.skeleton().joint_count() == kCount);
}

TEST_CASE("a cycle of nodes is refused, also with joints in it") {
  std::string text = kBegin;
  text.append(R"("nodes":[{"children":[1]},{"children":[2]},{"children":[0]}],"skins":[{"joints":[1]}]})");
  CHECK(read_error(text).ends_with("the node is its own ancestor"));
  text = kBegin;
  text.append(R"("nodes":[{"children":[0]}]})");
  CHECK(read_error(text) == "/nodes/0/children: the node is its own ancestor");
}

TEST_CASE("paths that lead out of the folder never reach the resolver") {
  std::vector<std::string> asked;
  const Resolver resolver = [&](const std::string& uri) -> Result<SharedBytes> {
    asked.push_back(uri);
    return share_bytes(std::vector<std::byte>(12));
  };
  FileBuilder file;
  file.accessor<float>({0, 0, 0}, "VEC3");
  file.node({{"mesh", file.mesh({{"POSITION", 0}})}});
  const auto read_with = [&](const char* uri, bool outside) {
    file.json["buffers"] = Json::array({{{"byteLength", 12}, {"uri", uri}}});
    const std::string text = file.json.dump();
    LoadOptions options;
    options.outside = outside;
    const Result<LoadedModel> loaded = read_gltf(std::as_bytes(std::span(text)), resolver, options);
    return loaded ? "" : to_string(loaded.error());
  };
  for (const char* uri :
       {"../../etc/passwd", "/etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "a/../../b", "C:\\boot.ini",
        "file:///etc/passwd", "http://example.com/a.bin", "..\\..\\boot.ini", "\\\\server\\share", ""}) {
    CHECK(read_with(uri, false).starts_with("/buffers/0/uri: "));
  }
  CHECK(asked.empty());
  CHECK(read_with("data%20of/a.bin", false) == "");
  CHECK(asked == std::vector<std::string>{"data of/a.bin"});
  CHECK(read_with("../a.bin", true) == "");
}

TEST_CASE("every truncation of small files is refused or read, never worse") {
  FileBuilder morph = skinned_triangle();
  const std::size_t moved = morph.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
  morph.json["meshes"][0]["primitives"][0]["targets"] = Json::array({{{"POSITION", moved}}});
  FileBuilder sparse = skinned_triangle();
  sparse.json["accessors"][0]["sparse"] = {
      {"count", 1},
      {"indices", {{"bufferView", sparse.view<std::uint16_t>({1})}, {"componentType", 5123}}},
      {"values", {{"bufferView", sparse.view<float>({1, 2, 3})}}}};
  for (const FileBuilder& file : {skinned_triangle(), morph, sparse}) {
    const std::vector<std::byte> bytes = file.glb();
    REQUIRE(file.error() == "");
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      const std::vector<std::byte> exact(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
      CHECK(!read_gltf(exact).ok());
      // The same with a container that fits, so that the cut is met further in.
      if (n < 28) continue;
      std::vector<std::byte> stated = exact;
      for (unsigned i = 0; i < 4; ++i) stated[8 + i] = static_cast<std::byte>(n >> (8 * i));
      (void)read_gltf(stated);
    }
  }
}

TEST_CASE("tables and values of the wrong kind are refused with their place") {
  const auto with = [](const std::string& rest) { return read_error(kBegin + rest + "}"); };
  CHECK(with(R"("nodes":{})") == "/nodes: expected an array, found an object");
  CHECK(with(R"("nodes":[1])") == "/nodes/0: expected an object, found a number");
  CHECK(with(R"("nodes":[{"mesh":"0"}])") == "/nodes/0/mesh: expected a whole number that is not negative");
  CHECK(with(R"("nodes":[{"translation":[1,2]}])") == "/nodes/0/translation: expected an array of 3 numbers");
  CHECK(with(R"("nodes":[{"translation":[1,2,"3"]}])") == "/nodes/0/translation: expected a number, found a string");
  CHECK(with(R"("nodes":[{"translation":[1,2,1e30]}])") == "/nodes/0/translation: a number is beyond 1e18");
  CHECK(with(R"("scene":1)") == "/scene: there is no scene 1; the file has 0");
  CHECK(with(R"("skins":[{"joints":[0]}])") == "/skins/0/joints/0: there is no node 0; the file has 0");
  CHECK(with(R"("extensionsUsed":"x")") == "/extensionsUsed: expected an array, found a string");
  CHECK(
      with(R"("buffers":[{"byteLength":4}],"bufferViews":[{"buffer":0,"byteLength":4}],"images":[{"bufferView":0}])") ==
      "/buffers/0: the buffer has no uri, and the file no binary chunk for it");
  CHECK(read_error("[]") == "not a glTF file: no JSON object");
}

}  // namespace
}  // namespace marrow
