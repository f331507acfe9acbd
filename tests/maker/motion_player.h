// Plays the clips of the character for tests: where its joints and soles are at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "maker/motions.h"
#include "maker/posing.h"
#include "maker/rig.h"
#include "marrow/anim/clip.h"
#include "marrow/anim/pose.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/quat.h"

namespace marrow::test {

using character::JointPlace;
using character::Point;

// A motion as it is in a file: reduced, and sampled as a game would.
class Player {
 public:
  explicit Player(const character::Motion& motion)
      : motion_(motion), clip_(*character::to_clip(motion, skeleton())), pose_(skeleton()) {
    for (const character::RigJoint& joint : character::rig().joints) {
      joints_.push_back(*skeleton().joint(joint.name));
    }
  }

  [[nodiscard]] const character::Motion& motion() const { return motion_; }
  [[nodiscard]] const Clip& clip() const { return clip_; }

  static const Skeleton& skeleton() {
    static const Skeleton made = character::make_skeleton();
    return made;
  }

  // The local transforms of the rig's joints.
  [[nodiscard]] std::vector<Transform> local(double time_s) {
    sample(clip_, time_s, pose_);
    std::vector<Transform> out;
    for (const std::uint32_t joint : joints_) out.push_back(pose_.transform(joint));
    return out;
  }

  // In the model, with the way that the root went.
  [[nodiscard]] std::vector<JointPlace> world(double time_s) { return character::to_model(local(time_s)); }

  // In root space: without that way.
  [[nodiscard]] std::vector<JointPlace> body(double time_s) {
    std::vector<Transform> joints = local(time_s);
    joints[character::rig().root] = {};
    return character::to_model(joints);
  }

 private:
  character::Motion motion_;
  Clip clip_;
  Pose pose_;
  std::vector<std::uint32_t> joints_;
};

// Returns the player of the motion of that name; it is made once.
inline Player& player(const std::string& name) {
  static std::vector<Player> players = [] {
    std::vector<Player> made;
    for (const character::Motion& motion : character::make_motions()) made.emplace_back(motion);
    return made;
  }();
  return *std::find_if(players.begin(), players.end(), [&](const Player& p) { return p.motion().name == name; });
}

inline constexpr double kChecksPerSecond = 240;

inline int moments_in(const character::Motion& motion) {
  return static_cast<int>(std::lround(motion.duration_s * kChecksPerSecond));
}

// Calls body(time_s) 240 times a second, from the first moment to the last.
template <typename Body>
void each_moment(const Player& p, const Body& body) {
  const int count = moments_in(p.motion());
  for (int i = 0; i <= count; ++i) body(p.motion().duration_s * i / count);
}

// The points of a sole that may touch the ground: heel, ball, tip of the toes. The last two are of the toes.
inline std::array<Point, 3> sole(const std::vector<JointPlace>& joints, std::size_t side) {
  const character::Rig& r = character::rig();
  const character::RigSide& s = r.sides[side];
  const auto from = [&](std::uint32_t joint, Point left) {
    const Point place = side == 0 ? left : character::mirrored(left);
    const Vec3 offset = character::to_vec3(place - r.place(joint));
    return joints[joint].place + character::to_point(rotate(joints[joint].turn, offset));
  };
  const Point ball = r.place(r.sides[0].toe);
  return {from(s.foot, character::kHeel), from(s.toe, {ball.x, character::kSole, ball.z}),
          from(s.toe, {character::kToeTip.x, character::kSole, character::kToeTip.z})};
}

inline double lowest(const std::array<Point, 3>& points) { return std::min({points[0].y, points[1].y, points[2].y}); }

}  // namespace marrow::test
