// A guest that gets everything wrong (rogue.c): every mistake is said in words, and it draws on.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "console/fixture.h"
#include "rollback_trial.h"

namespace marrow::console {
namespace {

using test::Lines;
using Words = std::vector<std::string>;

constexpr std::uint32_t kMaxDraws = 16;
constexpr std::uint64_t kMaxLoaded = 100'000;

std::vector<std::byte> rogue() {
  std::ifstream file(MARROW_ROGUE, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

GuestSetup setup_of(Lines& log) {
  GuestSetup setup = log.setup();
  setup.host.max_draws = kMaxDraws;
  setup.host.max_loaded_bytes = kMaxLoaded;
  return setup;
}

// What is said in each frame.
const Words kWords[] = {
    // load_skeleton
    {"load_skeleton: the pointer to the matrices is null"},
    {"load_skeleton: a skeleton has at least one bone"},
    {"load_skeleton: 300 bones are too many; the limit is 256"},
    {"load_skeleton: 2147483648 bones are too many; the limit is 256"},
    {"load_skeleton: 4294967295 bones are too many; the limit is 256"},
    {"load_skeleton: the matrices, 48 bytes at 0x00020000, end beyond the memory of 131072 bytes"},
    {"load_skeleton: the matrices, 48 bytes at 0x0001ffd1, end beyond the memory of 131072 bytes"},
    {"load_skeleton: the matrices, 12288 bytes at 0xffffffff, end beyond the memory of 131072 bytes"},
    {"load_skeleton: 1 of 2 matrices are not finite; the identity is used instead"},
    {},  // an odd address
    {},  // the last bytes of the memory
    // skeleton_bind, set_bones
    {"skeleton_bind: there is no skeleton 99; the binding does not change"},
    {"skeleton_bind: there is no skeleton 4294967295; the binding does not change"},
    {"set_bones: 300 bones are too many; the first 256 are used",
     "set_bones: the bone count is 256, and the bound skeleton has 2"},
    {"set_bones: 2147483648 bones are too many; the first 256 are used",
     "set_bones: the bone count is 256, and the bound skeleton has 2"},
    {"set_bones: 4294967295 bones are too many; the first 256 are used",
     "set_bones: the bone count is 256, and the bound skeleton has 2"},
    {"set_bones: the pointer to the matrices is null; the bones do not change"},
    {"set_bones: the matrices, 96 bytes at 0x00020000, end beyond the memory of 131072 bytes; the bones do not change"},
    {"set_bones: the matrices, 96 bytes at 0x0001ffa1, end beyond the memory of 131072 bytes; the bones do not change"},
    {"set_bones: the matrices, 48 bytes at 0xffffffff, end beyond the memory of 131072 bytes; the bones do not change"},
    {"set_bones: the bone count is 1, and the bound skeleton has 2; the other bones are the identity"},
    {"set_bones: the bone count is 3, and the bound skeleton has 2"},
    {"set_bones: the bone count is 0, and the bound skeleton has 2; the other bones are the identity"},
    {"set_bones: 1 of 2 matrices are not finite; the identity is used instead"},
    {},  // an odd address
    // load_mesh
    {"load_mesh: there is no vertex format 16; it is a sum of 1, 2, 4 and 8"},
    {"load_mesh: there is no vertex format 4294967295; it is a sum of 1, 2, 4 and 8"},
    {"load_mesh: a mesh has at least one triangle"},
    {"load_mesh: the pointer to the vertices is null"},
    {"load_mesh: the vertices, 36 bytes at 0x00020000, end beyond the memory of 131072 bytes"},
    {"load_mesh: the vertices, 36 bytes at 0x0001ffdd, end beyond the memory of 131072 bytes"},
    {"load_mesh: the vertices, 25769803776 bytes at 0x00000010, end beyond the memory of 131072 bytes"},
    {"load_mesh: the vertices, 171798691800 bytes at 0x00000010, end beyond the memory of 131072 bytes"},
    {"load_mesh: the vertex count 2 is not a multiple of 3"},
    {"load_mesh: positions/1: a value is not finite or beyond 1e18"},
    // load_mesh_indexed
    {"load_mesh_indexed: the pointer to the indices is null"},
    {"load_mesh_indexed: the index count 0 makes no triangle"},
    {"load_mesh_indexed: the index count 4 is not a multiple of 3"},
    {"load_mesh_indexed: indices/2: there is no vertex 3; the vertex count is 3"},
    {"load_mesh_indexed: the indices, 6 bytes at 0x0001fffb, end beyond the memory of 131072 bytes"},
    {"load_mesh_indexed: the indices, 4294967296 bytes at 0x00000010, end beyond the memory of 131072 bytes"},
    {"load_mesh_indexed: the indices, 8589934590 bytes at 0x00000010, end beyond the memory of 131072 bytes"},
    {"load_mesh_indexed: the pointer to the vertices is null"},
    // load_mesh_packed, load_mesh_packed_indexed
    {"load_mesh_packed: there is no vertex format 32; it is a sum of 1, 2, 4 and 8"},
    {"load_mesh_packed: a mesh has at least one triangle"},
    {"load_mesh_packed: the vertices, 24 bytes at 0x0001ffe9, end beyond the memory of 131072 bytes"},
    {"load_mesh_packed: the vertices, 34359738360 bytes at 0x00000010, end beyond the memory of 131072 bytes"},
    {"load_mesh_packed_indexed: the pointer to the vertices is null"},
    {"load_mesh_packed_indexed: the indices, 6 bytes at 0xffffffff, end beyond the memory of 131072 bytes"},
    {"load_mesh_packed_indexed: indices/2: there is no vertex 3; the vertex count is 3"},
    {},  // a mesh that is well
    {},  // and one with bones
    {"load_mesh: the weights of 2 of 3 vertices do not sum to 255; they are divided by their sum"},
    // transforms
    {"transform_set: the pointer to the matrix is null; the transform does not change"},
    {"transform_set: the matrix, 48 bytes at 0x00020000, end beyond the memory of 131072 bytes; the transform does not "
     "change"},
    {"transform_set: the matrix, 48 bytes at 0x0001ffd1, end beyond the memory of 131072 bytes; the transform does not "
     "change"},
    {"transform_set: the matrix is not finite; the transform does not change"},
    {},  // an odd address
    {"transform_set_position: the position is not finite; the transform does not change"},
    {"transform_set_position: the position is not finite; the transform does not change"},
    // draw_mesh
    {"draw_mesh: there is no mesh 0"},
    {"draw_mesh: there is no mesh 99"},
    {"draw_mesh: there is no mesh 4294967295"},
    {"draw_mesh: the limit of 16 draws is reached; this draw is ignored"},
    {},  // the buttons of a third player
};

TEST_CASE("Whatever a guest gets wrong is said word for word, and it draws on") {
  Lines log;
  Result<Guest> guest = Guest::load(rogue(), setup_of(log));
  REQUIRE(guest.ok());
  CHECK(guest->memory().size() == 131072);
  CHECK(log.lines == Words{});
  for (std::size_t i = 0; i < std::size(kWords); ++i) {
    CAPTURE(i + 1);
    log.lines.clear();
    REQUIRE(guest->frame({}).ok());
    CHECK(log.lines == kWords[i]);
    const std::span<const GuestDraw> draws = guest->host().draws();
    CHECK(draws.size() == (i + 1 == 64 ? kMaxDraws : 1));
    CHECK(draws.back().mesh == guest->host().state().meshes.front());
  }
  const auto next_frame_fills_up = [&](const std::string& call, std::size_t bytes) {
    log.lines.clear();
    REQUIRE(guest->frame({}).ok());
    CHECK(log.lines == Words{call + ": it needs " + std::to_string(bytes) + " bytes, and " +
                             std::to_string(guest->host().state().loaded_bytes) +
                             " of 100000 are in use; load less or raise max_loaded_bytes"});
  };
  next_frame_fills_up("load_skeleton", 512 + kMaxGuestBones * sizeof(Affine));
  next_frame_fills_up("load_mesh", 512 + 3 * sizeof(Vec3) + 3 * sizeof(std::uint32_t));
  CHECK(guest->host().state().loaded_bytes <= kMaxLoaded);
  CHECK(guest->host().draws().size() == 1);
}

TEST_CASE("A guest that gets everything wrong is rolled back like any other") {
  Lines log;
  const Result<TrialReport> report = run_rollback_trial(rogue(), setup_of(log), 100, 1);
  REQUIRE(report.ok());
  CHECK(report->counts.rollbacks > 5);
}

}  // namespace
}  // namespace marrow::console
