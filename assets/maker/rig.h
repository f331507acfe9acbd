// The character's joints: their names, what hangs on what, and where they are at rest.
//
// As in a glTF file: y is up, the character looks along z and has its left at +x; metres. At rest the arms point down
// and out at 45 degrees with the palms down, and every joint but the grips is turned like the world.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "maker/point.h"
#include "marrow/math/types.h"

namespace marrow::character {

struct RigJoint {
  std::string name;
  std::int32_t parent = -1;  // always before its children
  Point place;               // in the model
  Quat turn;                 // likewise
};

enum Finger : std::uint8_t { thumb, index_finger, middle_finger, ring_finger, little_finger, kFingers };

// The joints of one side. Shoulder, elbow, hip and knee hang beside the chain of the limb, at its joints, and make half
// of their turn, so that the skin there is bent in two steps; the twist makes half of the hand's turn about the
// forearm.
struct RigSide {
  std::uint32_t clavicle, shoulder, upper_arm, elbow, lower_arm, twist, hand, grip;
  std::array<std::array<std::uint32_t, 3>, kFingers> fingers;
  std::uint32_t hip, thigh, knee, shin, foot, toe;
};

struct Rig {
  std::vector<RigJoint> joints;
  std::uint32_t root, hips, spine_1, spine_2, chest, neck, head;
  std::array<RigSide, 2> sides;  // left, right

  [[nodiscard]] Point place(std::uint32_t joint) const { return joints[joint].place; }
};

[[nodiscard]] const Rig& rig();

// Where the limbs end, beyond their last joints.
inline constexpr Point kHeadTop{0, 1.765, 0.005};
inline constexpr Point kToeTip{0.128, 0.022, 0.178};  // of the left foot
inline constexpr Point kHeel{0.118, 0.0, -0.078};     // likewise: where it touches the ground
inline constexpr double kSole = 0.0;                  // height of the sole at rest
[[nodiscard]] Point finger_tip(std::size_t side, Finger finger);

// The point at the other side of the body.
[[nodiscard]] inline Point mirrored(Point p) { return {-p.x, p.y, p.z}; }

}  // namespace marrow::character
