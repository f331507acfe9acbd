#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "marrow/skin/vertex_formats.h"
#include "skin/sample_vertices.h"
#include "support/reference.h"

namespace marrow {
namespace {

// The worst differences between vertices and what became of them, in the units of the stated bounds.
struct Differences {
  double position = 0, uv = 0, color = 0, normal = 0, tangent = 0, weight = 0;
  std::uint32_t handedness = 0, joints = 0;
};

template <typename Vec>
double largest_difference(const Vec& a, const Vec& b) {
  double largest = 0;
  for (std::size_t i = 0; i < sizeof(Vec) / sizeof(float); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(test::floats(a)[i]) - test::floats(b)[i]));
  }
  return largest;
}

Differences differences(const Vertices& given, const Vertices& got, const VertexFormat& format) {
  Differences worst;
  for (std::size_t i = 0; i < given.positions.size(); ++i) {
    test::keep_larger(worst.position, largest_difference(given.positions[i], got.positions[i]));
    if (format.uv != UvEncoding::none) {
      test::keep_larger(worst.uv, largest_difference(given.uvs[0][i], got.uvs[0][i]));
    }
    if (format.color != ColorEncoding::none) {
      test::keep_larger(worst.color, largest_difference(given.colors[i], got.colors[i]));
    }
    if (format.normal == NormalEncoding::f32x3) {
      test::keep_larger(worst.normal, largest_difference(given.normals[i], got.normals[i]));
    } else if (format.normal == NormalEncoding::oct32) {
      test::keep_larger(worst.normal, test::angle_between(test::ref(given.normals[i]), test::ref(got.normals[i])));
    }
    if (format.tangent != TangentEncoding::none) {
      const Vec4 &a = given.tangents[i], &b = got.tangents[i];
      worst.handedness += a.w == b.w ? 0u : 1u;
      test::keep_larger(worst.tangent,
                        format.tangent == TangentEncoding::f32x4
                            ? largest_difference(a, b)
                            : test::angle_between(test::RefVec{a.x, a.y, a.z}, test::RefVec{b.x, b.y, b.z}));
    }
    if (format.joints == JointEncoding::none) continue;
    for (std::size_t k = i * 4; k < i * 4 + 4; ++k) {
      test::keep_larger(worst.weight, std::fabs(static_cast<double>(given.weights[k]) - got.weights[k]));
      worst.joints += got.weights[k] > 0 && given.joints[k] != got.joints[k] ? 1u : 0u;
    }
  }
  return worst;
}

TEST_CASE("in every format vertices come back within the stated bounds, and floats exactly") {
  const Vertices given = test::sample_vertices(40, 7);
  test::for_each_format([&](const VertexFormat& format) {
    const Result<std::vector<std::byte>> bytes = pack_vertices(given, format);
    REQUIRE(bytes.ok());
    const Result<Vertices> got = unpack_vertices(*bytes, format);
    REQUIRE(got.ok());
    CHECK(got->positions.size() == 40);
    CHECK(got->uvs.size() == (format.uv == UvEncoding::none ? 0 : 1));
    CHECK(got->colors.empty() == (format.color == ColorEncoding::none));
    CHECK(got->normals.empty() == (format.normal == NormalEncoding::none));
    CHECK(got->tangents.empty() == (format.tangent == TangentEncoding::none));
    CHECK(got->influences == (format.joints == JointEncoding::none ? 0 : 4));
    const Differences worst = differences(given, *got, format);
    CHECK(worst.position <= (format.position == PositionEncoding::f16x4 ? 0x1p-11 : 0));  // within 2
    CHECK(worst.uv <= (format.uv == UvEncoding::unorm16x2 ? 7.7e-6 : 0));
    CHECK(worst.color <= (format.color == ColorEncoding::unorm8x4 ? 0.002 : 0));
    CHECK(worst.normal <= (format.normal == NormalEncoding::oct32 ? 4.33e-5 : 0));
    CHECK(worst.tangent <= (format.tangent == TangentEncoding::oct32 ? 7.49e-5 : 0));
    CHECK(worst.weight <= (format.weights == WeightEncoding::unorm8x4    ? 0.003
                           : format.weights == WeightEncoding::unorm16x4 ? 1.2e-5
                                                                         : 0));
    CHECK(worst.handedness == 0);
    CHECK(worst.joints == 0);
    CHECK(*pack_vertices(*got, format) == *bytes);  // nothing more is lost the second time
  });
}

// Returns the error that packed bytes give after a change; they are four vertices with everything, in 32 bytes each.
std::string unpacking_error_with(const std::function<void(std::vector<std::byte>&)>& change,
                                 const VertexFormat& format = test::kEverythingPacked) {
  std::vector<std::byte> bytes = *pack_vertices(test::sample_vertices(4), format);
  change(bytes);
  const Result<Vertices> got = unpack_vertices(bytes, format);
  return got ? "" : to_string(got.error());
}

void put16(std::vector<std::byte>& bytes, std::size_t at, unsigned value) {
  bytes[at] = static_cast<std::byte>(value & 0xff);
  bytes[at + 1] = static_cast<std::byte>(value >> 8);
}

TEST_CASE("bytes that are no whole number of vertices are refused, each size of them") {
  for (std::size_t size = 0; size < 128; ++size) {
    const std::string error = unpacking_error_with([&](auto& bytes) { bytes.resize(size); });
    const std::string expected =
        size % 32 == 0 ? "" : std::to_string(size) + " bytes are no whole number of vertices of 32 bytes";
    CHECK(error == expected);
  }
}

TEST_CASE("hostile bytes are refused with the vertex") {
  CHECK(unpacking_error_with([](auto&) {}) == "");
  CHECK(unpacking_error_with([](auto& b) { put16(b, 32 + 2, 0x7c00); }) == "positions/1: a half float is not finite");
  CHECK(unpacking_error_with([](auto& b) { put16(b, 32 + 2, 0xfe01); }) == "positions/1: a half float is not finite");
  CHECK(unpacking_error_with([](auto& b) { put16(b, 64 + 6, 0x7c00); }) == "positions/2: a half float is not finite");
  CHECK(unpacking_error_with([](auto& b) { put16(b, 64 + 6, 0x4000); }) ==
        "positions/2: the fourth number of a position is 2.000000, not 1");
  CHECK(unpacking_error_with([](auto& b) { put16(b, 64 + 22, 0); }) == "tangents/2: a tangent has no handedness");
  CHECK(unpacking_error_with([](auto& b) { put16(b, 96 + 28, 0), put16(b, 96 + 30, 254); }) ==
        "weights/3: the weights of a vertex sum to 254, not to 255");
  CHECK(unpacking_error_with([](auto& b) { put16(b, 96 + 28, 0xffff), put16(b, 96 + 30, 0xffff); }) ==
        "weights/3: the weights of a vertex sum to 1020, not to 255");

  VertexFormat format = kFloatVertex;
  CHECK(unpacking_error_with([](auto& b) { put16(b, 56 + 2, 0x7fc0); }, format) ==
        "positions/1: a value is not finite or beyond 1e18");
  CHECK(unpacking_error_with([](auto& b) { put16(b, 56 + 22, 0xff80); }, format) ==
        "normals/1: a value is not finite or beyond 1e18");
  CHECK(unpacking_error_with([](auto& b) { put16(b, 56 + 42, 0xbf80); }, format) ==
        "weights/1: a weight is negative or not finite");
  format.weights = WeightEncoding::unorm16x4;
  CHECK(unpacking_error_with(
            [](auto& b) {
              for (std::size_t i = 0; i < 4; ++i) put16(b, 40 + 2 * i, 0x4000);
            },
            format) == "weights/0: the weights of a vertex sum to 65536, not to 65535");
}

TEST_CASE("a snorm of -32768 is -1, as on a GPU") {
  std::vector<std::byte> bytes = *pack_vertices(test::sample_vertices(1), test::kEverythingPacked);
  put16(bytes, 16, 0x8000);
  put16(bytes, 18, 0);
  put16(bytes, 20, 0);
  put16(bytes, 22, 0x8000);
  const Result<Vertices> got = unpack_vertices(bytes, test::kEverythingPacked);
  REQUIRE(got.ok());
  CHECK(got->normals[0].x == -1);
  CHECK(got->normals[0].y == 0);
  CHECK(got->normals[0].z == 0);
  CHECK(got->tangents[0].y == 1);
  CHECK(got->tangents[0].w == -1);
}

TEST_CASE("repair gives packed weights a sum of exactly 1, and says how many vertices they changed in") {
  for (const WeightEncoding weights : {WeightEncoding::unorm8x4, WeightEncoding::unorm16x4}) {
    VertexFormat format = kPackedVertex;
    format.weights = weights;
    const bool bytes = weights == WeightEncoding::unorm8x4;
    std::vector<std::byte> packed = *pack_vertices(test::sample_vertices(3), format);
    const std::vector<std::byte> good = packed;
    CHECK(repair_vertices(packed, format) == 0);
    CHECK(packed == good);

    const VertexLayout layout = vertex_layout(format);
    const auto weights_of = [&](std::size_t vertex) {
      return vertex * layout.stride + layout.attributes.back().offset;
    };
    std::fill_n(packed.begin() + static_cast<std::ptrdiff_t>(weights_of(1)), bytes ? 4 : 8, std::byte{0});
    std::fill_n(packed.begin() + static_cast<std::ptrdiff_t>(weights_of(2)), bytes ? 4 : 8, std::byte{0x11});
    put16(packed, 2 * layout.stride + 6, 0x4000);  // the fourth number of the position is 2
    CHECK(!unpack_vertices(packed, format).ok());
    CHECK(repair_vertices(packed, format) == 2);
    const Result<Vertices> got = unpack_vertices(packed, format);
    REQUIRE(got.ok());
    CHECK(got->weights[4] == 1);
    CHECK(got->weights[5] == 0);
    for (std::size_t i = 8; i < 12; ++i) CHECK(got->weights[i] == doctest::Approx(0.25).epsilon(0.01));
  }
}

TEST_CASE("random bytes are refused or become vertices that can be used, in every format") {
  test::Random random(41);
  std::uint32_t accepted = 0;
  test::for_each_format([&](const VertexFormat& format) {
    const VertexLayout layout = vertex_layout(format);
    std::vector<std::byte> bytes(layout.stride);
    for (int i = 0; i < 20; ++i) {
      for (std::byte& b : bytes) b = static_cast<std::byte>(random.below(256));
      if (const Result<Vertices> got = unpack_vertices(bytes, format)) {
        ++accepted;
        CHECK(check_vertices(*got).ok());
      }
    }
  });
  CHECK(accepted > 0);
}

}  // namespace
}  // namespace marrow
