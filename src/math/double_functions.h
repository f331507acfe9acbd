// The arithmetic in double that the scalar functions of this module share. Internal, and not for kernel files: these
// are to be called inside `exactly` (exact.h), which sets the floating-point state.
#pragma once

#include "marrow/math/types.h"

namespace marrow::det {

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

}  // namespace marrow::det

namespace marrow {

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

inline bool is_finite(double x) { return x - x == 0.0; }
inline bool is_finite(const Affine& a) {
  for (const auto& row : a.m) {
    for (const float x : row) {
      if (!is_finite(x)) return false;
    }
  }
  return true;
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

}  // namespace marrow
