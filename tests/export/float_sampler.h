// A program that has exported arrays, as docs/export.md has it: everything in float, with the C library's functions and
// none of marrow's.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "marrow/export/exported.h"

namespace marrow::test {

class FloatSampler {
 public:
  explicit FloatSampler(const ExportedAnimation& animation) : animation_(animation), model_(animation.bones.size()) {}

  // Returns the matrices of the bones in model space.
  const std::vector<Affine>& at(float time) {
    const std::vector<float>& times = animation_.times;
    std::size_t a = 0;
    while (a + 2 < times.size() && times[a + 1] <= time) ++a;
    const std::size_t b = std::min(a + 1, times.size() - 1);
    const float length = times[b] - times[a];
    for (std::size_t i = 0; i < model_.size(); ++i) {
      float u = length > 0 ? (time - times[a]) / length : 0, p[10], q[10];
      if (animation_.interpolation[i] == ExportedInterpolation::step && u < 1) u = 0;
      take_apart(a, i, p);
      take_apart(b, i, q);
      const float dot = p[3] * q[3] + p[4] * q[4] + p[5] * q[5] + p[6] * q[6], sign = dot < 0 ? -1.0f : 1.0f;
      const float angle = std::acos(std::min(std::fabs(dot), 1.0f)), s = std::sin(angle);
      const float from = s > 1e-4f ? std::sin((1 - u) * angle) / s : 1 - u,
                  to = s > 1e-4f ? std::sin(u * angle) / s : u;
      float v[10];
      for (int k = 0; k < 10; ++k) v[k] = k < 3 || k > 6 ? p[k] + (q[k] - p[k]) * u : p[k] * from + q[k] * to * sign;
      const float x = v[3], y = v[4], z = v[5], w = v[6];
      const Affine local = {
          {{(1 - 2 * (y * y + z * z)) * v[7], 2 * (x * y - z * w) * v[8], 2 * (x * z + y * w) * v[9], v[0]},
           {2 * (x * y + z * w) * v[7], (1 - 2 * (x * x + z * z)) * v[8], 2 * (y * z - x * w) * v[9], v[1]},
           {2 * (x * z - y * w) * v[7], 2 * (y * z + x * w) * v[8], (1 - 2 * (x * x + y * y)) * v[9], v[2]}}};
      const std::int32_t parent = animation_.bones[i].parent;
      model_[i] = parent < 0 ? local : product(model_[static_cast<std::size_t>(parent)], local);
    }
    return model_;
  }

  static Affine product(const Affine& a, const Affine& b) {
    Affine out;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 4; ++c) {
        out.m[r][c] = a.m[r][0] * b.m[0][c] + a.m[r][1] * b.m[1][c] + a.m[r][2] * b.m[2][c] + (c == 3 ? a.m[r][3] : 0);
      }
    }
    return out;
  }

 private:
  // Writes a translation, a rotation and a scale. Columns are at right angles, or zero.
  void take_apart(std::size_t frame, std::size_t bone, float out[10]) const {
    const std::size_t size = keyframe_size(animation_);
    const float* m = animation_.keyframes.data() + (frame * model_.size() + bone) * size;
    if (animation_.trs) {
      std::copy_n(m, 10, out);
      return;
    }
    float c[3][3];
    for (int i = 0; i < 3; ++i) {
      out[i] = m[4 * i + 3];
      out[7 + i] = std::sqrt(m[i] * m[i] + m[4 + i] * m[4 + i] + m[8 + i] * m[8 + i]);
      for (int r = 0; r < 3; ++r) c[i][r] = m[4 * r + i] / out[7 + i];
    }
    const float det = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                      c[1][0] * (c[0][1] * c[2][2] - c[0][2] * c[2][1]) +
                      c[2][0] * (c[0][1] * c[1][2] - c[0][2] * c[1][1]);
    if (det < 0) {
      out[7] = -out[7];
      for (float& x : c[0]) x = -x;
    }
    const float fours[] = {1 + c[0][0] - c[1][1] - c[2][2], 1 - c[0][0] + c[1][1] - c[2][2],
                           1 - c[0][0] - c[1][1] + c[2][2], 1 + c[0][0] + c[1][1] + c[2][2]};
    const auto k = std::max_element(fours, fours + 4) - fours;
    const float s = 2 * std::sqrt(fours[k]), t = s / 4;
    const float xy = (c[0][1] + c[1][0]) / s, xz = (c[0][2] + c[2][0]) / s, yz = (c[1][2] + c[2][1]) / s;
    const float xw = (c[1][2] - c[2][1]) / s, yw = (c[2][0] - c[0][2]) / s, zw = (c[0][1] - c[1][0]) / s;
    const float rotations[4][4] = {{t, xy, xz, xw}, {xy, t, yz, yw}, {xz, yz, t, zw}, {xw, yw, zw, t}};
    std::copy_n(rotations[k], 4, out + 3);
  }

  const ExportedAnimation& animation_;
  std::vector<Affine> model_;
};

}  // namespace marrow::test
