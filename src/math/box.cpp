#include "marrow/math/box.h"

#include <limits>

#include "src/math/arithmetic.h"

namespace marrow {
namespace {

// Of a number and what is none, the number.
float lesser(float a, float b) { return b < a || a != a ? b : a; }
float greater(float a, float b) { return b > a || a != a ? b : a; }

// A margin for rounding, as a share of the numbers that are computed with.
constexpr double kRounding = 1e-6;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Box transformed(const Affine& a, const Box& box) {
  const double centre[3] = {(static_cast<double>(box.low.x) + box.high.x) / 2,
                            (static_cast<double>(box.low.y) + box.high.y) / 2,
                            (static_cast<double>(box.low.z) + box.high.z) / 2};
  const double half[3] = {(static_cast<double>(box.high.x) - box.low.x) / 2,
                          (static_cast<double>(box.high.y) - box.low.y) / 2,
                          (static_cast<double>(box.high.z) - box.low.z) / 2};
  float low[3], high[3];
  for (int i = 0; i < 3; ++i) {
    const auto& row = a.m[i];
    double middle = row[3], reach = 0, sizes = magnitude(row[3]);
    for (int j = 0; j < 3; ++j) {
      middle += static_cast<double>(row[j]) * centre[j];
      reach += magnitude(row[j]) * half[j];
      sizes += magnitude(row[j]) * magnitude(centre[j]);
    }
    reach += kRounding * (sizes + reach);
    // What is beyond numbers may be anywhere.
    const bool finite = middle - middle == 0 && reach - reach == 0;
    low[i] = finite ? static_cast<float>(middle - reach) : -kInfinity;
    high[i] = finite ? static_cast<float>(middle + reach) : kInfinity;
  }
  return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

}  // namespace

bool is_empty(const Box& box) { return box.low.x > box.high.x || box.low.y > box.high.y || box.low.z > box.high.z; }

Box enclose(const Box& a, const Box& b) {
  return {{lesser(a.low.x, b.low.x), lesser(a.low.y, b.low.y), lesser(a.low.z, b.low.z)},
          {greater(a.high.x, b.high.x), greater(a.high.y, b.high.y), greater(a.high.z, b.high.z)}};
}

Box enclose(const Box& box, Vec3 point) { return enclose(box, {point, point}); }

Box transform_box(const Affine& a, const Box& box) {
  if (is_empty(box)) return {};
  return exactly([&] { return transformed(a, box); });
}

bool contains(const Box& box, Vec3 p) {
  return p.x >= box.low.x && p.x <= box.high.x && p.y >= box.low.y && p.y <= box.high.y && p.z >= box.low.z &&
         p.z <= box.high.z;
}

Vec3 size_of(const Box& box) {
  if (is_empty(box)) return {};
  return exactly([&] { return Vec3{box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z}; });
}

Frustum frustum_of(const float m[16], ClipDepth depth) {
  return exactly([&] {
    const auto row = [m](int i) { return Vec4{m[i], m[4 + i], m[8 + i], m[12 + i]}; };
    const auto sum = [](Vec4 a, Vec4 b, float s) {
      return Vec4{a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w};
    };
    const Vec4 w = row(3), z = row(2);
    return Frustum{{sum(w, row(0), 1), sum(w, row(0), -1), sum(w, row(1), 1), sum(w, row(1), -1),
                    depth == ClipDepth::zero_to_one ? z : sum(w, z, 1), sum(w, z, -1)}};
  });
}

bool intersects(const Frustum& frustum, const Box& box) {
  if (is_empty(box)) return false;
  return exactly([&] {
    for (const Vec4& plane : frustum.planes) {
      // The corner that is farthest on the inner side.
      const double x = static_cast<double>(plane.x) * (plane.x < 0 ? box.low.x : box.high.x);
      const double y = static_cast<double>(plane.y) * (plane.y < 0 ? box.low.y : box.high.y);
      const double z = static_cast<double>(plane.z) * (plane.z < 0 ? box.low.z : box.high.z);
      const double w = plane.w;
      if (x + y + z + w < -kRounding * (magnitude(x) + magnitude(y) + magnitude(z) + magnitude(w))) return false;
    }
    return true;
  });
}

}  // namespace marrow
