// Standing, and breathing.
#include "maker/balance.h"
#include "maker/curve.h"
#include "maker/footwork.h"
#include "maker/motion_parts.h"

namespace marrow::character {
namespace {

constexpr int kIdleFrames = 252;  // 4.2 s
constexpr double kHipsHeight = 0.950;

ArmControls hanging_arm() {
  ArmControls arm;
  arm.swing_deg = 1;
  arm.out_deg = 13;
  arm.twist_deg = 8;
  arm.elbow_deg = 20;
  arm.pronation_deg = 4;
  arm.wrist_deg = 4;
  arm.hand = relaxed_hand(0.40);
  return arm;
}

// What is told of a moment of standing, all of it 0 at the middle between breaths and legs.
struct Life {
  double shift = 0;   // of the weight, from -1 on the right leg to 1 on the left
  double breath = 0;  // 0 to 1
  double look_deg = 0, nod_deg = 0;
};

Controls standing_with(const Life& life) {
  Controls c;
  c.legs = {stand_on(kStandingFeet[0]), stand_on(kStandingFeet[1])};
  c.hips = {0, kHipsHeight - 0.004 * life.shift * life.shift, 0};
  // The hip of the leg that bears goes up and out, the shoulders go the other way.
  c.hips_turn = {2.5, 1.5 + 1.5 * life.shift, -2.2 * life.shift};
  c.spine = {-2.0 - 1.2 * life.breath, -1.0 - 2.0 * life.shift, 3.4 * life.shift};
  c.head = {1.0 + life.nod_deg, 1.0 + life.look_deg, -0.8 * life.shift};
  for (std::size_t s = 0; s < 2; ++s) {
    const double to_here = s == 0 ? life.shift : -life.shift;
    ArmControls arm = hanging_arm();
    arm.shrug_deg = 2.2 * life.breath - 0.6 * to_here;
    arm.reach_deg = -1.2 * life.breath;
    arm.out_deg += 0.8 * life.breath + 1.0 * to_here;
    arm.swing_deg += 1.2 * life.breath;
    arm.elbow_deg += 1.5 * life.breath - 1.5 * to_here;
    c.arms[s] = arm;
  }
  c.arms[1].elbow_deg += 3;
  c.arms[1].swing_deg += 2;
  // Over the feet, towards the one that bears.
  put_centre(c, {0.004 + 0.030 * life.shift, 0, 0.012}, {1, 0, 1});
  return c;
}

struct IdleCurves {
  Curve shift = Curve::loop({{0.0, -0.35}, {0.22, 0.65}, {0.50, 0.85}, {0.74, -0.55}, {0.88, -0.80}});
  Curve breath = Curve::loop({{0.03, 0}, {0.24, 1}, {0.53, 0.04}, {0.75, 0.92}});
  Curve look_deg = Curve::loop({{0.05, 0}, {0.30, 3.5}, {0.48, 2.5}, {0.68, -3}, {0.88, -1.5}});
  Curve nod_deg = Curve::loop({{0.0, 0}, {0.27, -1.4}, {0.56, 0.8}, {0.78, -1.0}});
  Curve blink = Curve::level_loop(
      {{0.02, 0}, {0.300, 0}, {0.322, 1}, {0.334, 1}, {0.368, 0}, {0.785, 0}, {0.807, 1}, {0.819, 1}, {0.853, 0}});

  [[nodiscard]] Life at(double phase) const { return {shift(phase), breath(phase), look_deg(phase), nod_deg(phase)}; }
};

}  // namespace

Controls standing() { return standing_with(IdleCurves().at(0)); }

Motion make_idle() {
  const IdleCurves curves;
  return sample_motion("idle", kIdleFrames, true, [&](double time_s) {
    const double phase = time_s * kFramesPerSecond / kIdleFrames;
    return Moment{standing_with(curves.at(phase)), curves.blink(phase), 0.12};
  });
}

}  // namespace marrow::character
