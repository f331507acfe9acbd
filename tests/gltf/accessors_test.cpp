// Typed data, seen through what is made of it: the values of clips and vertices.
#include "src/gltf/accessors.h"

#include <doctest/doctest.h>

#include <cstring>

#include "gltf/file_builder.h"
#include "marrow/anim/clip_keys.h"

namespace marrow {
namespace {

using test::FileBuilder;
using test::Json;
using test::y_up;

// The positions of a mesh with that accessor, in the file's axes.
std::vector<float> positions_of(const FileBuilder& file, std::size_t accessor) {
  FileBuilder with = file;
  with.node({{"mesh", with.mesh({{"POSITION", accessor}})}});
  const Model model = with.model(y_up());
  std::vector<float> out;
  for (const Vec3& v : model.meshes()[0].parts[0].vertices->positions) out.insert(out.end(), {v.x, v.y, v.z});
  return out;
}

TEST_CASE("integers of every type are read as they are, or divided by their largest if normalised") {
  FileBuilder file;
  const auto check = [&](std::size_t accessor, const std::vector<float>& expected) {
    CHECK(positions_of(file, accessor) == expected);
  };
  check(file.accessor<std::int8_t>({-128, -127, 127}, "VEC3"), {-128, -127, 127});
  check(file.accessor<std::int8_t>({-128, -127, 127}, "VEC3", true), {-1, -1, 1});
  check(file.accessor<std::uint8_t>({0, 51, 255}, "VEC3", true), {0, 51.0f / 255.0f, 1});
  check(file.accessor<std::int16_t>({-32768, -32767, 16384}, "VEC3", true), {-1, -1, 16384.0f / 32767.0f});
  check(file.accessor<std::uint16_t>({0, 1, 65535}, "VEC3", true), {0, 1.0f / 65535.0f, 1});
  check(file.accessor<std::uint16_t>({0, 1, 65535}, "VEC3"), {0, 1, 65535});
  check(file.accessor<std::uint32_t>({0, 7, 16777216}, "VEC3"), {0, 7, 16777216});
  check(file.accessor<float>({-0.5f, 1e-30f, 3}, "VEC3"), {-0.5f, 1e-30f, 3});
}

TEST_CASE("strides and offsets lead to the right elements, also unaligned ones") {
  FileBuilder file;
  const std::size_t accessor = file.accessor<float>({9, 9, 1, 2, 3, 9, 9, 4, 5, 6}, "VEC3");
  file.json["bufferViews"][0]["byteStride"] = 20;
  file.json["accessors"][accessor]["byteOffset"] = 8;
  file.json["accessors"][accessor]["count"] = 2;
  CHECK(positions_of(file, accessor) == std::vector<float>{1, 2, 3, 4, 5, 6});
  std::vector<std::uint8_t> bytes(13);
  const float values[] = {1, 2, 3};
  std::memcpy(bytes.data() + 1, values, 12);
  const std::size_t odd = file.view(bytes);
  file.json["accessors"].push_back(
      {{"bufferView", odd}, {"byteOffset", 1}, {"componentType", 5126}, {"count", 1}, {"type", "VEC3"}});
  CHECK(positions_of(file, accessor + 1) == std::vector<float>{1, 2, 3});
}

TEST_CASE("without a view there are zeros, and exceptions go over either") {
  FileBuilder file;
  const std::size_t plain = file.accessor<float>({1, 1, 1, 2, 2, 2, 3, 3, 3}, "VEC3");
  const std::size_t indices = file.view<std::uint16_t>({0, 2});
  const std::size_t values = file.view<float>({7, 8, 9, 4, 5, 6});
  const Json sparse = {{"count", 2},
                       {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
                       {"values", {{"bufferView", values}}}};
  file.json["accessors"][plain]["sparse"] = sparse;
  CHECK(positions_of(file, plain) == std::vector<float>{7, 8, 9, 2, 2, 2, 4, 5, 6});
  file.json["accessors"].push_back({{"componentType", 5126}, {"count", 3}, {"type", "VEC3"}, {"sparse", sparse}});
  CHECK(positions_of(file, plain + 1) == std::vector<float>{7, 8, 9, 0, 0, 0, 4, 5, 6});
  file.json["accessors"].push_back({{"componentType", 5126}, {"count", 2}, {"type", "VEC3"}});
  CHECK(positions_of(file, plain + 2) == std::vector<float>(6, 0.0f));
}

TEST_CASE("rotation keys of normalised integers become unit quaternions") {
  FileBuilder file;
  file.node({{"name", "a"}});
  const std::size_t times = file.accessor<float>({0, 1}, "SCALAR");
  file.channel(0, "rotation", times, file.accessor<std::int16_t>({0, 0, 0, 32767, 0, 23170, 0, 23170}, "VEC4", true));
  const Model model = file.model(y_up());
  const ClipKeys keys = clip_keys(model.skeleton(), model.clips()[0]);
  CHECK(keys.tracks[0].values[5] == doctest::Approx(0.70710678).epsilon(1e-7));
  CHECK(keys.tracks[0].values[7] == doctest::Approx(0.70710678).epsilon(1e-7));
}

TEST_CASE("accessors that reach beyond their view, or make no sense, are refused with their place") {
  FileBuilder good;
  const std::size_t accessor = good.accessor<float>({1, 2, 3, 4, 5, 6}, "VEC3");
  good.node({{"mesh", good.mesh({{"POSITION", accessor}})}});
  CHECK(good.error() == "");
  const auto error_with = [&](auto&& change) {
    FileBuilder file = good;
    change(file.json);
    return file.error();
  };
  CHECK(error_with([](Json& j) { j["accessors"][0]["count"] = 3; }) ==
        "/accessors/0/count: 3 elements need 36 bytes from byte 0 on, but the view has 24");
  CHECK(error_with([](Json& j) { j["accessors"][0]["byteOffset"] = 4; }) ==
        "/accessors/0/count: 2 elements need 24 bytes from byte 4 on, but the view has 24");
  CHECK(error_with([](Json& j) { j["accessors"][0]["byteOffset"] = 1e15; }).starts_with("/accessors/0/count: "));
  CHECK(error_with([](Json& j) { j["accessors"][0]["count"] = -1; }) ==
        "/accessors/0/count: expected a whole number that is not negative");
  CHECK(error_with([](Json& j) { j["accessors"][0]["count"] = 1.5; }) ==
        "/accessors/0/count: expected a whole number that is not negative");
  CHECK(error_with([](Json& j) { j["accessors"][0].erase("count"); }) == "/accessors/0/count: no count is stated");
  CHECK(error_with([](Json& j) { j["accessors"][0]["componentType"] = 5124; }) ==
        "/accessors/0/componentType: there is no such type of components");
  CHECK(error_with([](Json& j) { j["accessors"][0]["type"] = "VEC5"; }) == "/accessors/0/type: there is no such type");
  CHECK(error_with([](Json& j) { j["accessors"][0]["type"] = "VEC2"; }) ==
        "/meshes/0/primitives/0/attributes/POSITION: elements of 3 numbers are wanted here, the accessor's have 2");
  CHECK(error_with([](Json& j) { j["accessors"][0]["bufferView"] = 1; }) ==
        "/accessors/0/bufferView: there is no buffer view 1; the file has 1");
  CHECK(error_with([](Json& j) { j["bufferViews"][0]["byteStride"] = 8; }) ==
        "/accessors/0/bufferView: the stride of its view is shorter than an element");
  CHECK(error_with([](Json& j) { j["bufferViews"][0]["byteLength"] = 100; }) ==
        "/bufferViews/0/byteLength: bytes 0 to 100 are not all inside the buffer, which has 24");
  CHECK(error_with([](Json& j) { j["bufferViews"][0]["buffer"] = 1; }) ==
        "/bufferViews/0/buffer: there is no buffer 1; the file has 1");
  CHECK(error_with([](Json& j) {
          j["accessors"][0]["sparse"] = {{"count", 3}};
        }) == "/accessors/0/sparse/count: there are more exceptions than elements");
  CHECK(error_with([](Json& j) {
          j["accessors"][0]["sparse"] = {
              {"count", 1}, {"indices", {{"bufferView", 0}, {"componentType", 5125}}}, {"values", {{"bufferView", 0}}}};
        }) == "/accessors/0/sparse/indices: exception 0 is for an element beyond the last");
}

}  // namespace
}  // namespace marrow
