// Meshes that guests load: every format, from addresses of any kind.
#include <doctest/doctest.h>

#include <limits>

#include "guest/guest_memory.h"
#include "marrow/skin/vertex_formats.h"

namespace marrow {
namespace {

using test::GuestMemory;
using test::LoggedHost;

VertexFormat format_of(std::uint32_t flags, bool packed) {
  VertexFormat format;
  if (packed) format.position = PositionEncoding::f16x4;
  if ((flags & 1) != 0) format.uv = packed ? UvEncoding::unorm16x2 : UvEncoding::f32x2;
  if ((flags & 2) != 0) format.color = packed ? ColorEncoding::unorm8x4 : ColorEncoding::f32x4;
  if ((flags & 4) != 0) format.normal = packed ? NormalEncoding::oct32 : NormalEncoding::f32x3;
  if ((flags & 8) != 0) format.joints = JointEncoding::u8x4;
  format.weights = WeightEncoding::unorm8x4;
  return format;
}

// Numbers that every encoding holds exactly.
Vertices exact_vertices() {
  Vertices out;
  out.positions = {{1, 2, 3}, {-0.5f, 0, 4}, {0, 100, 0}, {0.25f, 1, 1}};
  out.normals = {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  out.uvs = {{{0, 1}, {1, 0}, {0, 0}, {1, 1}}};
  out.colors = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 1, 1, 0}};
  out.influences = 4;
  out.joints = {0, 1, 2, 3, 255, 0, 0, 0, 4, 5, 0, 0, 7, 0, 0, 0};
  out.weights = {0.2f, 0.2f, 0.2f, 0.4f, 1, 0, 0, 0, 0.6f, 0.4f, 0, 0, 1, 0, 0, 0};
  return out;
}

template <typename T>
bool same(const Array<T>& a, const Array<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

TEST_CASE("every vertex format of a guest is read, float and packed, with indices and without") {
  const Vertices from = exact_vertices();
  for (std::uint32_t flags = 0; flags < 16; ++flags) {
    for (const bool packed : {false, true}) {
      CAPTURE(flags);
      CAPTURE(packed);
      LoggedHost guest;
      GuestMemory memory;
      const std::uint32_t corners = memory.put(*pack_vertices(from, format_of(flags, packed)));
      const std::uint32_t indices = memory.put(std::vector<std::uint16_t>{3, 1, 0, 2, 2, 1});
      GuestHost& host = guest.host;
      CHECK((packed ? host.load_mesh_packed(memory.bytes, corners, 3, flags)
                    : host.load_mesh(memory.bytes, corners, 3, flags)) == 1);
      CHECK((packed ? host.load_mesh_packed_indexed(memory.bytes, corners, 4, indices, 6, flags)
                    : host.load_mesh_indexed(memory.bytes, corners, 4, indices, 6, flags)) == 2);
      CHECK(guest.take() == "");
      const GuestMesh& plain = *host.state().meshes[0];
      CHECK(plain.indices == std::vector<std::uint32_t>{0, 1, 2});
      CHECK(plain.vertices.positions.size() == 3);
      const GuestMesh& mesh = *host.state().meshes[1];
      CHECK(mesh.indices == std::vector<std::uint32_t>{3, 1, 0, 2, 2, 1});
      CHECK(mesh.flags == flags);
      CHECK(same(mesh.vertices.positions, from.positions));
      CHECK(mesh.vertices.uvs.size() == (flags & 1));
      if ((flags & 1) != 0) CHECK(same(mesh.vertices.uvs[0], from.uvs[0]));
      if ((flags & 2) != 0) CHECK(same(mesh.vertices.colors, from.colors));
      if ((flags & 4) != 0) CHECK(same(mesh.vertices.normals, from.normals));
      CHECK(mesh.vertices.influences == ((flags & 8) != 0 ? 4 : 0));
      if ((flags & 8) != 0) {
        CHECK(same(mesh.vertices.joints, from.joints));
        for (std::size_t i = 0; i < 16; ++i) {
          CHECK(mesh.vertices.weights[i] == doctest::Approx(from.weights[i]).epsilon(1e-6));
        }
      }
      CHECK(mesh.hash != plain.hash);
      CHECK(host.state().loaded_bytes > 4 * sizeof(Vec3));
    }
  }
}

TEST_CASE("meshes that are none are refused, with what is wrong") {
  LoggedHost guest;
  GuestHost& host = guest.host;
  GuestMemory memory;
  const std::uint32_t corners = memory.put(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
  const std::uint32_t indices = memory.put(std::vector<std::uint16_t>{0, 1, 4, 0, 1, 2});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::uint32_t bad = memory.put(std::vector<float>{0, 0, 0, 1, nan, 0, 0, 1, 0});
  CHECK(host.load_mesh(memory.bytes, corners, 3, 16) == 0);
  CHECK(host.load_mesh(memory.bytes, corners, 0, 0) == 0);
  CHECK(host.load_mesh(memory.bytes, corners, 4, 0) == 0);
  CHECK(host.load_mesh(memory.bytes, 0, 3, 0) == 0);
  CHECK(host.load_mesh_indexed(memory.bytes, corners, 4, indices, 3, 0) == 0);
  CHECK(host.load_mesh_indexed(memory.bytes, corners, 4, indices + 6, 2, 0) == 0);
  CHECK(host.load_mesh_indexed(memory.bytes, corners, 4, indices, 0, 0) == 0);
  CHECK(host.load_mesh_indexed(memory.bytes, corners, 4, 0, 3, 0) == 0);
  CHECK(host.load_mesh_indexed(memory.bytes, corners, 4, memory.end() - 4, 3, 0) == 0);
  CHECK(host.load_mesh(memory.bytes, bad, 3, 0) == 0);
  CHECK(guest.take() ==
        "error load_mesh: there is no vertex format 16; it is a sum of 1, 2, 4 and 8\n"
        "error load_mesh: a mesh has at least one triangle\n"
        "error load_mesh: the vertex count 4 is not a multiple of 3\n"
        "error load_mesh: the pointer to the vertices is null\n"
        "error load_mesh_indexed: indices/2: there is no vertex 4; the vertex count is 4\n"
        "error load_mesh_indexed: the index count 2 is not a multiple of 3\n"
        "error load_mesh_indexed: the index count 0 makes no triangle\n"
        "error load_mesh_indexed: the pointer to the indices is null\n"
        "error load_mesh_indexed: the indices, 6 bytes at 0x0000006d, end beyond the memory of 113 bytes\n"
        "error load_mesh: positions/1: a value is not finite or beyond 1e18\n");
  CHECK(host.load_mesh_indexed(memory.bytes, corners, 4, indices + 6, 3, 0) == 1);
  CHECK(guest.take() == "");
}

TEST_CASE("weights that do not sum to 255 are divided by their sum, and none at all go to the first bone") {
  LoggedHost guest;
  GuestMemory memory;
  std::vector<test::SkinnedCorner> corners(3);
  const std::uint8_t weights[3][4] = {{1, 1, 0, 0}, {0, 0, 0, 0}, {255, 255, 255, 255}};
  for (std::size_t i = 0; i < 3; ++i) {
    corners[i].bones[0] = 9;
    std::memcpy(corners[i].weights, weights[i], 4);
  }
  const std::uint32_t at = memory.put(corners);
  CHECK(guest.host.load_mesh(memory.bytes, at, 3, kGuestSkinned) == 1);
  CHECK(guest.take() ==
        "warning load_mesh: the weights of 3 of 3 vertices do not sum to 255; they are divided by their sum\n");
  const Array<float>& got = guest.host.state().meshes[0]->vertices.weights;
  const float expected[12] = {128, 127, 0, 0, 255, 0, 0, 0, 64, 64, 64, 63};
  for (std::size_t i = 0; i < 12; ++i) CHECK(got[i] * 255 == doctest::Approx(expected[i]));
  CHECK(guest.host.state().meshes[0]->vertices.joints[4] == 9);
}

TEST_CASE("the same bytes with another number of vertices are another mesh") {
  LoggedHost guest;
  GuestMemory memory;
  const std::uint32_t at = memory.put(std::vector<float>(4 * 3 + 2));
  CHECK(guest.host.load_mesh_indexed(memory.bytes, at, 4, at + 48, 3, 0) == 1);
  CHECK(guest.host.load_mesh_indexed(memory.bytes, at, 3, at + 36, 9, 0) == 2);
  CHECK(guest.take() == "");
  CHECK(guest.host.state().meshes[0]->hash != guest.host.state().meshes[1]->hash);
}

TEST_CASE("the fourth number of a packed position is nobody's business") {
  LoggedHost guest;
  GuestMemory memory;
  std::vector<std::uint16_t> halves(12);
  halves[4] = 0x3c00;
  halves[3] = 0x7e00;  // not a number
  const std::uint32_t at = memory.put(halves);
  CHECK(guest.host.load_mesh_packed(memory.bytes, at, 3, 0) == 1);
  CHECK(guest.host.state().meshes[0]->vertices.positions[1].x == 1);
  CHECK(guest.take() == "");
}

}  // namespace marrow
