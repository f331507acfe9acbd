#include "maker/remesher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "maker/cutter.h"
#include "maker/solid.h"

namespace marrow::character {
namespace {

// A ring of radius 0.3 that is 0.1 thick: it has a handle.
double ring(Point p) { return std::hypot(std::hypot(p.x, p.y) - 0.3, p.z) - 0.1; }

Surface rough_ring() { return polygonise(ring, {{-0.5031, -0.5077, -0.2113}, {0.5, 0.5, 0.2}, 0.02}); }

test::Solid solid_of(const Surface& surface) {
  std::vector<Vec3> positions;
  for (const Point& p : surface.points) positions.push_back(to_vec3(p));
  std::vector<std::uint32_t> indices;
  for (const auto& t : surface.triangles) indices.insert(indices.end(), t.begin(), t.end());
  return {positions, indices};
}

void check_closed_ring(const Surface& surface) {
  const test::Solid solid = solid_of(surface);
  CHECK(solid.open_edges() == 0);
  CHECK(solid.crowded_edges() == 0);
  CHECK(solid.pinched_points() == 0);
  CHECK(solid.pieces() == 1);
  CHECK(solid.euler_characteristic() == 0);
  double off = 0;
  for (const Point& p : surface.points) off = std::max(off, std::fabs(ring(p)));
  CHECK(off < 1e-6);
}

TEST_CASE("remeshing makes triangles even, as large as wanted where it is wanted, and keeps handles") {
  const double small = 0.02, large = 0.06;
  RemeshOptions options;
  options.distance = ring;
  options.edge_length = [=](Point p) { return p.x > 0 ? small : large; };
  const Surface surface = remesh(rough_ring(), options);
  check_closed_ring(surface);
  // Away from where the two meet.
  for (const auto& t : surface.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Point a = surface.points[t[i]], b = surface.points[t[(i + 1) % 3]];
      if (std::fabs(a.x) < 0.12) continue;
      const double relative = length(b - a) / (a.x > 0 ? small : large);
      CHECK(relative > 0.35);
      CHECK(relative < 1.8);
    }
  }
  CHECK(solid_of(surface).smallest_angle_degrees() > 10);
}

TEST_CASE("a cut leaves no triangle at both sides of its line, and the surface closed") {
  CutOptions options;
  options.distance = ring;
  options.line = [](Point p) { return p.x + 0.4 * p.y - 0.013; };
  const Surface surface = cut(rough_ring(), options);
  check_closed_ring(surface);
  CHECK(surface.points.size() > rough_ring().points.size());
  for (const auto& t : surface.triangles) {
    double low = 0, high = 0;
    for (const std::uint32_t v : t) {
      low = std::min(low, options.line(surface.points[v]));
      high = std::max(high, options.line(surface.points[v]));
    }
    CHECK(std::min(-low, high) < 1e-5);
  }
  CHECK(solid_of(surface).smallest_angle_degrees() > 2);
}

TEST_CASE("a cut is made only where it is asked for") {
  CutOptions options;
  options.distance = ring;
  options.line = [](Point p) { return p.x - 0.003; };
  options.where = [](Point p) { return p.y > 0; };
  const Surface before = rough_ring(), after = cut(before, options);
  check_closed_ring(after);
  std::size_t both = 0;
  for (const auto& t : after.triangles) {
    const auto side = [&](std::size_t i) { return options.line(after.points[t[i]]); };
    const double low = std::min({side(0), side(1), side(2)}), high = std::max({side(0), side(1), side(2)});
    const bool crosses = low < -1e-5 && high > 1e-5;
    if (crosses) CHECK(after.points[t[0]].y < 0.03);
    both += crosses ? 1 : 0;
  }
  CHECK(both > 10);
}

}  // namespace
}  // namespace marrow::character
