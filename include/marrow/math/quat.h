// Rotations as unit quaternions.
//
// All functions are deterministic to the bit on every platform. Angles in radians, right-handed. Functions that take a
// rotation expect unit length up to rounding; `normalize` makes it so.
//
// All but `slerp` compute in double, so that neither huge nor tiny numbers do harm. Numbers that are not finite count
// as absent: a vector with one has no length, a quaternion or an angle with one is no rotation. Only `dot`,
// `conjugate`, `multiply`, `rotate` and `slerp` pass them on.
#pragma once

#include "marrow/math/types.h"

namespace marrow {

// The order in which the three turns are made about the axes of the turning body (intrinsic): xyz turns about x, then
// about the new y, then about the newest z, which as a product is X * Y * Z.
enum class EulerOrder { xyz, xzy, yxz, yzx, zxy, zyx };

// Returns the rotation by `angle` about `axis` of any length; the identity if the axis has none.
[[nodiscard]] Quat from_axis_angle(Vec3 axis, float angle);

struct AxisAngle {
  Vec3 axis;
  float angle;
};
// Returns a unit axis and an angle in [0, pi]; the axis is x for no rotation. q and -q give the same.
[[nodiscard]] AxisAngle to_axis_angle(Quat q);

// Returns the rotation of three turns: `angles.x` about x, `angles.y` about y, `angles.z` about z, in `order`.
[[nodiscard]] Quat from_euler(Vec3 angles, EulerOrder order = EulerOrder::xyz);

// Returns angles that `from_euler` turns into the same rotation; the middle one in [-pi/2, pi/2]. Where it is at an end
// (gimbal lock) up to the rounding of q, the last turn is 0. The rotation is that of q to within 4e-7 rad.
[[nodiscard]] Vec3 to_euler(Quat q, EulerOrder order = EulerOrder::xyz);

// Returns the rotation that takes the axis `local_forward` to `forward` and `local_up` as near to `up` as can be. The
// defaults are glTF's: a model looks along +z with +y up. Lengths do not matter. Where `up` is parallel to `forward`
// (to 1e-7 rad) or has no length some fixed perpendicular is used; a `forward` without length gives the identity.
[[nodiscard]] Quat look_rotation(Vec3 forward, Vec3 up, Vec3 local_forward = {0, 0, 1}, Vec3 local_up = {0, 1, 0});

// Returns the shortest rotation that takes the direction `from` to the direction `to`. Opposite directions (to
// 1e-7 rad) turn about a fixed perpendicular; a vector without length gives the identity.
[[nodiscard]] Quat rotation_between(Vec3 from, Vec3 to);

// Returns q with unit length, to within 0.501 ulp in each part; the identity if q is zero or not finite.
[[nodiscard]] Quat normalize(Quat q);

[[nodiscard]] float dot(Quat a, Quat b);
[[nodiscard]] Quat conjugate(Quat q);         // the inverse of a unit quaternion
[[nodiscard]] Quat multiply(Quat a, Quat b);  // first b, then a
[[nodiscard]] Vec3 rotate(Quat q, Vec3 v);

// Returns the rotation a fraction u of the way from a to b by the shorter arc, at constant speed. u = 0 gives a's bits;
// u is not clamped but is meant for [0, 1]. The result is unit, and within 1e-6 rad of the exact one.
[[nodiscard]] Quat slerp(Quat a, Quat b, float u);

// Returns the rotation vector: the axis times half the angle, with length in [0, pi/2]: q and -q give the same.
[[nodiscard]] Vec3 rotation_vector(Quat q);

// Returns the rotation about `v` by twice its length: the inverse of `rotation_vector`.
[[nodiscard]] Quat from_rotation_vector(Vec3 v);

// Returns the angle in [0, pi] between two rotations, accurate for small angles too: to 1e-7 of itself.
[[nodiscard]] float angle_between(Quat a, Quat b);

}  // namespace marrow
