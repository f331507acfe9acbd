#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "fixtures/random.h"
#include "marrow/math/quat.h"

namespace marrow {
namespace {

struct LongQuat {
  long double x, y, z, w;
};

LongQuat unit(Quat q) {
  const LongQuat l = {q.x, q.y, q.z, q.w};
  const long double n = std::sqrt(l.x * l.x + l.y * l.y + l.z * l.z + l.w * l.w);
  return {l.x / n, l.y / n, l.z / n, l.w / n};
}

// The angle of the rotation from a to b, right for small ones too.
long double angle(const LongQuat& a, const LongQuat& b) {
  const LongQuat d = {a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y, a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x,
                      a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w, a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z};
  return 2 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::fabs(d.w));
}

// The textbook formula in long double.
LongQuat exact_slerp(Quat from, Quat to, long double u) {
  const LongQuat a = unit(from);
  LongQuat b = unit(to);
  const long double cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  if (cosine < 0) b = {-b.x, -b.y, -b.z, -b.w};
  const long double dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, dw = b.w - a.w;
  const long double t = 2 * std::asin(std::sqrt(dx * dx + dy * dy + dz * dz + dw * dw) / 2);
  if (t == 0) return a;
  const long double wa = std::sin((1 - u) * t) / std::sin(t), wb = std::sin(u * t) / std::sin(t);
  return {wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w};
}

Quat to_float(const test::UnitQuat& q) {
  return normalize(
      {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)});
}

TEST_CASE("Slerp is within 1e-6 rad of the exact one, and unit, for angles of every size") {
  test::Random random(7);
  long double worst_angle = 0, worst_length = 0;
  for (int i = 0; i < 500'000; ++i) {
    const Quat a = to_float(random.quat());
    // From the whole sphere, and from ever closer to a.
    Quat b = to_float(random.quat());
    if (i % 2 == 0) {
      const float size = std::ldexp(1.0f, -static_cast<int>(random.below(24)));
      b = multiply(a, from_rotation_vector(
                          {random.rangef(-1, 1) * size, random.rangef(-1, 1) * size, random.rangef(-1, 1) * size}));
    }
    const float u = random.rangef(0, 1);
    const Quat q = slerp(a, b, u);
    worst_angle = std::max(worst_angle, angle(unit(q), exact_slerp(a, b, u)));
    const LongQuat l = {q.x, q.y, q.z, q.w};
    worst_length = std::max(worst_length, std::fabs(std::sqrt(l.x * l.x + l.y * l.y + l.z * l.z + l.w * l.w) - 1));
  }
  INFO("worst angle ", static_cast<double>(worst_angle), " rad, worst length error ",
       static_cast<double>(worst_length));
  CHECK(worst_angle < 1e-6L);
  CHECK(worst_length < 3e-7L);
}

TEST_CASE("Slerp at 0 gives the first rotation's bits, at 1 the second to rounding") {
  test::Random random(8);
  for (int i = 0; i < 1000; ++i) {
    const Quat a = to_float(random.quat()), b = to_float(random.quat());
    const Quat q = slerp(a, b, 0);
    CHECK((q.x == a.x && q.y == a.y && q.z == a.z && q.w == a.w));
    CHECK(angle(unit(slerp(a, b, 1)), unit(b)) < 1e-6L);
  }
}

TEST_CASE("Slerp takes the shorter arc and does not care for signs") {
  const Quat a = from_axis_angle({0, 0, 1}, 0.2f);
  const Quat b = from_axis_angle({0, 0, 1}, 1.0f);
  const Quat minus_b = {-b.x, -b.y, -b.z, -b.w};
  CHECK(angle(unit(slerp(a, minus_b, 0.5f)), unit(from_axis_angle({0, 0, 1}, 0.6f))) < 1e-6L);
}

TEST_CASE("Slerp of opposite and equal rotations is finite and unit") {
  const Quat a = {0, 0, 0, 1};
  for (const Quat b : {Quat{1, 0, 0, 0}, Quat{0, 0, 0, 1}, Quat{0, 0, 0, -1}, Quat{-1, 0, 0, 0}}) {
    for (const float u : {0.0f, 0.25f, 0.5f, 1.0f}) {
      const Quat q = slerp(a, b, u);
      CHECK(std::fabs(dot(q, q) - 1) < 1e-6f);
    }
  }
}

}  // namespace
}  // namespace marrow
