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
    {"load_skeleton: the pointer to 2 matrices is null"},
    {"load_skeleton: a skeleton has at least one bone"},
    {"load_skeleton: 300 bones are too many: a skeleton has at most 256"},
    {"load_skeleton: 2147483648 bones are too many: a skeleton has at most 256"},
    {"load_skeleton: 4294967295 bones are too many: a skeleton has at most 256"},
    {"load_skeleton: 1 matrix at 0x00020000 would end at byte 131120, and the memory has 131072"},
    {"load_skeleton: 1 matrix at 0x0001ffd1 would end at byte 131073, and the memory has 131072"},
    {"load_skeleton: 256 matrices at 0xffffffff would end at byte 4294979583, and the memory has 131072"},
    {"load_skeleton: 1 of 2 matrices are not finite, and taken as the identity"},
    {},  // an odd address
    {},  // the last bytes of the memory
    // skeleton_bind, set_bones
    {"skeleton_bind: there is no skeleton 99; what was bound stays bound"},
    {"skeleton_bind: there is no skeleton 4294967295; what was bound stays bound"},
    {"set_bones: 300 bones are too many: the first 256 are taken",
     "set_bones: 256 bones, and the skeleton that is bound has 2"},
    {"set_bones: 2147483648 bones are too many: the first 256 are taken",
     "set_bones: 256 bones, and the skeleton that is bound has 2"},
    {"set_bones: 4294967295 bones are too many: the first 256 are taken",
     "set_bones: 256 bones, and the skeleton that is bound has 2"},
    {"set_bones: the pointer to 2 matrices is null; the bones stay as they were"},
    {"set_bones: 2 matrices at 0x00020000 would end at byte 131168, and the memory has 131072; the bones stay as they "
     "were"},
    {"set_bones: 2 matrices at 0x0001ffa1 would end at byte 131073, and the memory has 131072; the bones stay as they "
     "were"},
    {"set_bones: 1 matrix at 0xffffffff would end at byte 4294967343, and the memory has 131072; the bones stay as "
     "they were"},
    {"set_bones: 1 bone, and the skeleton that is bound has 2: the others are the identity"},
    {"set_bones: 3 bones, and the skeleton that is bound has 2"},
    {"set_bones: 0 bones, and the skeleton that is bound has 2: the others are the identity"},
    {"set_bones: 1 of 2 matrices are not finite, and taken as the identity"},
    {},  // an odd address
    // load_mesh
    {"load_mesh: there is no vertex format 16: it is a sum of 1, 2, 4 and 8"},
    {"load_mesh: there is no vertex format 4294967295: it is a sum of 1, 2, 4 and 8"},
    {"load_mesh: a mesh has at least one triangle"},
    {"load_mesh: the pointer to 3 vertices is null"},
    {"load_mesh: 3 vertices at 0x00020000 would end at byte 131108, and the memory has 131072"},
    {"load_mesh: 3 vertices at 0x0001ffdd would end at byte 131073, and the memory has 131072"},
    {"load_mesh: 2147483648 vertices at 0x00000010 would end at byte 25769803792, and the memory has 131072"},
    {"load_mesh: 4294967295 vertices at 0x00000010 would end at byte 171798691816, and the memory has 131072"},
    {"load_mesh: 2 corners are no whole triangles"},
    {"load_mesh: positions/1: a value is not finite or beyond 1e18"},
    // load_mesh_indexed
    {"load_mesh_indexed: the pointer to 3 indices is null"},
    {"load_mesh_indexed: 0 corners are no whole triangles"},
    {"load_mesh_indexed: 4 corners are no whole triangles"},
    {"load_mesh_indexed: indices/2: there is no vertex 3, of 3"},
    {"load_mesh_indexed: 3 indices at 0x0001fffb would end at byte 131073, and the memory has 131072"},
    {"load_mesh_indexed: 2147483648 indices at 0x00000010 would end at byte 4294967312, and the memory has 131072"},
    {"load_mesh_indexed: 4294967295 indices at 0x00000010 would end at byte 8589934606, and the memory has 131072"},
    {"load_mesh_indexed: the pointer to 3 vertices is null"},
    // load_mesh_packed, load_mesh_packed_indexed
    {"load_mesh_packed: there is no vertex format 32: it is a sum of 1, 2, 4 and 8"},
    {"load_mesh_packed: a mesh has at least one triangle"},
    {"load_mesh_packed: 3 vertices at 0x0001ffe9 would end at byte 131073, and the memory has 131072"},
    {"load_mesh_packed: 4294967295 vertices at 0x00000010 would end at byte 34359738376, and the memory has 131072"},
    {"load_mesh_packed_indexed: the pointer to 3 vertices is null"},
    {"load_mesh_packed_indexed: 3 indices at 0xffffffff would end at byte 4294967301, and the memory has 131072"},
    {"load_mesh_packed_indexed: indices/2: there is no vertex 3, of 3"},
    {},  // a mesh that is well
    {},  // and one with bones
    {"load_mesh: the weights of 2 of 3 vertices do not sum to 255, and are divided by their sum"},
    // transforms
    {"transform_set: the pointer to 1 matrix is null; the transform stays as it was"},
    {"transform_set: 1 matrix at 0x00020000 would end at byte 131120, and the memory has 131072; the transform stays "
     "as "
     "it was"},
    {"transform_set: 1 matrix at 0x0001ffd1 would end at byte 131073, and the memory has 131072; the transform stays "
     "as "
     "it was"},
    {"transform_set: the matrix is not finite; the transform stays as it was"},
    {},  // an odd address
    {"transform_set_position: the position is not finite; the transform stays as it was"},
    {"transform_set_position: the position is not finite; the transform stays as it was"},
    // draw_mesh
    {"draw_mesh: there is no mesh 0"},
    {"draw_mesh: there is no mesh 99"},
    {"draw_mesh: there is no mesh 4294967295"},
    {"draw_mesh: a frame has at most 16 draws; this one is left out"},
    {},  // the buttons of a third player
    {"load_skeleton: there is no room for more skeletons"},
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
  log.lines.clear();
  REQUIRE(guest->frame({}).ok());
  const std::string size = std::to_string(512 + 3 * sizeof(Vec3) + 3 * sizeof(std::uint32_t));
  CHECK(log.lines == Words{"load_mesh: there is no room for a mesh of " + size + " bytes beside the " +
                           std::to_string(guest->host().state().loaded_bytes) + " that are loaded"});
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
