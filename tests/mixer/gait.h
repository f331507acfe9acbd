// Clips that move the root of a character, and what its root motion should be: rigid motions in Real, computed in
// model space straight from the keys.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/play/root_motion.h"
#include "support/reference.h"

namespace marrow::test {

inline RefVec operator+(RefVec a, RefVec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline RefVec operator-(RefVec a, RefVec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 to_floats(RefVec v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
inline Quat to_floats(RefQuat q) {
  return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

struct Rigid {
  RefQuat turn;
  RefVec shift;
};
inline Rigid operator*(const Rigid& a, const Rigid& b) {
  return {unit(multiply(a.turn, b.turn)), a.shift + rotate(a.turn, b.shift)};
}
inline Rigid inverse_of(const Rigid& a) { return {conjugate(a.turn), rotate(conjugate(a.turn), times(a.shift, -1))}; }
inline Rigid rigid(const RootMotion& motion) { return {unit(ref(motion.rotation)), ref(motion.translation)}; }
inline Rigid about(RefVec up, Real angle, RefVec shift) { return {axis_angle(up, angle), shift}; }

// The angle of a rotation about an axis, the short way round, leaving out its tilt.
inline Real yaw_about(RefVec up, RefQuat q) {
  const Real sine = dot({q.x, q.y, q.z}, unit(up));
  return 2 * (q.w < 0 ? std::atan2(-sine, -q.w) : std::atan2(sine, q.w));
}

inline constexpr std::uint32_t kHips = 2, kLeg = 3;

// The hips whose motion is taken out, a leg below them, and above them two joints that never move.
struct Rig {
  RefVec up;
  Rigid armature;  // in the model
  Rigid hips;      // at rest, in the armature
  Real size = 1;   // of the armature
  Skeleton skeleton = make_skeleton();

  [[nodiscard]] Rigid to_model(const Rigid& local) const {
    return {multiply(armature.turn, local.turn), armature.shift + rotate(armature.turn, times(local.shift, size))};
  }
  [[nodiscard]] Rigid to_local(const Rigid& model) const {
    const RefQuat back = conjugate(armature.turn);
    return {multiply(back, model.turn), times(rotate(back, model.shift - armature.shift), 1 / size)};
  }
  [[nodiscard]] Rigid in_model(const Pose& pose) const {
    const Transform t = pose.transform(kHips);
    return to_model({unit(ref(t.rotation)), ref(t.translation)});
  }
  [[nodiscard]] RootMotionOptions options() const { return {.joint = kHips, .up = to_floats(up)}; }

  [[nodiscard]] Skeleton make_skeleton() const {
    const Rigid scene = {axis_angle({1, 2, 3}, 0.8f), {0.25f, 1, -1}}, local = inverse_of(scene) * armature;
    const auto scale = static_cast<float>(size);
    JointDesc joints[4];
    joints[0].rest = {to_floats(scene.shift), to_floats(scene.turn), {1, 1, 1}};
    joints[1].rest = {to_floats(local.shift), to_floats(local.turn), {scale, scale, scale}};
    joints[2].rest = {to_floats(hips.shift), to_floats(hips.turn), {1, 1, 1}};
    for (int j = 1; j < 4; ++j) joints[j].parent = j - 1;
    return Skeleton::create(joints).value().skeleton;
  }
};

// A plain one, z up, and armatures as Blender and Mixamo export them: turned, in centimetres, out of place; z up and y
// up.
inline std::vector<Rig> rigs() {
  const RefQuat lie_down = axis_angle({1, 0, 0}, -kPi / 2), get_up = axis_angle({1, 0, 0}, kPi / 2);
  const Real centimetre = static_cast<Real>(0.01f);
  return {
      {{0, 0, 1}, {}, {{}, {0, 0, 0.95f}}},
      {{0, 0, 2}, {get_up, {0.5f, -3, 0.25f}}, {axis_angle({0.3f, 1, 0.2f}, 0.4f), {11, 95, -7}}, centimetre},
      {{0, 1, 0}, {lie_down, {2, 0.5f, 1}}, {axis_angle({1, 0.5f, -1}, 1.9f), {3, -4, 98}}, centimetre},
  };
}

// How the hips go in a clip, in model space: a way with bumps.
struct Course {
  double duration = 1;
  RefVec displacement{1.2f, 0.4f, 0.1f};
  RefVec start{};
  Real turn = 0;
  Real start_yaw = 0;
  Real last_key = 1;  // part of the duration
};

// A clip, and what the root motion of it should be.
struct Gait {
  const Rig* rig;
  double duration;
  std::vector<float> key_times, positions, rotations;
  Clip clip;

  Gait(const Rig& r, Random& random, const Course& course) : rig(&r), duration(course.duration) {
    constexpr int kKeys = 9;
    std::vector<float> leg;
    const Rigid rest = r.to_model({ref(r.skeleton.rest(kHips).rotation), ref(r.skeleton.rest(kHips).translation)});
    for (int k = 0; k < kKeys; ++k) {
      const Real u = static_cast<Real>(k) / (kKeys - 1), bump = 4 * u * (1 - u);
      key_times.push_back(static_cast<float>(u * course.last_key * course.duration));
      const RefQuat yaw = axis_angle(r.up, course.start_yaw + u * course.turn + random.range(-0.2, 0.2) * bump);
      const RefQuat tilt = axis_angle(ref(random_vector(random, 1)), random.range(-1, 1) * bump);
      const RefVec place = rest.shift + course.start + times(course.displacement, u);
      const Rigid local =
          r.to_local({multiply(multiply(yaw, tilt), rest.turn), place + times(ref(random_vector(random, 0.1)), bump)});
      const Vec3 p = to_floats(local.shift);
      const Quat q = to_floats(local.turn);
      positions.insert(positions.end(), {p.x, p.y, p.z});
      rotations.insert(rotations.end(), {q.x, q.y, q.z, q.w});
      const Quat l = random_quat(random);
      leg.insert(leg.end(), {l.x, l.y, l.z, l.w});
    }
    const TrackDesc tracks[] = {{kHips, Property::translation, Interpolation::linear, key_times, positions},
                                {kHips, Property::rotation, Interpolation::linear, key_times, rotations},
                                {kLeg, Property::rotation, Interpolation::linear, key_times, leg}};
    clip = Clip::create(r.skeleton, {"gait", tracks, duration}).value();
  }

  // The transform of the hips in the model.
  [[nodiscard]] Rigid sampled(Real time) const {
    std::size_t k = 1;
    while (k + 1 < key_times.size() && key_times[k] < time) ++k;
    const Real t0 = key_times[k - 1], u = std::clamp((time - t0) / (key_times[k] - t0), Real{0}, Real{1});
    const auto position = [&](std::size_t i) {
      return RefVec{positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
    };
    const auto rotation = [&](std::size_t i) {
      return unit(RefQuat{rotations[4 * i], rotations[4 * i + 1], rotations[4 * i + 2], rotations[4 * i + 3]});
    };
    const RefQuat step = multiply(rotation(k), conjugate(rotation(k - 1)));
    const RefVec axis{step.x, step.y, step.z};
    const Real angle = 2 * std::atan2(length(axis), step.w), short_way = angle > kPi ? angle - 2 * kPi : angle;
    const RefQuat turn = length(axis) > 0 ? axis_angle(axis, short_way * u) : RefQuat();
    return rig->to_model({multiply(turn, rotation(k - 1)), position(k - 1) + times(position(k) - position(k - 1), u)});
  }

  // What is to be taken out of that: the motion that takes the hips from rest as far as the options say.
  [[nodiscard]] Rigid taken(Real time, const RootMotionOptions& options) const {
    const Transform local = rig->skeleton.rest(kHips);
    const Rigid rest = rig->to_model({unit(ref(local.rotation)), ref(local.translation)}), now = sampled(time);
    const RefVec up = unit(rig->up), moved = now.shift - rest.shift, rise = times(up, dot(moved, up));
    const Real yaw = options.yaw ? yaw_about(up, multiply(now.turn, conjugate(rest.turn))) : 0;
    const RefVec kept = (options.horizontal ? moved - rise : RefVec()) + (options.vertical ? rise : RefVec());
    const Rigid turn = about(up, yaw, {});
    return {turn.turn, rest.shift + kept - rotate(turn.turn, rest.shift)};
  }
  [[nodiscard]] Rigid between(Real from, Real to) const {
    return inverse_of(taken(from, rig->options())) * taken(to, rig->options());
  }

  // The way from one time to another with `loops` ends of the clip in between.
  [[nodiscard]] Rigid way(Real from, Real to, std::uint64_t loops) const {
    if (loops == 0) return between(from, to);
    Rigid total = between(from, duration);
    const Rigid loop = between(0, duration);
    for (; loops > 1; --loops) total = total * loop;
    return total * between(0, to);
  }
  [[nodiscard]] Real distance() const { return length(sampled(duration).shift - sampled(0).shift); }
};

}  // namespace marrow::test
