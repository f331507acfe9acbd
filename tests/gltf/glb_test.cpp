#include "src/gltf/glb.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace marrow {
namespace {

// Builds the bytes of a .glb, right or wrong.
struct Builder {
  std::vector<std::byte> bytes;
  Builder& word(std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
  Builder& text(std::string_view value) {
    for (const char c : value) bytes.push_back(static_cast<std::byte>(c));
    return *this;
  }
  Builder& chunk(std::string_view kind, std::string_view contents) {
    word(static_cast<std::uint32_t>(contents.size())).text(kind);
    if (kind.size() == 3) bytes.push_back(std::byte{0});
    return text(contents);
  }
  Builder& header(std::uint32_t version = 2) { return text("glTF").word(version).word(0); }

  // States the length that the file has.
  std::vector<std::byte> finish() {
    for (unsigned i = 0; i < 4; ++i) bytes[8 + i] = static_cast<std::byte>(bytes.size() >> (8 * i));
    return bytes;
  }
};

std::string glb_error(std::span<const std::byte> bytes) {
  const Result<GlbParts> parts = read_glb(bytes);
  return parts.ok() ? "" : to_string(parts.error());
}

TEST_CASE("the JSON and the first binary chunk are found, others passed over") {
  const auto bytes =
      Builder().header().chunk("JSON", "{} ").chunk("XYZW", "?").chunk("BIN", "abcd").chunk("BIN", "no").finish();
  CHECK(is_glb(bytes));
  const Result<GlbParts> parts = read_glb(bytes);
  REQUIRE(parts.ok());
  CHECK(parts->json == "{} ");
  REQUIRE(parts->has_binary);
  CHECK(parts->binary.size() == 4);
  CHECK(parts->binary[3] == std::byte{'d'});
  const auto bare = Builder().header().chunk("JSON", "{}").finish();
  REQUIRE(read_glb(bare).ok());
  CHECK(!read_glb(bare)->has_binary);
}

TEST_CASE("what comes after the stated length is not looked at") {
  auto bytes = Builder().header().chunk("JSON", "{}").finish();
  bytes.resize(bytes.size() + 100);
  CHECK(glb_error(bytes) == "");
}

TEST_CASE("broken containers are refused with the byte at which they break") {
  CHECK(!is_glb({}));
  CHECK(glb_error(Builder().text("gltf").word(2).word(0).bytes) == "byte 0: not a .glb file");
  CHECK(glb_error(Builder().text("glTF").word(2).bytes) == "byte 8: the file is cut off within its header");
  CHECK(glb_error(Builder().header(1).chunk("JSON", "{}").finish()) == "byte 4: glTF of version 1; only 2 can be read");
  CHECK(glb_error(Builder().header().finish()) == "byte 12: the file has no JSON chunk");
  CHECK(glb_error(Builder().header().chunk("BIN", "abcd").finish()) == "byte 16: the first chunk is not JSON");
  CHECK(glb_error(Builder().header().word(1000).text("JSON{}").finish()) == "byte 12: a chunk is longer than the file");
  CHECK(glb_error(Builder().header().word(0xffffffffu).text("JSON{}").finish()) ==
        "byte 12: a chunk is longer than the file");
  CHECK(glb_error(Builder().text("glTF").word(2).word(8).chunk("JSON", "{}").bytes) ==
        "byte 8: the file states a length that is too short for a header");
}

TEST_CASE("every truncation is refused") {
  const auto bytes = Builder().header().chunk("JSON", "{} ").chunk("BIN", "abcd").finish();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const std::vector<std::byte> exact(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    CHECK(glb_error(exact) != "");
  }
}

}  // namespace
}  // namespace marrow
