// The decoder over libdraco, with streams that claim much.
#include "marrow/gltf/draco_decoder.h"

#include <doctest/doctest.h>

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
