// The arithmetic that functions of the library share. Internal, and not for kernel files (lanes.h).
//
// A public function that computes calls `exactly` once, with everything else of this header inside of the call: results
// are defined for one state of the floating-point unit (src/core/platform.h), and hosts set others.
#pragma once

#include "marrow/math/simd.h"
#include "marrow/math/types.h"
#include "src/math/imports.h"

namespace marrow {

// ---- Entering --------------------------------------------------------------------------------------------------

// To the compiler the arithmetic does not depend on that state, so it may move a conversion or a product of the same
// function past the instructions that change it. Across a call that is not inlined it moves none.
template <typename Body>
MARROW_NOINLINE auto run_apart(const Body& body) {
  return body();
}

// Returns body(), computed with round to nearest and with denormals, whatever the host has set.
template <typename Body>
auto exactly(const Body& body) {
  const platform::FloatScope scope;
  return run_apart(body);
}

// MARROW_KERNELS_IN_USE(kTable) is lanes1::kTable, lanes4::kTable or lanes8::kTable, by the lanes that are active. A
// macro since a build has only the tables that its target can run: the others must not even be named.
#if MARROW_LANE_CHOICES >= 3
#define MARROW_KERNELS_IN_USE(kTable) \
  (active_lanes() == Lanes::eight ? lanes8::kTable : active_lanes() == Lanes::four ? lanes4::kTable : lanes1::kTable)
#elif MARROW_LANE_CHOICES == 2
#define MARROW_KERNELS_IN_USE(kTable) (active_lanes() == Lanes::four ? lanes4::kTable : lanes1::kTable)
#else
#define MARROW_KERNELS_IN_USE(kTable) (lanes1::kTable)
#endif

// ---- Checks ----------------------------------------------------------------------------------------------------

inline bool is_finite(double x) { return x - x == 0.0; }

// Largest magnitude taken for a coordinate: squares of it are still far from the largest float.
inline constexpr float kMaxMagnitude = 1e18f;

// True for numbers that are finite and not above kMaxMagnitude; false for NaN.
inline bool is_usable(float x) { return x >= -kMaxMagnitude && x <= kMaxMagnitude; }

// The same for what must not be negative either.
inline bool is_weight(float x) { return x >= 0.0f && x <= kMaxMagnitude; }

// ---- Double ----------------------------------------------------------------------------------------------------

namespace det {

// Square root, correctly rounded; NaN below zero.
[[nodiscard]] double sqrt_d(double x) noexcept;

// Sine and cosine: for |x| up to 4e8 the relative error is below 3e-16. From there on accuracy is lost, until beyond
// 1e15 nothing is left of it; but the two always belong to one angle, so that their squares add up to 1. NaN and
// infinity give NaN.
[[nodiscard]] double sin_d(double x) noexcept;
[[nodiscard]] double cos_d(double x) noexcept;

// The angle of the point (x, y), signs, zeros and infinities as in IEEE 754. Relative error below 4e-16. The arguments
// are zero or at least 1e-140 in size, so that their quotient is a normal number.
[[nodiscard]] double atan2_d(double y, double x) noexcept;

inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr double kHalfPi = 0x1.921fb54442d18p+0;

}  // namespace det

// The squares of all finite floats, denormals too, are normal doubles: lengths need no scaling.
struct Vec3d {
  double x, y, z;
};
struct Quatd {
  double x, y, z, w;
};

inline Vec3d widen(Vec3 v) { return {v.x, v.y, v.z}; }
inline Quatd widen(Quat q) { return {q.x, q.y, q.z, q.w}; }
inline Vec3 narrow(Vec3d v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
inline Quat narrow(Quatd q) {
  return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

inline double magnitude(double x) { return x < 0 ? -x : x; }
inline Vec3d scaled(Vec3d v, double s) { return {v.x * s, v.y * s, v.z * s}; }
inline Vec3d divided(Vec3d v, double s) { return {v.x / s, v.y / s, v.z / s}; }
inline Vec3d add(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3d subtract(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3d cross(Vec3d a, Vec3d b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec3d v) { return det::sqrt_d(dot(v, v)); }

// Where a rotation takes the axes x, y and z. The quaternion may be of any length but zero.
struct Axes {
  Vec3d axis[3];
};
inline Axes axes_of(const Quatd& q) {
  const double n = 2 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {{{1 - n * (q.y * q.y + q.z * q.z), n * (q.x * q.y + q.w * q.z), n * (q.x * q.z - q.w * q.y)},
           {n * (q.x * q.y - q.w * q.z), 1 - n * (q.x * q.x + q.z * q.z), n * (q.y * q.z + q.w * q.x)},
           {n * (q.x * q.z + q.w * q.y), n * (q.y * q.z - q.w * q.x), 1 - n * (q.x * q.x + q.y * q.y)}}};
}

// Returns some unit vector at right angles to the unit vector v, the same for the same v.
[[nodiscard]] Vec3d perpendicular(Vec3d v) noexcept;

// Returns the rotation that takes the unit axes to x, y and z, which are orthonormal and right-handed; its w is not
// negative.
[[nodiscard]] Quatd rotation_from_axes(Vec3d x, Vec3d y, Vec3d z) noexcept;

// ---- Affine maps -----------------------------------------------------------------------------------------------

// The order of the operations here is that of the kernels (src/anim), so that both give the same bits.

// Returns the map that first applies b, then a.
static inline Affine product(const Affine& a, const Affine& b) {
  Affine out;
  for (int i = 0; i < 3; ++i) {
    const float* row = a.m[i];
    for (int j = 0; j < 4; ++j) {
      const float sum = (row[0] * b.m[0][j] + row[1] * b.m[1][j]) + row[2] * b.m[2][j];
      out.m[i][j] = j == 3 ? sum + row[3] : sum;
    }
  }
  return out;
}

// Returns translation * rotation * scale.
static inline Affine composed(const Transform& t) {
  const Quat& q = t.rotation;
  const Vec3& s = t.scale;
  const float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const float xx = q.x * x2, xy = q.x * y2, xz = q.x * z2;
  const float yy = q.y * y2, yz = q.y * z2, zz = q.z * z2;
  const float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return {{{(1.0f - (yy + zz)) * s.x, (xy - wz) * s.y, (xz + wy) * s.z, t.translation.x},
           {(xy + wz) * s.x, (1.0f - (xx + zz)) * s.y, (yz - wx) * s.z, t.translation.y},
           {(xz - wy) * s.x, (yz + wx) * s.y, (1.0f - (xx + yy)) * s.z, t.translation.z}}};
}

}  // namespace marrow
