#include "maker/motions.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <set>

#include "maker/balance.h"
#include "maker/motion_player.h"
#include "marrow/math/quat.h"
#include "support/bits.h"

namespace marrow::character {
namespace {

using test::each_moment;
using test::lowest;
using test::Player;
using test::player;
using test::sole;

constexpr double kGravity = 9.81;
const std::vector<std::string> kWholeBody = {"idle", "walk", "run", "jump", "turn"};

double degrees(double radians) { return radians * 180 / 3.14159265358979; }

// How far apart two poses are: the largest distance of any joint, and the largest turn.
struct Step {
  double place_m = 0, turn_deg = 0;
};
Step step_between(const std::vector<JointPlace>& a, const std::vector<JointPlace>& b) {
  Step out;
  for (std::size_t j = 0; j < a.size(); ++j) {
    out.place_m = std::max(out.place_m, length(b[j].place - a[j].place));
    out.turn_deg = std::max(out.turn_deg, degrees(static_cast<double>(angle_between(a[j].turn, b[j].turn))));
  }
  return out;
}

bool same_bits(const Transform& a, const Transform& b) {
  const auto floats = [](const Transform& t) {
    const auto [p, q, s] = t;
    return std::array{p.x, p.y, p.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z};
  };
  return test::difference(floats(a), floats(b)).empty();
}

TEST_CASE("CharacterMotions: every motion becomes a clip of its name and length") {
  for (const Motion& motion : make_motions()) {
    const Clip& clip = player(motion.name).clip();
    CHECK(clip.name() == motion.name);
    CHECK(clip.duration() == doctest::Approx(motion.duration_s));
    std::size_t keys = 0;
    for (const TrackInfo& track : clip.tracks()) keys += track.key_count;
    MESSAGE(motion.name << ": " << clip.duration() << " s, " << clip.tracks().size() << " tracks, " << keys << " keys, "
                        << clip.memory_bytes() << " bytes");
  }
}

// What a point of the sole moves while it is on the ground, over the whole of a contact. Before it turns, a foot is
// swivelled on its ball, which then is the point in force.
double slide_of(Player& p) {
  const bool swivels = p.motion().name == "turn";
  constexpr double kTouching = 0.002;
  double worst = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t point = 0; point < 3; ++point) {
      if (swivels && point != 1) continue;
      std::vector<Point> contact;
      each_moment(p, [&](double t) {
        const Point now = sole(p.world(t), side)[point];
        if (now.y > kTouching) return contact.clear();
        for (const Point& before : contact) worst = std::max(worst, std::hypot(now.x - before.x, now.z - before.z));
        contact.push_back(now);
      });
    }
  }
  return worst;
}

TEST_CASE("CharacterMotions: planted feet do not slide, and do not go into the ground") {
  for (const std::string& name : kWholeBody) {
    Player& p = player(name);
    double deepest = 0;
    each_moment(p, [&](double t) {
      const std::vector<JointPlace> joints = p.world(t);
      deepest = std::min({deepest, lowest(sole(joints, 0)), lowest(sole(joints, 1))});
    });
    const double slide = slide_of(p);
    MESSAGE(name << ": slides " << slide * 1000 << " mm, sinks " << -deepest * 1000 << " mm");
    CHECK(slide < 0.005);
    CHECK(deepest > -0.002);
  }
}

TEST_CASE("CharacterMotions: loops have no seam") {
  for (const Motion& motion : make_motions()) {
    if (!motion.loops || motion.name == "grip") continue;
    Player& p = player(motion.name);
    const int count = test::moments_in(motion);
    std::vector<std::vector<JointPlace>> frames;
    frames.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) frames.push_back(p.body(motion.duration_s * i / count));
    const auto frame = [&](int i) -> const std::vector<JointPlace>& {
      return frames[static_cast<std::size_t>((i + count) % count)];
    };
    // What a joint's place changes by from one step to the next.
    const auto kink = [&](int i) {
      double worst = 0;
      for (std::size_t j = 0; j < frame(i).size(); ++j) {
        const Point before = frame(i)[j].place - frame(i - 1)[j].place;
        worst = std::max(worst, length(frame(i + 1)[j].place - frame(i)[j].place - before));
      }
      return worst;
    };
    Step inside;
    double kink_inside = 0;
    for (int i = 0; i + 1 < count; ++i) {
      const Step step = step_between(frame(i), frame(i + 1));
      inside = {std::max(inside.place_m, step.place_m), std::max(inside.turn_deg, step.turn_deg)};
      if (i > 0) kink_inside = std::max(kink_inside, kink(i));
    }
    const Step wrap = step_between(frame(count - 1), frame(0));
    const double kink_at_wrap = std::max(kink(0), kink(count - 1));
    MESSAGE(motion.name << ": at the wrap " << wrap.place_m * 1000 << " mm, " << wrap.turn_deg << " degrees, kink "
                        << kink_at_wrap * 1000 << " mm; inside " << inside.place_m * 1000 << " mm, " << inside.turn_deg
                        << " degrees, kink " << kink_inside * 1000 << " mm");
    CHECK(wrap.place_m <= 1.1 * inside.place_m);
    CHECK(wrap.turn_deg <= 1.1 * inside.turn_deg);
    CHECK(kink_at_wrap <= 1.1 * kink_inside);
    // The end is the beginning, but for the way that the root went; already before any key is left out.
    for (std::size_t j = 0; j < rig().joints.size(); ++j) {
      if (j == rig().root) continue;
      CHECK(same_bits(motion.frames.front().local[j], motion.frames.back().local[j]));
    }
    CHECK(step_between(p.body(motion.duration_s), p.body(0)).place_m < 1e-6);
  }
}

TEST_CASE("CharacterMotions: walk and run go ahead evenly") {
  for (const auto& [name, speed] : {std::pair{"walk", 1.35}, std::pair{"run", 3.6}}) {
    Player& p = player(name);
    each_moment(p, [&, speed = speed](double t) {
      const Point root = p.world(t)[rig().root].place;
      REQUIRE(root.x == 0);
      REQUIRE(root.y == 0);
      REQUIRE(root.z == doctest::Approx(speed * t).epsilon(1e-5));
    });
  }
}

TEST_CASE("CharacterMotions: the right side of walk and run does what the left did half a cycle before") {
  std::vector<std::size_t> other;
  for (std::size_t j = 0; j < rig().joints.size(); ++j) {
    std::string name = rig().joints[j].name;
    if (name.ends_with("_L"))
      name.back() = 'R';
    else if (name.ends_with("_R"))
      name.back() = 'L';
    const auto found = std::find_if(rig().joints.begin(), rig().joints.end(),
                                    [&](const RigJoint& joint) { return joint.name == name; });
    other.push_back(static_cast<std::size_t>(found - rig().joints.begin()));
  }
  for (const std::string name : {"walk", "run"}) {
    Player& p = player(name);
    const double half_s = p.motion().duration_s / 2;
    double worst = 0;
    each_moment(p, [&](double t) {
      const std::vector<JointPlace> a = p.body(t), b = p.body(t < half_s ? t + half_s : t - half_s);
      for (std::size_t j = 0; j < a.size(); ++j) {
        worst = std::max(worst, length(a[j].place - mirrored(b[other[j]].place)));
      }
    });
    MESSAGE(name << ": sides differ by " << worst * 1000 << " mm");
    CHECK(worst < 0.0015);
  }
}

TEST_CASE("CharacterMotions: the run flies, the walk does not") {
  for (const std::string name : {"walk", "run"}) {
    Player& p = player(name);
    double flying = 0, moments = 0;
    each_moment(p, [&](double t) {
      const std::vector<JointPlace> joints = p.world(t);
      flying += std::min(lowest(sole(joints, 0)), lowest(sole(joints, 1))) > 0.003 ? 1 : 0;
      moments += 1;
    });
    MESSAGE(name << ": in the air " << 100 * flying / moments << " % of the time");
    if (name == "walk")
      CHECK(flying == 0);
    else
      CHECK(flying / moments > 0.25);
  }
}

// How far the centre of mass is from a free fall between two times, with whatever speed it has.
double off_free_fall(Player& p, double from_s, double to_s) {
  const auto height = [&](double t) { return centre_of_mass(p.world(t)).y; };
  const double length_s = to_s - from_s, a = height(from_s), b = height(to_s);
  double worst = 0;
  for (int i = 0; i <= 48; ++i) {
    const double t = length_s * i / 48;
    const double fall = a + (b - a) * t / length_s + kGravity / 2 * t * (length_s - t);
    worst = std::max(worst, std::abs(height(from_s + t) - fall));
  }
  return worst;
}

TEST_CASE("CharacterMotions: in the air the centre of mass falls freely") {
  Player& jump = player("jump");
  double from_s = 0, to_s = 0, clearance = 0, apex = 0;
  each_moment(jump, [&](double t) {
    const std::vector<JointPlace> joints = jump.world(t);
    const double low = std::min(lowest(sole(joints, 0)), lowest(sole(joints, 1)));
    if (low > 0.004 && from_s == 0 && t < 1) from_s = t;
    if (low > 0.004 && t < 1.25) to_s = t;
    clearance = std::max(clearance, low);
    apex = std::max(apex, centre_of_mass(joints).y - centre_of_mass(jump.world(0)).y);
  });
  const double off = off_free_fall(jump, from_s, to_s);
  MESSAGE("jump: in the air from " << from_s << " to " << to_s << " s, soles up to " << clearance
                                   << " m, centre of mass rises " << apex << " m, off a free fall by " << off * 1000
                                   << " mm");
  CHECK(clearance > 0.2);
  CHECK(apex > 0.3);
  CHECK(to_s - from_s > 0.4);
  CHECK(off < 0.002);

  Player& run = player("run");
  const double cycle_s = run.motion().duration_s;
  CHECK(off_free_fall(run, 0.33 * cycle_s, 0.49 * cycle_s) < 0.002);
}

TEST_CASE("CharacterMotions: the thighs keep clear of each other in the walk") {
  Player& p = player("walk");
  double nearest = 1;
  each_moment(p, [&](double t) {
    const std::vector<JointPlace> joints = p.body(t);
    const RigSide &l = rig().sides[0], &r = rig().sides[1];
    for (int i = 0; i <= 20; ++i) {
      for (int k = 0; k <= 20; ++k) {
        const double u = i / 20.0, v = k / 20.0;
        const Point a = lerp(joints[l.thigh].place, joints[l.shin].place, u);
        const Point b = lerp(joints[r.thigh].place, joints[r.shin].place, v);
        nearest = std::min(nearest, length(a - b) - (0.085 - 0.030 * u) - (0.085 - 0.030 * v));
      }
    }
  });
  MESSAGE("walk: the thighs are " << nearest * 1000 << " mm apart");
  CHECK(nearest > 0);
}

// How far a hinge is bent, from straight: below zero is the wrong way.
double bend_deg(Point a, Point b, Point c, Point axis) {
  const Point first = normalized(b - a), second = normalized(c - b), turn = cross(first, second);
  const double bend = degrees(std::atan2(length(turn), dot(first, second)));
  return dot(turn, axis) < 0 ? -bend : bend;
}

TEST_CASE("CharacterMotions: knees and elbows bend as they can") {
  for (const Motion& motion : make_motions()) {
    Player& p = player(motion.name);
    double knee_min = 180, knee_max = 0, elbow_min = 180, elbow_max = 0;
    each_moment(p, [&](double t) {
      const std::vector<JointPlace> joints = p.body(t);
      for (std::size_t s = 0; s < 2; ++s) {
        const RigSide& side = rig().sides[s];
        const auto at = [&](std::uint32_t joint) { return joints[joint].place; };
        const auto axis = [&](std::uint32_t joint, Vec3 v) { return to_point(rotate(joints[joint].turn, v)); };
        const double knee = bend_deg(at(side.thigh), at(side.shin), at(side.foot), axis(side.thigh, {1, 0, 0}));
        const double elbow = bend_deg(at(side.upper_arm), at(side.lower_arm), at(side.hand),
                                      axis(side.upper_arm, s == 0 ? Vec3{-1, -1, 0} : Vec3{-1, 1, 0}));
        knee_min = std::min(knee_min, knee), knee_max = std::max(knee_max, knee);
        elbow_min = std::min(elbow_min, elbow), elbow_max = std::max(elbow_max, elbow);
      }
    });
    MESSAGE(motion.name << ": knees " << knee_min << " to " << knee_max << ", elbows " << elbow_min << " to "
                        << elbow_max << " degrees");
    CHECK(knee_min > 2);
    CHECK(knee_max < 135);
    CHECK(elbow_min > 2);
    CHECK(elbow_max < 145);
  }
}

TEST_CASE("CharacterMotions: jump and turn begin and end as idle begins") {
  const std::vector<JointPlace> idle = player("idle").body(0);
  for (const std::string name : {"jump", "turn"}) {
    Player& p = player(name);
    CHECK(step_between(p.body(0), idle).place_m < 0.001);
    CHECK(step_between(p.body(p.motion().duration_s), idle).place_m < 0.001);
  }
  const std::vector<JointPlace> jumped = player("jump").world(10), turned = player("turn").world(10);
  CHECK(length(jumped[rig().root].place) == 0);
  CHECK(length(turned[rig().root].place) == 0);
  CHECK(degrees(static_cast<double>(angle_between(turned[rig().root].turn, {}))) == doctest::Approx(90).epsilon(2e-4));
  CHECK(turned[rig().root].turn.y > 0);
}

TEST_CASE("CharacterMotions: wave and grip leave the rest of the body alone") {
  std::set<std::uint32_t> waving, gripping;
  for (const TrackInfo& track : player("wave").clip().tracks()) {
    if (track.property != Property::morph) waving.insert(track.joint);
  }
  for (const TrackInfo& track : player("grip").clip().tracks()) gripping.insert(track.joint);
  const Skeleton& skeleton = Player::skeleton();
  const std::uint32_t chest = *skeleton.joint("chest"), hand = *skeleton.joint("hand_R");
  std::set<std::uint32_t> above, fingers;
  for (const std::uint32_t j : skeleton.subtree(chest)) above.insert(j);
  for (const std::uint32_t j : skeleton.subtree(hand)) fingers.insert(j);
  fingers.erase(hand);
  fingers.erase(*skeleton.joint("grip_R"));
  CHECK(waving.contains(*skeleton.joint("hand_L")));
  CHECK_FALSE(waving.contains(hand));
  for (const std::uint32_t j : waving) CHECK(above.contains(j));
  CHECK(gripping == fingers);
}

TEST_CASE("CharacterMotions: turns are of unit length, and made twice they are the same") {
  const std::vector<Motion> motions = make_motions(), again = make_motions();
  std::vector<float> floats, floats_again;
  const auto collect = [](const std::vector<Motion>& from, std::vector<float>& out) {
    for (const Motion& motion : from) {
      for (const Frame& frame : motion.frames) {
        out.insert(out.end(), {frame.blink, frame.smile});
        for (const Transform& t : frame.local) {
          const Quat q = t.rotation;
          REQUIRE(std::abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-6f);
          out.insert(out.end(), {t.translation.x, t.translation.y, t.translation.z, q.x, q.y, q.z, q.w});
        }
      }
    }
  };
  collect(motions, floats);
  collect(again, floats_again);
  CHECK(test::difference(floats, floats_again) == "");
}

}  // namespace
}  // namespace marrow::character
