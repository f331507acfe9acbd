#include <doctest/doctest.h>

#include <cmath>

#include "marrow/skin/vertex_formats.h"
#include "skin/sample_vertices.h"

namespace marrow {
namespace {

TEST_CASE("the worst errors of a packing are told with their vertices") {
  Vertices v = test::sample_vertices(4);
  for (std::size_t i = 0; i < 4; ++i) {  // what can be packed exactly
    v.positions[i] = {1, 2, -0.5f};
    v.uvs[0][i] = {0, 1};
    v.colors[i] = {1, 0, 1, 0};
    v.normals[i] = {0, 0, -5};
    v.tangents[i] = {0, 1, 0, -1};
  }
  v.weights = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const Result<PackingError> exact = packing_error(v, test::kEverythingPacked);
  REQUIRE(exact.ok());
  CHECK(exact->position.error == 0);
  CHECK(exact->uv.error == 0);
  CHECK(exact->color.error == 0);
  CHECK(exact->normal.error == 0);
  CHECK(exact->tangent.error == 0);
  CHECK(exact->weight.error == 0);

  v.positions[1] = {1 + 0x1p-12f, 1, 1 - 0x1p-13f};  // one before, to see that a worse one takes its place
  v.positions[2] = {1 + 0x1p-11f, 2 + 0x1p-10f, 4 + 0x1p-9f};
  v.uvs[0][3] = {0, 0.5f};
  v.colors[1] = {1, 0, 0, 0.5f};
  v.normals[0] = {1e-5f, 0, 1};
  v.tangents[2] = {0, 1, 2e-5f, 1};
  for (std::size_t i = 4; i < 8; ++i) v.weights[i] = 0.25f;
  for (std::size_t i = 8; i < 12; ++i) v.weights[i] = 0.25f;  // as bad: the first is told
  const Result<PackingError> error = packing_error(v, test::kEverythingPacked);
  REQUIRE(error.ok());
  CHECK(error->position.error == doctest::Approx(std::sqrt(0x1p-22 + 0x1p-20 + 0x1p-18)).epsilon(1e-12));
  CHECK(error->position.vertex == 2);
  CHECK(error->uv.error == doctest::Approx(0.5 / 65535).epsilon(1e-2));
  CHECK(error->uv.vertex == 3);
  CHECK(error->color.error == doctest::Approx(0.5 / 255).epsilon(1e-4));
  CHECK(error->color.vertex == 1);
  CHECK(error->normal.error == doctest::Approx(1e-5).epsilon(1e-4));  // less than half a step: nearest is the axis
  CHECK(error->normal.vertex == 0);
  CHECK(error->tangent.error == doctest::Approx(1e-5).epsilon(0.1));
  CHECK(error->tangent.vertex == 2);
  CHECK(error->weight.error == doctest::Approx(0.75 / 255).epsilon(1e-4));
  CHECK(error->weight.vertex == 1);
}

TEST_CASE("floats lose nothing, and weights are compared after dividing by their sum") {
  Vertices v = test::sample_vertices(50);
  for (float& weight : v.weights) weight *= 0.9995f;
  const VertexFormat floats = {PositionEncoding::f32x3, UvEncoding::f32x2,      ColorEncoding::f32x4,
                               NormalEncoding::f32x3,   TangentEncoding::f32x4, JointEncoding::u16x4,
                               WeightEncoding::f32x4};
  const Result<PackingError> error = packing_error(v, floats);
  REQUIRE(error.ok());
  CHECK(error->position.error + error->uv.error + error->color.error + error->normal.error + error->tangent.error +
            error->weight.error ==
        0);
  VertexFormat fine = floats;
  fine.weights = WeightEncoding::unorm16x4;
  CHECK(packing_error(v, fine)->weight.error <= 1.2e-5);
  CHECK(packing_error(v, fine)->weight.error > 0);
}

TEST_CASE("a model far from its origin shows what half floats lose") {
  Vertices v = test::sample_vertices(100);
  CHECK(packing_error(v, kPackedVertex)->position.error < 1e-3);
  for (Vec3& p : v.positions) p.x += 1000;
  CHECK(packing_error(v, kPackedVertex)->position.error > 0.2);
  v.positions[3].x = 1e6f;
  CHECK(to_string(packing_error(v, kPackedVertex).error().place) == "positions/3");
}

}  // namespace
}  // namespace marrow
