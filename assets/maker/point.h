// Points in double, for what makes the character. Only + - * / and square roots, which are the same everywhere.
#pragma once

#include <cmath>

#include "marrow/math/quat.h"
#include "marrow/math/types.h"

namespace marrow::character {

struct Point {
  double x = 0, y = 0, z = 0;
};

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point operator*(Point a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Point cross(Point a, Point b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Point a) { return std::sqrt(dot(a, a)); }
inline Point lerp(Point a, Point b, double t) { return a + (b - a) * t; }
inline Point normalized(Point a) { return a * (1 / length(a)); }

inline Vec3 to_vec3(Point p) { return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)}; }
inline Point to_point(Vec3 v) { return {v.x, v.y, v.z}; }

// Rotates a point in float, as the library does.
inline Point turned(Quat q, Point p) { return to_point(rotate(q, to_vec3(p))); }

}  // namespace marrow::character
