// Normals and tangents against the surface itself: the directions in which skinned positions differ.
#include <doctest/doctest.h>

#include <cmath>

#include "marrow/math/quat.h"
#include "marrow/skin/skinning.h"
#include "skin/random_vertices.h"

namespace marrow {
namespace {

struct Vec {
  double x, y, z;
};
Vec difference(Vec3 a, Vec3 b) {
  return {static_cast<double>(a.x) - b.x, static_cast<double>(a.y) - b.y, static_cast<double>(a.z) - b.z};
}
Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec unit(Vec v) {
  const double l = std::sqrt(dot(v, v));
  return {v.x / l, v.y / l, v.z / l};
}
Vec of(Vec3 v) { return {v.x, v.y, v.z}; }

// A point of a bumpy ball, by two angles; its u and v run along the surface, outside to the left of u and v.
Vec3 ball(double u, double v) {
  const double r = 1 + 0.2 * std::sin(3 * u) * std::cos(2 * v);
  return {static_cast<float>(r * std::cos(u) * std::cos(v)), static_cast<float>(r * std::sin(u) * std::cos(v)),
          static_cast<float>(r * std::sin(v))};
}

TEST_CASE(
    "normals and tangents agree with finite differences of the skinned surface, under uneven and mirroring scales") {
  test::Random random(41);
  double worst_normal = 1, worst_tangent = 1;
  int mirrored = 0;
  for (int round = 0; round < 400; ++round) {
    // Three joints, the same weights all over the patch.
    std::vector<Affine> palette(3);
    const double mirror = round % 2 == 0 ? -1 : 1;
    for (Affine& a : palette) {
      a = to_affine(
          {test::random_vector(random),
           from_axis_angle(test::random_vector(random), random.rangef(0, 0.6)),
           {static_cast<float>(mirror * random.range(0.3, 3)), random.rangef(0.3, 3), random.rangef(0.3, 3)}});
    }
    const float w = random.rangef(0.1, 0.5);
    const double u = random.range(0, 6), v = random.range(-1, 1);
    constexpr double kStep = 1e-3;
    Vertices patch;
    patch.influences = 3;
    // The middle, and its neighbours to both sides of it along u and v.
    for (const auto& [du, dv] : {std::pair(0.0, 0.0), {kStep, 0.0}, {-kStep, 0.0}, {0.0, kStep}, {0.0, -kStep}}) {
      patch.positions.push_back(ball(u + du, v + dv));
      patch.joints.append({0, 1, 2});
      patch.weights.append({w, 0.3f, 0.7f - w});
    }
    const auto along_u = [](std::span<const Vec3> p) { return unit(difference(p[1], p[2])); };
    const auto along_v = [](std::span<const Vec3> p) { return unit(difference(p[3], p[4])); };
    const std::span<const Vec3> rest = std::as_const(patch).positions;
    const Vec normal = unit(cross(along_u(rest), along_v(rest))), tangent = along_u(rest);
    REQUIRE(dot(normal, of(rest[0])) > 0);
    patch.normals.assign(5, {static_cast<float>(normal.x), static_cast<float>(normal.y), static_cast<float>(normal.z)});
    patch.tangents.assign(
        5, {static_cast<float>(tangent.x), static_cast<float>(tangent.y), static_cast<float>(tangent.z), 1});
    std::vector<Vec3> positions(5), normals(5);
    std::vector<Vec4> tangents(5);
    skin_vertices(patch, {}, palette, {positions, normals, tangents});

    // A mirror turns the winding of triangles round, but what was outside is outside still.
    Vec expected = unit(cross(along_u(positions), along_v(positions)));
    if (mirror < 0) {
      expected = {-expected.x, -expected.y, -expected.z};
      ++mirrored;
    }
    const Vec n = of(normals[0]), t = {tangents[0].x, tangents[0].y, tangents[0].z};
    worst_normal = std::min(worst_normal, dot(n, expected));
    worst_tangent = std::min(worst_tangent, dot(t, along_u(positions)));
    // The bitangent still runs along v.
    const Vec bitangent = cross(n, t);
    CHECK(tangents[0].w * dot(bitangent, along_v(positions)) > 0);
    CHECK(tangents[0].w == mirror);
  }
  CHECK(mirrored == 200);
  CHECK(worst_normal > 1 - 1e-5);
  CHECK(worst_tangent > 1 - 1e-5);
}

}  // namespace
}  // namespace marrow
