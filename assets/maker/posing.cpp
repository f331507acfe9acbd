#include "maker/posing.h"

#include <algorithm>

#include "marrow/math/functions.h"
#include "marrow/math/quat.h"

namespace marrow::character {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

Quat about(Point axis, double angle_deg) {
  return from_axis_angle(to_vec3(axis), static_cast<float>(angle_deg * kDegree));
}
Quat half(Quat q) { return slerp({}, q, 0.5f); }
Quat mirrored(Quat q) { return {q.x, -q.y, -q.z, q.w}; }
Turn mirrored(Turn t) { return {t.forward_deg, -t.left_deg, -t.lean_deg}; }

constexpr Point kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};

// The left limbs at rest, as vectors.
struct Bones {
  const Rig& r = rig();
  const RigSide& left = r.sides[0];
  Point upper_arm = bone(left.upper_arm, left.lower_arm);
  Point lower_arm = bone(left.lower_arm, left.hand);
  Point thigh = bone(left.thigh, left.shin);
  Point shin = bone(left.shin, left.foot);
  // The hand's axes: along it, towards the thumb, out of its back. As the arm rests the elbow bends about the last,
  // backwards.
  Point along = normalized({1, -1, 0}), to_thumb = kZ, back = normalized({1, 1, 0});

  [[nodiscard]] Point bone(std::uint32_t from, std::uint32_t to) const { return r.place(to) - r.place(from); }
};

const Bones& bones() {
  static const Bones made;
  return made;
}

// How much of the spine's turn each of its joints makes: the lower ones bend more, the upper ones twist more.
constexpr double kSpineBend[3] = {0.36, 0.36, 0.28}, kSpineTwist[3] = {0.22, 0.36, 0.42};
constexpr double kNeckShare = 0.45;  // of what head and neck make

// The way that an ankle may be from its hip, of a leg of length `full`: the same until half a percent short of it,
// then ever less, and never all of it.
double soft_reach(double distance, double full) {
  const double firm = 0.995 * full, soft = full - firm;
  if (distance <= firm) return distance;
  const double over = (distance - firm) / soft;
  return firm + soft * over / (1 + over);
}

class Poser {
 public:
  explicit Poser(const Controls& controls) : c_(controls) {}

  std::vector<Transform> run() {
    local_[r_.root] = {to_vec3(c_.root), about(kY, c_.root_left_deg), {1, 1, 1}};
    local_[r_.hips] = {to_vec3(c_.hips), to_quat(c_.hips_turn), {1, 1, 1}};
    pose_spine();
    for (std::size_t s = 0; s < 2; ++s) {
      pose_arm(s);
      pose_leg(s);
    }
    return std::move(local_);
  }

 private:
  // Sets a joint of a side, told as of the left.
  void set(std::size_t s, std::uint32_t joint, Quat turn) { local_[joint].rotation = s == 0 ? turn : mirrored(turn); }

  void pose_spine() {
    const std::uint32_t joints[3] = {r_.spine_1, r_.spine_2, r_.chest};
    Quat chest = to_quat(c_.hips_turn);
    for (std::size_t i = 0; i < 3; ++i) {
      const Quat q = to_quat({c_.spine.forward_deg * kSpineBend[i], c_.spine.left_deg * kSpineTwist[i],
                              c_.spine.lean_deg * kSpineBend[i]});
      local_[joints[i]].rotation = q;
      chest = multiply(chest, q);
    }
    const Quat bend = multiply(conjugate(chest), to_quat(c_.head));
    const Quat neck = slerp({}, bend, static_cast<float>(kNeckShare));
    local_[r_.neck].rotation = neck;
    local_[r_.head].rotation = normalize(multiply(conjugate(neck), bend));
  }

  void pose_arm(std::size_t s) {
    const ArmControls& arm = c_.arms[s];
    const RigSide& side = r_.sides[s];
    set(s, side.clavicle, multiply(about(kY, -arm.reach_deg), about(kZ, arm.shrug_deg)));

    const Quat hang = rotation_between(to_vec3(b_.upper_arm), {0, -1, 0});
    Quat upper = multiply(about(kY, -arm.twist_deg), hang);
    upper = multiply(multiply(about(kX, -arm.swing_deg), about(kZ, arm.out_deg)), upper);
    upper = normalize(multiply(about(kY, -arm.across_deg), upper));
    set(s, side.upper_arm, upper);
    // The shoulder makes half of the arm's swing and half of its twist, each for itself: together they may come near
    // half a turn, where a half of them has no direction.
    const Quat swing = rotation_between(to_vec3(b_.upper_arm), rotate(upper, to_vec3(b_.upper_arm)));
    set(s, side.shoulder, normalize(multiply(half(swing), half(multiply(conjugate(swing), upper)))));

    const Quat elbow = about(b_.back, -arm.elbow_deg);
    set(s, side.lower_arm, elbow);
    set(s, side.elbow, half(elbow));
    const Quat wrist = multiply(about(b_.to_thumb, -arm.wrist_deg), about(b_.back, -arm.wrist_to_thumb_deg));
    set(s, side.hand, normalize(multiply(about(b_.lower_arm, arm.pronation_deg), wrist)));
    set(s, side.twist, about(b_.lower_arm, arm.pronation_deg / 2));
    pose_fingers(s, arm.hand);
  }

  void pose_fingers(std::size_t s, const HandControls& hand) {
    const RigSide& side = r_.sides[s];
    for (std::size_t f = 0; f < kFingers; ++f) {
      const auto& joints = side.fingers[f];
      const auto& left = r_.sides[0].fingers[f];
      for (std::size_t i = 0; i < 3; ++i) {
        const Point end = i < 2 ? r_.place(left[i + 1]) : finger_tip(0, static_cast<Finger>(f));
        const Point bone = end - r_.place(left[i]);
        // Fingers bend towards the palm; the thumb towards them, across it.
        const Point to = f == thumb ? b_.to_thumb * -0.8 - b_.back * 0.6 : b_.back * -1;
        Quat q = about(cross(bone, to), hand.curl_deg[f][i]);
        if (i == 0 && f == thumb) q = multiply(about(b_.along, hand.thumb_across_deg), q);
        if (i == 0 && f != thumb) {
          const double outward = (static_cast<double>(middle_finger) + 0.4 - static_cast<double>(f)) / 1.5;
          q = multiply(about(b_.back, -hand.spread_deg * outward), q);
        }
        set(s, joints[i], normalize(q));
      }
    }
  }

  void pose_leg(std::size_t s) {
    const LegControls& leg = c_.legs[s];
    const RigSide& side = r_.sides[s];
    const Quat hips = to_quat(s == 0 ? c_.hips_turn : mirrored(c_.hips_turn));
    const Point hips_place = s == 0 ? c_.hips : character::mirrored(c_.hips);
    const Point hip = hips_place + turned(hips, b_.bone(r_.hips, r_.sides[0].thigh));

    const double a = length(b_.thigh), b = length(b_.shin);
    const Point way = leg.ankle - hip;
    const Point down = normalized(way);
    const double d = std::max(soft_reach(length(way), a + b), 0.3 * (a + b));
    // The hinge of the knee is across the leg, between the hips' side and the foot's.
    const Quat foot_way = about(kY, leg.foot.left_deg);
    const Point side_way = turned(about(kY, leg.knee_out_deg), turned(hips, kX) + turned(foot_way, kX));
    const Point hinge = normalized(side_way - down * dot(side_way, down));
    const Point ahead = cross(down, hinge);
    const double along = (a * a + d * d - b * b) / (2 * d);
    const double bulge = std::sqrt(std::max(0.0, a * a - along * along));
    const Point to_knee = down * along + ahead * bulge;
    const Point to_ankle = down * d - to_knee;

    const Quat thigh = look_rotation(to_vec3(to_knee), to_vec3(hinge), to_vec3(b_.thigh), {1, 0, 0});
    const Quat shin = look_rotation(to_vec3(to_ankle), to_vec3(hinge), to_vec3(b_.shin), {1, 0, 0});
    const Quat thigh_in_hips = normalize(multiply(conjugate(hips), thigh));
    const Quat shin_in_thigh = normalize(multiply(conjugate(thigh), shin));
    set(s, side.thigh, thigh_in_hips);
    set(s, side.hip, half(thigh_in_hips));
    set(s, side.shin, shin_in_thigh);
    set(s, side.knee, half(shin_in_thigh));
    set(s, side.foot, normalize(multiply(conjugate(shin), to_quat(leg.foot))));
    set(s, side.toe, about(kX, -leg.toes_deg));
  }

  const Controls& c_;
  const Rig& r_ = rig();
  const Bones& b_ = bones();
  std::vector<Transform> local_ = rest_pose();
};

}  // namespace

Quat to_quat(Turn turn) {
  const auto radians = [](double deg) { return static_cast<float>(deg * kDegree); };
  return from_euler({radians(turn.forward_deg), radians(turn.left_deg), radians(-turn.lean_deg)}, EulerOrder::yxz);
}

HandControls relaxed_hand(double curl) {
  HandControls hand;
  for (std::size_t f = index_finger; f < kFingers; ++f) {
    const double more = 1 + 0.16 * static_cast<double>(f - index_finger);
    hand.curl_deg[f] = {62 * curl * more, 78 * curl * more, 44 * curl * more};
  }
  hand.curl_deg[thumb] = {14 * curl, 26 * curl, 36 * curl};
  hand.thumb_across_deg = 30 * curl;
  hand.spread_deg = std::max(-5.0, 5 - 24 * curl);  // a hand that closes draws its fingers together
  return hand;
}

Controls mirrored(const Controls& controls) {
  Controls out = controls;
  out.root = mirrored(controls.root);
  out.root_left_deg = -controls.root_left_deg;
  out.hips = mirrored(controls.hips);
  out.hips_turn = mirrored(controls.hips_turn);
  out.spine = mirrored(controls.spine);
  out.head = mirrored(controls.head);
  std::swap(out.arms[0], out.arms[1]);
  std::swap(out.legs[0], out.legs[1]);
  return out;
}

std::vector<Transform> rest_pose() {
  std::vector<Transform> out;
  for (const RigJoint& joint : rig().joints) {
    // The joints above the grips are turned like the world.
    const Point from = joint.parent < 0 ? Point{} : rig().joints[static_cast<std::size_t>(joint.parent)].place;
    out.push_back({to_vec3(joint.place - from), joint.turn, {1, 1, 1}});
  }
  return out;
}

std::vector<Transform> pose(const Controls& controls) { return Poser(controls).run(); }

std::vector<JointPlace> to_model(const std::vector<Transform>& local) {
  std::vector<JointPlace> out;
  for (std::size_t j = 0; j < local.size(); ++j) {
    const std::int32_t parent = rig().joints[j].parent;
    const JointPlace above = parent < 0 ? JointPlace{} : out[static_cast<std::size_t>(parent)];
    out.push_back({above.place + turned(above.turn, to_point(local[j].translation)),
                   normalize(multiply(above.turn, local[j].rotation))});
  }
  return out;
}

Point heel_from_ankle() { return kHeel - rig().place(rig().sides[0].foot); }
Point ball_from_ankle() { return rig().place(rig().sides[0].toe) - rig().place(rig().sides[0].foot); }
Point tip_from_ball() { return Point{kToeTip.x, kSole, kToeTip.z} - rig().place(rig().sides[0].toe); }

}  // namespace marrow::character
