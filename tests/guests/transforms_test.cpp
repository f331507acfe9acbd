#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fixtures/random.h"
#include "marrow/math/affine.h"
#include "marrow_guest.h"
#include "support/bits.h"
#include "support/reference.h"

namespace marrow::test {
namespace {

guest_quat guest(RefQuat q) {
  return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}
RefQuat ref(guest_quat q) { return {q.x, q.y, q.z, q.w}; }

RefVec random_axis(Random& random) {
  const RefQuat q = marrow::test::ref(random_quat(random));
  return unit(RefVec{q.x, q.y, q.z});
}

bool is_finite(const float* values, int count) {
  return std::all_of(values, values + count, [](float x) { return x - x == 0; });
}
bool is_finite(const guest_transform& t) { return is_finite(t.translation, 3) && is_finite(&t.rotation.x, 7); }

guest_matrix guest(const Affine& a) {
  guest_matrix out;
  std::memcpy(out.m, a.m, sizeof out.m);
  return out;
}

guest_transform random_transform(Random& random, bool with_zero_scale) {
  const RefQuat q = unit(marrow::test::ref(random_quat(random)));
  const Vec3 t = random_vector(random, 10);
  guest_transform out = {{t.x, t.y, t.z}, guest(q), {0, 0, 0}};
  for (float& scale : out.scale) {
    scale = random.rangef(0.1, 3) * (random.below(3) == 0 ? -1.0f : 1.0f);
    if (with_zero_scale && random.below(2) == 0) scale = 0;
  }
  return out;
}

double distance(const guest_matrix& a, const guest_matrix& b) {
  double largest = 0;
  for (int i = 0; i < 12; ++i) {
    keep_larger(largest, std::fabs(static_cast<Real>(a.m[i]) - static_cast<Real>(b.m[i])));
  }
  return largest;
}

TEST_CASE("a guest's slerp is true to 1e-6 radians for every angle up to half a turn") {
  Random random(1);
  double worst = 0;
  for (int i = 0; i < samples(300'000); ++i) {
    // A rotation and another one that far from it: tiny, any, just below half a turn.
    const Real angle = i % 4 == 0   ? std::pow(Real{10}, -8 * static_cast<Real>(random.unit()))
                       : i % 4 == 1 ? kPi * static_cast<Real>(random.unit())
                       : i % 4 == 2 ? kPi * (1 - std::pow(Real{10}, -5 * static_cast<Real>(random.unit()) - 1))
                                    : 0;
    const guest_quat a = guest(unit(marrow::test::ref(random_quat(random))));
    guest_quat b = guest(multiply(ref(a), axis_angle(random_axis(random), angle)));
    if (random.below(2) == 0) b = {-b.x, -b.y, -b.z, -b.w};  // the same rotation
    const double u = i % 7 == 0 ? 0.5 : random.unit();

    // What lies between, straight from the definition: the axis of the way and a part of its angle. Floats are not
    // quite of unit length, which is no matter of the way.
    const RefQuat from = unit(ref(a));
    RefQuat way = multiply(conjugate(from), unit(ref(b)));
    if (way.w < 0) way = {-way.x, -way.y, -way.z, -way.w};
    const RefVec axis{way.x, way.y, way.z};
    const Real sine = length(axis);
    const Real half = std::atan2(sine, way.w) * static_cast<Real>(u), s = sine > 0 ? std::sin(half) / sine : 0;
    const RefQuat exact = multiply(from, {axis.x * s, axis.y * s, axis.z * s, std::cos(half)});

    const guest_quat q = guest_slerp(a, b, u);
    keep_larger(worst, angle_between(unit(ref(q)), exact));
    keep_larger(worst, std::fabs(length(ref(q)) - 1));
  }
  CHECK(worst < 2.5e-7);
}

TEST_CASE("a guest's slerp over exactly half a turn goes round one of the two ways, at an even pace") {
  const guest_quat a = {0, 0, 0, 1}, b = {0, 0, 1, 0};
  for (const double u : {0.25, 0.5, 0.75}) {
    const guest_quat q = guest_slerp(a, b, u);
    CHECK(q.z == doctest::Approx(std::sin(u * 1.5707963267948966)).epsilon(1e-7));
    CHECK(q.w == doctest::Approx(std::cos(u * 1.5707963267948966)).epsilon(1e-7));
  }
}

TEST_CASE("a guest's product of rotations turns as one after the other") {
  Random random(2);
  double worst = 0;
  for (int i = 0; i < 10'000; ++i) {
    const RefQuat a = marrow::test::ref(random_quat(random)), b = marrow::test::ref(random_quat(random));
    keep_larger(worst, angle_between(unit(ref(guest_turn(guest(a), guest(b)))), unit(multiply(a, b))));
    const RefVec axis = random_axis(random);
    const float angle = random.rangef(-3, 3);
    const guest_quat q =
        guest_axis_angle(static_cast<float>(axis.x), static_cast<float>(axis.y), static_cast<float>(axis.z), angle);
    keep_larger(worst, angle_between(unit(ref(q)), axis_angle(axis, angle)));
  }
  CHECK(worst < 1e-6);
}

TEST_CASE("a guest takes a matrix apart and puts it together again, mirrored and flat ones too") {
  Random random(3);
  double worst = 0, worst_library = 0;
  for (int i = 0; i < 100'000; ++i) {
    const guest_transform t = random_transform(random, i % 2 == 0);
    guest_matrix matrix = guest_compose(&t);
    const bool parallel = i % 5 == 0;  // flat, but for rounding
    for (int k = 0; k < 12 && parallel; k += 4) matrix.m[k + 1] = matrix.m[k] * 0.3f;
    const guest_transform apart = guest_decompose(&matrix);
    const guest_matrix again = guest_compose(&apart);
    if (!parallel) keep_larger(worst, distance(matrix, again));
    keep_larger(worst, std::fabs(length(ref(apart.rotation)) - 1));

    // The axes of a scale of 0 too are those that the library chooses: sampling goes through them.
    Affine affine;
    std::memcpy(affine.m, matrix.m, sizeof affine.m);
    const Transform library = to_transform(affine);
    keep_larger(worst_library, angle_between(ref(apart.rotation), marrow::test::ref(library.rotation)));
    const float scales[3] = {library.scale.x, library.scale.y, library.scale.z};
    for (int k = 0; k < 3; ++k) keep_larger(worst_library, std::fabs(Real{apart.scale[k]} - Real{scales[k]}));
  }
  CHECK(worst < 2e-6);  // of numbers up to 3
  CHECK(worst_library < 1e-6);
}

TEST_CASE("a guest's transforms of finite numbers are finite, whatever the numbers are") {
  Random random(4);
  int bad = 0;
  for (int i = 0; i < 200'000; ++i) {
    guest_matrix a, b;
    for (float& x : a.m) x = random.below(4) == 0 ? 0 : random.finite();
    for (float& x : b.m) x = random.below(4) == 0 ? 0 : random.finite();
    const guest_transform t = guest_decompose(&a), u = guest_decompose(&b);
    guest_transform wild = t;  // not even of unit length
    wild.rotation = {random.finite(), random.finite(), random.finite(), random.finite()};
    const guest_transform between = guest_mix(&t, &u, random.unit()), mixed = guest_mix(&wild, &u, random.unit());
    const guest_matrix product = guest_multiply(&a, &b), matrix = guest_compose(&wild);
    bad += is_finite(t) && is_finite(between) && is_finite(mixed) && is_finite(product.m, 12) && is_finite(matrix.m, 12)
               ? 0
               : 1;
  }
  CHECK(bad == 0);
}

TEST_CASE("a guest's product of matrices is the library's but for rounding") {
  Random random(5);
  double worst = 0;
  for (int i = 0; i < 10'000; ++i) {
    const guest_transform s = random_transform(random, false), t = random_transform(random, false);
    const guest_matrix a = guest_compose(&s), b = guest_compose(&t);
    Affine x, y;
    std::memcpy(x.m, a.m, sizeof x.m);
    std::memcpy(y.m, b.m, sizeof y.m);
    keep_larger(worst, distance(guest_multiply(&a, &b), guest(multiply(x, y))));
  }
  CHECK(worst < 1e-5);  // of numbers up to 60
  const guest_matrix one = guest_identity(), place = guest_translation(1, 2, 3), same = guest_multiply(&one, &place);
  CHECK(distance(same, place) == 0);
}

TEST_CASE("a guest's mix at 0 and 1 is one or the other to the bit, and at what is no number the first") {
  Random random(6);
  for (int i = 0; i < 1000; ++i) {
    const guest_transform a = random_transform(random, false);
    guest_transform b = random_transform(random, false);
    b.translation[0] = -0.0f;
    const auto same = [](const guest_transform& x, const guest_transform& y) {
      return difference(floats(x), floats(y));
    };
    CHECK(same(guest_mix(&a, &b, 0.0), a) == "");
    CHECK(same(guest_mix(&a, &b, -1.0), a) == "");
    CHECK(same(guest_mix(&a, &b, std::nan("")), a) == "");
    CHECK(same(guest_mix(&a, &b, 1.0), b) == "");
    CHECK(same(guest_mix(&a, &b, 2.0), b) == "");
  }
}

}  // namespace
}  // namespace marrow::test
