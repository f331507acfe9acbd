// Real, the number type that the library's results are compared with, and rotations and vectors made of it with the C
// library's functions, written straight from the definitions.
#pragma once

#include <cfloat>
#include <cmath>
#include <span>
#include <type_traits>

#include "fixtures/random.h"
#include "marrow/math/types.h"
#include "support/random_vectors.h"

namespace marrow::test {

#ifdef __EMSCRIPTEN__
// Its long double is emulated, and divides wrongly in 3.1.6: 1 / (1 - 2^-113) is 2.
using Real = double;
#else
using Real = long double;
#endif

// A count of samples for comparisons with Real: fewer where a long double is 128 bits and done in software.
constexpr int samples(int count) { return sizeof(Real) > 8 && LDBL_MANT_DIG != 64 ? count / 20 : count; }

inline constexpr Real kPi = static_cast<Real>(3.14159265358979323846264338327950288L);

struct RefVec {
  Real x = 0, y = 0, z = 0;
};
struct RefQuat {
  Real x = 0, y = 0, z = 0, w = 1;
};

inline RefVec ref(Vec3 v) { return {v.x, v.y, v.z}; }
inline RefQuat ref(Quat q) { return {q.x, q.y, q.z, q.w}; }

// Returns the floats of a struct that holds nothing else.
template <typename T>
std::span<const float> floats(const T& x) {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) == alignof(float));
  return {reinterpret_cast<const float*>(&x), sizeof(T) / sizeof(float)};
}

// Returns the distance of `actual` from `exact` in units of the spacing of floats at `exact`.
inline double ulps(float actual, Real exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  const int last_bit = exponent - 24 < -149 ? -149 : exponent - 24;
  return static_cast<double>(std::fabs(std::ldexp(static_cast<Real>(actual) - exact, -last_bit)));
}

// Keeps the worst of many errors; a NaN is the worst of all, and fails every comparison with a bound.
inline void keep_larger(double& worst, Real value) {
  const double v = static_cast<double>(value);
  if (v > worst || v != v) worst = v;
}

inline Real dot(RefVec a, RefVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline RefVec cross(RefVec a, RefVec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real length(RefVec v) { return std::sqrt(dot(v, v)); }
inline RefVec times(RefVec v, Real s) { return {v.x * s, v.y * s, v.z * s}; }
inline RefVec unit(RefVec v) { return times(v, 1 / length(v)); }

inline Real length(RefQuat q) { return std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w); }
inline RefQuat unit(RefQuat q) {
  const Real l = length(q);
  return {q.x / l, q.y / l, q.z / l, q.w / l};
}
inline RefQuat conjugate(RefQuat q) { return {-q.x, -q.y, -q.z, q.w}; }
inline RefQuat multiply(RefQuat a, RefQuat b) {
  const RefVec u{a.x, a.y, a.z}, v{b.x, b.y, b.z};
  const RefVec c = cross(u, v);
  return {a.w * v.x + b.w * u.x + c.x, a.w * v.y + b.w * u.y + c.y, a.w * v.z + b.w * u.z + c.z, a.w * b.w - dot(u, v)};
}
inline RefQuat axis_angle(RefVec axis, Real angle) {
  const RefVec v = times(unit(axis), std::sin(angle / 2));
  return {v.x, v.y, v.z, std::cos(angle / 2)};
}
inline RefVec rotate(RefQuat q, RefVec v) {
  const RefQuat r = multiply(multiply(q, {v.x, v.y, v.z, 0}), conjugate(q));
  return {r.x, r.y, r.z};
}

// The angle in [0, pi] between two rotations, which need not be of unit length.
inline Real angle_between(RefQuat a, RefQuat b) {
  const RefQuat r = multiply(conjugate(a), b);
  return 2 * std::atan2(length(RefVec{r.x, r.y, r.z}), std::fabs(r.w));
}
// The angle in [0, pi] between two directions.
inline Real angle_between(RefVec a, RefVec b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

}  // namespace marrow::test
