#include "maker/body.h"

#include <algorithm>
#include <vector>

#include "maker/rig.h"
#include "maker/shapes.h"

namespace marrow::character {
namespace {

// A few shapes that flow into each other, in the order they are joined in.
class Group {
 public:
  void add(double blend, const RoundCone& cone) {
    Part part{blend, lerp(cone.a, cone.b, 0.5), length(cone.b - cone.a) * 0.5 + std::max(cone.radius_a, cone.radius_b)};
    part.cone = cone;
    parts_.push_back(part);
  }
  void add(double blend, const Ellipsoid& ball) {
    Part part{blend, ball.center, std::max({ball.radii.x, ball.radii.y, ball.radii.z})};
    part.ball = ball;
    part.is_ball = true;
    parts_.push_back(part);
  }

  [[nodiscard]] double distance_to(Point p) const {
    double d = kFar;
    for (const Part& part : parts_) {
      const double at_least = length(p - part.center) - part.reach;
      if (at_least >= d + part.blend) continue;  // too far away to change anything
      const double here = part.is_ball ? distance(part.ball, p) : distance(part.cone, p);
      d = smooth_union(d, here, part.blend);
    }
    return d;
  }

 private:
  static constexpr double kFar = 1e3;
  struct Part {
    double blend;
    Point center;
    double reach;
    RoundCone cone{};
    Ellipsoid ball{};
    bool is_ball = false;
  };
  std::vector<Part> parts_;
};

Group make_torso() {
  Group g;
  g.add(0, Ellipsoid{{0, 0.948, -0.004}, {0.132, 0.096, 0.098}});
  g.add(0.09, Ellipsoid{{0, 1.070, 0.000}, {0.120, 0.120, 0.086}});
  g.add(0.09, Ellipsoid{{0, 1.270, -0.008}, {0.156, 0.160, 0.106}});
  g.add(0.06, RoundCone{{-0.120, 1.385, -0.020}, {0.120, 1.385, -0.020}, 0.062, 0.062});
  g.add(0.05, RoundCone{{0, 1.462, -0.026}, {0.130, 1.412, -0.022}, 0.046, 0.044});
  g.add(0.05, RoundCone{{0, 1.462, -0.026}, {-0.130, 1.412, -0.022}, 0.046, 0.044});
  g.add(0.05, Ellipsoid{{0.062, 1.300, 0.052}, {0.074, 0.070, 0.050}});
  g.add(0.05, Ellipsoid{{-0.062, 1.300, 0.052}, {0.074, 0.070, 0.050}});
  g.add(0.05, RoundCone{{0, 1.430, -0.020}, {0, 1.560, -0.002}, 0.055, 0.049});
  return g;
}

Group make_head() {
  Group g;
  g.add(0, Ellipsoid{{0, 1.660, 0.002}, {0.092, 0.106, 0.108}});
  g.add(0.07, Ellipsoid{{0, 1.604, 0.030}, {0.068, 0.060, 0.070}});
  return g;
}

// The left arm, to the wrist.
Group make_arm() {
  const Rig& r = rig();
  const Point shoulder = r.place(r.sides[0].upper_arm), elbow = r.place(r.sides[0].lower_arm),
              wrist = r.place(r.sides[0].hand);
  Group g;
  g.add(0, Ellipsoid{shoulder + Point{-0.010, -0.004, 0}, {0.056, 0.054, 0.058}});
  g.add(0.03, RoundCone{shoulder, elbow, 0.0500, 0.0395});
  g.add(0.03, RoundCone{lerp(shoulder, elbow, 0.35) + Point{0, 0, 0.006}, lerp(shoulder, elbow, 0.62), 0.048, 0.042});
  g.add(0.02, RoundCone{elbow, wrist, 0.0385, 0.0275});
  g.add(0.03, RoundCone{lerp(elbow, wrist, 0.18) + Point{0, 0, 0.006}, lerp(elbow, wrist, 0.45), 0.0435, 0.036});
  return g;
}

// The left palm, and the fingers, which flow into it but not into each other.
Group make_palm() {
  const Rig& r = rig();
  const RigSide& side = r.sides[0];
  const Point wrist = r.place(side.hand);
  Group g;
  const Point lower = lerp(r.place(side.lower_arm), wrist, 0.9);
  g.add(0, RoundCone{lower, wrist, 0.0285, 0.0265});
  for (std::size_t f = index_finger; f < kFingers; ++f) {
    const Point knuckle = r.place(side.fingers[f][0]);
    g.add(f == index_finger ? 0.02 : 0.016, RoundCone{lerp(wrist, knuckle, 0.12), knuckle, 0.0205, 0.0142});
  }
  const Point root = r.place(side.fingers[thumb][0]), next = r.place(side.fingers[thumb][1]);
  g.add(0.016, RoundCone{root, lerp(root, next, 0.8), 0.0195, 0.0150});
  return g;
}

Group make_finger(Finger finger) {
  const Rig& r = rig();
  const auto& joints = r.sides[0].fingers[finger];
  const Point places[4] = {r.place(joints[0]), r.place(joints[1]), r.place(joints[2]), finger_tip(0, finger)};
  const double size = finger == thumb ? 1.2 : finger == little_finger ? 0.88 : 1.0;
  const double radii[4] = {0.0112 * size, 0.0101 * size, 0.0095 * size, 0.0084 * size};
  Group g;
  for (std::size_t i = 0; i < 3; ++i) {
    g.add(i == 0 ? 0 : 0.004, RoundCone{places[i], places[i + 1], radii[i], radii[i + 1]});
  }
  return g;
}

Group make_leg() {
  const Rig& r = rig();
  const RigSide& side = r.sides[0];
  const Point hip = r.place(side.thigh), knee = r.place(side.shin), ankle = r.place(side.foot),
              ball = r.place(side.toe);
  Group g;
  g.add(0, RoundCone{hip, knee, 0.0770, 0.0470});
  g.add(0.04, RoundCone{lerp(hip, knee, 0.30) + Point{0.004, 0, 0.014}, lerp(hip, knee, 0.72) + Point{0, 0, 0.010},
                        0.068, 0.051});
  g.add(0.05, Ellipsoid{{0.076, 0.900, -0.050}, {0.066, 0.078, 0.062}});
  g.add(0.02, Ellipsoid{knee + Point{0, 0.000, 0.010}, {0.038, 0.048, 0.040}});
  g.add(0.02, RoundCone{knee, ankle + Point{0, 0.01, 0.004}, 0.0450, 0.0320});
  g.add(0.05, RoundCone{{0.110, 0.405, -0.014}, {0.114, 0.290, -0.022}, 0.0465, 0.036});
  g.add(0.03, Ellipsoid{{0.117, 0.044, -0.036}, {0.034, 0.044, 0.042}});
  g.add(0.03, RoundCone{ankle + Point{0.001, -0.018, 0.016}, ball + Point{-0.010, 0.006, -0.012}, 0.036, 0.030});
  g.add(0.03, RoundCone{{0.120, 0.034, -0.020}, ball + Point{0.016, 0.000, -0.020}, 0.030, 0.026});
  g.add(0.02, RoundCone{ball + Point{-0.014, 0.002, 0}, kToeTip + Point{-0.012, 0.001, -0.022}, 0.027, 0.0235});
  g.add(0.02, RoundCone{ball + Point{0.014, -0.001, -0.006}, kToeTip + Point{0.014, -0.001, -0.036}, 0.0245, 0.0210});
  return g;
}

struct Limbs {
  Group arm = make_arm(), palm = make_palm(), leg = make_leg();
  Group fingers[kFingers] = {make_finger(thumb), make_finger(index_finger), make_finger(middle_finger),
                             make_finger(ring_finger), make_finger(little_finger)};
};

const Limbs& limbs() {
  static const Limbs made;
  return made;
}

// How much of its height the visor has at a point of the face: 0 outside, 1 inside, a slope of a few millimetres.
double visor_rise(Point p) {
  const double t = std::clamp(-visor_distance(p) / kVisorSlope, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

double torso_distance(Point p) {
  static const Group torso = make_torso(), head = make_head();
  return smooth_union(torso.distance_to(p), head.distance_to(p), 0.035);
}

double arm_distance(Point p) {
  const Limbs& l = limbs();
  const double arm = l.arm.distance_to(p);
  const Point wrist = rig().place(rig().sides[0].hand);
  if (length(p - wrist) > 0.26) return arm;
  double hand = l.palm.distance_to(p), fingers = 1e3;
  for (const Group& finger : l.fingers) fingers = smooth_union(fingers, finger.distance_to(p), 0.002);
  hand = smooth_union(hand, fingers, 0.010);
  return smooth_union(arm, hand, 0.015);
}

}  // namespace

double visor_distance(Point p) {
  if (p.z < 0 || p.y < 1.5) return 0.1;
  const double x = p.x / 0.0765, y = (p.y - 1.6520) / (0.0440 - 0.9 * p.x * p.x);
  const double r4 = x * x * x * x + y * y * y * y;
  return (std::sqrt(std::sqrt(r4)) - 1) * 0.044;
}

BodyParts body_parts(Point p) {
  BodyParts parts;
  parts.torso = torso_distance(p);
  for (std::size_t s = 0; s < 2; ++s) {
    const Point left = s == 0 ? p : mirrored(p);
    parts.arms[s] = limbs().arm.distance_to(left);
    parts.palms[s] = limbs().palm.distance_to(left);
    parts.legs[s] = limbs().leg.distance_to(left);
    for (std::size_t f = 0; f < kFingers; ++f) parts.fingers[s][f] = limbs().fingers[f].distance_to(left);
  }
  return parts;
}

double body_distance(Point p) {
  const Point m = mirrored(p);
  double d = torso_distance(p);
  d -= 0.004 * visor_rise(p);
  const double legs = smooth_union(limbs().leg.distance_to(p), limbs().leg.distance_to(m), 0.010);
  d = smooth_union(d, legs, 0.055);
  d = smooth_union(d, arm_distance(p), 0.045);
  d = smooth_union(d, arm_distance(m), 0.045);
  return -smooth_union(-d, p.y - kSole, 0.012);  // soles are flat
}

double body_edge_length(Point p) {
  struct Spot {
    Point center;
    double radius, wanted;
  };
  const Rig& r = rig();
  const RigSide& side = r.sides[0];
  static const Spot spots[] = {
      {lerp(r.place(side.hand), finger_tip(0, middle_finger), 0.80), 0.088, 0.0092},
      {lerp(r.place(side.hand), finger_tip(0, middle_finger), 0.40), 0.075, 0.0125},
      {r.place(side.lower_arm), 0.060, 0.0190},
      {r.place(side.upper_arm), 0.085, 0.0230},
      {r.place(side.shin), 0.080, 0.0220},
      {r.place(side.foot), 0.060, 0.0200},
      {r.place(side.toe), 0.090, 0.0180},
      {{0.06, 0.87, 0}, 0.110, 0.0250},
      {{0, 1.652, 0.075}, 0.092, 0.0115},
      {{0, 1.650, 0.020}, 0.120, 0.0200},
      {{0, 1.500, 0.000}, 0.070, 0.0210},
  };
  constexpr double kElsewhere = 0.034, kFade = 0.10;
  const Point left = {std::fabs(p.x), p.y, p.z};
  double wanted = kElsewhere;
  for (const Spot& spot : spots) {
    const double away = std::clamp((length(left - spot.center) - spot.radius) / kFade, 0.0, 1.0);
    wanted = std::min(wanted, spot.wanted + (kElsewhere - spot.wanted) * away);
  }
  return wanted;
}

}  // namespace marrow::character
