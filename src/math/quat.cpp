#include "marrow/math/quat.h"

#include <initializer_list>

#include "src/math/arithmetic.h"

namespace marrow {
namespace {

using det::atan2_d;
using det::cos_d;
using det::kHalfPi;
using det::kPi;
using det::sin_d;
using det::sqrt_d;

constexpr Quatd kNoRotation = {0, 0, 0, 1};

// Two directions closer than this are taken as parallel: it is what the rounding of float vectors amounts to, so that
// what they span is made of rounding errors.
constexpr double kParallel = 1e-7;

Vec3d vector_part(Quatd q) { return {q.x, q.y, q.z}; }
Quatd conjugated(Quatd q) { return {-q.x, -q.y, -q.z, q.w}; }

// Of q and -q, which are the same rotation, returns the one that turns by at most half a turn. For exactly half a turn
// the first part that is not zero is positive.
Quatd shorter(Quatd q) {
  bool flip = false;
  for (double part : {q.w, q.x, q.y, q.z}) {
    if (part != 0.0) {
      flip = part < 0.0;
      break;
    }
  }
  return flip ? Quatd{-q.x, -q.y, -q.z, -q.w} : q;
}

Quatd product(Quatd a, Quatd b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,  //
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,  //
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,  //
          a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Returns false, and leaves v, if its length is zero or not finite.
bool make_unit(Vec3d& v) {
  const double l = length(v);
  if (!(l > 0.0) || !is_finite(l)) return false;
  v = divided(v, l);
  return true;
}

// Returns q with unit length; no rotation if its length is zero or not finite.
Quatd unit(Quatd q) {
  const double l = sqrt_d(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!(l > 0.0) || !is_finite(l)) return kNoRotation;
  return {q.x / l, q.y / l, q.z / l, q.w / l};
}

// Returns the rotation that takes z to `forward` and y as near to `up` as can be, or false if forward has no length.
bool look_frame(Vec3d forward, Vec3d up, Quatd& out) {
  if (!make_unit(forward)) return false;
  Vec3d right = make_unit(up) ? cross(up, forward) : Vec3d{0, 0, 0};
  const double sine = length(right);
  right = sine > kParallel ? divided(right, sine) : perpendicular(forward);
  out = rotation_from_axes(right, cross(forward, right), forward);
  return true;
}

// The axes of an order's turns, and whether they are a cyclic permutation of x y z (1) or not (-1).
struct EulerAxes {
  int first, second, third;
  double parity;
};
EulerAxes euler_axes(EulerOrder order) {
  switch (order) {
    case EulerOrder::xyz: break;
    case EulerOrder::xzy: return {0, 2, 1, -1};
    case EulerOrder::yxz: return {1, 0, 2, -1};
    case EulerOrder::yzx: return {1, 2, 0, 1};
    case EulerOrder::zxy: return {2, 0, 1, 1};
    case EulerOrder::zyx: return {2, 1, 0, -1};
  }
  return {0, 1, 2, 1};
}

double wrapped(double angle) {
  if (angle > kPi) return angle - 2 * kPi;
  if (angle < -kPi) return angle + 2 * kPi;
  return angle;
}

}  // namespace

Vec3d perpendicular(Vec3d v) noexcept {
  // The axis that v is farthest from.
  const double x = v.x * v.x, y = v.y * v.y, z = v.z * v.z;
  const Vec3d axis = x <= y && x <= z ? Vec3d{1, 0, 0} : (y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1});
  const Vec3d p = cross(v, axis);
  return divided(p, length(p));
}

Quatd rotation_from_axes(Vec3d x, Vec3d y, Vec3d z) noexcept {
  // Shepperd, "Quaternion from Rotation Matrix", 1978: start from the largest part, which is at least 1/2.
  const double trace = x.x + y.y + z.z;
  Quatd q;
  if (trace >= x.x && trace >= y.y && trace >= z.z) {
    q = {y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace};
  } else if (x.x >= y.y && x.x >= z.z) {
    q = {1.0 + 2.0 * x.x - trace, y.x + x.y, z.x + x.z, y.z - z.y};
  } else if (y.y >= z.z) {
    q = {y.x + x.y, 1.0 + 2.0 * y.y - trace, z.y + y.z, z.x - x.z};
  } else {
    q = {z.x + x.z, z.y + y.z, 1.0 + 2.0 * z.z - trace, x.y - y.x};
  }
  return shorter(unit(q));
}

Quat from_axis_angle(Vec3 axis, float angle) {
  return exactly([&] {
    Vec3d a = widen(axis);
    const double half = 0.5 * static_cast<double>(angle);
    if (!is_finite(half) || !make_unit(a)) return narrow(kNoRotation);
    const Vec3d v = scaled(a, sin_d(half));
    return narrow(Quatd{v.x, v.y, v.z, cos_d(half)});
  });
}

AxisAngle to_axis_angle(Quat q) {
  return exactly([&] {
    const Quatd r = shorter(unit(widen(q)));
    Vec3d axis = vector_part(r);
    const double sine = length(axis);
    if (!make_unit(axis)) axis = {1, 0, 0};
    return AxisAngle{narrow(axis), static_cast<float>(2.0 * atan2_d(sine, r.w))};
  });
}

Quat from_euler(Vec3 angles, EulerOrder order) {
  return exactly([&] {
    const double turns[3] = {angles.x, angles.y, angles.z};
    const EulerAxes axes = euler_axes(order);
    Quatd q = kNoRotation;
    for (int axis : {axes.first, axes.second, axes.third}) {
      const double half = 0.5 * turns[axis];
      if (!is_finite(half)) return narrow(kNoRotation);
      const double s = sin_d(half);
      q = product(q, {axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0, cos_d(half)});
    }
    return narrow(q);
  });
}

Vec3 to_euler(Quat q, EulerOrder order) {
  return exactly([&] {
    // With half angles a, b, c and the parts i, j, k of the first, second and third axis (j times the parity):
    //   w + j = (cos b + sin b) cos(a + c)    i + k = (cos b + sin b) sin(a + c)
    //   w - j = (cos b - sin b) cos(a - c)    i - k = (cos b - sin b) sin(a - c)
    // Both factors are positive. This stays accurate up to the lock, where one factor is zero and with it the sum or
    // the difference unknown. After Bernardes and Viollet, "Quaternion to Euler angles conversion", 2022.
    const Quatd r = unit(widen(q));
    const EulerAxes axes = euler_axes(order);
    const double parts[3] = {r.x, r.y, r.z};
    const double i = parts[axes.first], j = axes.parity * parts[axes.second], k = parts[axes.third];
    const double plus = sqrt_d((r.w + j) * (r.w + j) + (i + k) * (i + k));
    const double minus = sqrt_d((r.w - j) * (r.w - j) + (i - k) * (i - k));
    const double sum = atan2_d(i + k, r.w + j);
    const double difference = atan2_d(i - k, r.w - j);

    // Below this the smaller factor is made of the rounding of q's floats, and the angle that it gives is noise.
    constexpr double kLock = 2e-7;
    double angles[3];
    if (minus < kLock || plus < kLock) {
      angles[axes.first] = 2.0 * (minus < plus ? sum : difference);
      angles[axes.second] = axes.parity * (minus < plus ? kHalfPi : -kHalfPi);
      angles[axes.third] = 0.0;
    } else {
      angles[axes.first] = sum + difference;
      angles[axes.second] = axes.parity * atan2_d(2.0 * (r.w * j + i * k), plus * minus);
      angles[axes.third] = sum - difference;
    }
    return narrow(Vec3d{wrapped(angles[0]), wrapped(angles[1]), wrapped(angles[2])});
  });
}

Quat look_rotation(Vec3 forward, Vec3 up, Vec3 local_forward, Vec3 local_up) {
  return exactly([&] {
    Quatd to_world, to_local;
    if (!look_frame(widen(forward), widen(up), to_world)) return narrow(kNoRotation);
    if (!look_frame(widen(local_forward), widen(local_up), to_local)) return narrow(kNoRotation);
    return narrow(shorter(product(to_world, conjugated(to_local))));
  });
}

Quat rotation_between(Vec3 from, Vec3 to) {
  return exactly([&] {
    Vec3d a = widen(from), b = widen(to);
    if (!make_unit(a) || !make_unit(b)) return narrow(kNoRotation);
    // Turning to the middle and on as far again: the middle direction gives half the angle.
    Vec3d middle = add(a, b);
    if (length(middle) <= kParallel) {
      const Vec3d axis = perpendicular(a);
      return narrow(Quatd{axis.x, axis.y, axis.z, 0.0});
    }
    middle = divided(middle, length(middle));
    const Vec3d v = cross(a, middle);
    return narrow(unit({v.x, v.y, v.z, dot(a, middle)}));
  });
}

Quat normalize(Quat q) {
  return exactly([&] { return narrow(unit(widen(q))); });
}

float dot(Quat a, Quat b) {
  return exactly([&] {
    const Quatd p = widen(a), q = widen(b);
    return static_cast<float>(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w);
  });
}

Quat conjugate(Quat q) { return {-q.x, -q.y, -q.z, q.w}; }

Quat multiply(Quat a, Quat b) {
  return exactly([&] { return narrow(product(widen(a), widen(b))); });
}

Vec3 rotate(Quat q, Vec3 v) {
  return exactly([&] {
    const Vec3d u = vector_part(widen(q)), p = widen(v);
    const Vec3d t = scaled(cross(u, p), 2.0);
    return narrow(add(add(p, scaled(t, q.w)), cross(u, t)));
  });
}

Vec3 rotation_vector(Quat q) {
  return exactly([&] {
    const Quatd r = shorter(unit(widen(q)));
    const Vec3d v = vector_part(r);
    const double sine = length(v);
    if (sine == 0.0) return Vec3{0, 0, 0};
    return narrow(scaled(v, atan2_d(sine, r.w) / sine));
  });
}

Quat from_rotation_vector(Vec3 v) {
  return exactly([&] {
    Vec3d axis = widen(v);
    const double half = length(axis);
    if (!make_unit(axis)) return narrow(kNoRotation);
    const Vec3d u = scaled(axis, sin_d(half));
    return narrow(Quatd{u.x, u.y, u.z, cos_d(half)});
  });
}

float angle_between(Quat a, Quat b) {
  return exactly([&] {
    const Quatd r = shorter(product(conjugated(unit(widen(a))), unit(widen(b))));
    return static_cast<float>(2.0 * atan2_d(length(vector_part(r)), r.w));
  });
}

}  // namespace marrow
