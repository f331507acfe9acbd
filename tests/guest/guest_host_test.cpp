#include "marrow/guest/guest_host.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "guest/guest_memory.h"
#include "marrow/math/affine.h"
#include "marrow/skin/vertex_formats.h"

namespace marrow {
namespace {

using test::GuestMemory;
using test::LoggedHost;
using test::moved;
using test::plain_triangle;
using test::skinned_triangle;

bool same(const Affine& a, const Affine& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

std::array<Affine, kMaxGuestBones> palette_of(const GuestHost& host, std::size_t draw) {
  std::array<Affine, kMaxGuestBones> out;
  guest_palette(host, host.draws()[draw], out);
  return out;
}

std::vector<Affine> row_of(std::size_t count, float x) {
  std::vector<Affine> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = moved(x, static_cast<float>(i), 0);
  return out;
}

}  // namespace

TEST_CASE("a skeleton is loaded, bound and unbound") {
  LoggedHost guest;
  GuestMemory memory;
  const std::uint32_t binds = memory.put(row_of(3, 10)), bones = memory.put(row_of(3, 100)),
                      corners = memory.put(skinned_triangle());
  const std::uint32_t skeleton = guest.host.load_skeleton(memory.bytes, binds, 3);
  CHECK(skeleton == 1);
  CHECK(guest.host.load_skeleton(memory.bytes, bones, 2) == 2);
  CHECK(guest.host.state().bound_skeleton == 0);
  const std::uint32_t mesh = guest.host.load_mesh(memory.bytes, corners, 3, kGuestSkinned);
  REQUIRE(mesh == 1);

  guest.host.skeleton_bind(skeleton);
  guest.host.set_bones(memory.bytes, bones, 3);
  guest.host.draw_mesh(mesh);
  guest.host.begin_frame();  // what is bound stays bound
  guest.host.draw_mesh(mesh);
  guest.host.skeleton_bind(0);
  guest.host.draw_mesh(mesh);
  REQUIRE(guest.host.draws().size() == 2);
  CHECK(guest.host.draws()[0].skeleton == guest.host.state().skeletons[0]);
  CHECK(guest.host.draws()[1].skeleton == nullptr);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto y = static_cast<float>(i);
    CHECK(same(palette_of(guest.host, 0)[i], moved(110, 2 * y, 0)));
    CHECK(same(palette_of(guest.host, 1)[i], moved(100, y, 0)));
  }
  CHECK(guest.take() == "");
}

TEST_CASE("the number of bones is checked against the bound skeleton, and against 256") {
  LoggedHost guest;
  GuestMemory memory;
  const std::uint32_t matrices = memory.put(row_of(300, 1));
  CHECK(guest.host.load_skeleton(memory.bytes, matrices, 257) == 0);
  CHECK(guest.take() == "error load_skeleton: 257 bones are too many; the limit is 256\n");
  CHECK(guest.host.load_skeleton(memory.bytes, matrices, 256) == 1);
  CHECK(guest.host.load_skeleton(memory.bytes, matrices, 3) == 2);
  CHECK(guest.take() == "");

  // Raw, any number up to 256 will do.
  guest.host.set_bones(memory.bytes, matrices, 7);
  CHECK(guest.take() == "");
  guest.host.set_bones(memory.bytes, matrices, 300);
  CHECK(guest.take() == "warning set_bones: 300 bones are too many; the first 256 are used\n");
  CHECK(guest.host.state().bone_count == 256);
  CHECK(same(guest.host.state().bones[255], moved(1, 255, 0)));

  guest.host.skeleton_bind(2);
  guest.host.set_bones(memory.bytes, matrices, 3);
  CHECK(guest.take() == "");
  guest.host.set_bones(memory.bytes, matrices, 2);
  CHECK(guest.take() ==
        "warning set_bones: the bone count is 2, and the bound skeleton has 3; the other bones are the identity\n");
  CHECK(same(guest.host.state().bones[1], moved(1, 1, 0)));
  CHECK(same(guest.host.state().bones[2], Affine{}));
  CHECK(same(guest.host.state().bones[255], Affine{}));
  guest.host.set_bones(memory.bytes, matrices, 4);
  CHECK(guest.take() == "warning set_bones: the bone count is 4, and the bound skeleton has 3\n");

  // Cut to what the skeleton has, there is one thing to say.
  guest.host.skeleton_bind(1);
  guest.host.set_bones(memory.bytes, matrices, 257);
  CHECK(guest.take() == "warning set_bones: 257 bones are too many; the first 256 are used\n");
}

TEST_CASE("several skeletons in one frame: each draw has the bones, inverse binds and transform of its moment") {
  LoggedHost guest;
  GuestMemory memory;
  const std::uint32_t corners = memory.put(skinned_triangle()), plain = memory.put(plain_triangle());
  const std::uint32_t binds_a = memory.put(row_of(3, 1)), binds_b = memory.put(row_of(5, 2));
  const std::uint32_t bones_a = memory.put(row_of(3, 10)), bones_b = memory.put(row_of(5, 20));
  const std::uint32_t a = guest.host.load_skeleton(memory.bytes, binds_a, 3);
  const std::uint32_t b = guest.host.load_skeleton(memory.bytes, binds_b, 5);
  const std::uint32_t mesh = guest.host.load_mesh(memory.bytes, corners, 3, kGuestSkinned);
  const std::uint32_t prop = guest.host.load_mesh(memory.bytes, plain, 3, 0);
  REQUIRE(mesh * prop * a * b > 0);

  guest.host.skeleton_bind(a);
  guest.host.set_bones(memory.bytes, bones_a, 3);
  guest.host.draw_mesh(mesh);
  guest.host.transform_set_position(5, 0, 0);
  guest.host.draw_mesh(mesh);
  guest.host.skeleton_bind(b);
  guest.host.set_bones(memory.bytes, bones_b, 5);
  guest.host.transform_set_position(-3, 0, 0);
  guest.host.draw_mesh(mesh);
  guest.host.draw_mesh(prop);
  guest.host.skeleton_bind(a);  // another skeleton under the bones that are there
  guest.host.transform_identity();
  guest.host.draw_mesh(mesh);

  const std::span<const GuestDraw> draws = guest.host.draws();
  REQUIRE(draws.size() == 5);
  const float x[5] = {0, 5, -3, -3, 0}, moves[5] = {11, 11, 22, 0, 21};
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK(same(draws[i].transform, moved(x[i], 0, 0)));
    CHECK(palette_of(guest.host, i)[2].m[0][3] == moves[i]);
  }
  CHECK(draws[0].first_bone == draws[1].first_bone);  // the same bones are there once
  CHECK(draws[3].skeleton == nullptr);
  CHECK(guest.host.bones(draws[2]).size() == 5);
  CHECK(guest.take() == "");
}

TEST_CASE("the mode switches in mid-frame: the same bones are drawn raw and bound") {
  LoggedHost guest;
  GuestMemory memory;
  std::vector<Affine> twice = row_of(3, 40);
  twice[0].m[0][0] = 2;  // the inverse bind comes before it
  const std::uint32_t binds = memory.put(row_of(3, 7)), bones = memory.put(twice),
                      corners = memory.put(skinned_triangle());
  const std::uint32_t skeleton = guest.host.load_skeleton(memory.bytes, binds, 3);
  const std::uint32_t mesh = guest.host.load_mesh(memory.bytes, corners, 3, kGuestSkinned);
  guest.host.set_bones(memory.bytes, bones, 3);
  for (const std::uint32_t mode : {0u, skeleton, 0u, skeleton, skeleton}) {
    guest.host.skeleton_bind(mode);
    guest.host.draw_mesh(mesh);
  }
  const float moves[5] = {40, 54, 40, 54, 54};
  for (std::size_t i = 0; i < 5; ++i) CHECK(palette_of(guest.host, i)[0].m[0][3] == moves[i]);
}

TEST_CASE("pointers that are null, or at and past the end of the memory, do nothing but a message") {
  LoggedHost guest;
  GuestMemory memory;
  const std::uint32_t matrix = memory.put(row_of(1, 1));
  const std::uint32_t end = memory.end();
  REQUIRE(end == matrix + 48);
  const GuestState before = guest.host.state();
  CHECK(guest.host.load_skeleton(memory.bytes, 0, 1) == 0);
  CHECK(guest.host.load_skeleton(memory.bytes, matrix + 1, 1) == 0);
  CHECK(guest.host.load_skeleton(memory.bytes, end, 1) == 0);
  CHECK(guest.host.load_skeleton(memory.bytes, 0xffffffff, 256) == 0);
  CHECK(guest.host.load_skeleton({}, 1, 1) == 0);
  CHECK(guest.take() ==
        "error load_skeleton: the pointer to the matrices is null\n"
        "error load_skeleton: the matrices, 48 bytes at 0x00000012, end beyond the memory of 65 bytes\n"
        "error load_skeleton: the matrices, 48 bytes at 0x00000041, end beyond the memory of 65 bytes\n"
        "error load_skeleton: the matrices, 12288 bytes at 0xffffffff, end beyond the memory of 65 bytes\n"
        "error load_skeleton: the matrices, 48 bytes at 0x00000001, end beyond the memory of 0 bytes\n");
  guest.host.set_bones(memory.bytes, 0, 1);
  guest.host.set_bones(memory.bytes, matrix, 2);
  guest.host.set_bones(memory.bytes, matrix, 0xffffffff);
  guest.host.transform_set(memory.bytes, 0);
  guest.host.transform_set(memory.bytes, matrix + 1);
  CHECK(guest.take() ==
        "warning set_bones: the pointer to the matrices is null; the bones do not change\n"
        "warning set_bones: the matrices, 96 bytes at 0x00000011, end beyond the memory of 65 bytes; the bones do not "
        "change\n"
        "warning set_bones: 4294967295 bones are too many; the first 256 are used\n"
        "warning set_bones: the matrices, 12288 bytes at 0x00000011, end beyond the memory of 65 bytes; the bones do "
        "not change\n"
        "warning transform_set: the pointer to the matrix is null; the transform does not change\n"
        "warning transform_set: the matrix, 48 bytes at 0x00000012, end beyond the memory of 65 bytes; the transform "
        "does not change\n");
  CHECK(hash_of(guest.host.state()) == hash_of(before));

  // The last matrix that fits does.
  CHECK(guest.host.load_skeleton(memory.bytes, matrix, 1) == 1);
  guest.host.transform_set(memory.bytes, matrix);
  guest.host.set_bones(memory.bytes, 0, 0);  // nothing to read
  CHECK(guest.take() == "");
  CHECK(same(guest.host.state().transform, moved(1, 0, 0)));
}

TEST_CASE("counts of 0, 2^31 and 2^32 - 1 are checked without overflow in every call that loads") {
  LoggedHost guest;
  GuestMemory memory;
  const std::uint32_t corners = memory.put(skinned_triangle());
  const std::uint32_t indices = memory.put(std::vector<std::uint16_t>{0, 1, 2});
  for (const std::uint32_t count : {0u, 0x80000000u, 0xffffffffu, 0x15555556u}) {  // the last wraps to 40 bytes by 12
    CAPTURE(count);
    for (const std::uint32_t format : {0u, 8u, 15u}) {
      CHECK(guest.host.load_mesh(memory.bytes, corners, count, format) == 0);
      CHECK(guest.host.load_mesh_packed(memory.bytes, corners, count, format) == 0);
      CHECK(guest.host.load_mesh_indexed(memory.bytes, corners, count, indices, 3, format) == 0);
      CHECK(guest.host.load_mesh_packed_indexed(memory.bytes, corners, count, indices, 3, format) == 0);
    }
    CHECK(guest.host.load_mesh_indexed(memory.bytes, corners, 3, indices, count, 8) == 0);
    CHECK(guest.host.load_skeleton(memory.bytes, corners, count) == 0);
    const std::string said = guest.take();
    CHECK(std::count(said.begin(), said.end(), '\n') == 14);
    std::size_t beyond = 0;  // all but the skeleton's, which has too many bones
    for (std::size_t at = said.find("end beyond"); at != std::string::npos; at = said.find("end beyond", at + 1))
      ++beyond;
    CHECK(beyond == (count == 0 ? 0 : 13));
  }
  CHECK(guest.host.state().meshes.empty());
  CHECK(guest.host.load_mesh_indexed(memory.bytes, corners, 3, indices, 3, 8) == 1);
}

TEST_CASE("an invalid handle is ignored with a warning") {
  LoggedHost guest;
  GuestMemory memory;
  const std::uint32_t skeleton = guest.host.load_skeleton(memory.bytes, 0, 0);
  CHECK(skeleton == 0);
  CHECK(guest.take() == "error load_skeleton: a skeleton has at least one bone\n");
  const std::uint32_t binds = memory.put(row_of(2, 1));
  guest.host.skeleton_bind(guest.host.load_skeleton(memory.bytes, binds, 2));
  guest.host.skeleton_bind(2);
  guest.host.skeleton_bind(0xffffffff);
  guest.host.draw_mesh(0);
  guest.host.draw_mesh(1);
  CHECK(guest.take() ==
        "warning skeleton_bind: there is no skeleton 2; the binding does not change\n"
        "warning skeleton_bind: there is no skeleton 4294967295; the binding does not change\n"
        "warning draw_mesh: there is no mesh 0\n"
        "warning draw_mesh: there is no mesh 1\n");
  CHECK(guest.host.state().bound_skeleton == 1);
  CHECK(guest.host.draws().empty());
}

TEST_CASE("matrices that are not finite are the identity, and a transform that is not finite changes nothing") {
  LoggedHost guest;
  GuestMemory memory;
  std::vector<Affine> bones = row_of(3, 1);
  bones[1].m[2][2] = std::numeric_limits<float>::quiet_NaN();
  bones[2].m[0][3] = -std::numeric_limits<float>::infinity();
  const std::uint32_t at = memory.put(bones);
  guest.host.set_bones(memory.bytes, at, 3);
  CHECK(same(guest.host.state().bones[0], moved(1, 0, 0)));
  CHECK(same(guest.host.state().bones[1], Affine{}));
  CHECK(same(guest.host.state().bones[2], Affine{}));
  CHECK(guest.host.load_skeleton(memory.bytes, at, 3) == 1);
  guest.host.transform_set_position(1, 2, 3);
  guest.host.transform_set(memory.bytes, at + 48);
  guest.host.transform_set_position(1, std::numeric_limits<float>::infinity(), 0);
  CHECK(same(guest.host.state().transform, moved(1, 2, 3)));
  CHECK(guest.take() ==
        "warning set_bones: 2 of 3 matrices are not finite; the identity is used instead\n"
        "warning load_skeleton: 2 of 3 matrices are not finite; the identity is used instead\n"
        "warning transform_set: the matrix is not finite; the transform does not change\n"
        "warning transform_set_position: the position is not finite; the transform does not change\n");
}

TEST_CASE("a transform's position changes and the rest stays") {
  LoggedHost guest;
  GuestMemory memory;
  Affine turned;
  turned.m[0][0] = turned.m[1][1] = 0;
  turned.m[0][1] = -1;
  turned.m[1][0] = 1;
  turned.m[2][3] = 9;
  const std::uint32_t at = memory.put(std::vector<Affine>{turned});
  guest.host.transform_set(memory.bytes, at);
  guest.host.transform_set_position(1, 2, 3);
  Affine expected = turned;
  expected.m[0][3] = 1;
  expected.m[1][3] = 2;
  expected.m[2][3] = 3;
  CHECK(same(guest.host.state().transform, expected));
}

TEST_CASE("a frame has no more draws than the options allow") {
  LoggedHost guest({.max_draws = 3});
  GuestMemory memory;
  const std::uint32_t corners = memory.put(plain_triangle());
  const std::uint32_t mesh = guest.host.load_mesh(memory.bytes, corners, 3, 0);
  for (int i = 0; i < 5; ++i) guest.host.draw_mesh(mesh);
  CHECK(guest.host.draws().size() == 3);
  CHECK(guest.take() ==
        "warning draw_mesh: the limit of 3 draws is reached; this draw is ignored\n"
        "warning draw_mesh: the limit of 3 draws is reached; this draw is ignored\n");
  guest.host.begin_frame();
  guest.host.draw_mesh(mesh);
  CHECK(guest.host.draws().size() == 1);
  CHECK(guest.take() == "");
}

TEST_CASE("a guest can load no more than the options allow") {
  LoggedHost guest({.max_loaded_bytes = 20000});
  GuestMemory memory;
  const std::uint32_t matrices = memory.put(row_of(256, 1));
  const std::uint32_t corners = memory.put(std::vector<float>(3 * 999));
  CHECK(guest.host.load_skeleton(memory.bytes, matrices, 256) == 1);
  CHECK(guest.host.load_skeleton(memory.bytes, matrices, 256) == 0);
  CHECK(guest.host.load_mesh(memory.bytes, corners, 999, 0) == 0);
  const std::uint64_t loaded = guest.host.state().loaded_bytes;
  CHECK(loaded > 256 * 48);
  const std::string used =
      " bytes, and " + std::to_string(loaded) + " of 20000 are in use; load less or raise max_loaded_bytes\n";
  CHECK(guest.take() == "error load_skeleton: it needs " + std::to_string(loaded) + used +
                            "error load_mesh: it needs " + std::to_string(512 + 999 * 16) + used);
  CHECK(guest.host.load_mesh(memory.bytes, corners, 3, 0) == 1);
}

TEST_CASE("a host's state is copied and brought back to the bit, with what was loaded since forgotten") {
  LoggedHost guest;
  GuestMemory memory;
  const std::uint32_t binds = memory.put(row_of(3, 7)), bones = memory.put(row_of(3, 40)),
                      corners = memory.put(skinned_triangle());
  const std::uint32_t skeleton = guest.host.load_skeleton(memory.bytes, binds, 3);
  const std::uint32_t mesh = guest.host.load_mesh(memory.bytes, corners, 3, kGuestSkinned);
  guest.host.skeleton_bind(skeleton);
  guest.host.set_bones(memory.bytes, bones, 3);
  guest.host.transform_set_position(1, 2, 3);
  GuestState saved;
  guest.host.save(saved);
  const std::uint64_t hash = hash_of(saved);

  const auto change = [&] {
    guest.host.set_bones(memory.bytes, binds, 3);
    CHECK(guest.host.load_skeleton(memory.bytes, bones, 2) == 2);
    CHECK(guest.host.load_mesh(memory.bytes, corners, 3, kGuestSkinned) == 2);
    guest.host.skeleton_bind(2);
    guest.host.set_bones(memory.bytes, bones, 2);
    guest.host.transform_identity();
    guest.host.begin_frame();
    guest.host.draw_mesh(2);
  };
  change();
  const GuestState later = guest.host.state();
  CHECK(hash_of(later) != hash);
  guest.host.restore(saved);
  CHECK(hash_of(guest.host.state()) == hash);
  CHECK(guest.host.state().bones[2].m[0][3] == 40);
  guest.host.begin_frame();
  guest.host.draw_mesh(mesh);
  CHECK(palette_of(guest.host, 0)[2].m[0][3] == 47);
  guest.host.draw_mesh(2);
  CHECK(guest.take() == "warning draw_mesh: there is no mesh 2\n");
  change();
  CHECK(hash_of(guest.host.state()) == hash_of(later));

  // Bones that were drawn already are drawn anew after another state was brought back in mid-frame.
  guest.host.restore(saved);
  guest.host.draw_mesh(mesh);
  CHECK(palette_of(guest.host, 1)[2].m[0][3] == 47);

  // Each part of the state counts.
  for (int part = 0; part < 6; ++part) {
    GuestState other = saved;
    if (part == 0) other.bound_skeleton = 0;
    if (part == 1) other.bone_count = 2;
    if (part == 2) other.bones[255].m[0][0] = 2;
    if (part == 3) other.transform.m[2][3] = 4;
    if (part == 4) other.skeletons.clear();
    if (part == 5) other.meshes.push_back(other.meshes[0]);
    CAPTURE(part);
    CHECK(hash_of(other) != hash);
  }
}

}  // namespace marrow
