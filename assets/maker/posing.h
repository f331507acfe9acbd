// Poses of the character, told as an animator would: where the feet stand, how far an elbow is bent.
//
// Angles are in degrees, since people choose them. The sides of the body are told as mirror images: the numbers of the
// right are those that make the same pose on the left, with x to the outside. Root space is the model's but for the
// way that the character went: the root on the ground, y up, looking along z.
#pragma once

#include <array>
#include <vector>

#include "maker/point.h"
#include "maker/rig.h"

namespace marrow::character {

// A turn of the body or a part of it: first to its left, then forward, then a lean to its left.
struct Turn {
  double forward_deg = 0, left_deg = 0, lean_deg = 0;
};
[[nodiscard]] Quat to_quat(Turn turn);

struct HandControls {
  std::array<std::array<double, 3>, kFingers> curl_deg{};  // of each joint towards the palm; the thumb's over it
  double spread_deg = 0;                                   // of the index and little finger to either side
  double thumb_across_deg = 0;  // of the thumb about the hand, from beside it to before the palm
};
// Fingers that hang, curled from 0 (as at rest) to 1 (a loose fist), each a little more than the one before.
[[nodiscard]] HandControls relaxed_hand(double curl);

// From an arm that hangs down, with the palm to the thigh.
struct ArmControls {
  double shrug_deg = 0, reach_deg = 0;  // of the clavicle, up and forward
  // Of the upper arm in the chest: forward (and up), out to the side, forward again about the vertical, and about
  // itself, inwards. The second is made before the first, so that an arm held up and out is still swung about x.
  double swing_deg = 0, out_deg = 0, across_deg = 0, twist_deg = 0;
  double elbow_deg = 0;
  double pronation_deg = 0;                      // of the hand: palm back, or down where the elbow is bent
  double wrist_deg = 0, wrist_to_thumb_deg = 0;  // bent towards the palm, and the thumb
  HandControls hand;
};

struct LegControls {
  Point ankle;              // in root space
  Turn foot;                // likewise; forward is toes down
  double toes_deg = 0;      // bent up against the foot
  double knee_out_deg = 0;  // away from where hips and foot together point
};

struct Controls {
  Point root;  // in the model
  double root_left_deg = 0;
  Point hips;                       // in root space
  Turn hips_turn;                   // likewise
  Turn spine;                       // of the chest against the hips, spread over three joints
  Turn head;                        // in root space; neck and head share what it takes
  std::array<ArmControls, 2> arms;  // left, right
  std::array<LegControls, 2> legs;
};

// The controls of the pose with left and right exchanged, about the root.
[[nodiscard]] Controls mirrored(const Controls& controls);

// Returns the local transform of every joint of the rig: at rest, and of a pose.
//
// A leg's knee is where the lengths of its bones have it. Within the last half percent of its full length a leg
// gives way: the ankle stays behind its target rather than that the knee snaps straight.
[[nodiscard]] std::vector<Transform> rest_pose();
[[nodiscard]] std::vector<Transform> pose(const Controls& controls);

// A joint's place and turn in the model.
struct JointPlace {
  Point place;
  Quat turn;
};
[[nodiscard]] std::vector<JointPlace> to_model(const std::vector<Transform>& local);

// Parts of the left foot at rest, on the ground, from the ankle: where contacts are.
[[nodiscard]] Point heel_from_ankle();
[[nodiscard]] Point ball_from_ankle();  // the toe joint itself, which is above the ground
[[nodiscard]] Point tip_from_ball();    // the ground under the tip of the toes

}  // namespace marrow::character
