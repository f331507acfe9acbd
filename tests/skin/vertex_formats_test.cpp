#include "marrow/skin/vertex_formats.h"

#include <doctest/doctest.h>

#include "skin/sample_vertices.h"

namespace marrow {
namespace {

struct Expected {
  VertexSemantic semantic;
  VertexType type;
  std::uint32_t offset, size;
};

void check_layout(const VertexFormat& format, std::uint32_t stride, const std::vector<Expected>& expected) {
  const VertexLayout layout = vertex_layout(format);
  CHECK(layout.stride == stride);
  REQUIRE(layout.attributes.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(layout.attributes[i].semantic == expected[i].semantic);
    CHECK(layout.attributes[i].type == expected[i].type);
    CHECK(layout.attributes[i].offset == expected[i].offset);
    CHECK(layout.attributes[i].size == expected[i].size);
  }
}

TEST_CASE("Emberware's skinned vertex has 24 bytes, 28 with joints of 16 bits, and 56 in floats") {
  check_layout(kPackedVertex, 24,
               {{VertexSemantic::position, VertexType::f16x4, 0, 8},
                {VertexSemantic::uv, VertexType::unorm16x2, 8, 4},
                {VertexSemantic::normal, VertexType::snorm16x2, 12, 4},
                {VertexSemantic::joints, VertexType::u8x4, 16, 4},
                {VertexSemantic::weights, VertexType::unorm8x4, 20, 4}});
  check_layout(kPackedVertexManyJoints, 28,
               {{VertexSemantic::position, VertexType::f16x4, 0, 8},
                {VertexSemantic::uv, VertexType::unorm16x2, 8, 4},
                {VertexSemantic::normal, VertexType::snorm16x2, 12, 4},
                {VertexSemantic::joints, VertexType::u16x4, 16, 8},
                {VertexSemantic::weights, VertexType::unorm8x4, 24, 4}});
  check_layout(kFloatVertex, 56,
               {{VertexSemantic::position, VertexType::f32x3, 0, 12},
                {VertexSemantic::uv, VertexType::f32x2, 12, 8},
                {VertexSemantic::normal, VertexType::f32x3, 20, 12},
                {VertexSemantic::joints, VertexType::u16x4, 32, 8},
                {VertexSemantic::weights, VertexType::f32x4, 40, 16}});
}

TEST_CASE("a format may have every attribute, or positions alone") {
  check_layout(test::kEverythingPacked, 32,
               {{VertexSemantic::position, VertexType::f16x4, 0, 8},
                {VertexSemantic::uv, VertexType::unorm16x2, 8, 4},
                {VertexSemantic::color, VertexType::unorm8x4, 12, 4},
                {VertexSemantic::normal, VertexType::snorm16x2, 16, 4},
                {VertexSemantic::tangent, VertexType::snorm16x2, 20, 4},
                {VertexSemantic::joints, VertexType::u8x4, 24, 4},
                {VertexSemantic::weights, VertexType::unorm8x4, 28, 4}});
  VertexFormat wide = {PositionEncoding::f32x3, UvEncoding::f32x2,    ColorEncoding::f32x4,     NormalEncoding::f32x3,
                       TangentEncoding::f32x4,  JointEncoding::u16x4, WeightEncoding::unorm16x4};
  check_layout(wide, 80,
               {{VertexSemantic::position, VertexType::f32x3, 0, 12},
                {VertexSemantic::uv, VertexType::f32x2, 12, 8},
                {VertexSemantic::color, VertexType::f32x4, 20, 16},
                {VertexSemantic::normal, VertexType::f32x3, 36, 12},
                {VertexSemantic::tangent, VertexType::f32x4, 48, 16},
                {VertexSemantic::joints, VertexType::u16x4, 64, 8},
                {VertexSemantic::weights, VertexType::unorm16x4, 72, 8}});
  check_layout({}, 12, {{VertexSemantic::position, VertexType::f32x3, 0, 12}});
}

TEST_CASE("in every format the attributes follow each other at multiples of four bytes") {
  test::for_each_format([](const VertexFormat& format) {
    const VertexLayout layout = vertex_layout(format);
    std::uint32_t end = 0;
    for (const VertexAttribute& attribute : layout.attributes) {
      CHECK(attribute.offset == end);
      CHECK(attribute.offset % 4 == 0);
      end += attribute.size;
      if (attribute.offset > 0) CHECK(attribute.semantic > (&attribute)[-1].semantic);
    }
    CHECK(layout.stride == end);
  });
}

}  // namespace
}  // namespace marrow
