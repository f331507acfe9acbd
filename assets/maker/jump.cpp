// A jump on the spot: crouch, drive, flight, landing.
//
// The centre of mass leads: it is lowered no faster than it could fall, driven up until the toes leave the ground,
// flies as a stone does, and is caught. The hips are wherever that has them; arms and spine add the life.
#include "maker/balance.h"
#include "maker/curve.h"
#include "maker/footwork.h"
#include "maker/motion_parts.h"

namespace marrow::character {
namespace {

constexpr int kJumpFrames = 106;
constexpr double kJumpEnd = kJumpFrames / kFramesPerSecond;
constexpr double kLate = 0.012, kJumpArmsEnd = kJumpEnd - kLate;
constexpr double kGravity = 9.81;

// Heights are of the centre of mass, above that of standing.
constexpr double kLeave = 0.66, kLeaveHeight = 0.126, kLeaveSpeed = 2.20;
constexpr double kFlight = 0.500;
constexpr double kLand = kLeave + kFlight;
constexpr double kLandHeight = kLeaveHeight + kLeaveSpeed * kFlight - kGravity / 2 * kFlight * kFlight;
constexpr double kLandSpeed = kLeaveSpeed - kGravity * kFlight;

class Jump {
 public:
  [[nodiscard]] Moment at(double t) const {
    Moment m{standing_, blink_(t), 0.12 + smile_(t)};
    Controls& c = m.body;
    c.hips_turn.forward_deg += hips_forward_deg_(t);
    c.spine.forward_deg += spine_forward_deg_(t);
    c.head.forward_deg += head_forward_deg_(t);
    for (std::size_t s = 0; s < 2; ++s) {
      ArmControls& arm = c.arms[s];
      // The right arm is a moment behind: two arms as one are a machine's.
      const double late = s == 0 ? t : t - kLate;
      arm.swing_deg += swing_deg_(late);
      arm.out_deg += out_deg_(late);
      arm.twist_deg += twist_deg_(late);
      arm.elbow_deg += elbow_deg_(late);
      arm.pronation_deg += pronation_deg_(late);
      arm.wrist_deg += wrist_deg_(late);
      arm.shrug_deg += shrug_deg_(late);
      arm.hand = relaxed_hand(curl_(late));
      c.legs[s] = leg(s, t);
      c.legs[s].knee_out_deg += knee_out_deg_(t);
    }
    Point centre = centre_;
    centre.y += height(t);
    centre.z += ahead_(t);
    c.hips.y += height(t);
    put_centre(c, centre);
    return m;
  }

 private:
  [[nodiscard]] double height(double t) const {
    const double s = t - kLeave;
    if (t < kLeave) return before_(t);
    if (t < kLand) return kLeaveHeight + kLeaveSpeed * s - kGravity / 2 * s * s;
    return after_(t);
  }

  [[nodiscard]] LegControls leg(std::size_t s, double t) const {
    return t <= kLeave || t >= kLand ? contact(s, t) : (s == 0 ? left_swing_ : right_swing_).at(t);
  }

  [[nodiscard]] LegControls contact(std::size_t s, double t) const {
    Footing footing = kStandingFeet[s];
    footing.heel_up_deg = t < kFlight / 2 + kLeave ? push_deg_(t) : catch_deg_(t);
    footing.tip_roll_deg = roll_deg_(t);
    return stand_on(footing);
  }

  [[nodiscard]] Swing swing(std::size_t s) const {
    const auto at = [this, s](double t) { return contact(s, t); };
    Swing::Keys keys;
    keys.y = {{kLeave + 0.09, 0.360}, {kLeave + 0.23, 0.525}, {kLand - 0.09, 0.335}};
    keys.forward_deg = {{kLeave + 0.09, 74}, {kLeave + 0.24, 52}, {kLand - 0.07, 36}};
    keys.toes_deg = {{kLeave + 0.10, 4}, {kLand - 0.10, 0}};
    const double z = stand_on(kStandingFeet[s]).ankle.z;
    keys.z = {{kLeave + 0.12, z - 0.05}, {kLeave + 0.26, z - 0.07}, {kLand - 0.08, z + 0.01}};
    return {kLeave, kLand, at, at, keys};
  }

  const Controls standing_ = standing();
  const Point centre_ = centre_of_mass(to_model(pose(standing_)));

  const Curve before_ = Curve::once({{0, 0}, {0.36, -0.205}, {kLeave, kLeaveHeight}}, 0, kLeaveSpeed);
  const Curve after_ = Curve::once(
      {{kLand, kLandHeight}, {kLand + 0.19, -0.185}, {1.56, -0.004}, {1.66, 0.003}, {kJumpEnd, 0}}, kLandSpeed, 0);
  const Curve ahead_ =
      Curve::once({{0, 0}, {0.36, 0.015}, {kLeave, 0.02}, {kLand, 0.012}, {1.40, 0.015}, {kJumpEnd, 0}});
  const Curve push_deg_ = Curve::level_once({{0.48, 0}, {0.58, 14}, {kLeave, 54}, {kLeave + 0.08, 86}});
  const Curve roll_deg_ = Curve::level_once({{0.60, 0}, {kLeave, 16}, {kLeave + 0.08, 44}, {kLand - 0.1, 0}});
  const Curve catch_deg_ = Curve::level_once({{kLand, 26}, {kLand + 0.075, 0}});
  const Curve knee_out_deg_ = Curve::level_once({{0, 0}, {0.36, 7}, {kLeave, 1}, {kLand, 2}, {1.34, 8}, {kJumpEnd, 0}});

  const Curve hips_forward_deg_ = Curve::once(
      {{0, 0}, {0.36, 27}, {0.52, 20}, {kLeave, 0}, {0.84, -2}, {kLand, 8}, {1.32, 24}, {1.56, 2}, {kJumpEnd, 0}});
  const Curve spine_forward_deg_ = Curve::once({{0, 0},
                                                {0.16, 3},
                                                {0.38, 24},
                                                {0.54, 10},
                                                {0.68, -13},
                                                {0.86, -3},
                                                {kLand, 8},
                                                {1.36, 20},
                                                {1.60, -1.5},
                                                {kJumpEnd, 0}});
  const Curve head_forward_deg_ = Curve::once(
      {{0, 0}, {0.30, 10}, {0.54, -14}, {0.70, -12}, {0.92, 4}, {kLand, 10}, {1.38, 13}, {1.60, -2}, {kJumpEnd, 0}});
  const Curve swing_deg_ = Curve::once({{0, 0},
                                        {0.10, 7},
                                        {0.36, -44},
                                        {0.46, -40},
                                        {0.66, 138},
                                        {0.76, 152},
                                        {0.94, 118},
                                        {kLand, 66},
                                        {1.32, 6},
                                        {1.46, -12},
                                        {1.62, 2},
                                        {kJumpArmsEnd, 0}});
  const Curve out_deg_ = Curve::once(
      {{0, 0}, {0.36, 8}, {0.52, 4}, {0.70, 10}, {0.94, 26}, {kLand, 30}, {1.32, 16}, {1.50, 3}, {kJumpArmsEnd, 0}});
  const Curve twist_deg_ =
      Curve::once({{0, 0}, {0.36, 8}, {0.68, -18}, {0.94, -10}, {kLand, 0}, {1.34, 8}, {kJumpArmsEnd, 0}});
  const Curve elbow_deg_ = Curve::once(
      {{0, 0}, {0.38, -4}, {0.54, 42}, {0.72, 4}, {0.94, 18}, {kLand, 26}, {1.36, 18}, {1.54, 2}, {kJumpArmsEnd, 0}});
  const Curve pronation_deg_ = Curve::once({{0, 0}, {0.36, 10}, {0.70, -16}, {kLand, 14}, {kJumpArmsEnd, 0}});
  const Curve wrist_deg_ =
      Curve::once({{0, 0}, {0.40, 14}, {0.58, -16}, {0.76, 6}, {0.98, -18}, {1.22, 8}, {1.42, 10}, {kJumpArmsEnd, 0}});
  const Curve shrug_deg_ =
      Curve::once({{0, 0}, {0.36, -2}, {0.70, 17}, {0.94, 12}, {kLand, 4}, {1.34, -3}, {1.56, 1}, {kJumpArmsEnd, 0}});
  const Curve curl_ =
      Curve::once({{0, 0.40}, {0.36, 0.60}, {0.70, 0.10}, {kLand, 0.14}, {1.36, 0.46}, {kJumpArmsEnd, 0.40}});

  const Curve smile_ =
      Curve::level_once({{0.2, 0}, {0.72, 0.65}, {1.05, 0.55}, {1.3, 0.15}, {1.55, 0.35}, {kJumpEnd, 0}});
  const Curve blink_ =
      Curve::level_once({{0.16, 0}, {0.22, 1}, {0.25, 1}, {0.34, 0}, {1.10, 0}, {1.16, 0.9}, {1.22, 0.9}, {1.34, 0}});

  // Last, for they ask for the contacts.
  const Swing left_swing_ = swing(0), right_swing_ = swing(1);
};

}  // namespace

Motion make_jump() {
  const Jump jump;
  return sample_motion("jump", kJumpFrames, false, [&](double time_s) { return jump.at(time_s); });
}

}  // namespace marrow::character
