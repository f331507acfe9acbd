#include "marrow/math/affine.h"

#include <algorithm>

#include "src/math/arithmetic.h"

namespace marrow {
namespace {

// Returns a * (v, w), w being 0 or 1.
Vec3 transformed(const Affine& a, Vec3 v, bool with_translation) {
  float out[3];
  for (int i = 0; i < 3; ++i) {
    const float* row = a.m[i];
    const float sum = (row[0] * v.x + row[1] * v.y) + row[2] * v.z;
    out[i] = with_translation ? sum + row[3] : sum;
  }
  return {out[0], out[1], out[2]};
}

Vec3d column(const Affine& a, int j) { return {a.m[0][j], a.m[1][j], a.m[2][j]}; }

double determinant_d(const Affine& a) { return dot(column(a, 0), cross(column(a, 1), column(a, 2))); }

Affine inverted(const Affine& a) {
  const double det = determinant_d(a);
  if (det == 0.0 || !is_finite(det)) return {};
  const Vec3d x = column(a, 0), y = column(a, 1), z = column(a, 2), t = column(a, 3);
  const Vec3d rows[3] = {divided(cross(y, z), det), divided(cross(z, x), det), divided(cross(x, y), det)};
  Affine out;
  for (int i = 0; i < 3; ++i) {
    const double row[4] = {rows[i].x, rows[i].y, rows[i].z, -dot(rows[i], t)};
    for (int j = 0; j < 4; ++j) {
      out.m[i][j] = static_cast<float>(row[j]);
      if (!is_finite(out.m[i][j])) return {};
    }
  }
  return out;
}

// Gives the axes that have no direction one that makes all three orthonormal, and right-handed.
void complete(Vec3d axes[3], bool known[3]) {
  if (!known[0] && !known[1] && !known[2]) {
    axes[0] = {1, 0, 0};
    axes[1] = {0, 1, 0};
    axes[2] = {0, 0, 1};
    return;
  }
  for (int i = 0; i < 3; ++i) {
    if (known[i]) continue;
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    const bool both = known[next] && known[last];
    axes[i] = both ? cross(axes[next], axes[last]) : perpendicular(axes[known[next] ? next : last]);
    known[i] = true;
  }
}

Transform decomposed(const Affine& a) {
  // What is left of a column after the directions of the earlier ones are taken out is rounding below this part of it.
  constexpr double kParallel = 1e-7;
  Vec3d axes[3];
  double scale[3];
  bool known[3];
  for (int i = 0; i < 3; ++i) {
    const Vec3d whole = column(a, i);
    Vec3d rest = whole;
    for (int j = 0; j < i; ++j) {
      if (known[j]) rest = subtract(rest, scaled(axes[j], dot(axes[j], rest)));
    }
    const double l = length(rest);
    known[i] = l > kParallel * length(whole);  // not for zero, infinity and NaN
    scale[i] = known[i] ? l : 0.0;
    axes[i] = known[i] ? divided(rest, l) : Vec3d{0, 0, 0};
  }
  complete(axes, known);
  if (dot(axes[0], cross(axes[1], axes[2])) < 0.0) {
    axes[0] = scaled(axes[0], -1.0);
    scale[0] = -scale[0];
  }
  Transform t;
  t.translation = narrow(column(a, 3));
  t.rotation = narrow(rotation_from_axes(axes[0], axes[1], axes[2]));
  t.scale = narrow(Vec3d{scale[0], scale[1], scale[2]});
  return t;
}

}  // namespace

Affine multiply(const Affine& a, const Affine& b) {
  return exactly([&] { return product(a, b); });
}

Affine inverse(const Affine& a) {
  return exactly([&] { return inverted(a); });
}

bool is_finite(const Affine& a) {
  return exactly([&] { return std::all_of(&a.m[0][0], &a.m[0][0] + 12, [](float x) { return is_finite(x); }); });
}

float determinant(const Affine& a) {
  return exactly([&] { return static_cast<float>(determinant_d(a)); });
}

Vec3 transform_point(const Affine& a, Vec3 point) {
  return exactly([&] { return transformed(a, point, true); });
}

Vec3 transform_vector(const Affine& a, Vec3 vector) {
  return exactly([&] { return transformed(a, vector, false); });
}

Affine to_affine(const Transform& t) {
  return exactly([&] { return composed(t); });
}

Transform to_transform(const Affine& a) {
  return exactly([&] { return decomposed(a); });
}

void to_column_major(const Affine& a, float out[16]) {
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 3; ++i) out[4 * j + i] = a.m[i][j];
    out[4 * j + 3] = j == 3 ? 1.0f : 0.0f;
  }
}

Affine from_column_major(const float in[16]) {
  Affine a;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) a.m[i][j] = in[4 * j + i];
  }
  return a;
}

}  // namespace marrow
