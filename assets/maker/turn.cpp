// A quarter turn to the left on the spot, in three steps: left, right, left.
//
// The feet are told in the world that the character stood in; the root turns evenly under it all. The eyes go first,
// then head, chest and hips; the weight is over one foot as the other is lifted.
#include "maker/balance.h"
#include "maker/curve.h"
#include "maker/footwork.h"
#include "maker/motion_parts.h"
#include "marrow/math/quat.h"

namespace marrow::character {
namespace {

constexpr int kTurnFrames = 80;
constexpr double kTurnEnd = kTurnFrames / kFramesPerSecond;
constexpr double kTurnArmsEnd = kTurnEnd - 0.05;  // they are late
constexpr double kTurn = 90;                      // degrees

Point about_root(Point p, double left_deg) { return to_point(rotate(to_quat({0, left_deg, 0}), to_vec3(p))); }

// A standing foot, told as of its side, after the character turned.
Footing turned_foot(std::size_t s, double left_deg) {
  const double out_deg = s == 0 ? left_deg : -left_deg;
  Footing foot = kStandingFeet[s];
  const Point heel = about_root({foot.x, 0, foot.z}, out_deg);
  foot.x = heel.x;
  foot.z = heel.z;
  foot.out_deg += out_deg;
  return foot;
}

// A step: the heel comes up and the foot swivels on its ball, swings over, lands on the heel and rolls flat.
class Step {
 public:
  Step(const Footing& from, const Footing& to, double lift, double land, double swivel_deg, double height)
      : from_(from),
        to_(to),
        lift_(lift),
        land_(land),
        swivel_(Curve::level_once({{lift - 0.14, 0}, {lift, swivel_deg}})),
        swing_(
            lift, land, [this](double t) { return before(t); }, [this](double t) { return after(t); }, keys(height)) {}

  [[nodiscard]] LegControls at(double t) const { return t <= lift_ ? before(t) : t < land_ ? swing_.at(t) : after(t); }

 private:
  [[nodiscard]] LegControls before(double t) const {
    Footing foot = from_;
    foot.heel_up_deg = up_(t - lift_);
    // The swivel leaves the ball where it is.
    const Point ball = Point{0, 0, 1} * kHeelToBall;
    const Point turned = about_root(ball, from_.out_deg + swivel_(t)), as_was = about_root(ball, from_.out_deg);
    foot.x += as_was.x - turned.x;
    foot.z += as_was.z - turned.z;
    foot.out_deg += swivel_(t);
    return stand_on(foot);
  }

  [[nodiscard]] LegControls after(double t) const {
    Footing foot = to_;
    foot.heel_up_deg = down_(t - land_);
    return stand_on(foot);
  }

  [[nodiscard]] Swing::Keys keys(double height) const {
    Swing::Keys keys;
    const double middle = lift_ + 0.45 * (land_ - lift_);
    keys.y = {{middle, 0.082 + height}};
    keys.forward_deg = {{middle, 16}};
    return keys;
  }

  static constexpr double kHeelToBall = 0.178;
  Footing from_, to_;
  double lift_, land_;
  const Curve up_ = Curve::level_once({{-0.16, 0}, {-0.05, 14}, {0, 26}}),
              down_ = Curve::level_once({{0, -7}, {0.07, 0}});
  Curve swivel_;
  Swing swing_;
};

class QuarterTurn {
 public:
  [[nodiscard]] Moment at(double t) const {
    Moment m{standing_, blink_(t), 0.12};
    Controls& c = m.body;
    const double root_deg = root_deg_(t);
    c.root_left_deg = root_deg;
    c.hips_turn.left_deg += hips_deg_(t);
    c.hips_turn.lean_deg += hips_lean_deg_(t);
    c.spine.left_deg += spine_deg_(t);
    c.spine.lean_deg += spine_lean_deg_(t);
    c.spine.forward_deg += 2.5 * low_(t) / 0.02;
    c.head.left_deg += head_deg_(t);
    c.head.forward_deg += head_forward_deg_(t);
    // The arms hang back as the chest turns away under them, and swing on as it stops.
    c.arms[0].swing_deg += drag_deg_(t - 0.02);
    c.arms[1].swing_deg -= drag_deg_(t - 0.05);
    for (ArmControls& arm : c.arms) {
      arm.out_deg += 4 * whirl_(t);
      arm.elbow_deg += 8 * whirl_(t - 0.05);
    }
    const bool last_step = t > 0.5 * (kLand1 + kLift3);
    c.legs = {to_root((last_step ? third_ : first_).at(t), root_deg), to_root(second_.at(t), -root_deg)};
    const Point centre = about_root({x_(t), 0, z_(t)}, -root_deg);
    c.hips.y -= low_(t);
    put_centre(c, centre, {1, 0, 1});
    return m;
  }

 private:
  static LegControls to_root(LegControls leg, double root_out_deg) {
    leg.ankle = about_root(leg.ankle, -root_out_deg);
    leg.foot.left_deg -= root_out_deg;
    return leg;
  }

  static constexpr double kLift1 = 0.24, kLand1 = 0.50, kLift2 = 0.56, kLand2 = 0.84, kLift3 = 0.90, kLand3 = 1.12;

  const Controls standing_ = standing();
  const Point start_ = centre_of_mass(to_model(pose(standing_))), end_ = about_root(start_, kTurn);
  const Step first_{kStandingFeet[0], turned_foot(0, 52), kLift1, kLand1, 4, 0.075};
  const Step second_{kStandingFeet[1], turned_foot(1, kTurn), kLift2, kLand2, -24, 0.085};
  const Step third_{turned_foot(0, 52), turned_foot(0, kTurn), kLift3, kLand3, 6, 0.055};

  const Curve root_deg_ = Curve::once({{0.06, 0}, {0.36, 24}, {0.62, 55}, {0.88, 82}, {1.18, kTurn}});
  // Against the root.
  const Curve hips_deg_ = Curve::once({{0, 0}, {0.22, 3}, {0.48, 5}, {0.72, 2}, {0.98, -2}, {kTurnEnd, 0}});
  const Curve spine_deg_ = Curve::once({{0, 0}, {0.24, 9}, {0.50, 10}, {0.80, -2}, {1.02, -3}, {kTurnEnd, 0}});
  const Curve head_deg_ = Curve::once({{0, 0}, {0.20, 26}, {0.40, 34}, {0.66, 22}, {0.96, 2}, {kTurnEnd, 0}});
  const Curve head_forward_deg_ = Curve::once({{0, 0}, {0.18, 4}, {0.42, -1}, {0.80, 1}, {kTurnEnd, 0}});
  const Curve hips_lean_deg_ =
      Curve::once({{0, 0}, {0.36, 3.5}, {0.53, 0}, {0.70, -3.5}, {0.87, 0}, {1.00, 2}, {kTurnEnd, 0}});
  const Curve spine_lean_deg_ =
      Curve::once({{0, 0}, {0.36, -4}, {0.53, 1}, {0.70, 5}, {0.88, 0}, {1.02, -2}, {kTurnEnd, 0}});
  const Curve drag_deg_ = Curve::once({{0, 0}, {0.30, 9}, {0.58, 6}, {0.90, -6}, {1.12, -3}, {kTurnArmsEnd, 0}});
  const Curve whirl_ = Curve::once({{0, 0}, {0.50, 1}, {0.90, 0.8}, {kTurnArmsEnd, 0}});
  const Curve low_ = Curve::once({{0, 0},
                                  {0.20, 0.014},
                                  {0.36, 0.006},
                                  {0.53, 0.022},
                                  {0.70, 0.008},
                                  {0.87, 0.022},
                                  {1.02, 0.008},
                                  {1.14, 0.010},
                                  {kTurnEnd, 0}});
  const Curve x_ = Curve::once({{0, start_.x},
                                {0.22, -0.052},
                                {0.40, -0.040},
                                {0.58, 0.040},
                                {0.72, 0.056},
                                {0.92, 0.026},
                                {1.04, 0.018},
                                {kTurnEnd, end_.x}});
  const Curve z_ = Curve::once({{0, start_.z},
                                {0.22, 0.000},
                                {0.40, -0.012},
                                {0.58, -0.050},
                                {0.72, -0.046},
                                {0.92, 0.032},
                                {1.04, 0.036},
                                {kTurnEnd, end_.z}});
  const Curve blink_ = Curve::level_once({{0.08, 0}, {0.15, 1}, {0.20, 1}, {0.30, 0}});
};

}  // namespace

Motion make_turn() {
  const QuarterTurn turn;
  return sample_motion("turn", kTurnFrames, false, [&](double time_s) { return turn.at(time_s); });
}

}  // namespace marrow::character
