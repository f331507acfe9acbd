// Rotations to blend, and their mean in long double.
#pragma once

#include <vector>

#include "anim/blend_reference.h"
#include "fixtures/random.h"
#include "marrow/anim/blend.h"
#include "marrow/math/quat.h"
#include "support/reference.h"

namespace marrow::test {

// A rotation in long double, made unit.
inline RefQuat exact(Quat q) { return unit(ref(q)); }

// The mean by its definition.
inline RefQuat exact_mean(const std::vector<Quat>& rotations, const std::vector<float>& weights) {
  std::vector<RefQuat> all;
  for (const Quat& q : rotations) all.push_back(exact(q));
  return mean_of_rotations(all, std::vector<Real>(weights.begin(), weights.end()));
}

inline Quat random_rotation(Random& random) {
  const UnitQuat q = random.quat();
  return normalize(
      {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)});
}

// A rotation by at most `most` radians from `from`, of either sign.
inline Quat rotation_near(Random& random, Quat from, double most) {
  const UnitQuat axis = random.quat();
  const Vec3 v = {static_cast<float>(axis.x), static_cast<float>(axis.y), static_cast<float>(axis.z)};
  const Quat q = multiply(from, from_axis_angle(v, random.rangef(0, most)));
  return random.below(2) == 0 ? q : Quat{-q.x, -q.y, -q.z, -q.w};
}

// Poses of many joints, so that many rotations are blended at once: rotations[input][joint].
class Blender {
 public:
  explicit Blender(std::uint32_t joints)
      : skeleton_(Skeleton::create(std::vector<JointDesc>(joints)).value().skeleton) {}

  std::vector<Quat> blend_all(const std::vector<std::vector<Quat>>& rotations, const std::vector<float>& weights) {
    std::vector<Pose> poses;
    std::vector<BlendInput> inputs;
    for (const std::vector<Quat>& all : rotations) {
      Pose& pose = poses.emplace_back(skeleton_);
      for (std::uint32_t j = 0; j < all.size(); ++j) pose.set_transform(j, {{}, all[j], {1, 1, 1}});
    }
    for (std::size_t i = 0; i < poses.size(); ++i) inputs.emplace_back(poses[i], weights[i]);
    Pose out(skeleton_);
    blend(inputs, out);
    std::vector<Quat> result;
    for (std::uint32_t j = 0; j < skeleton_.joint_count(); ++j) result.push_back(out.transform(j).rotation);
    return result;
  }

 private:
  Skeleton skeleton_;
};

}  // namespace marrow::test
