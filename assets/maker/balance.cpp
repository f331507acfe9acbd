#include "maker/balance.h"

#include <cstdint>

namespace marrow::character {
namespace {

// A part of the body: its share of the mass, and where its own centre is from its joint, in the model at rest.
struct Part {
  std::uint32_t joint;
  double share;
  Point from_joint;
};

// Shares after D. A. Winter, Biomechanics and Motor Control of Human Movement, 4th ed., table 4.1.
std::vector<Part> make_parts() {
  const Rig& r = rig();
  const auto between = [&](std::uint32_t a, std::uint32_t b, double t) { return (r.place(b) - r.place(a)) * t; };
  std::vector<Part> out = {{r.hips, 0.142, {0, 0.02, 0}},
                           {r.spine_2, 0.139, {0, 0.01, 0.01}},
                           {r.chest, 0.216, {0, 0.08, 0.01}},
                           {r.head, 0.081, {0, 0.07, 0.01}}};
  for (const RigSide& s : r.sides) {
    out.push_back({s.upper_arm, 0.028, between(s.upper_arm, s.lower_arm, 0.436)});
    out.push_back({s.lower_arm, 0.016, between(s.lower_arm, s.hand, 0.430)});
    out.push_back({s.hand, 0.006, between(s.hand, s.grip, 1)});
    out.push_back({s.thigh, 0.100, between(s.thigh, s.shin, 0.433)});
    out.push_back({s.shin, 0.0465, between(s.shin, s.foot, 0.433)});
    out.push_back({s.foot, 0.0145, between(s.foot, s.toe, 0.4)});
  }
  return out;
}

}  // namespace

Point centre_of_mass(const std::vector<JointPlace>& joints) {
  static const std::vector<Part> parts = make_parts();
  Point sum;
  for (const Part& part : parts) {
    const JointPlace& joint = joints[part.joint];
    sum = sum + (joint.place + turned(joint.turn, part.from_joint)) * part.share;
  }
  return sum;
}

void put_centre(Controls& controls, Point centre, Point along) {
  // The legs follow the hips in part only, so each step leaves a quarter of the way.
  Controls still = controls;
  still.root = {};
  still.root_left_deg = 0;
  for (int step = 0; step < 10; ++step) {
    const Point off = centre - centre_of_mass(to_model(pose(still)));
    still.hips = still.hips + Point{off.x * along.x, off.y * along.y, off.z * along.z};
  }
  controls.hips = still.hips;
}

}  // namespace marrow::character
