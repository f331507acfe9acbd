#include "redundancy.h"

#include <cmath>

#include "marrow/math/quat.h"

namespace marrow::tool {
namespace {

constexpr std::size_t kLongestRun = 100;  // of keys that go in a row; keeps the work in bounds

class Curve {
 public:
  Curve(const TrackKeys& track, const KeyTolerance& tolerance)
      : track_(track), size_(track.values.size() / track.times.size()) {
    switch (track.property) {
      case Property::translation: tolerance_ = tolerance.translation; break;
      case Property::rotation: tolerance_ = tolerance.rotation; break;
      case Property::scale: tolerance_ = tolerance.scale; break;
      case Property::morph: tolerance_ = tolerance.morph; break;
    }
  }

  // Whether the keys between `from` and `to` can go.
  [[nodiscard]] bool spans(std::size_t from, std::size_t to) const {
    for (std::size_t k = from + 1; k < to; ++k) {
      if (!is_between(from, to, k)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool is_between(std::size_t from, std::size_t to, std::size_t key) const {
    const double length = static_cast<double>(track_.times[to]) - static_cast<double>(track_.times[from]);
    if (!(length > 0)) return false;
    const double u = (static_cast<double>(track_.times[key]) - static_cast<double>(track_.times[from])) / length;
    const bool step = track_.interpolation == Interpolation::step;
    if (track_.property == Property::rotation) {
      const Quat a = rotation(from);
      const Quat expected = step ? a : slerp(a, rotation(to), static_cast<float>(u));
      return static_cast<double>(angle_between(expected, rotation(key))) <= tolerance_;
    }
    for (std::size_t i = 0; i < size_; ++i) {
      const double a = value(from, i), b = step ? a : value(to, i);
      if (!(std::fabs(a + (b - a) * u - value(key, i)) <= tolerance_)) return false;
    }
    return true;
  }

  [[nodiscard]] double value(std::size_t key, std::size_t i) const {
    return static_cast<double>(track_.values[key * size_ + i]);
  }
  [[nodiscard]] Quat rotation(std::size_t key) const {
    const float* v = track_.values.data() + key * size_;
    return {v[0], v[1], v[2], v[3]};
  }

  const TrackKeys& track_;
  std::size_t size_;
  double tolerance_ = 0;
};

}  // namespace

std::size_t count_redundant(const TrackKeys& track, const KeyTolerance& tolerance) {
  const std::size_t keys = track.times.size();
  if (keys < 3 || track.interpolation == Interpolation::cubic_spline) return 0;
  const Curve curve(track, tolerance);
  std::size_t kept = 1, from = 0;
  while (from + 1 < keys) {
    std::size_t to = from + 1;
    while (to + 1 < keys && to - from < kLongestRun && curve.spans(from, to + 1)) ++to;
    ++kept;
    from = to;
  }
  return keys - kept;
}

}  // namespace marrow::tool
