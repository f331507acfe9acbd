// Feet on the ground, and between one place on it and the next.
#pragma once

#include <functional>
#include <vector>

#include "maker/curve.h"
#include "maker/posing.h"

namespace marrow::character {

// A foot on the ground, told as of the left.
struct Footing {
  double x = 0, z = 0;      // of the heel when the sole is flat, in root space
  double out_deg = 0;       // where the toes point
  double heel_up_deg = 0;   // about the ball, the toes staying flat; below zero the toes are up, about the heel
  double tip_roll_deg = 0;  // then the toes, about their tip
};
[[nodiscard]] LegControls stand_on(const Footing& footing);

// How a foot gets from one contact with the ground to the next: from where and how fast it leaves the one, through keys
// between, to where and how fast it comes to the other.
class Swing {
 public:
  using Contact = std::function<LegControls(double t)>;

  // What there may be keys of, between `lift` and `land`; without any the way is the smoothest.
  struct Keys {
    std::vector<CurveKey> x, y, z;  // of the ankle
    std::vector<CurveKey> forward_deg, left_deg, toes_deg;
  };

  // The contacts are asked on their own side of the swing alone.
  Swing(double lift, double land, const Contact& before, const Contact& after, const Keys& keys);

  [[nodiscard]] LegControls at(double t) const;

 private:
  Curve x_, y_, z_, forward_deg_, left_deg_, toes_deg_;
};

}  // namespace marrow::character
