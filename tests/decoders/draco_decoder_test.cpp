// The decoder over libdraco: what its encoder made, and streams that claim much.
#include "marrow/gltf/draco_decoder.h"

#include <doctest/doctest.h>
#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace marrow {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;

// The beginning of a stream: its version, how it is coded (0 sequential, 1 edgebreaker), and what follows.
std::vector<std::byte> stream_of(unsigned minor, unsigned method, std::initializer_list<unsigned> rest) {
  std::vector<std::byte> out;
  for (const char c : std::string("DRACO")) out.push_back(static_cast<std::byte>(c));
  for (const unsigned byte : {2u, minor, 1u, method, 0u, 0u}) out.push_back(static_cast<std::byte>(byte));
  for (const unsigned byte : rest) out.push_back(static_cast<std::byte>(byte));
  out.resize(out.size() + 64);
  return out;
}

std::string error_of(const std::vector<std::byte>& bytes) {
  const Result<DracoMesh> mesh = draco_decoder()({bytes, {}, kMaxBytes});
  return mesh ? "" : mesh.error().message;
}

template <typename T, std::size_t size>
std::uint32_t add_attribute(draco::Mesh& mesh, draco::GeometryAttribute::Type kind, draco::DataType type,
                            std::uint8_t components, const std::array<T, size>& values) {
  draco::GeometryAttribute attribute;
  attribute.Init(kind, nullptr, components, type, false, std::int64_t{sizeof(T)} * components, 0);
  const int id = mesh.AddAttribute(attribute, true, static_cast<std::uint32_t>(size / components));
  for (std::uint32_t i = 0; i < size / components; ++i) {
    mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i), values.data() + std::size_t{i} * components);
  }
  return mesh.attribute(id)->unique_id();
}

TEST_CASE("what the library's encoder packed comes out again, each attribute under its id") {
  // A square of two triangles. Draco may number vertices anew, so corners are told by all that they have.
  constexpr std::array<float, 12> kPlaces = {0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 4};
  constexpr std::array<std::uint8_t, 16> kJoints = {0, 1, 0, 0, 250, 0, 0, 0, 7, 1, 0, 0, 3, 0, 0, 9};
  constexpr std::array<std::array<std::uint32_t, 3>, 2> kFaces = {{{0, 1, 2}, {2, 1, 3}}};
  draco::Mesh mesh;
  mesh.set_num_points(4);
  mesh.SetNumFaces(2);
  for (std::uint32_t face = 0; face < 2; ++face) {
    const auto& f = kFaces[face];
    mesh.SetFace(draco::FaceIndex(face), {draco::PointIndex(f[0]), draco::PointIndex(f[1]), draco::PointIndex(f[2])});
  }
  const std::uint32_t places = add_attribute(mesh, draco::GeometryAttribute::POSITION, draco::DT_FLOAT32, 3, kPlaces);
  const std::uint32_t joints = add_attribute(mesh, draco::GeometryAttribute::GENERIC, draco::DT_UINT8, 4, kJoints);

  for (const int method : {draco::MESH_EDGEBREAKER_ENCODING, draco::MESH_SEQUENTIAL_ENCODING}) {
    CAPTURE(method);
    draco::Encoder encoder;
    encoder.SetEncodingMethod(method);
    draco::EncoderBuffer packed;
    REQUIRE(encoder.EncodeMeshToBuffer(mesh, &packed).ok());
    const std::span<const std::byte> bytes = std::as_bytes(std::span(packed.data(), packed.size()));
    const std::array<std::uint32_t, 2> wanted = {joints, places};
    const Result<DracoMesh> decoded = draco_decoder()({bytes, wanted, kMaxBytes});
    REQUIRE(decoded);
    REQUIRE(decoded->vertex_count == 4);
    REQUIRE(decoded->attributes.size() == 2);
    REQUIRE(decoded->attributes[0].components == 4);
    REQUIRE(decoded->attributes[1].components == 3);
    // A face turned so that its least corner is first; a corner is its place and joints.
    using Corner = std::array<float, 7>;
    const auto turned = [](std::array<Corner, 3> face) {
      std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
      return face;
    };
    std::set<std::array<Corner, 3>> given, got;
    const auto corner = [](const auto& place, const auto& joint, std::size_t v) {
      Corner out{};
      for (std::size_t i = 0; i < 3; ++i) out[i] = place[3 * v + i];
      for (std::size_t i = 0; i < 4; ++i) out[3 + i] = static_cast<float>(joint[4 * v + i]);
      return out;
    };
    REQUIRE(decoded->indices.size() == 6);
    for (std::size_t face = 0; face < 2; ++face) {
      std::array<Corner, 3> a{}, b{};
      for (std::size_t c = 0; c < 3; ++c) {
        a[c] = corner(kPlaces, kJoints, kFaces[face][c]);
        b[c] = corner(decoded->attributes[1].values, decoded->attributes[0].values, decoded->indices[3 * face + c]);
      }
      given.insert(turned(a));
      got.insert(turned(b));
    }
    CHECK(got == given);

    // An attribute that is not there; a smaller limit than the result; every truncation.
    const std::array<std::uint32_t, 1> unknown = {77};
    CHECK(!draco_decoder()({bytes, unknown, kMaxBytes}));
    CHECK(!draco_decoder()({bytes, wanted, 16}));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CHECK(!draco_decoder()({bytes.first(size), wanted, kMaxBytes}));
    }
  }
}

TEST_CASE("a few bytes that claim hundreds of millions of faces are refused") {
  // Vertices, faces, seams, symbols: 2^28 - 1 each.
  const auto many = stream_of(2, 1, {0, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0, 0xff, 0xff, 0xff, 0x7f, 0});
  CHECK(error_of(many) == "the compressed mesh is larger than a file of this size is allowed");
  // Not so many, but each attribute has a table of its own.
  const auto seams = stream_of(2, 1, {0, 0xff, 0xff, 0x3f, 0xff, 0xff, 0x3f, 0xff, 0xff, 0xff, 0x3f, 0});
  CHECK(error_of(seams) == "the compressed mesh is larger than a file of this size is allowed");
}

TEST_CASE("streams that are cut off, of another version or no mesh are refused") {
  CHECK(error_of({}) == "the compressed mesh cannot be decoded: Failed to parse Draco header.");
  CHECK(error_of(stream_of(1, 1, {})) == "the compressed mesh cannot be decoded: it is of another version than 2.2");
  CHECK(error_of(stream_of(2, 0, {1})).starts_with("the compressed mesh cannot be decoded: "));
  CHECK(error_of(stream_of(2, 7, {1})).starts_with("the compressed mesh cannot be decoded: "));
  auto cloud = stream_of(2, 1, {0});
  cloud[7] = std::byte{0};
  CHECK(error_of(cloud).starts_with("the compressed mesh cannot be decoded: "));
}

}  // namespace
}  // namespace marrow
