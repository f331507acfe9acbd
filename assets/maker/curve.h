// Curves through hand-chosen keys: what the motions of the character are drawn with.
//
// Cubic pieces with a common slope at each key. Only + - * /, so the same numbers come out everywhere.
#pragma once

#include <vector>

namespace marrow::character {

struct CurveKey {
  double t = 0, value = 0;
};

class Curve {
 public:
  // A curve of one value.
  Curve(double value = 0) : keys_{{0, value, 0}} {}

  // The smoothest curve through the keys, which goes on with the first one `period` after it. Swings a little beyond
  // its extreme keys, as limbs do.
  [[nodiscard]] static Curve loop(const std::vector<CurveKey>& keys, double period = 1);

  // The same but never beyond its keys: level at every extreme, and between keys of one value.
  [[nodiscard]] static Curve level_loop(const std::vector<CurveKey>& keys, double period = 1);

  // The smoothest curve through the keys, with given slopes at both ends; it stays there before and after.
  [[nodiscard]] static Curve once(const std::vector<CurveKey>& keys, double first_slope = 0, double last_slope = 0);

  // The same but never beyond its keys, and level at both ends.
  [[nodiscard]] static Curve level_once(const std::vector<CurveKey>& keys);

  [[nodiscard]] double operator()(double t) const;

 private:
  struct Knot {
    double t, value, slope;
  };
  static Curve make(const std::vector<CurveKey>& keys, double period);
  void smooth(double first_slope, double last_slope);
  void level();
  [[nodiscard]] std::size_t next(std::size_t i) const { return i + 1 < keys_.size() ? i + 1 : 0; }
  [[nodiscard]] double span(std::size_t i) const;  // of t, from knot i to the next
  [[nodiscard]] double rise(std::size_t i) const;  // the mean slope there

  std::vector<Knot> keys_;
  double period_ = 0;  // 0: once
};

}  // namespace marrow::character
