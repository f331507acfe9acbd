#include "maker/polygoniser.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "fixtures/random.h"
#include "maker/shapes.h"

namespace marrow::character {
namespace {

constexpr double kPi = 3.14159265358979;

// What is said about a closed surface: how often each edge is used, in which direction.
struct Topology {
  bool closed = true;    // every edge has a triangle on either side
  bool manifold = true;  // and no more
  long euler = 0;        // points - edges + triangles: 2 for what is like a ball, 0 for a ring
};

Topology topology_of(const Surface& surface) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> directed;
  for (const auto& t : surface.triangles) {
    for (std::size_t i = 0; i < 3; ++i) ++directed[{t[i], t[(i + 1) % 3]}];
  }
  Topology topology;
  long edges = 0;
  for (const auto& [edge, uses] : directed) {
    const auto back = directed.find({edge.second, edge.first});
    topology.closed = topology.closed && back != directed.end() && back->second == uses;
    topology.manifold = topology.manifold && uses == 1;
    edges += edge.first < edge.second ? 1 : 0;
  }
  topology.euler = static_cast<long>(surface.points.size()) - edges + static_cast<long>(surface.triangles.size());
  return topology;
}

double volume_of(const Surface& surface) {
  double volume = 0;
  for (const auto& t : surface.triangles) {
    volume += dot(surface.points[t[0]], cross(surface.points[t[1]], surface.points[t[2]])) / 6;
  }
  return volume;
}

double worst_distance(const Surface& surface, const std::function<double(Point)>& distance) {
  double worst = 0;
  for (const Point& p : surface.points) worst = std::max(worst, std::fabs(distance(p)));
  return worst;
}

constexpr Grid kGrid = {{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}, 0.1};

TEST_CASE("a ball comes out round, closed and outward") {
  const auto ball = [](Point p) { return length(p) - 1; };
  const Surface surface = polygonise(ball, kGrid);
  const Topology topology = topology_of(surface);
  CHECK(topology.closed);
  CHECK(topology.manifold);
  CHECK(topology.euler == 2);
  CHECK(worst_distance(surface, ball) < 1e-6);
  CHECK(volume_of(surface) == doctest::Approx(4 * kPi / 3).epsilon(0.01));
}

TEST_CASE("a ring has its hole, and two balls stay two") {
  const auto ring = [](Point p) {
    const double from_circle = std::sqrt(p.x * p.x + p.y * p.y) - 1;
    return std::sqrt(from_circle * from_circle + p.z * p.z) - 0.3;
  };
  const Surface surface = polygonise(ring, kGrid);
  CHECK(topology_of(surface).closed);
  CHECK(topology_of(surface).euler == 0);
  CHECK(volume_of(surface) == doctest::Approx(2 * kPi * kPi * 0.09).epsilon(0.02));
  const auto two = [](Point p) { return std::min(length(p - Point{0.6, 0, 0}), length(p + Point{0.6, 0, 0})) - 0.55; };
  CHECK(topology_of(polygonise(two, kGrid)).euler == 4);
}

TEST_CASE("smooth unions of limbs are closed, wherever they lie on the grid") {
  test::Random random(4);
  for (int i = 0; i < 20; ++i) {
    const auto point = [&] { return Point{random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)}; };
    const RoundCone a = {point(), point(), random.range(0.15, 0.4), random.range(0.15, 0.4)};
    const RoundCone b = {a.b, point(), a.radius_b, random.range(0.15, 0.4)};
    const auto body = [&](Point p) { return smooth_union(distance(a, p), distance(b, p), 0.2); };
    const Surface surface = polygonise(body, kGrid);
    CAPTURE(i);
    CHECK(topology_of(surface).closed);
    CHECK(worst_distance(surface, body) < 1e-3);
    CHECK(volume_of(surface) > 0);
  }
}

TEST_CASE("a round cone is two balls and what lies between") {
  const RoundCone cone = {{0, 0, 0}, {0, 0, 2}, 0.5, 0.25};
  CHECK(distance(cone, {0, 0, -1}) == doctest::Approx(0.5));
  CHECK(distance(cone, {0, 0, 3}) == doctest::Approx(0.75));
  CHECK(distance(cone, {0, 0, 0}) < 0);
  // At right angles to the side, which leans by the difference of the radii over the length.
  const double lean = 0.25 / 2, straight = std::sqrt(1 - lean * lean);
  CHECK(distance(cone, Point{0, 0, 1} + Point{straight, 0, lean}) == doctest::Approx(1 - 0.375));
  // One ball in the other.
  CHECK(distance(RoundCone{{0, 0, 0}, {0.1, 0, 0}, 1, 0.2}, {2, 0, 0}) == doctest::Approx(1));
}

TEST_CASE("an ellipsoid is where it should be, and its inside inside") {
  const Ellipsoid shape = {{1, 0, 0}, {0.5, 0.25, 1}};
  for (const Point p : {Point{1.5, 0, 0}, Point{0.5, 0, 0}, Point{1, 0.25, 0}, Point{1, 0, -1}}) {
    CHECK(std::fabs(distance(shape, p)) < 1e-12);
  }
  CHECK(distance(shape, {1, 0, 0}) < 0);
  CHECK(distance(shape, {1.1, 0.1, 0.3}) < 0);
  CHECK(distance(shape, {1.6, 0, 0}) > 0);
}

TEST_CASE("a smooth union fills the crease and leaves the rest") {
  CHECK(smooth_union(0.1, 0.5, 0.2) == 0.1);
  CHECK(smooth_union(0.1, 0.1, 0.2) == doctest::Approx(0.05));
  CHECK(smooth_union(0.3, 0.1, 0) == 0.1);
  CHECK(smooth_union(0.1, 0.2, 0.2) == smooth_union(0.2, 0.1, 0.2));
}

}  // namespace
}  // namespace marrow::character
