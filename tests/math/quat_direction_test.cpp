// The part of quat.h that makes rotations from directions, and what all of quat.h does with bad numbers and hosts.
#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "fixtures/random.h"
#include "marrow/math/quat.h"
#include "math/quat_check.h"
#include "support/bits.h"
#include "support/float_state.h"
#include "support/reference.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::is_identity;
using test::kDenormal;
using test::keep_larger;
using test::kInf;
using test::kNaN;
using test::kQuatSamples;
using test::Random;
using test::random_quat;
using test::random_vector;
using test::ref;
using test::RefVec;

double off_unit(Quat q) { return static_cast<double>(std::fabs(test::length(ref(q)) - 1)); }
Vec3 negated(Vec3 v, float scale = 1) { return {-scale * v.x, -scale * v.y, -scale * v.z}; }

// The component of v at right angles to the direction d.
RefVec across(RefVec v, RefVec d) {
  const RefVec u = test::unit(d);
  const test::Real along = test::dot(u, v);
  return {v.x - u.x * along, v.y - u.y * along, v.z - u.z * along};
}

TEST_CASE("look_rotation takes forward to forward, and up as near to up as can be") {
  Random random(1);
  double forward_error = 0, up_error = 0, not_unit = 0;
  for (int i = 0; i < kQuatSamples; ++i) {
    const double size = i % 4 == 0 ? std::pow(10.0, random.range(-36, 37)) : 1;
    const Vec3 forward = random_vector(random, size), up = random_vector(random, 1);
    Vec3 local_forward = {0, 0, 1}, local_up = {0, 1, 0};
    if (i % 2 != 0) {
      local_forward = random_vector(random, 10);
      local_up = random_vector(random, 1);
    }
    const Quat q = i % 2 != 0 ? look_rotation(forward, up, local_forward, local_up) : look_rotation(forward, up);
    keep_larger(not_unit, off_unit(q));
    keep_larger(forward_error, test::angle_between(test::rotate(ref(q), ref(local_forward)), ref(forward)));
    const RefVec turned_up = test::rotate(ref(q), ref(local_up));
    // Where up is nearly parallel to forward the rounding of q turns the little that is beside it by so much more.
    const test::Real beside = test::length(across(turned_up, ref(forward))) / test::length(turned_up);
    keep_larger(up_error, beside * test::angle_between(across(turned_up, ref(forward)), across(ref(up), ref(forward))));
  }
  CHECK(forward_error <= 1.2e-7);
  CHECK(up_error <= 1.2e-7);
  CHECK(not_unit <= 6.1e-8);
}

TEST_CASE("look_rotation along the local axes is no rotation") {
  CHECK(is_identity(look_rotation({0, 0, 5}, {0, 3, 0})));
  CHECK(is_identity(look_rotation({0, 0, 5}, {0, 3, 1})));
  CHECK(test::angle_between(ref(look_rotation({1, 2, 3}, {0, 0, 1}, {1, 2, 3}, {0, 0, 1})), {}) <= 1e-15);
}

TEST_CASE("look_rotation needs no up, and is none without a forward") {
  Random random(2);
  double worst = 0, not_unit = 0;
  for (int i = 0; i < kQuatSamples / 5; ++i) {
    const Vec3 forward = random_vector(random, 1);
    for (Vec3 up :
         {forward, negated(forward), negated(forward, 3), Vec3{0, 0, 0}, Vec3{kNaN, 0, 0}, Vec3{0, kInf, 0}}) {
      const Quat q = look_rotation(forward, up);
      keep_larger(worst, test::angle_between(test::rotate(ref(q), {0, 0, 1}), ref(forward)));
      keep_larger(not_unit, off_unit(q));
    }
    const Quat q = look_rotation(forward, {0, 0, 1}, {1, 0, 0}, {1, 0, 0});
    keep_larger(worst, test::angle_between(test::rotate(ref(q), {1, 0, 0}), ref(forward)));
  }
  CHECK(worst <= 1.2e-7);
  CHECK(not_unit <= 6.1e-8);
  for (Vec3 none : {Vec3{0, 0, 0}, Vec3{kNaN, 0, 1}, Vec3{kInf, 0, 0}}) {
    CHECK(is_identity(look_rotation(none, {0, 1, 0})));
    CHECK(is_identity(look_rotation({1, 0, 0}, {0, 1, 0}, none)));
  }
}

TEST_CASE("rotation_between takes one direction to the other by the shortest way") {
  Random random(3);
  double arrival = 0, longer = 0, not_unit = 0;
  for (int i = 0; i < kQuatSamples; ++i) {
    Vec3 from = random_vector(random, 1), to = random_vector(random, 1);
    if (i % 2 != 0) {
      // Nearly the same, or nearly opposite.
      const Vec3 d = random_vector(random, std::pow(10.0, random.range(-9, -1)));
      const float sign = i % 4 == 1 ? 1.0f : -1.0f;
      to = {sign * from.x + d.x, sign * from.y + d.y, sign * from.z + d.z};
    }
    if (i % 8 == 0) to = negated(to, 1e37f);
    if (i % 8 == 4) from = negated(from, 1e-37f);
    const Quat q = rotation_between(from, to);
    keep_larger(not_unit, off_unit(q));
    keep_larger(arrival, test::angle_between(test::rotate(ref(q), ref(from)), ref(to)));
    keep_larger(longer, test::angle_between(ref(q), {}) - test::angle_between(ref(from), ref(to)));
  }
  CHECK(arrival <= 2.2e-7);
  CHECK(longer <= 1.4e-7);
  CHECK(not_unit <= 6.1e-8);
}

TEST_CASE("rotation_between opposite directions turns half way round about a perpendicular") {
  Random random(4);
  double arrival = 0;
  for (int i = 0; i < kQuatSamples / 5; ++i) {
    const Vec3 from = random_vector(random, 1);
    for (float scale : {1.0f, 3.0f, 1e-30f}) {
      const Quat q = rotation_between(from, negated(from, scale));
      CHECK(q.w == 0);
      keep_larger(arrival, test::angle_between(test::rotate(ref(q), ref(from)), ref(negated(from))));
    }
  }
  CHECK(arrival <= 1.2e-7);
}

TEST_CASE("rotation_between with a vector that has no length is none") {
  for (Vec3 none : {Vec3{0, 0, 0}, Vec3{kNaN, 0, 1}, Vec3{0, -kInf, 0}}) {
    CHECK(is_identity(rotation_between(none, {1, 0, 0})));
    CHECK(is_identity(rotation_between({1, 0, 0}, none)));
  }
  CHECK(is_identity(rotation_between({1, 2, 3}, {1, 2, 3})));
}

TEST_CASE("rotations made from bad numbers are of unit length") {
  const float bad[] = {0, -0.0f, kDenormal, -FLT_MIN, 1, 1e38f, -FLT_MAX, kInf, -kInf, kNaN};
  double worst = 0;
  const auto check_vector = [](Vec3 v) { CHECK((v.x == v.x && v.y == v.y && v.z == v.z)); };
  for (float a : bad) {
    for (float b : bad) {
      for (float c : bad) {
        const Vec3 v = {a, b, c};
        const Quat q = {a, b, c, a}, p = {1, c, a, b};
        keep_larger(worst, off_unit(from_axis_angle(v, 1)));
        keep_larger(worst, off_unit(from_axis_angle({1, 1, 1}, a)));
        keep_larger(worst, off_unit(from_euler(v)));
        keep_larger(worst, off_unit(look_rotation(v, {b, c, a})));
        keep_larger(worst, off_unit(look_rotation(v, {0, 0, 1}, {c, b, a}, v)));
        keep_larger(worst, off_unit(rotation_between(v, {c, b, a})));
        keep_larger(worst, off_unit(normalize(q)));
        keep_larger(worst, off_unit(from_rotation_vector(v)));
        check_vector(to_axis_angle(q).axis);
        check_vector(to_euler(q));
        check_vector(rotation_vector(q));
        CHECK(to_axis_angle(q).angle >= 0);
        CHECK(angle_between(q, p) >= 0);
      }
    }
  }
  CHECK(worst <= 6.1e-8);
}

TEST_CASE("turning a huge or a tiny vector keeps its length") {
  Random random(5);
  double worst = 0;
  for (double size : {1.9e38, 1e-36}) {
    for (int i = 0; i < 1000; ++i) {
      const Vec3 v = random_vector(random, size);
      const Vec3 r = rotate(random_quat(random), v);
      keep_larger(worst, std::fabs(test::length(ref(r)) / test::length(ref(v)) - 1));
    }
  }
  CHECK(worst <= 2.2e-7);
}

#ifdef MARROW_TEST_FLOAT_STATES
TEST_CASE("rotations have the same bits under any floating-point state of the host, and leave it") {
  struct Results {
    Quat q[9];
    Vec3 v[4];
    float f[3];
  };
  constexpr std::size_t kCount = 2000;
  std::vector<Quat> quats;
  std::vector<Vec3> vectors;
  Random random(6);
  for (std::size_t i = 0; i <= kCount; ++i) {
    quats.push_back(random_quat(random));
    vectors.push_back(random_vector(random, i % 2 != 0 ? 1 : 1e-38));
  }
  std::vector<Results> expected(kCount), actual(kCount);
  const auto run = [&](std::vector<Results>& out) {
    for (std::size_t i = 0; i < kCount; ++i) {
      const Quat a = quats[i], b = quats[i + 1];
      const Vec3 v = vectors[i], w = vectors[i + 1];
      const AxisAngle axis_angle = to_axis_angle(a);
      out[i] = {{from_axis_angle(v, w.x), from_euler(w), look_rotation(v, w), rotation_between(v, w), normalize(a),
                 conjugate(a), multiply(a, b), from_rotation_vector(v), from_rotation_vector(w)},
                {axis_angle.axis, to_euler(a, EulerOrder::zxy), rotate(a, v), rotation_vector(a)},
                {axis_angle.angle, dot(a, b), angle_between(a, b)}};
    }
  };
  run(expected);
  for (test::FloatState state : test::kHostStates) {
    CAPTURE(state);
    CHECK(test::run_under(state, [&] { run(actual); }) == state);
    for (std::size_t i = 0; i < kCount; ++i) {
      CAPTURE(i);
      REQUIRE(test::difference(test::floats(actual[i]), test::floats(expected[i])) == "");
    }
  }
}
#endif

}  // namespace
}  // namespace marrow
