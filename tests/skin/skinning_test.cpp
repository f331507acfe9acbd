#include "marrow/skin/skinning.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "skin/random_vertices.h"
#include "support/asserts.h"

namespace marrow {
namespace {

using test::random_affine, test::random_vertices;

TEST_CASE("positions are the weighted sum of what each joint makes of them, for any number of influences") {
  test::Random random(3);
  for (const std::uint32_t influences : {1u, 2u, 4u, 5u, 12u}) {
    const Vertices v = random_vertices(random, 50, influences, 20);
    std::vector<Affine> palette(20);
    for (Affine& a : palette) a = random_affine(random);
    std::vector<Vec3> out(50);
    skin_vertices(v, {}, palette, {out, {}, {}});
    for (std::size_t i = 0; i < out.size(); ++i) {
      // Each joint moves the vertex by itself, and the results are averaged: the other way round than the library.
      long double sum[3] = {};
      for (std::uint32_t k = 0; k < influences; ++k) {
        if (v.weights[i * influences + k] == 0) continue;
        const Affine& a = palette[v.joints[i * influences + k]];
        const Vec3 p = v.positions[i];
        for (int r = 0; r < 3; ++r) {
          sum[r] += static_cast<long double>(v.weights[i * influences + k]) *
                    (static_cast<long double>(a.m[r][0]) * p.x + static_cast<long double>(a.m[r][1]) * p.y +
                     static_cast<long double>(a.m[r][2]) * p.z + a.m[r][3]);
        }
      }
      constexpr double kSize = 8;  // of the largest sum that such matrices can make
      CHECK(std::fabs(static_cast<double>(sum[0]) - out[i].x) < 1e-6 * kSize);
      CHECK(std::fabs(static_cast<double>(sum[1]) - out[i].y) < 1e-6 * kSize);
      CHECK(std::fabs(static_cast<double>(sum[2]) - out[i].z) < 1e-6 * kSize);
    }
  }
}

double exact_dot(Vec3 a, Vec3 b) {
  return static_cast<double>(a.x) * b.x + static_cast<double>(a.y) * b.y + static_cast<double>(a.z) * b.z;
}

TEST_CASE("normals stay at right angles to the surface, and on its outer side, under any matrix") {
  test::Random random(5);
  for (int round = 0; round < 200; ++round) {
    const Affine matrix = random_affine(random);
    if (std::fabs(determinant(matrix)) < 0.05f) continue;
    // Two edges of a surface, and the normal that they make.
    const Vec3 a = {random.rangef(-1, 1), random.rangef(-1, 1), random.rangef(-1, 1)};
    const Vec3 b = {random.rangef(-1, 1), random.rangef(-1, 1), random.rangef(-1, 1)};
    Vertices v;
    v.positions = {{0, 0, 0}};
    v.normals = {{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}};
    v.tangents = {{a.x, a.y, a.z, 1}};
    std::vector<Vec3> normals(1);
    std::vector<Vec4> tangents(1);
    skin_vertices(v, {}, std::span(&matrix, 1), {{}, normals, tangents});
    const Vec3 moved_a = transform_vector(matrix, a), moved_b = transform_vector(matrix, b);
    CHECK(std::fabs(exact_dot(normals[0], moved_a)) < 1e-5);
    CHECK(std::fabs(exact_dot(normals[0], moved_b)) < 1e-5);
    CHECK(exact_dot(normals[0], normals[0]) == doctest::Approx(1));
    // A side of the surface stays that side: what the normal pointed to is still before it.
    CHECK(exact_dot(normals[0], transform_vector(matrix, v.normals[0])) > 0);
    const Vec3 t = {tangents[0].x, tangents[0].y, tangents[0].z};
    CHECK(exact_dot(t, moved_a) > 0);
    CHECK(exact_dot(t, t) == doctest::Approx(1));
    CHECK(tangents[0].w == (determinant(matrix) < 0 ? -1 : 1));
  }
}

TEST_CASE("morph targets are added before the joints move the vertex") {
  Vertices v;
  v.positions = {{1, 0, 0}};
  v.normals = {{0, 0, 1}};
  v.targets.resize(3);
  v.targets[0].positions = {{0, 1, 0}};
  v.targets[1].normals = {{1, 0, -1}};
  v.targets[2].positions = {{0, 0, 4}};
  const Affine turn = to_affine({{0, 0, 10}, from_axis_angle({0, 0, 1}, 1.5707963f), {1, 1, 1}});
  std::vector<Vec3> positions(1), normals(1);
  const float weights[] = {2, 1};  // the third has none
  skin_vertices(v, weights, std::span(&turn, 1), {positions, normals, {}});
  CHECK(positions[0].x == doctest::Approx(-2));
  CHECK(positions[0].y == doctest::Approx(1));
  CHECK(positions[0].z == doctest::Approx(10));
  CHECK(normals[0].y == doctest::Approx(1));
}

TEST_CASE("without influences and palette vertices stay, and normals without length are 0") {
  Vertices v;
  v.positions = {{1, 2, 3}};
  v.normals = {{0, 0, 0}};
  std::vector<Vec3> positions(1), normals(1, {9, 9, 9});
  skin_vertices(v, {}, std::span<const Affine>(), {positions, normals, {}});
  CHECK(positions[0].z == 3);
  CHECK(normals[0].x == 0);
}

TEST_CASE("mistakes of the caller are caught") {
  Vertices v;
  v.positions = {{1, 2, 3}};
  v.influences = 1;
  v.joints = {5};
  v.weights = {1};
  std::vector<Vec3> out(1), two(2);
  const Affine one;
  CHECK(test::assert_message([&] { skin_vertices(v, {}, std::span<const Affine>(), {out, {}, {}}); }) != "");
  CHECK(test::assert_message([&] { skin_vertices(v, {}, std::span(&one, 1), {two, {}, {}}); }) != "");
  CHECK(test::assert_message([&] { skin_vertices(v, {}, std::span(&one, 1), {{}, out, {}}); }) != "");
  SkinJob job;
  job.count = 1;
  job.positions.data = v.positions.data();
  job.out_positions.data = out.data();
  job.palette = std::span(&one, 1);
  job.influences = 1;
  CHECK(test::assert_message([&] { skin(job); }) == "vertices with influences need joints and weights");
  job.out_positions.stride = 8;
  CHECK(test::assert_message([&] { skin(job); }) == "a stride is 0, or at least the size of an element");
  job.out_positions.stride = 0;
  const InfluenceGroups groups(v);
  job.groups = &groups;
  CHECK(test::assert_message([&] { skin(job); }) == "a vertex has a joint that the palette does not have");
  job.count = 2;
  CHECK(test::assert_message([&] { skin(job); }) == "the groups are for another number of vertices");
}

}  // namespace
}  // namespace marrow
