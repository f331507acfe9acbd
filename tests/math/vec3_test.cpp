#include "marrow/math/vec3.h"

#include <doctest/doctest.h>

#include "fixtures/random.h"
#include "support/random_vectors.h"

namespace marrow {
namespace {

bool same(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

TEST_CASE("sums, differences and multiples are those of the components") {
  const Vec3 a = {1, 2, 3}, b = {4, -5, 0.5f};
  CHECK(same(a + b, {5, -3, 3.5f}));
  CHECK(same(a - b, {-3, 7, 2.5f}));
  CHECK(same(-a, {-1, -2, -3}));
  CHECK(same(a * 2, {2, 4, 6}));
  CHECK(same(2 * a, a * 2));
  CHECK(same(a / 2, {0.5f, 1, 1.5f}));
  Vec3 c = a;
  c += b;
  c -= a;
  c *= 2;
  CHECK(same(c, {8, -10, 1}));
}

TEST_CASE("a cross product is at right angles to both, and turns its sign with the order") {
  test::Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a = test::random_vector(random), b = test::random_vector(random), c = cross(a, b);
    CHECK(dot(a, c) == doctest::Approx(0).epsilon(1e-6));
    CHECK(dot(b, c) == doctest::Approx(0).epsilon(1e-6));
    CHECK(same(cross(b, a), -c));
  }
  CHECK(same(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}), {0, 0, 1}));
}

TEST_CASE("a direction has length 1; without one the other is returned") {
  CHECK(same(direction_of({0, 3, 0}, {1, 0, 0}), {0, 1, 0}));
  CHECK(same(direction_of({0, 0, 0}, {1, 0, 0}), {1, 0, 0}));
  CHECK(length(Vec3{3, 4, 12}) == 13);
}

TEST_CASE("mixing begins at the one point, and passes the middle") {
  const Vec3 a = {1, 2, 3}, b = {5, 6, -7};
  CHECK(same(mix(a, b, 0), a));
  CHECK(same(mix(a, b, 0.5f), {3, 4, -2}));
  CHECK(same(mix(a, b, 1), b));
}

}  // namespace
}  // namespace marrow
