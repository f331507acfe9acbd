#include "maker/curve.h"

#include <cstddef>

#include "marrow/core/assert.h"

namespace marrow::character {
namespace {

// The spline's equations give each slope twice the weight of both its neighbours together, so every pass over them
// halves the error at least.
constexpr int kPasses = 60;

}  // namespace

double Curve::span(std::size_t i) const {
  return i + 1 < keys_.size() ? keys_[i + 1].t - keys_[i].t : keys_[0].t + period_ - keys_[i].t;
}

double Curve::rise(std::size_t i) const { return (keys_[next(i)].value - keys_[i].value) / span(i); }

Curve Curve::make(const std::vector<CurveKey>& keys, double period) {
  Curve curve;
  curve.keys_.clear();
  curve.period_ = period;
  for (const CurveKey& key : keys) curve.keys_.push_back({key.t, key.value, 0});
  MARROW_ASSERT(keys.size() >= 2, "a curve needs two keys");
  for (std::size_t i = 0; i + (period > 0 ? 0 : 1) < keys.size(); ++i) {
    MARROW_ASSERT(curve.span(i) > 0, "the keys of a curve must be in order, and a loop's within its period");
  }
  return curve;
}

// Slopes that make the second derivative continuous too.
void Curve::smooth(double first_slope, double last_slope) {
  const std::size_t n = keys_.size();
  const bool loops = period_ > 0;
  if (!loops) keys_.front().slope = first_slope, keys_.back().slope = last_slope;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t i = loops ? 0 : 1; i + (loops ? 0 : 1) < n; ++i) {
      const std::size_t before = i > 0 ? i - 1 : n - 1;
      const double a = 1 / span(before), b = 1 / span(i);
      const double pull = 3 * (rise(before) * a + rise(i) * b);
      keys_[i].slope = (pull - keys_[before].slope * a - keys_[next(i)].slope * b) / (2 * (a + b));
    }
  }
}

// Slopes after Fritsch and Butland: the weighted harmonic mean of the rises on both sides, none at an extreme.
void Curve::level() {
  const std::size_t n = keys_.size();
  const bool loops = period_ > 0;
  for (std::size_t i = loops ? 0 : 1; i + (loops ? 0 : 1) < n; ++i) {
    const std::size_t before = i > 0 ? i - 1 : n - 1;
    const double a = rise(before), b = rise(i);
    if (a * b <= 0) continue;
    const double wa = 2 * span(i) + span(before), wb = span(i) + 2 * span(before);
    keys_[i].slope = (wa + wb) / (wa / a + wb / b);
  }
}

Curve Curve::loop(const std::vector<CurveKey>& keys, double period) {
  Curve curve = make(keys, period);
  curve.smooth(0, 0);
  return curve;
}

Curve Curve::level_loop(const std::vector<CurveKey>& keys, double period) {
  Curve curve = make(keys, period);
  curve.level();
  return curve;
}

Curve Curve::once(const std::vector<CurveKey>& keys, double first_slope, double last_slope) {
  Curve curve = make(keys, 0);
  curve.smooth(first_slope, last_slope);
  return curve;
}

Curve Curve::level_once(const std::vector<CurveKey>& keys) {
  Curve curve = make(keys, 0);
  curve.level();
  return curve;
}

double Curve::operator()(double t) const {
  if (keys_.size() == 1) return keys_[0].value;
  if (period_ > 0) {
    while (t < keys_.front().t) t += period_;
    while (t >= keys_.front().t + period_) t -= period_;
  } else {
    if (t <= keys_.front().t) return keys_.front().value;
    if (t >= keys_.back().t) return keys_.back().value;
  }
  std::size_t i = 0;
  while (i + 1 < keys_.size() && keys_[i + 1].t <= t) ++i;
  const Knot &a = keys_[i], &b = keys_[next(i)];
  const double h = span(i), u = (t - a.t) / h, v = 1 - u;
  return a.value * (1 + 2 * u) * v * v + b.value * (1 + 2 * v) * u * u + h * u * v * (a.slope * v - b.slope * u);
}

}  // namespace marrow::character
