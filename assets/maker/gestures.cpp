// What the arms do while the legs do something else: a wave, and a hand around a handle.
#include "maker/curve.h"
#include "maker/motion_parts.h"

namespace marrow::character {
namespace {

constexpr int kWaveFrames = 144, kGripFrames = 30;

// The forearm goes to and fro four times, the first and the last time less far; the hand is behind it.
struct WaveCurves {
  Curve to_fro = Curve::loop({{0.02, 0.2},
                              {0.12, 1},
                              {0.245, -1},
                              {0.37, 1},
                              {0.495, -1},
                              {0.62, 1},
                              {0.745, -0.9},
                              {0.87, 0.7},
                              {0.96, -0.3}});
  Curve blink = Curve::level_loop({{0.10, 0}, {0.520, 0}, {0.555, 1}, {0.575, 1}, {0.630, 0}});
  Curve slow = Curve::loop({{0.05, 0}, {0.50, 1}});

  [[nodiscard]] Moment at(double phase) const {
    Moment m{standing(), 0, 0};
    Controls& c = m.body;
    const double now = to_fro(phase), late = to_fro(phase - 0.022), later = to_fro(phase - 0.045);
    c.spine.lean_deg -= 3 + 0.8 * late + slow(phase);
    c.spine.left_deg += 4 + 0.8 * now;
    c.spine.forward_deg -= 1.5;
    c.head.lean_deg += 5 + 1.2 * late + 1.5 * slow(phase);
    c.head.left_deg += 3;
    c.head.forward_deg -= 3 - 1.0 * slow(phase);
    ArmControls& arm = c.arms[0];
    arm.shrug_deg = 11 + 0.8 * now;
    arm.reach_deg = 3;
    arm.swing_deg = 78 + 2 * slow(phase);
    arm.out_deg = 60 + 3 * now;
    arm.across_deg = 4;
    arm.twist_deg = 0;
    arm.elbow_deg = 93 - 20 * now;
    arm.pronation_deg = 6 - 4 * late;
    arm.wrist_deg = -6;
    arm.wrist_to_thumb_deg = -2 - 15 * later;
    arm.hand = relaxed_hand(0.07 + 0.02 * later);
    arm.hand.spread_deg = 9;
    m.smile = 0.85 + 0.1 * slow(phase);
    m.blink = blink(phase);
    return m;
  }
};

// Around a handle of a radius of 15 mm through the grip.
HandControls fist() {
  HandControls hand;
  hand.curl_deg[index_finger] = {65, 67, 37};
  hand.curl_deg[middle_finger] = {75, 66, 45};
  hand.curl_deg[ring_finger] = {66, 66, 39};
  hand.curl_deg[little_finger] = {43, 61, 33};
  hand.curl_deg[thumb] = {-32, 2, 50};
  hand.thumb_across_deg = 84;
  return hand;
}

}  // namespace

Motion make_wave() {
  const WaveCurves curves;
  Motion motion = sample_motion("wave", kWaveFrames, true,
                                [&](double time_s) { return curves.at(time_s * kFramesPerSecond / kWaveFrames); });
  const Rig& r = rig();
  const RigSide& left = r.sides[0];
  motion.joints = {r.chest,        r.neck,     r.head,         left.clavicle, left.shoulder,
                   left.upper_arm, left.elbow, left.lower_arm, left.twist,    left.hand};
  for (const auto& finger : left.fingers) motion.joints.insert(motion.joints.end(), finger.begin(), finger.end());
  return motion;
}

Motion make_grip() {
  Motion motion = sample_motion("grip", kGripFrames, true, [](double) {
    Moment m{standing(), 0, 0};
    m.body.arms[1].hand = fist();
    return m;
  });
  motion.face = false;
  motion.joints.clear();
  for (const auto& finger : rig().sides[1].fingers) {
    motion.joints.insert(motion.joints.end(), finger.begin(), finger.end());
  }
  return motion;
}

}  // namespace marrow::character
