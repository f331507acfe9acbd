// Walk and run: two sets of numbers for one machine.
//
// Phases count from the left foot's first contact; the right side does the same half a cycle later. A foot in contact
// is rolled over the ground from heel to toe, and swings from where it left the ground to where it will touch it, with
// the speeds that it has there. What there is of pelvis, chest and arms is drawn around that.
#include "maker/balance.h"
#include "maker/curve.h"
#include "maker/footwork.h"
#include "maker/motion_parts.h"
#include "maker/posing.h"

namespace marrow::character {
namespace {

// Curves of the trunk, told for the half of the cycle that begins with the left foot's contact. What is upright does
// the same in both halves, what goes to a side goes to the other.
Curve twice(const std::vector<CurveKey>& keys) { return Curve::loop(keys, 0.5); }
Curve to_and_fro(std::vector<CurveKey> keys) {
  const std::size_t count = keys.size();
  for (std::size_t i = 0; i < count; ++i) keys.push_back({keys[i].t + 0.5, -keys[i].value});
  return Curve::loop(keys, 1);
}

struct TurnCurves {
  Curve forward_deg, left_deg, lean_deg;
  [[nodiscard]] Turn at(double phase) const { return {forward_deg(phase), left_deg(phase), lean_deg(phase)}; }
};

struct Gait {
  std::string name;
  int frames;
  double speed;  // metres per second

  // The foot.
  double heel_x, heel_z;  // where it lands
  double out_deg;
  double lift;  // the phase at which it leaves the ground
  Curve heel_up_deg, tip_roll_deg;
  Swing::Keys swing;
  Curve knee_out_deg;

  // The trunk.
  Curve hips_x, hips_y, hips_z;
  TurnCurves hips, spine, head;
  // Where the body flies between steps it is the centre of mass that is told: how far ahead of the root it is, and how
  // high as a foot leaves the ground. hips_y and hips_z count for nothing then.
  double centre_z = 0, leave_height = 0;

  // The left arm.
  Curve shrug_deg, reach_deg, arm_swing_deg, arm_out_deg, arm_twist_deg, elbow_deg, pronation_deg, wrist_deg;
  Curve finger_curl;

  double smile;
};

class Legs {
 public:
  explicit Legs(const Gait& gait)
      : g_(gait),
        swing_(
            gait.lift, 1, [this](double phase) { return contact(phase); },
            [this](double phase) { return contact(phase - 1); }, gait.swing) {}

  [[nodiscard]] LegControls at(double phase) const {
    LegControls leg = phase <= g_.lift ? contact(phase) : swing_.at(phase);
    leg.foot.forward_deg = g_.heel_up_deg(phase);
    leg.knee_out_deg = g_.knee_out_deg(phase);
    return leg;
  }

 private:
  [[nodiscard]] LegControls contact(double phase) const {
    return stand_on({.x = g_.heel_x,
                     .z = g_.heel_z - g_.speed * phase * g_.frames / kFramesPerSecond,
                     .out_deg = g_.out_deg,
                     .heel_up_deg = g_.heel_up_deg(phase),
                     .tip_roll_deg = g_.tip_roll_deg(phase)});
  }

  const Gait& g_;
  Swing swing_;
};

ArmControls arm_at(const Gait& g, double phase) {
  ArmControls arm;
  arm.shrug_deg = g.shrug_deg(phase);
  arm.reach_deg = g.reach_deg(phase);
  arm.swing_deg = g.arm_swing_deg(phase);
  arm.out_deg = g.arm_out_deg(phase);
  arm.twist_deg = g.arm_twist_deg(phase);
  arm.elbow_deg = g.elbow_deg(phase);
  arm.pronation_deg = g.pronation_deg(phase);
  arm.wrist_deg = g.wrist_deg(phase);
  arm.hand = relaxed_hand(g.finger_curl(phase));
  return arm;
}

// The height of the centre of mass in a gait that flies: a free fall between the contacts, and in them the only even
// polynomial of degree four that goes on from it in place, speed and acceleration, so that the foot takes up the load
// and gives it off again softly.
double flying_height(const Gait& g, double phase) {
  constexpr double kGravity = 9.81;
  const double cycle_s = g.frames / kFramesPerSecond;
  const double flight_s = (0.5 - g.lift) * cycle_s, contact_s = g.lift * cycle_s;
  const double in_half = phase < 0.5 ? phase : phase - 0.5;
  const double leave_speed = kGravity * flight_s / 2;
  if (in_half >= g.lift) {
    const double t = (in_half - g.lift) * cycle_s;
    return g.leave_height + leave_speed * t - kGravity / 2 * t * t;
  }
  const double s = 2 * in_half / g.lift - 1, low = 1 - s * s;
  const double a = leave_speed * contact_s / 4, b = (2 * a + kGravity * contact_s * contact_s / 4) / 8;
  return g.leave_height - a * low - b * low * low;
}

Motion make_gait(const Gait& g) {
  const Legs legs(g);
  const double duration_s = g.frames / kFramesPerSecond;
  return sample_motion(g.name, g.frames, true, [&](double time_s) {
    double phase = time_s / duration_s;
    Controls c;
    c.root = {0, 0, g.speed * time_s};
    if (phase >= 1) phase -= 1;  // the last frame is the first, to the bit
    const double other = phase < 0.5 ? phase + 0.5 : phase - 0.5;
    c.hips = {g.hips_x(phase), g.hips_y(phase), g.hips_z(phase)};
    c.hips_turn = g.hips.at(phase);
    c.spine = g.spine.at(phase);
    c.head = g.head.at(phase);
    c.arms = {arm_at(g, phase), arm_at(g, other)};
    c.legs = {legs.at(phase), legs.at(other)};
    if (g.lift < 0.5) put_centre(c, {0, flying_height(g, phase), g.centre_z}, {0, 1, 1});
    return Moment{c, 0, g.smile};
  });
}

Gait walk() {
  Gait g;
  g.name = "walk";
  g.frames = 62;
  g.speed = 1.35;
  g.heel_x = 0.072;
  g.heel_z = 0.282;
  g.out_deg = 5;
  g.lift = 0.62;
  g.heel_up_deg = Curve::level_loop({{0, -19},
                                     {0.085, 0},
                                     {0.33, 0},
                                     {0.43, 5},
                                     {0.50, 15},
                                     {0.62, 57},
                                     {0.665, 64},
                                     {0.80, 12},
                                     {0.89, -12},
                                     {0.96, -21}});
  g.tip_roll_deg = Curve::level_once({{0.52, 0}, {0.62, 18}, {0.72, 36}});
  g.swing.y = {{0.67, 0.222}, {0.74, 0.214}, {0.81, 0.148}, {0.89, 0.114}, {0.95, 0.110}};
  g.swing.z = {{0.665, -0.408}, {0.725, -0.290}, {0.80, -0.030}, {0.88, 0.212}, {0.95, 0.326}};
  g.swing.toes_deg = {{0.68, 20}, {0.76, 4}, {0.88, 6}};
  g.swing.x = {{0.80, 0.086}};
  g.knee_out_deg = 3;

  g.hips_x = to_and_fro({{0.04, 0.006}, {0.28, 0.024}});
  g.hips_y = twice({{0.035, 0.911}, {0.285, 0.9445}});
  g.hips_z = twice({{0.12, -0.006}, {0.37, 0.006}});
  g.hips = {twice({{0.05, 3}, {0.30, 5}}), to_and_fro({{0.0, -7}, {0.25, 0}}),
            to_and_fro({{0.0, 0}, {0.16, -4.5}, {0.34, -1.5}})};
  g.spine = {twice({{0.08, -1}, {0.33, -3}}), to_and_fro({{0.02, 13}, {0.27, 0}}),
             to_and_fro({{0.02, 0}, {0.18, 5.5}, {0.36, 2}})};
  g.head = {twice({{0.07, 1.5}, {0.32, -0.5}}), to_and_fro({{0.04, 1.2}, {0.29, 0}}),
            to_and_fro({{0.05, 0}, {0.25, 0.8}})};

  g.shrug_deg = Curve::loop({{0.10, -1.5}, {0.35, 0.5}, {0.60, -1}, {0.85, 1}});
  g.reach_deg = Curve::loop({{0.02, -4}, {0.52, 6}});
  g.arm_swing_deg = Curve::loop({{0.02, -24}, {0.27, 3}, {0.52, 22}, {0.77, 2}});
  g.arm_out_deg = Curve::loop({{0.05, 13}, {0.30, 11}, {0.55, 12}, {0.80, 12}});
  g.arm_twist_deg = Curve::loop({{0.05, 3}, {0.55, 5}});
  g.elbow_deg = Curve::loop({{0.10, 12}, {0.35, 22}, {0.60, 36}, {0.84, 22}});
  g.pronation_deg = Curve::loop({{0.08, -2}, {0.60, 12}});
  g.wrist_deg = Curve::loop({{0.12, 6}, {0.38, -8}, {0.64, 2}, {0.88, 12}});
  g.finger_curl = Curve::loop({{0.15, 0.30}, {0.65, 0.38}});
  g.smile = 0.2;
  return g;
}

Gait run() {
  Gait g;
  g.name = "run";
  g.frames = 42;
  g.speed = 3.6;
  g.heel_x = 0.060;
  g.heel_z = 0.188;
  g.out_deg = 4;
  g.lift = 0.32;
  g.heel_up_deg = Curve::level_loop({{0, -9},
                                     {0.055, 0},
                                     {0.13, 0},
                                     {0.18, 8},
                                     {0.25, 34},
                                     {0.32, 65},
                                     {0.40, 94},
                                     {0.48, 112},
                                     {0.57, 110},
                                     {0.66, 84},
                                     {0.75, 44},
                                     {0.84, 6},
                                     {0.93, -12}});
  g.tip_roll_deg = Curve::level_once({{0.23, 0}, {0.32, 28}, {0.40, 58}});
  g.swing.y = {{0.40, 0.305}, {0.48, 0.418}, {0.57, 0.440}, {0.66, 0.345},
               {0.75, 0.255}, {0.84, 0.190}, {0.92, 0.146}, {0.965, 0.114}};
  g.swing.z = {{0.40, -0.484}, {0.48, -0.456}, {0.57, -0.315}, {0.66, -0.127},
               {0.75, 0.069},  {0.84, 0.244},  {0.92, 0.290},  {0.965, 0.262}};
  g.swing.toes_deg = {{0.40, 12}, {0.60, 0}, {0.90, 8}};
  g.swing.x = {{0.66, 0.080}};
  g.knee_out_deg = 3;

  g.hips_x = to_and_fro({{0.17, 0.012}, {0.42, 0.0}});
  g.centre_z = 0.065;
  g.leave_height = 1.016;
  g.hips = {twice({{0.05, 9}, {0.30, 13}}), to_and_fro({{0.02, -9}, {0.27, 2}}),
            to_and_fro({{0.0, 0}, {0.13, -4}, {0.32, 0}})};
  g.spine = {twice({{0.10, 4}, {0.36, 0}}), to_and_fro({{0.03, 22}, {0.28, 0}}),
             to_and_fro({{0.0, 0}, {0.15, 5}, {0.36, 1}})};
  g.head = {twice({{0.12, 6}, {0.37, 3}}), to_and_fro({{0.04, 2}, {0.29, 0}}), to_and_fro({{0.05, 0}, {0.22, 1}})};

  g.shrug_deg = Curve::loop({{0.15, -1}, {0.40, 3}, {0.65, -1}, {0.90, 3}});
  g.reach_deg = Curve::loop({{0.0, -7}, {0.50, 9}});
  g.arm_swing_deg = Curve::loop({{0.0, -52}, {0.26, -12}, {0.50, 28}, {0.76, -10}});
  g.arm_out_deg = Curve::loop({{0.0, 18}, {0.25, 17}, {0.50, 10}, {0.75, 14}});
  g.arm_twist_deg = Curve::loop({{0.0, -8}, {0.25, -4}, {0.50, 24}, {0.75, 10}});
  g.elbow_deg = Curve::loop({{0.06, 88}, {0.30, 78}, {0.56, 105}, {0.82, 98}});
  g.pronation_deg = Curve::loop({{0.05, 0}, {0.55, 14}});
  g.wrist_deg = Curve::loop({{0.12, 8}, {0.40, -4}, {0.66, 4}, {0.90, 10}});
  g.finger_curl = 0.72;
  g.smile = 0.05;
  return g;
}

}  // namespace

Motion make_walk() { return make_gait(walk()); }
Motion make_run() { return make_gait(run()); }

}  // namespace marrow::character
