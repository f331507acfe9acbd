#include "anim/blend_reference.h"

#include <algorithm>
#include <cmath>

namespace marrow::test {
namespace {

Real dot4(RefQuat a, RefQuat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
RefQuat times(RefQuat q, Real s) { return {q.x * s, q.y * s, q.z * s, q.w * s}; }

// The rotation vector of a unit quaternion: the axis times half the angle, of the shorter way.
RefVec log_of(RefQuat q) {
  if (q.w < 0) q = times(q, -1);
  const RefVec v{q.x, q.y, q.z};
  const Real s = length(v);
  return s > 0 ? times(v, std::atan2(s, q.w) / s) : RefVec{};
}
RefQuat exp_of(RefVec v) {
  const Real a = length(v), s = a > 0 ? std::sin(a) / a : 1;
  return {v.x * s, v.y * s, v.z * s, std::cos(a)};
}

// By a fraction of the way from a to b, the shorter.
RefQuat between(RefQuat a, RefQuat b, Real u) {
  return multiply(a, exp_of(times(log_of(multiply(conjugate(a), b)), u)));
}

bool nearly_opposite(RefQuat a, RefQuat b) { return std::fabs(dot4(a, b)) < 1e-3L; }

// One property of a joint as numbers.
std::vector<Real> read(const RefPose& pose, std::uint32_t joint, Property property) {
  const RefTransform& t = pose.joints[joint];
  switch (property) {
    case Property::translation: return {t.translation.x, t.translation.y, t.translation.z};
    case Property::rotation: return {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
    case Property::scale: return {t.scale.x, t.scale.y, t.scale.z};
    case Property::morph: break;
  }
  return pose.morphs[joint];
}
void write(RefPose& pose, std::uint32_t joint, Property property, const std::vector<Real>& v) {
  RefTransform& t = pose.joints[joint];
  switch (property) {
    case Property::translation: t.translation = {v[0], v[1], v[2]}; break;
    case Property::rotation: t.rotation = {v[0], v[1], v[2], v[3]}; break;
    case Property::scale: t.scale = {v[0], v[1], v[2]}; break;
    case Property::morph: pose.morphs[joint] = v; break;
  }
}
RefQuat to_quat(const std::vector<Real>& v) { return unit(RefQuat{v[0], v[1], v[2], v[3]}); }
std::vector<Real> to_numbers(RefQuat q) { return {q.x, q.y, q.z, q.w}; }

// The inputs of a layer that have the property of the joint, with their values.
struct Taking {
  std::vector<std::vector<Real>> values;
  std::vector<Real> weights;
  Real weight = 0, fades = 0;
};
Taking taking_part(const RefLayer& layer, std::uint32_t joint, Property property) {
  Taking taking;
  for (const RefInput& input : layer.inputs) {
    if (!input.pose->has(joint, property)) continue;
    taking.values.push_back(read(to_ref(*input.pose), joint, property));
    taking.weights.push_back(input.weight * input.fade);
    taking.weight += input.weight * input.fade;
    taking.fades += input.fade;
  }
  return taking;
}

void replace(const RefLayer& layer, std::uint32_t joint, Property property, RefPose& pose) {
  const Taking taking = taking_part(layer, joint, property);
  if (!(taking.weight > 0)) return;
  const Real fill = std::min(Real{1}, layer.fill == Fill::weight ? taking.weight : taking.fades);
  const Real amount = fill * layer.weight * (layer.mask.empty() ? 1 : layer.mask[joint]);
  if (!(amount > 0)) return;
  pose.present[static_cast<int>(property)][joint] = true;
  std::vector<Real> below = read(pose, joint, property);
  if (property == Property::rotation) {
    std::vector<RefQuat> rotations;
    for (const auto& value : taking.values) rotations.push_back(to_quat(value));
    const RefQuat mean = mean_of_rotations(rotations, taking.weights);
    if (amount < 1 && nearly_opposite(to_quat(below), mean)) pose.undecided[joint] = true;
    write(pose, joint, property, to_numbers(between(to_quat(below), mean, amount)));
    return;
  }
  for (std::size_t k = 0; k < below.size(); ++k) {
    Real sum = 0;
    for (std::size_t i = 0; i < taking.values.size(); ++i) sum += taking.weights[i] * taking.values[i][k];
    below[k] += (sum / taking.weight - below[k]) * amount;
  }
  write(pose, joint, property, below);
}

void add(const RefLayer& layer, std::uint32_t joint, Property property, RefPose& pose) {
  const Taking taking = taking_part(layer, joint, property);
  const Real share = layer.weight * (layer.mask.empty() ? 1 : layer.mask[joint]);
  if (!(taking.weight * share > 0)) return;
  pose.present[static_cast<int>(property)][joint] = true;
  std::vector<Real> value = read(pose, joint, property);
  if (property == Property::rotation) {
    RefVec sum;
    for (std::size_t i = 0; i < taking.values.size(); ++i) {
      const RefVec v = times(log_of(to_quat(taking.values[i])), taking.weights[i] * share);
      sum = {sum.x + v.x, sum.y + v.y, sum.z + v.z};
    }
    write(pose, joint, property, to_numbers(multiply(to_quat(value), exp_of(sum))));
    return;
  }
  for (std::size_t k = 0; k < value.size(); ++k) {
    for (std::size_t i = 0; i < taking.values.size(); ++i) {
      const Real w = taking.weights[i] * share, v = taking.values[i][k];
      value[k] = property == Property::scale ? value[k] * (1 + w * (v - 1)) : value[k] + w * v;
    }
  }
  write(pose, joint, property, value);
}

}  // namespace

RefQuat mean_of_rotations(std::span<const RefQuat> rotations, std::span<const Real> weights) {
  const std::size_t largest =
      static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  RefQuat sum{0, 0, 0, 0};
  Real all = 0;
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    const RefQuat q = times(unit(rotations[i]), dot4(rotations[i], rotations[largest]) < 0 ? -weights[i] : weights[i]);
    sum = {sum.x + q.x, sum.y + q.y, sum.z + q.z, sum.w + q.w};
    all += weights[i];
  }
  const RefQuat center = unit(sum);
  RefVec step;
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    const RefVec v = times(log_of(multiply(conjugate(center), unit(rotations[i]))), weights[i] / all);
    step = {step.x + v.x, step.y + v.y, step.z + v.z};
  }
  return multiply(center, exp_of(step));
}

RefPose to_ref(const Pose& pose) {
  const std::uint32_t count = pose.skeleton().joint_count();
  RefPose result;
  result.undecided.resize(count, false);
  for (int p = 0; p < 4; ++p) {
    for (std::uint32_t j = 0; j < count; ++j) result.present[p].push_back(pose.has(j, static_cast<Property>(p)));
  }
  for (std::uint32_t j = 0; j < count; ++j) {
    result.joints.push_back(ref(pose.transform(j)));
    const std::span<const float> weights = pose.morph_weights(j);
    result.morphs.emplace_back(weights.begin(), weights.end());
  }
  return result;
}

RefPose blend_reference(const Skeleton& skeleton, std::span<const RefLayer> layers) {
  RefPose pose = to_ref(Pose(skeleton));
  for (const RefLayer& layer : layers) {
    for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
      for (const Property property : {Property::translation, Property::rotation, Property::scale, Property::morph}) {
        (layer.mode == LayerMode::add ? add : replace)(layer, joint, property, pose);
      }
    }
  }
  return pose;
}

}  // namespace marrow::test
