#include <doctest/doctest.h>

#include <limits>

#include "marrow/core/hash.h"
#include "marrow/skin/vertex_formats.h"
#include "skin/sample_vertices.h"
#include "support/asserts.h"
#include "support/float_state.h"

namespace marrow {
namespace {

Vertices one_vertex() {
  Vertices v;
  v.positions = {{1, -2, 0.5f}};
  v.uvs = {{{0, 1}}};
  v.colors = {{1, 0, 0.5f, 1}};
  v.normals = {{0, -3, 0}};
  v.tangents = {{1, 0, 0, -1}};
  v.influences = 2;
  v.joints = {3, 200};
  v.weights = {0.5f, 0.5f};
  return v;
}

// Returns the bytes from one of them on as numbers, or the error.
std::string pack(const Vertices& vertices, const VertexFormat& format, std::size_t from = 0) {
  const Result<std::vector<std::byte>> packed = pack_vertices(vertices, format);
  if (!packed) return to_string(packed.error());
  std::string text;
  for (std::size_t i = from; i < packed->size(); ++i) {
    text += (text.empty() ? "" : " ") + std::to_string(std::to_integer<int>((*packed)[i]));
  }
  return text;
}

TEST_CASE("a packed vertex has these 24 bytes, its influences filled up to four") {
  CHECK(pack(one_vertex(), kPackedVertex) ==
        "0 60 0 192 0 56 0 60 "  // 1, -2, 0.5, 1
        "0 0 255 255 "           // 0, 1
        "0 0 1 128 "             // 0, -32767
        "3 200 0 0 "
        "128 127 0 0");
}

TEST_CASE("tangents, colors and wide influences have these bytes") {
  VertexFormat format;
  format.color = ColorEncoding::unorm8x4;
  format.tangent = TangentEncoding::oct32;
  format.joints = JointEncoding::u16x4;
  format.weights = WeightEncoding::unorm16x4;
  Vertices v = one_vertex();
  v.joints = {3, 770};
  CHECK(pack(v, format) ==
        "0 0 128 63 0 0 0 192 0 0 0 63 "  // 1, -2, 0.5
        "255 0 128 255 "
        "255 127 0 192 "  // 32767, -16384
        "3 0 2 3 0 0 0 0 "
        "0 128 255 127 0 0 0 0");  // 32768, 32767
}

TEST_CASE("a joint whose weight is packed as nothing is 0, and need not fit") {
  Vertices v = one_vertex();
  v.influences = 3;
  v.joints = {7, 40000, 41000};
  v.weights = {0.999f, 0, 0.001f};
  CHECK(pack(v, kPackedVertex, 16) == "7 0 0 0 255 0 0 0");

  VertexFormat floats;
  floats.joints = JointEncoding::u8x4;
  CHECK(pack(v, floats) == "joints/0: joint 41000 is beyond 255: use u16 joints, or split the mesh");
  v.joints[2] = 9;
  CHECK(pack(v, floats, 12).starts_with("7 0 9 0 "));
}

std::string packing_error_with(void (*change)(Vertices&), VertexFormat format = test::kEverythingPacked) {
  Vertices v = test::sample_vertices(4);
  change(v);
  const Result<std::vector<std::byte>> packed = pack_vertices(v, format);
  return packed ? "" : to_string(packed.error());
}

TEST_CASE("what does not fit is refused with the vertex and what to do") {
  CHECK(packing_error_with([](Vertices&) {}) == "");
  CHECK(packing_error_with([](Vertices& v) { v.positions[2].y = -70000; }) ==
        "positions/2: a coordinate of -70000.000000 is beyond 65504, the largest half float: scale the model down or "
        "use f32 positions");
  CHECK(packing_error_with([](Vertices& v) { v.positions[2].z = 65519.99f; }) == "");
  CHECK(packing_error_with([](Vertices& v) { v.uvs[0][3].x = 1.5f; }) ==
        "uvs/0/3: a texture coordinate of 1.500000 is outside 0 to 1: wrap the coordinates or use f32 uvs");
  CHECK(packing_error_with([](Vertices& v) {
          v.uvs[0][3].y = -0.001f;
        }).starts_with("uvs/0/3: a texture coordinate of -0.001"));
  CHECK(packing_error_with([](Vertices& v) { v.uvs[0][3].x = 1.000001f; }) == "");
  CHECK(packing_error_with([](Vertices& v) { v.colors[1].z = 2; }) ==
        "colors/1: a color of 2.000000 is outside 0 to 1: clamp the colors or use f32 colors");
  CHECK(packing_error_with([](Vertices& v) { v.normals[3] = {}; }) ==
        "normals/3: a normal is zero and so has no direction: make the normals anew or use f32 normals");
  CHECK(packing_error_with([](Vertices& v) {
          v.tangents[1] = {0, 0, 0, 1};
        }) == "tangents/1: a tangent is zero and so has no direction: make the tangents anew or use f32 tangents");
  CHECK(packing_error_with([](Vertices& v) { v.tangents[1].w = 0; }) ==
        "tangents/1: the w of a tangent is 0.000000, not 1 or -1: make it one of them or use f32 tangents");
  CHECK(packing_error_with([](Vertices& v) { v.joints[9] = 256, v.weights = std::vector<float>(16, 0.25f); }) ==
        "joints/2: joint 256 is beyond 255: use u16 joints, or split the mesh");
}

TEST_CASE("floats and wide joints take what the smaller encodings refuse") {
  Vertices v = test::sample_vertices(1);
  v.positions[0].x = 1e9f;
  v.uvs[0][0].x = -7;
  v.colors[0].x = 30;
  v.normals[0] = {};
  v.tangents[0] = {};
  v.joints[0] = 65535;
  const VertexFormat wide = {PositionEncoding::f32x3, UvEncoding::f32x2,    ColorEncoding::f32x4, NormalEncoding::f32x3,
                             TangentEncoding::f32x4,  JointEncoding::u16x4, WeightEncoding::f32x4};
  CHECK(pack_vertices(v, wide).ok());
}

TEST_CASE("attributes that are missing, too many influences and bad numbers are refused") {
  CHECK(packing_error_with([](Vertices& v) { v.uvs.clear(); }) ==
        "uvs/0: the format has uvs but the vertices have none: leave them out of the format");
  CHECK(packing_error_with([](Vertices& v) { v.uvs[0].clear(); }).starts_with("uvs/0: the format has uvs"));
  CHECK(packing_error_with([](Vertices& v) { v.colors.clear(); }).starts_with("colors: the format has colors"));
  CHECK(packing_error_with([](Vertices& v) { v.normals.clear(); }).starts_with("normals: the format has normals"));
  CHECK(packing_error_with([](Vertices& v) { v.tangents.clear(); }).starts_with("tangents: the format has tangents"));
  CHECK(packing_error_with([](Vertices& v) {
          v.influences = 0, v.joints.clear(), v.weights.clear();
        }).starts_with("joints: the format has joints"));
  CHECK(packing_error_with([](Vertices& v) {
          v.influences = 8, v.joints.assign(32, 1), v.weights.assign(32, 0.125f);
        }) == "joints: the vertices have 8 influences each, packed ones have four: call reduce_influences first");
  CHECK(packing_error_with([](Vertices& v) { v.normals[1].x = std::numeric_limits<float>::quiet_NaN(); }) ==
        "normals/1: a value is not finite or beyond 1e18");
  CHECK(packing_error_with([](Vertices& v) {
          v.weights[4] = 7;
        }).starts_with("weights/1: the weights of a vertex sum to"));
  CHECK(
      packing_error_with([](Vertices& v) { v.colors.pop_back(); }).starts_with("colors: there are 4 positions but 3"));
  // What the format leaves out may be anything or nothing.
  CHECK(
      packing_error_with(
          [](Vertices& v) { v.normals.clear(), v.uvs.clear(), v.influences = 0, v.joints.clear(), v.weights.clear(); },
          {}) == "");
}

TEST_CASE("eight influences fit once they are reduced") {
  Vertices v = test::sample_vertices(1);
  v.influences = 8;
  v.joints = {1, 2, 3, 4, 5, 6, 7, 8};
  v.weights = {0.05f, 0.3f, 0.05f, 0.2f, 0.05f, 0.1f, 0.05f, 0.2f};
  Influences four = reduce_influences(v.joints, v.weights, 8);
  v.influences = 4;
  v.joints = four.joints;
  v.weights = four.weights;
  CHECK(pack(v, kPackedVertex, 16) == "2 4 8 6 95 64 64 32");  // of 95.625, 63.75, 63.75, 31.875
}

TEST_CASE("vertices are written into the caller's memory, and on failure nothing is") {
  Vertices v = test::sample_vertices(3);
  const Result<std::vector<std::byte>> expected = pack_vertices(v, kPackedVertex);
  std::vector<std::byte> out(3 * 24);
  CHECK(pack_vertices(v, kPackedVertex, out).ok());
  CHECK(out == *expected);

  v.joints.back() = 300;
  v.weights = std::vector<float>(12, 0.25f);
  out.assign(out.size(), std::byte{0x5a});
  CHECK_FALSE(pack_vertices(v, kPackedVertex, out).ok());
  CHECK(out == std::vector<std::byte>(out.size(), std::byte{0x5a}));

  out.resize(3 * 24 + 1);
  CHECK(test::assert_message([&] { (void)pack_vertices(v, kPackedVertex, out); }) ==
        "the memory must be as large as the packed vertices: their number times the stride of the format");
}

TEST_CASE("no vertices are no bytes, whatever the format asks for") {
  const Result<std::vector<std::byte>> packed = pack_vertices(Vertices(), test::kEverythingPacked);
  REQUIRE(packed.ok());
  CHECK(packed->empty());
}

TEST_CASE("vertices are packed to the same bytes on every platform") {
  const Vertices v = test::sample_vertices(2000);
  Hasher hasher;
  VertexFormat wide = test::kEverythingPacked;
  wide.weights = WeightEncoding::unorm16x4;
  for (const VertexFormat& format : {test::kEverythingPacked, wide, kFloatVertex})
    hasher.add(*pack_vertices(v, format));
  CHECK(hasher.finish() == 4969721311600433743u);
}

#ifdef MARROW_TEST_FLOAT_STATES
TEST_CASE("the host's rounding and flushing of denormals change nothing") {
  Vertices v = test::sample_vertices(100);
  const float tiny = std::numeric_limits<float>::denorm_min();
  v.positions[0] = {3 * 0x1p-25f, 0x1p-24f * 5.5f, tiny};
  v.normals[0] = {tiny, 0, 0};
  v.tangents[0] = {-tiny, 3 * tiny, 0, 1};
  v.uvs[0][0] = {tiny, 0.5f};
  const std::vector<std::byte> bytes = *pack_vertices(v, test::kEverythingPacked);
  const Vertices unpacked = *unpack_vertices(bytes, test::kEverythingPacked);
  const PackingError error = *packing_error(v, test::kEverythingPacked);
  for (const test::FloatState state : test::kHostStates) {
    std::vector<std::byte> again;
    Array<Vec3> normals;
    PackingError error_again;
    test::run_under(state, [&] {
      again = *pack_vertices(v, test::kEverythingPacked);
      normals = unpack_vertices(bytes, test::kEverythingPacked)->normals;
      error_again = *packing_error(v, test::kEverythingPacked);
    });
    CHECK(again == bytes);
    bool same = true;
    for (std::size_t i = 0; i < normals.size(); ++i) {
      same = same && normals[i].x == unpacked.normals[i].x && normals[i].y == unpacked.normals[i].y &&
             normals[i].z == unpacked.normals[i].z;
    }
    CHECK(same);
    CHECK(error_again.position.error == error.position.error);
    CHECK(error_again.normal.error == error.normal.error);
    CHECK(error_again.weight.error == error.weight.error);
  }
}
#endif

}  // namespace
}  // namespace marrow
