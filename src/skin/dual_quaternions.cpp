#include "marrow/skin/dual_quaternions.h"

#include "marrow/core/assert.h"
#include "marrow/math/affine.h"
#include "src/skin/imports.h"

namespace marrow {
namespace {

// Writes the stretch: the matrix turned back. It is made with the rotation as rounded, and makes up for that.
bool find_stretch(const Affine& matrix, const Quatd& q, DualJoint& out) {
  const Axes axes = axes_of(q);
  bool stretches = false;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double value = dot(axes.axis[i], {matrix.m[0][j], matrix.m[1][j], matrix.m[2][j]});
      const double off = value - (i == j ? 1 : 0);
      stretches = stretches || !(off < 1e-6 && off > -1e-6);
      out.stretch[i][j] = static_cast<float>(value);
    }
    out.stretch[i][3] = 0;
  }
  return stretches;
}

bool convert(const Affine& matrix, DualJoint& out) {
  const Transform parts = to_transform(matrix);
  const Quatd q = widen(parts.rotation);
  const Vec3d t = scaled(widen(parts.translation), 0.5);
  out.real = parts.rotation;
  out.dual = narrow(Quatd{t.x * q.w + t.y * q.z - t.z * q.y, t.y * q.w + t.z * q.x - t.x * q.z,
                          t.z * q.w + t.x * q.y - t.y * q.x, -(t.x * q.x + t.y * q.y + t.z * q.z)});
  return find_stretch(matrix, q, out);
}

}  // namespace

bool dual_palette(std::span<const Affine> palette, std::span<DualJoint> out) {
  MARROW_ASSERT(out.size() == palette.size(), "the output must have one dual quaternion for each matrix");
  return exactly([&] {
    bool stretches = false;
    for (std::size_t i = 0; i < palette.size(); ++i) stretches = convert(palette[i], out[i]) || stretches;
    return stretches;
  });
}

}  // namespace marrow
