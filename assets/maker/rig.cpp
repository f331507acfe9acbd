#include "maker/rig.h"

#include "marrow/math/quat.h"

namespace marrow::character {
namespace {

constexpr double kHalfRoot = 0.70710678118654752;

// The hand's own axes at rest, of the left: along the fingers, towards the thumb, and out of the back of the hand.
constexpr Point kAlong{kHalfRoot, -kHalfRoot, 0}, kToThumb{0, 0, 1}, kBack{kHalfRoot, kHalfRoot, 0};
constexpr Point kWrist{0.5650, 1.0180, 0.0060};

constexpr Point in_hand(double along, double to_thumb, double back) {
  return {kWrist.x + kAlong.x * along + kToThumb.x * to_thumb + kBack.x * back,
          kWrist.y + kAlong.y * along + kToThumb.y * to_thumb + kBack.y * back,
          kWrist.z + kAlong.z * along + kToThumb.z * to_thumb + kBack.z * back};
}

// Three joints and the tip, of the left hand.
constexpr Point kFingerPlaces[kFingers][4] = {
    {in_hand(0.022, 0.024, -0.010), in_hand(0.050, 0.052, -0.020), in_hand(0.078, 0.070, -0.026),
     in_hand(0.100, 0.082, -0.030)},
    {in_hand(0.092, 0.036, 0.001), in_hand(0.130, 0.044, 0.000), in_hand(0.155, 0.048, -0.002),
     in_hand(0.174, 0.051, -0.004)},
    {in_hand(0.096, 0.012, 0.003), in_hand(0.138, 0.014, 0.002), in_hand(0.166, 0.015, 0.000),
     in_hand(0.186, 0.016, -0.002)},
    {in_hand(0.092, -0.012, 0.002), in_hand(0.131, -0.016, 0.001), in_hand(0.157, -0.018, -0.001),
     in_hand(0.176, -0.020, -0.003)},
    {in_hand(0.083, -0.035, -0.001), in_hand(0.112, -0.044, -0.002), in_hand(0.132, -0.050, -0.004),
     in_hand(0.149, -0.055, -0.006)},
};
constexpr const char* kFingerNames[kFingers] = {"thumb", "index", "middle", "ring", "little"};

class Builder {
 public:
  Rig run() {
    r_.root = add("root", -1, {});
    r_.hips = add("hips", r_.root, {0, 0.955, 0});
    r_.spine_1 = add("spine_1", r_.hips, {0, 1.050, -0.006});
    r_.spine_2 = add("spine_2", r_.spine_1, {0, 1.165, -0.010});
    r_.chest = add("chest", r_.spine_2, {0, 1.285, -0.010});
    r_.neck = add("neck", r_.chest, {0, 1.475, -0.012});
    r_.head = add("head", r_.neck, {0, 1.555, 0.006});
    for (std::size_t s = 0; s < 2; ++s) add_arm(s);
    for (std::size_t s = 0; s < 2; ++s) add_leg(s);
    return std::move(r_);
  }

 private:
  std::uint32_t add(const std::string& name, std::int64_t parent, Point place, Quat turn = {}) {
    r_.joints.push_back({name, static_cast<std::int32_t>(parent), place, turn});
    return static_cast<std::uint32_t>(r_.joints.size() - 1);
  }

  std::uint32_t add_side(std::size_t s, const std::string& name, std::uint32_t parent, Point left, Quat turn = {}) {
    return add(name + (s == 0 ? "_L" : "_R"), parent, s == 0 ? left : mirrored(left), turn);
  }

  void add_arm(std::size_t s) {
    RigSide& side = r_.sides[s];
    const Point shoulder{0.182, 1.405, -0.014}, elbow{0.381, 1.204, -0.012};
    side.clavicle = add_side(s, "clavicle", r_.chest, {0.030, 1.430, 0.012});
    side.shoulder = add_side(s, "shoulder", side.clavicle, shoulder);
    side.upper_arm = add_side(s, "upper_arm", side.clavicle, shoulder);
    side.elbow = add_side(s, "elbow", side.upper_arm, elbow);
    side.lower_arm = add_side(s, "lower_arm", side.upper_arm, elbow);
    side.twist = add_side(s, "lower_arm_twist", side.lower_arm, lerp(elbow, kWrist, 0.5));
    side.hand = add_side(s, "hand", side.lower_arm, kWrist);
    // What is held points along the grip's y, which leans forward from the thumb's side, and cuts along its z.
    const Point blade = s == 0 ? kToThumb : mirrored(kToThumb), edge = s == 0 ? kAlong : mirrored(kAlong);
    const Quat turn = look_rotation(to_vec3(edge), to_vec3(blade + edge * 0.25), {0, 0, 1}, {0, 1, 0});
    side.grip = add_side(s, "grip", side.hand, in_hand(0.078, 0.006, -0.028), turn);
    for (std::size_t f = 0; f < kFingers; ++f) {
      std::uint32_t parent = side.hand;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::string name = std::string(kFingerNames[f]) + "_" + std::to_string(i + 1);
        parent = side.fingers[f][i] = add_side(s, name, parent, kFingerPlaces[f][i]);
      }
    }
  }

  void add_leg(std::size_t s) {
    RigSide& side = r_.sides[s];
    const Point hip{0.092, 0.925, 0.002}, knee{0.106, 0.500, 0.014};
    side.hip = add_side(s, "hip", r_.hips, hip);
    side.thigh = add_side(s, "thigh", r_.hips, hip);
    side.knee = add_side(s, "knee", side.thigh, knee);
    side.shin = add_side(s, "shin", side.thigh, knee);
    side.foot = add_side(s, "foot", side.shin, {0.116, 0.082, -0.026});
    side.toe = add_side(s, "toe", side.foot, {0.124, 0.026, 0.100});
  }

  Rig r_{};
};

}  // namespace

const Rig& rig() {
  static const Rig made = Builder().run();
  return made;
}

Point finger_tip(std::size_t side, Finger finger) {
  const Point left = kFingerPlaces[finger][3];
  return side == 0 ? left : mirrored(left);
}

}  // namespace marrow::character
