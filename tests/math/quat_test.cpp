#include "marrow/math/quat.h"

#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <initializer_list>
#include <string>

#include "fixtures/random.h"
#include "math/quat_check.h"
#include "support/reference.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::is_identity;
using test::kDenormal;
using test::keep_larger;
using test::kInf;
using test::kNaN;
using test::kPiFloat;
using test::kQuatSamples;
using test::Random;
using test::random_quat;
using test::random_vector;
using test::Real;
using test::ref;
using test::RefQuat;
using test::RefVec;
using test::same;

constexpr EulerOrder kOrders[] = {EulerOrder::xyz, EulerOrder::xzy, EulerOrder::yxz,
                                  EulerOrder::yzx, EulerOrder::zxy, EulerOrder::zyx};

Quat negated(Quat q) { return {-q.x, -q.y, -q.z, -q.w}; }
double off_unit(Vec3 v) { return static_cast<double>(std::fabs(test::length(ref(v)) - 1)); }

// The largest error of a part, in units of its last place.
double worst_part(Quat actual, RefQuat exact) {
  double worst = 0;
  keep_larger(worst, test::ulps(actual.x, exact.x));
  keep_larger(worst, test::ulps(actual.y, exact.y));
  keep_larger(worst, test::ulps(actual.z, exact.z));
  keep_larger(worst, test::ulps(actual.w, exact.w));
  return worst;
}
double worst_part(Vec3 actual, RefVec exact) {
  double worst = 0;
  keep_larger(worst, test::ulps(actual.x, exact.x));
  keep_larger(worst, test::ulps(actual.y, exact.y));
  keep_larger(worst, test::ulps(actual.z, exact.z));
  return worst;
}

TEST_CASE("a rotation from axis and angle is within 0.501 ulp in each part, for an axis of any length") {
  Random random(1);
  double worst = 0;
  for (int i = 0; i < kQuatSamples; ++i) {
    const double size = std::pow(10.0, random.range(-37, 38));
    const Vec3 axis = i % 2 != 0 ? random_vector(random, 1) : random_vector(random, size);
    const float angle = random.rangef(-10, 10);
    keep_larger(worst, worst_part(from_axis_angle(axis, angle), test::axis_angle(ref(axis), angle)));
  }
  CHECK(worst <= 0.501);
  CHECK(same(from_axis_angle({kDenormal, 0, 0}, kPiFloat), from_axis_angle({1, 0, 0}, kPiFloat)));
  CHECK(same(from_axis_angle({0, FLT_MAX, 0}, kPiFloat), from_axis_angle({0, 1, 0}, kPiFloat)));
}

TEST_CASE("no axis, no finite axis or no finite angle gives no rotation") {
  CHECK(is_identity(from_axis_angle({0, 0, 0}, 1)));
  CHECK(is_identity(from_axis_angle({-0.0f, 0, 0}, 1)));
  CHECK(is_identity(from_axis_angle({kNaN, 0, 1}, 1)));
  CHECK(is_identity(from_axis_angle({0, kInf, 1}, 1)));
  CHECK(is_identity(from_axis_angle({0, 0, 1}, kNaN)));
  CHECK(is_identity(from_axis_angle({0, 0, 1}, kInf)));
}

TEST_CASE("axis and angle of a rotation are those that it was made from") {
  Random random(2);
  double axis_error = 0, angle_error = 0, not_unit = 0;
  for (int i = 0; i < kQuatSamples; ++i) {
    const RefVec axis = test::unit(ref(random_vector(random, 1)));
    // Down to tiny angles, which must keep their relative accuracy.
    const Real angle = i % 2 != 0 ? random.range(0, 3.14159) : std::pow(10.0, random.range(-30, 0));
    const RefQuat exact = test::axis_angle(axis, angle);
    Quat q = {static_cast<float>(exact.x), static_cast<float>(exact.y), static_cast<float>(exact.z),
              static_cast<float>(exact.w)};
    if (i % 3 == 0) q = negated(q);
    const AxisAngle a = to_axis_angle(q);
    keep_larger(axis_error, test::angle_between(ref(a.axis), axis));
    keep_larger(not_unit, off_unit(a.axis));
    keep_larger(angle_error, std::fabs(a.angle - angle) / (angle < Real{1e-3} ? angle : 1));
    CHECK(a.angle >= 0);
    CHECK(a.angle <= kPiFloat);
  }
  CHECK(axis_error <= 1.1e-7);
  CHECK(angle_error <= 2.4e-7);
  CHECK(not_unit <= 6e-8);
}

TEST_CASE("the axis of no rotation is x") {
  for (Quat q : {Quat{0, 0, 0, 1}, Quat{0, 0, 0, -1}, Quat{0, 0, 0, 0}, Quat{kNaN, 0, 0, 1}, Quat{kInf, 0, 0, 1}}) {
    const AxisAngle a = to_axis_angle(q);
    CHECK(a.axis.x == 1);
    CHECK(a.axis.y == 0);
    CHECK(a.axis.z == 0);
    CHECK(a.angle == 0);
  }
}

RefQuat product_of_turns(Vec3 angles, EulerOrder order) {
  const RefQuat x = test::axis_angle({1, 0, 0}, angles.x);
  const RefQuat y = test::axis_angle({0, 1, 0}, angles.y);
  const RefQuat z = test::axis_angle({0, 0, 1}, angles.z);
  switch (order) {
    case EulerOrder::xyz: return test::multiply(test::multiply(x, y), z);
    case EulerOrder::xzy: return test::multiply(test::multiply(x, z), y);
    case EulerOrder::yxz: return test::multiply(test::multiply(y, x), z);
    case EulerOrder::yzx: return test::multiply(test::multiply(y, z), x);
    case EulerOrder::zxy: return test::multiply(test::multiply(z, x), y);
    case EulerOrder::zyx: return test::multiply(test::multiply(z, y), x);
  }
  return {};
}

float part(Vec3 v, char axis) { return axis == 'x' ? v.x : (axis == 'y' ? v.y : v.z); }
std::string name(EulerOrder order) {
  constexpr const char* kNames[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx"};
  return kNames[static_cast<int>(order)];
}

TEST_CASE("a rotation from Euler angles is the product of the three turns in their order") {
  for (EulerOrder order : kOrders) {
    CAPTURE(name(order));
    Random random(3);
    double worst = 0;
    for (int i = 0; i < kQuatSamples / 6; ++i) {
      const Vec3 angles = random_vector(random, 7);
      const RefQuat exact = product_of_turns(angles, order);
      const Quat q = from_euler(angles, order);
      keep_larger(worst, std::fabs(q.x - exact.x));
      keep_larger(worst, std::fabs(q.y - exact.y));
      keep_larger(worst, std::fabs(q.z - exact.z));
      keep_larger(worst, std::fabs(q.w - exact.w));
    }
    CHECK(worst <= 3.0e-8);  // half an ulp of 1/2 to 1
    CHECK(is_identity(from_euler({0, 0, 0}, order)));
    CHECK(is_identity(from_euler({0, kNaN, 0}, order)));
    CHECK(is_identity(from_euler({0, 0, kInf}, order)));
  }
}

TEST_CASE("Euler angles give back the rotation, up to and through the gimbal lock") {
  for (EulerOrder order : kOrders) {
    CAPTURE(name(order));
    const char middle = name(order)[1], last = name(order)[2];
    Random random(4);
    double worst = 0, largest_middle = 0, largest_other = 0;
    int locked = 0;
    for (int i = 0; i < kQuatSamples / 6; ++i) {
      Quat q = random_quat(random);
      if (i % 2 != 0) {
        Vec3 near_lock = random_vector(random, 3);
        const double away = i % 4 == 1 ? std::pow(10.0, random.range(-9, -1)) : 0;
        const float half_turn = static_cast<float>((random.below(2) != 0 ? 1 : -1) * (1.57079632679 - away));
        (middle == 'x' ? near_lock.x : (middle == 'y' ? near_lock.y : near_lock.z)) = half_turn;
        q = from_euler(near_lock, order);
        if (away == 0) {
          CHECK(part(to_euler(q, order), last) == 0);
          ++locked;
        }
      }
      const Vec3 angles = to_euler(i % 3 == 0 ? negated(q) : q, order);
      keep_larger(worst, test::angle_between(product_of_turns(angles, order), ref(q)));
      keep_larger(largest_middle, std::fabs(part(angles, middle)));
      for (char axis : {'x', 'y', 'z'}) keep_larger(largest_other, std::fabs(part(angles, axis)));
    }
    CHECK(worst <= 4e-7);
    CHECK(largest_middle <= 1.5707964);  // pi/2 as a float
    CHECK(largest_other <= static_cast<double>(kPiFloat));
    CHECK(locked > 100);
  }
}

TEST_CASE("a rotation about one axis has that one Euler angle") {
  for (EulerOrder order : kOrders) {
    const Vec3 x = to_euler(from_axis_angle({1, 0, 0}, 0.3f), order);
    const Vec3 y = to_euler(from_axis_angle({0, 1, 0}, 0.3f), order);
    const Vec3 z = to_euler(from_axis_angle({0, 0, 1}, 0.3f), order);
    CHECK(x.x == doctest::Approx(0.3).epsilon(1e-6));
    CHECK(y.y == doctest::Approx(0.3).epsilon(1e-6));
    CHECK(z.z == doctest::Approx(0.3).epsilon(1e-6));
    CHECK(std::fabs(x.y) + std::fabs(x.z) + std::fabs(y.x) + std::fabs(y.z) + std::fabs(z.x) + std::fabs(z.y) == 0);
  }
}

TEST_CASE("a unit quaternion is within 0.501 ulp in each part, whatever length it had") {
  Random random(5);
  double worst = 0;
  for (int i = 0; i < kQuatSamples; ++i) {
    Quat q = random_quat(random);
    if (i % 2 != 0) q = {random.finite(), random.finite(), random.finite(), random.finite()};
    keep_larger(worst, worst_part(normalize(q), test::unit(ref(q))));
  }
  CHECK(worst <= 0.501);
  CHECK(same(normalize({kDenormal, 0, 0, 0}), {1, 0, 0, 0}));
  CHECK(same(normalize({0, -FLT_MAX, 0, 0}), {0, -1, 0, 0}));
}

TEST_CASE("a quaternion that is zero or not finite is normalized to no rotation") {
  CHECK(is_identity(normalize({0, 0, 0, 0})));
  CHECK(is_identity(normalize({0, kNaN, 0, 1})));
  CHECK(is_identity(normalize({0, 0, -kInf, 1})));
}

TEST_CASE("products, dot products and turned vectors are correctly rounded but for rare cases") {
  Random random(6);
  double product_error = 0, dot_error = 0, rotate_error = 0;
  for (int i = 0; i < kQuatSamples; ++i) {
    const Quat a = random_quat(random), b = random_quat(random);
    const Vec3 v = random_vector(random, 100);
    const RefQuat p = test::multiply(ref(a), ref(b));
    const Quat q = multiply(a, b);
    keep_larger(product_error, std::fabs(q.x - p.x));
    keep_larger(product_error, std::fabs(q.y - p.y));
    keep_larger(product_error, std::fabs(q.z - p.z));
    keep_larger(product_error, std::fabs(q.w - p.w));
    keep_larger(dot_error, std::fabs(dot(a, b) - test::multiply(test::conjugate(ref(a)), ref(b)).w));
    const RefVec turned = test::rotate(test::unit(ref(a)), ref(v));
    const Vec3 r = rotate(a, v);
    const RefVec d = {r.x - turned.x, r.y - turned.y, r.z - turned.z};
    keep_larger(rotate_error, test::length(d) / test::length(turned));
  }
  CHECK(product_error <= 3.0e-8);
  CHECK(dot_error <= 3.0e-8);
  CHECK(rotate_error <= 2.2e-7);  // what the rounding of a's length amounts to
}

TEST_CASE("a product turns first by its second factor") {
  const Quat x = from_axis_angle({1, 0, 0}, kPiFloat / 2), z = from_axis_angle({0, 0, 1}, kPiFloat / 2);
  const Vec3 v = rotate(multiply(z, x), {0, 1, 0});  // x takes y to z, which stays
  CHECK(v.x == doctest::Approx(0).epsilon(1e-6));
  CHECK(v.y == doctest::Approx(0).epsilon(1e-6));
  CHECK(v.z == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("a rotation followed by its conjugate is none") {
  Random random(7);
  double worst = 0;
  for (int i = 0; i < kQuatSamples / 5; ++i) {
    const Quat q = random_quat(random);
    keep_larger(worst, test::angle_between(ref(multiply(conjugate(q), q)), {0, 0, 0, 1}));
  }
  CHECK(worst <= 1e-7);
}

TEST_CASE("log gives the axis times half the angle, the same for q and -q") {
  Random random(8);
  double error = 0, longest = 0;
  for (int i = 0; i < kQuatSamples; ++i) {
    Quat q = random_quat(random);
    if (i % 2 != 0) {
      const float tiny = static_cast<float>(std::pow(10.0, random.range(-44, -1)));
      q = normalize({q.x * tiny, q.y * tiny, q.z * tiny, random.below(2) != 0 ? 1.0f : -1.0f});
    }
    const Vec3 v = rotation_vector(q), negative = rotation_vector(negated(q));
    CHECK(v.x == negative.x);
    CHECK(v.y == negative.y);
    CHECK(v.z == negative.z);
    const RefQuat r = q.w < 0 ? ref(negated(q)) : ref(q);
    const Real sine = test::length(RefVec{r.x, r.y, r.z});
    if (sine == 0) continue;
    const Real half = std::atan2(sine, r.w);
    keep_larger(error, worst_part(v, {r.x * half / sine, r.y * half / sine, r.z * half / sine}));
    keep_larger(longest, test::length(ref(v)));
  }
  CHECK(error <= 0.501);
  CHECK(longest <= 1.5707965);
}

TEST_CASE("log of half a turn is the same for q and -q") {
  for (Quat q : {Quat{1, 0, 0, 0}, Quat{0, -1, 0, 0}, Quat{0, 0, 1, 0}, Quat{-0.6f, 0.8f, 0, -0.0f}}) {
    const Vec3 a = rotation_vector(q), b = rotation_vector(negated(q));
    CHECK(a.x == b.x);
    CHECK(a.y == b.y);
    CHECK(a.z == b.z);
    CHECK(test::length(ref(a)) == doctest::Approx(1.5707963));
  }
}

TEST_CASE("log of no rotation, zero and what is not finite is zero") {
  for (Quat q : {Quat{}, Quat{0, 0, 0, -1}, Quat{0, 0, 0, 0}, Quat{kNaN, 0, 0, 1}, Quat{0, kInf, 0, 1}}) {
    CHECK(test::length(ref(rotation_vector(q))) == 0);
  }
}

TEST_CASE("exp is within 0.501 ulp in each part, and undoes log") {
  Random random(9);
  double worst = 0, round_trip = 0, back = 0;
  for (int i = 0; i < kQuatSamples; ++i) {
    const Vec3 v = random_vector(random, i % 2 != 0 ? 2.0 : std::pow(10.0, random.range(-40, 0)));
    keep_larger(worst, worst_part(from_rotation_vector(v), test::axis_angle(ref(v), 2 * test::length(ref(v)))));
    const Quat q = random_quat(random);
    keep_larger(round_trip, test::angle_between(ref(from_rotation_vector(rotation_vector(q))), ref(q)));
    const Vec3 small = random_vector(random, 0.9);  // shorter than a quarter of a turn
    const Vec3 again = rotation_vector(from_rotation_vector(small));
    keep_larger(back, test::length(RefVec{again.x - small.x, again.y - small.y, again.z - small.z}));
  }
  CHECK(worst <= 0.501);
  CHECK(round_trip <= 2.4e-7);
  CHECK(back <= 1.3e-7);
  CHECK(is_identity(from_rotation_vector({0, 0, 0})));
  CHECK(is_identity(from_rotation_vector({kNaN, 0, 0})));
  CHECK(is_identity(from_rotation_vector({0, kInf, 0})));
  CHECK(from_rotation_vector({0, kDenormal, 0}).y == kDenormal);
}

TEST_CASE("the angle between two rotations is accurate for small angles too") {
  Random random(10);
  double worst = 0, relative = 0;
  for (int i = 0; i < kQuatSamples; ++i) {
    const Quat a = random_quat(random);
    Quat b = random_quat(random);
    if (i % 2 != 0) b = multiply(a, from_rotation_vector(random_vector(random, std::pow(10.0, random.range(-7, 0)))));
    const Real exact = test::angle_between(ref(a), ref(b));
    const float angle = angle_between(a, i % 3 == 0 ? negated(b) : b);
    keep_larger(worst, std::fabs(angle - exact));
    if (exact > 0) keep_larger(relative, std::fabs(angle - exact) / exact);
  }
  CHECK(worst <= 1.2e-7);
  CHECK(relative <= 6.1e-8);
  CHECK(angle_between({}, {}) == 0);
  CHECK(angle_between({1, 0, 0, 0}, {}) == kPiFloat);
  CHECK(angle_between({1, 0, 0, 0}, {0, 0, 0, 0}) == kPiFloat);  // zero is no rotation
}

}  // namespace
}  // namespace marrow
