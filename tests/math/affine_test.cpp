#include "marrow/math/affine.h"

#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "fixtures/random.h"
#include "marrow/math/quat.h"
#include "marrow/math/vec3.h"
#include "support/bits.h"
#include "support/float_state.h"
#include "support/reference.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::difference;
using test::floats;
using test::kDenormal;
using test::keep_larger;
using test::kInf;
using test::kNaN;
using test::Random;
using test::random_quat;
using test::random_vector;
using test::Real;
using test::ref;
using test::RefVec;

// Engines copy and alias these, and shaders read them.
static_assert(offsetof(Quat, x) == 0 && offsetof(Quat, y) == 4 && offsetof(Quat, z) == 8 && offsetof(Quat, w) == 12);
static_assert(offsetof(Transform, translation) == 0 && offsetof(Transform, rotation) == 12 &&
              offsetof(Transform, scale) == 28);
static_assert(sizeof(Affine) == 12 * sizeof(float) && alignof(Affine) == alignof(float));

// One float operation each, which the volatile result keeps the compiler from fusing with another.
float mul(float a, float b) {
  const volatile float product = a * b;
  return product;
}
float add(float a, float b) {
  const volatile float sum = a + b;
  return sum;
}
float sub(float a, float b) { return add(a, -b); }

bool is_identity(const Affine& a) { return difference(floats(a), floats(Affine{})).empty(); }

Affine random_affine(Random& random, double size = 2) {
  Affine a;
  for (auto& row : a.m) {
    for (float& x : row) x = random.rangef(-size, size);
  }
  return a;
}

Transform random_transform(Random& random) {
  const Vec3 scale = {random.rangef(0.1, 3), random.rangef(0.1, 3), random.rangef(0.1, 3)};
  return {random_vector(random, 10), random_quat(random), scale};
}

double largest_difference(const Affine& a, const Affine& b) {
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) keep_larger(worst, std::fabs(static_cast<Real>(a.m[i][j]) - b.m[i][j]));
  }
  return worst;
}

TEST_CASE("a matrix is finite if each of its twelve numbers is") {
  CHECK(is_finite(Affine()));
  for (std::size_t i = 0; i < 12; ++i) {
    for (const float bad : {test::kInf, -test::kInf, test::kNaN}) {
      Affine a;
      a.m[i / 4][i % 4] = bad;
      CHECK(!is_finite(a));
      a.m[i / 4][i % 4] = 3e38f;
      CHECK(is_finite(a));
    }
  }
}

TEST_CASE("a product of maps is summed in the order that the kernels use") {
  Random random(1);
  for (int n = 0; n < 20'000; ++n) {
    const double size = n % 3 == 0 ? 1e-20 : 2;  // with denormal products too
    Affine a = random_affine(random, size), b = random_affine(random, size);
    if (n % 3 == 1) {
      // Signs of zero count: without a translation nothing is added, and a sum of -0 stays.
      for (auto& row : a.m) row[random.below(4)] = row[random.below(4)] = row[random.below(4)] = 0;
      for (auto& row : b.m) row[random.below(4)] = -1;
    }
    Affine expected;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 4; ++j) {
        const float two = add(mul(a.m[i][0], b.m[0][j]), mul(a.m[i][1], b.m[1][j]));
        const float three = add(two, mul(a.m[i][2], b.m[2][j]));
        expected.m[i][j] = j == 3 ? add(three, a.m[i][3]) : three;
      }
    }
    REQUIRE(difference(floats(multiply(a, b)), floats(expected)) == "");
  }
}

TEST_CASE("a transform's matrix is computed in the order that the kernels use") {
  Random random(2);
  for (int n = 0; n < 20'000; ++n) {
    const Transform t = random_transform(random);
    const auto [x, y, z, w] = t.rotation;
    const float x2 = add(x, x), y2 = add(y, y), z2 = add(z, z);
    const float xx = mul(x, x2), xy = mul(x, y2), xz = mul(x, z2), yy = mul(y, y2), yz = mul(y, z2), zz = mul(z, z2);
    const float wx = mul(w, x2), wy = mul(w, y2), wz = mul(w, z2);
    const Affine expected = {{
        {mul(sub(1, add(yy, zz)), t.scale.x), mul(sub(xy, wz), t.scale.y), mul(add(xz, wy), t.scale.z),
         t.translation.x},
        {mul(add(xy, wz), t.scale.x), mul(sub(1, add(xx, zz)), t.scale.y), mul(sub(yz, wx), t.scale.z),
         t.translation.y},
        {mul(sub(xz, wy), t.scale.x), mul(add(yz, wx), t.scale.y), mul(sub(1, add(xx, yy)), t.scale.z),
         t.translation.z},
    }};
    REQUIRE(difference(floats(to_affine(t)), floats(expected)) == "");
  }
}

TEST_CASE("a transform's matrix scales, then turns, then moves") {
  Random random(3);
  double worst = 0;
  for (int n = 0; n < 20'000; ++n) {
    const Transform t = random_transform(random);
    const Vec3 p = random_vector(random, 5);
    const RefVec scaled = {static_cast<Real>(p.x) * t.scale.x, static_cast<Real>(p.y) * t.scale.y,
                           static_cast<Real>(p.z) * t.scale.z};
    const RefVec turned = test::rotate(test::unit(ref(t.rotation)), scaled);
    const Vec3 actual = transform_point(to_affine(t), p);
    keep_larger(worst, test::length(RefVec{actual.x - turned.x - t.translation.x, actual.y - turned.y - t.translation.y,
                                           actual.z - turned.z - t.translation.z}));
  }
  CHECK(worst <= 6e-6);  // of about 30
  CHECK(is_identity(to_affine({})));
}

TEST_CASE("points move with the translation and vectors do not") {
  Affine a;
  a.m[0][3] = 1;
  a.m[1][3] = 2;
  a.m[2][3] = 3;
  CHECK(distance(transform_point(a, {10, 20, 30}), {11, 22, 33}) == 0);
  CHECK(distance(transform_vector(a, {10, 20, 30}), {10, 20, 30}) == 0);
}

TEST_CASE("a point goes where the last column of a product with its translation goes, to the bit") {
  Random random(4);
  for (int n = 0; n < 10'000; ++n) {
    const Affine a = random_affine(random);
    const Vec3 p = random_vector(random, 3);
    const Affine moved = multiply(a, to_affine({p, {}, {1, 1, 1}}));
    const Vec3 q = transform_point(a, p);
    REQUIRE((q.x == moved.m[0][3] && q.y == moved.m[1][3] && q.z == moved.m[2][3]));
  }
}

TEST_CASE("a product of maps applies first its second factor, and is associative") {
  Random random(5);
  double composition = 0, associativity = 0;
  for (int n = 0; n < 20'000; ++n) {
    const Affine a = random_affine(random), b = random_affine(random), c = random_affine(random);
    const Vec3 p = random_vector(random, 2);
    keep_larger(composition, distance(transform_point(multiply(a, b), p), transform_point(a, transform_point(b, p))));
    keep_larger(associativity, largest_difference(multiply(multiply(a, b), c), multiply(a, multiply(b, c))));
  }
  CHECK(composition <= 7e-6);
  CHECK(associativity <= 6e-6);
}

TEST_CASE("quaternions and their matrices turn vectors alike, and so do their products") {
  Random random(6);
  double vectors = 0, products = 0;
  const auto matrix = [](Quat q) { return to_affine({{}, q, {1, 1, 1}}); };
  for (int n = 0; n < 20'000; ++n) {
    const Quat q = random_quat(random), r = random_quat(random);
    const Vec3 v = random_vector(random, 1);
    keep_larger(vectors, distance(rotate(q, v), transform_vector(matrix(q), v)));
    keep_larger(products, largest_difference(matrix(multiply(q, r)), multiply(matrix(q), matrix(r))));
  }
  CHECK(vectors <= 4e-7);
  CHECK(products <= 6e-7);
}

TEST_CASE("the inverse is exact to the last bits, for maps of any size") {
  Random random(7);
  double worst = 0;
  for (int n = 0; n < 20'000; ++n) {
    const double size = n % 2 == 0 ? 1 : std::pow(10.0, random.range(-30, 30));
    const Affine a = random_affine(random, size);
    const Affine b = inverse(a);
    // b * a is the identity up to the rounding of b's entries.
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 4; ++j) {
        Real sum = j == 3 ? b.m[i][3] : 0, terms = std::fabs(sum);
        for (int k = 0; k < 3; ++k) {
          const Real term = static_cast<Real>(b.m[i][k]) * a.m[k][j];
          sum += term;
          terms += std::fabs(term);
        }
        keep_larger(worst, std::fabs(sum - (i == j ? 1 : 0)) / terms);
      }
    }
  }
  CHECK(worst <= 6.1e-8);
}

TEST_CASE("a map without an inverse gives the identity") {
  Affine flat;
  flat.m[1][1] = 0;
  CHECK(is_identity(inverse(flat)));
  CHECK(is_identity(inverse({{{1, 2, 3, 0}, {2, 4, 6, 0}, {0, 0, 1, 0}}})));
  CHECK(is_identity(inverse({{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}})));
  for (float bad : {kNaN, kInf, -kInf}) {
    Affine a, b;
    a.m[0][1] = bad;
    b.m[2][3] = bad;
    CHECK(is_identity(inverse(a)));
    CHECK(is_identity(inverse(b)));
  }
  Affine tiny;  // its inverse would be larger than floats are
  tiny.m[0][0] = kDenormal;
  CHECK(is_identity(inverse(tiny)));
}

TEST_CASE("the determinant is the volume, negative for a mirror") {
  CHECK(determinant({}) == 1);
  CHECK(determinant(to_affine({{1, 2, 3}, {}, {2, 3, 4}})) == 24);
  CHECK(determinant(to_affine({{}, {}, {-1, 1, 1}})) == -1);
  CHECK(determinant({{{0, 1, 0, 5}, {1, 0, 0, 6}, {0, 0, 1, 7}}}) == -1);
  CHECK(determinant(to_affine({{}, {}, {1e20f, 1e20f, 1e-30f}})) == doctest::Approx(1e10));
}

TEST_CASE("a matrix taken apart and put together again is the same, mirrored ones too") {
  Random random(8);
  double matrix = 0, rotation = 0, scale = 0;
  for (int n = 0; n < 20'000; ++n) {
    Transform t = random_transform(random);
    if (n % 2 != 0) t.scale.x = -t.scale.x;
    const Affine a = to_affine(t);
    const Transform back = to_transform(a);
    keep_larger(matrix, largest_difference(to_affine(back), a));
    // With no shear, and any mirroring in x, the parts themselves come back.
    keep_larger(rotation, test::angle_between(ref(back.rotation), ref(t.rotation)));
    keep_larger(scale, distance(back.scale, t.scale));
    CHECK(distance(back.translation, t.translation) == 0);
    CHECK(back.rotation.w >= 0);
  }
  CHECK(matrix <= 1.4e-6);
  CHECK(rotation <= 4e-7);
  CHECK(scale <= 1.1e-6);
}

TEST_CASE("every choice of mirrored axes keeps the matrix, and only x is negative") {
  Random random(9);
  double worst = 0;
  for (int n = 0; n < 8000; ++n) {
    Transform t = random_transform(random);
    t.scale = {n & 1 ? -t.scale.x : t.scale.x, n & 2 ? -t.scale.y : t.scale.y, n & 4 ? -t.scale.z : t.scale.z};
    const Affine a = to_affine(t);
    const Transform back = to_transform(a);
    keep_larger(worst, largest_difference(to_affine(back), a));
    CHECK((back.scale.x < 0) == (determinant(a) < 0));
    CHECK(back.scale.y > 0);
    CHECK(back.scale.z > 0);
  }
  CHECK(worst <= 1.2e-6);
}

TEST_CASE("scales that differ widely or are extreme keep the rotation") {
  Random random(10);
  double worst = 0;
  for (int n = 0; n < 5000; ++n) {
    Transform t = random_transform(random);
    t.scale = {static_cast<float>(std::pow(10.0, random.range(-30, 30))),
               static_cast<float>(std::pow(10.0, random.range(-30, 30))),
               static_cast<float>(std::pow(10.0, random.range(-30, 30)))};
    const Transform back = to_transform(to_affine(t));
    keep_larger(worst, test::angle_between(ref(back.rotation), ref(t.rotation)));
    keep_larger(worst, std::fabs(back.scale.x / static_cast<Real>(t.scale.x) - 1));
  }
  CHECK(worst <= 4e-7);
}

TEST_CASE("a sheared matrix keeps the direction of x and the plane of x and y") {
  Random random(11);
  double x_error = 0, plane_error = 0;
  for (int n = 0; n < 10'000; ++n) {
    Affine a = random_affine(random);
    if (determinant(a) < 0) {
      for (auto& row : a.m) row[2] = -row[2];
    }
    const Transform t = to_transform(a);
    const RefVec x = {a.m[0][0], a.m[1][0], a.m[2][0]}, y = {a.m[0][1], a.m[1][1], a.m[2][1]};
    keep_larger(x_error, test::angle_between(test::rotate(ref(t.rotation), {1, 0, 0}), x));
    keep_larger(x_error, std::fabs(t.scale.x - test::length(x)));
    // z is at right angles to both, on the side that makes the axes right-handed.
    const RefVec z = test::rotate(ref(t.rotation), {0, 0, 1});
    keep_larger(plane_error, std::fabs(test::dot(z, test::unit(x))));
    keep_larger(plane_error, std::fabs(test::dot(z, test::unit(y))));
  }
  CHECK(x_error <= 1.6e-7);
  CHECK(plane_error <= 1.2e-7);
}

TEST_CASE("columns without length get scale zero, and the rest of the matrix stays") {
  Random random(12);
  double worst = 0;
  for (int n = 0; n < 7000; ++n) {
    Transform t = random_transform(random);
    const int zeros = 1 + n % 7;
    t.scale = {zeros & 1 ? 0 : t.scale.x, zeros & 2 ? 0 : t.scale.y, zeros & 4 ? 0 : t.scale.z};
    const Affine a = to_affine(t);
    const Transform back = to_transform(a);
    keep_larger(worst, largest_difference(to_affine(back), a));
    keep_larger(worst, std::fabs(test::length(ref(back.rotation)) - 1));
    CHECK((back.scale.x == 0) == ((zeros & 1) != 0));
    CHECK((back.scale.y == 0) == ((zeros & 2) != 0));
    CHECK((back.scale.z == 0) == ((zeros & 4) != 0));
  }
  CHECK(worst <= 1.2e-6);
  const Quat none = to_transform({{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}}).rotation;
  CHECK((none.x == 0 && none.y == 0 && none.z == 0 && none.w == 1));
  // Two columns in one direction have one length between them.
  CHECK(to_transform({{{1, 3, 0, 0}, {2, 6, 0, 0}, {0.3f, 0.9f, 1, 0}}}).scale.y == 0);
}

TEST_CASE("a column that is not finite counts as one without length") {
  for (float bad : {kNaN, kInf}) {
    for (int j = 0; j < 3; ++j) {
      Affine a;
      a.m[1][j] = bad;
      const Transform t = to_transform(a);
      const float scale[3] = {t.scale.x, t.scale.y, t.scale.z};
      CHECK(std::fabs(test::length(ref(t.rotation)) - 1) <= 1e-7);
      for (int i = 0; i < 3; ++i) CHECK(scale[i] == (i == j ? 0 : 1));
    }
  }
}

TEST_CASE("column-major is what OpenGL and glTF want, and reads back the same") {
  const Affine a = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}};
  const float expected[16] = {1, 5, 9, 0, 2, 6, 10, 0, 3, 7, 11, 0, 4, 8, 12, 1};
  float out[16];
  to_column_major(a, out);
  for (int i = 0; i < 16; ++i) {
    CAPTURE(i);
    CHECK(out[i] == expected[i]);
  }
  CHECK(difference(floats(from_column_major(out)), floats(a)) == "");
}

#ifdef MARROW_TEST_FLOAT_STATES
TEST_CASE("maps have the same bits under any floating-point state of the host, and leave it") {
  struct Results {
    Affine product, inverse, of_transform;
    Transform transform;
    Vec3 point, vector;
    float determinant;
  };
  constexpr std::size_t kCount = 2000;
  std::vector<Affine> maps;
  std::vector<Transform> transforms;
  Random random(13);
  for (std::size_t i = 0; i <= kCount; ++i) {
    maps.push_back(random_affine(random, i % 3 == 0 ? 1e-13 : 2));  // with a denormal determinant
    transforms.push_back(random_transform(random));
    if (i % 3 == 0) transforms.back().scale.x = 1e-38f;
  }
  std::vector<Results> expected(kCount), actual(kCount);
  const auto run = [&](std::vector<Results>& out) {
    for (std::size_t i = 0; i < kCount; ++i) {
      const Affine &a = maps[i], &b = maps[i + 1];
      const Transform& t = transforms[i];
      out[i] = {multiply(a, b),
                inverse(a),
                to_affine(t),
                to_transform(a),
                transform_point(a, t.scale),
                transform_vector(a, t.scale),
                determinant(a)};
    }
  };
  run(expected);
  for (test::FloatState state : test::kHostStates) {
    CAPTURE(state);
    CHECK(test::run_under(state, [&] { run(actual); }) == state);
    for (std::size_t i = 0; i < kCount; ++i) {
      CAPTURE(i);
      REQUIRE(difference(floats(actual[i]), floats(expected[i])) == "");
    }
  }
}
#endif

}  // namespace
}  // namespace marrow
