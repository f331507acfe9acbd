// Arithmetic of Vec3.
//
// The functions are static: each file has its own copy, so that the compiler flags of a program cannot change the
// results of the library.
#pragma once

#include "marrow/math/functions.h"
#include "marrow/math/types.h"

namespace marrow {

[[nodiscard]] static inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
[[nodiscard]] static inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
[[nodiscard]] static inline Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
[[nodiscard]] static inline Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
[[nodiscard]] static inline Vec3 operator*(float s, Vec3 a) { return a * s; }
[[nodiscard]] static inline Vec3 operator/(Vec3 a, float s) { return {a.x / s, a.y / s, a.z / s}; }
static inline Vec3& operator+=(Vec3& a, Vec3 b) { return a = a + b; }
static inline Vec3& operator-=(Vec3& a, Vec3 b) { return a = a - b; }
static inline Vec3& operator*=(Vec3& a, float s) { return a = a * s; }

[[nodiscard]] static inline float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] static inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] static inline float length(Vec3 a) { return det::sqrt(dot(a, a)); }
[[nodiscard]] static inline float distance(Vec3 a, Vec3 b) { return length(a - b); }

// Returns the direction of a vector; `otherwise` if its length is 0, or too large or small to compute with.
[[nodiscard]] static inline Vec3 direction_of(Vec3 a, Vec3 otherwise) {
  const float size = length(a);
  return size > 1e-30f && size < 1e30f ? a * (1 / size) : otherwise;
}

// Returns the point that divides the way from a to b at u: a at 0, b at 1.
[[nodiscard]] static inline Vec3 mix(Vec3 a, Vec3 b, float u) { return a + (b - a) * u; }

}  // namespace marrow
