// Elementary functions that give the same bits on every machine.
//
// The C library's differ between platforms, so the runtime uses none of it. These are made of + - * / and square root
// in IEEE order alone (inside, in double). Errors are against the exact value for the given float argument, in units of
// the last place (ulp): at 0.5 a result is the float nearest to the exact value.
#pragma once

namespace marrow::det {

// Square root, correctly rounded; NaN below zero.
[[nodiscard]] float sqrt(float x);

// Sine and cosine of an angle in radians. |x| up to 4e8: error at most 0.50001 ulp, which is 3.0e-8 or less. Beyond
// that accuracy is lost, until past 1e15 nothing is left of it, but both stay within [-1, 1] and belong to one angle.
// NaN and infinity give NaN.
[[nodiscard]] float sin(float x);
[[nodiscard]] float cos(float x);

// Arc cosine in [0, pi]; arguments outside [-1, 1] are taken as the nearer end; NaN gives NaN. Error at most
// 0.50001 ulp, which is 1.2e-7 or less.
[[nodiscard]] float acos(float x);

// The angle of the point (x, y) in [-pi, pi], signs, zeros and infinities as in IEEE 754: atan2(+0, -1) is pi,
// atan2(-0, -1) is -pi, atan2(0, 0) is 0. NaN gives NaN. Error at most 0.50001 ulp down to the denormals, which is
// 1.2e-7 or less.
[[nodiscard]] float atan2(float y, float x);

}  // namespace marrow::det
