#include "src/clip/skin_error.h"

#include <algorithm>

#include "src/clip/imports.h"

namespace marrow {
namespace {

struct CheckTime {
  double time;
  bool needed;  // a jump is on one side of it
};

// A time before t, so near that no key lies between.
double just_before(double t) { return t - (t < 0 ? -t : t) * 1e-12 - 1e-15; }

// Returns a bound of the largest eigenvalue of the square of a 3x3 matrix, transposed(d) * d: the square of its
// spectral norm. It is the largest root of x^3 - trace x^2 + minors x - determinant.
double largest_eigenvalue(const float (&d)[3][4]) {
  const auto entry = [&](int i, int k) {
    double sum = 0;
    for (const auto& row : d) sum += static_cast<double>(row[i]) * static_cast<double>(row[k]);
    return sum;
  };
  const double xx = entry(0, 0), yy = entry(1, 1), zz = entry(2, 2);
  const double xy = entry(0, 1), xz = entry(0, 2), yz = entry(1, 2);
  const double trace = (xx + yy) + zz;
  const double minors = (xx * yy - xy * xy) + (xx * zz - xz * xz) + (yy * zz - yz * yz);
  const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  const auto value = [&](double x) { return ((x - trace) * x + minors) * x - determinant; };
  const auto slope = [&](double x) { return (3 * x - 2 * trace) * x + minors; };
  // For the difference of two rotations two roots are equal and one is zero. Right of a third of the trace, where the
  // polynomial and its slope are positive all roots are passed.
  for (const double part : {0.501, 0.51, 0.55}) {
    if (value(part * trace) >= 0 && slope(part * trace) > 0) return part * trace;
  }
  double largest = trace;  // from there Newton's steps come down to the root and never pass it
  for (int i = 0; i < 20; ++i) {
    const double s = slope(largest);
    if (!(s > 0)) break;
    const double next = largest - value(largest) / s;
    if (!(next < largest * 0.9999)) break;
    largest = next;
  }
  return largest;
}

}  // namespace

SkinTarget to_skin_target(const Affine& model_from_joint, double distance) {
  SkinTarget target{model_from_joint, {0, 0, 0, 1}};
  for (int k = 0; k < 3; ++k) {
    const double x = model_from_joint.m[0][k], y = model_from_joint.m[1][k], z = model_from_joint.m[2][k];
    const double scale2 = (x * x + y * y) + z * z;
    target.reach[k] = static_cast<float>(scale2 > 1e-30 ? distance / platform::square_root(scale2) : distance);
  }
  return target;
}

float skin_error(const SkinTarget& target, const Affine& matrix, float least) {
  float d[3][4], squares[4] = {};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 4; ++k) {
      d[i][k] = (matrix.m[i][k] - target.matrix.m[i][k]) * target.reach[k];
      squares[k] += d[i][k] * d[i][k];
    }
  }
  const float turned2 = (squares[0] + squares[1]) + squares[2], moved2 = squares[3];
  if (2 * (turned2 + moved2) <= least * least) return least;  // (a + b)^2 <= 2 (a^2 + b^2)
  const double turned = platform::square_root(largest_eigenvalue(d));
  return std::max(static_cast<float>(platform::square_root(static_cast<double>(moved2)) + turned), least);
}

std::vector<double> check_times(std::span<const ClipKeys* const> clips, double per_second, std::size_t most) {
  std::vector<CheckTime> times;
  for (const ClipKeys* clip : clips) {
    for (const TrackKeys& track : clip->tracks) {
      for (std::size_t k = 0; k < track.times.size(); ++k) {
        const auto time = static_cast<double>(track.times[k]);
        const bool jump = track.interpolation == Interpolation::step || (k > 0 && track.times[k] == track.times[k - 1]);
        if (jump) times.push_back({just_before(time), true});
        times.push_back({time, jump});
      }
    }
  }
  std::sort(times.begin(), times.end(), [](const CheckTime& a, const CheckTime& b) {
    return a.time != b.time ? a.time < b.time : a.needed && !b.needed;
  });
  times.erase(
      std::unique(times.begin(), times.end(), [](const CheckTime& a, const CheckTime& b) { return a.time == b.time; }),
      times.end());
  const double length = times.empty() ? 0 : times.back().time - times.front().time;
  const double least = length / static_cast<double>(most), gap = std::max(1 / per_second, least);
  const double crowded = times.size() > most ? std::max(gap / 8, least) : 0;
  std::vector<double> checks;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double time = times[i].time;
    if (!checks.empty()) {
      const double from = checks.back();
      if (!times[i].needed && i + 1 < times.size() && time - from < crowded) continue;
      const auto pieces = static_cast<std::size_t>(std::max(0.0, (time - from) / gap - 1e-6)) + 1;
      for (std::size_t p = 1; p < pieces; ++p) {
        checks.push_back(from + (time - from) * static_cast<double>(p) / static_cast<double>(pieces));
      }
    }
    checks.push_back(time);
  }
  return checks;
}

}  // namespace marrow
