// The mean of rotations: against slerp, against its definition in long double, and its laws.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "marrow/anim/blend.h"
#include "marrow/math/quat.h"
#include "support/bits.h"
#include "support/lanes.h"
#include "support/random.h"
#include "support/reference.h"

namespace marrow {
namespace {

using test::Random;
using test::Real;
using test::RefQuat;

struct Q {
  Real x, y, z, w;
};
Q to_ref(Quat q) {
  const Q l = {q.x, q.y, q.z, q.w};
  const Real n = std::sqrt(l.x * l.x + l.y * l.y + l.z * l.z + l.w * l.w);
  return {l.x / n, l.y / n, l.z / n, l.w / n};
}
Real dot4(const Q& a, const Q& b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
Q times(const Q& a, const Q& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
          a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
Q inverse(const Q& a) { return {-a.x, -a.y, -a.z, a.w}; }
Real angle(const Q& a, const Q& b) {
  const Q d = times(inverse(a), b);
  return 2 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::fabs(d.w));
}

// The definition, word for word, with quaternion products where the kernel has four-dimensional vectors.
Q exact_mean(const std::vector<Quat>& rotations, const std::vector<float>& weights) {
  std::size_t largest = 0;
  Real sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > weights[largest]) largest = i;
    sum += weights[i];
  }
  Q total = {0, 0, 0, 0};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Q q = to_ref(rotations[i]);
    const Real w = dot4(q, to_ref(rotations[largest])) < 0 ? -Real(weights[i]) : Real(weights[i]);
    total = {total.x + w * q.x, total.y + w * q.y, total.z + w * q.z, total.w + w * q.w};
  }
  const Real n = std::sqrt(dot4(total, total));
  const Q m = {total.x / n, total.y / n, total.z / n, total.w / n};
  Real v[3] = {0, 0, 0};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Q d = times(inverse(m), to_ref(rotations[i]));
    if (d.w < 0) d = {-d.x, -d.y, -d.z, -d.w};
    const Real s = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    const Real k = s > 0 ? std::atan2(s, d.w) / s * Real(weights[i]) / sum : 0;
    v[0] += d.x * k;
    v[1] += d.y * k;
    v[2] += d.z * k;
  }
  const Real a = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const Real s = a > 0 ? std::sin(a) / a : 1;
  return times(m, {v[0] * s, v[1] * s, v[2] * s, std::cos(a)});
}

Quat random_rotation(Random& random) {
  const test::UnitQuat q = random.quat();
  return normalize(
      {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)});
}

// A rotation by at most `most` radians from `from`, of either sign.
Quat rotation_near(Random& random, Quat from, double most) {
  const test::UnitQuat axis = random.quat();
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

constexpr std::uint32_t kJoints = 500;
constexpr double kCommon = 85.0 / 180.0 * 3.14159265358979;

TEST_CASE("two inputs blend as slerp does, to 1e-6 rad, for 500,000 pairs and weights") {
  Random random(1);
  Blender blender(kJoints);
  Real worst = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<std::vector<Quat>> rotations(2);
    for (std::uint32_t j = 0; j < kJoints; ++j) {
      rotations[0].push_back(random_rotation(random));
      rotations[1].push_back(j % 2 == 0 ? random_rotation(random) : rotation_near(random, rotations[0][j], 0.1));
    }
    const float a = random.rangef(0.01, 3), b = random.rangef(0.01, 3);
    const std::vector<Quat> blended = blender.blend_all(rotations, {a, b});
    for (std::uint32_t j = 0; j < kJoints; ++j) {
      // Where they are half a turn apart neither way is the shorter.
      if (std::fabs(dot(rotations[0][j], rotations[1][j])) < 1e-6f) continue;
      const Q exact = exact_mean({rotations[0][j], rotations[1][j]}, {a, b});
      const Quat by_slerp = slerp(rotations[0][j], rotations[1][j], b / (a + b));
      worst = std::max({worst, angle(to_ref(blended[j]), exact), angle(to_ref(blended[j]), to_ref(by_slerp))});
    }
  }
  MESSAGE("worst angle ", static_cast<double>(worst), " rad");
  CHECK(worst < 1e-6);
}

TEST_CASE("inputs within 85 degrees of a common rotation: the definition, any order, continuous where a weight ends") {
  Random random(2);
  Blender blender(kJoints);
  Real off_definition = 0, off_order = 0, off_end = 0, sequential = 0;
  for (int round = 0; round < 40; ++round) {
    const std::uint32_t count = 2 + static_cast<std::uint32_t>(round) % 7;
    std::vector<std::vector<Quat>> rotations(count);
    std::vector<float> weights;
    for (std::uint32_t i = 0; i < count; ++i) weights.push_back(random.rangef(0.05, 1));
    if (round % 3 == 0) std::fill(weights.begin(), weights.end(), 0.5f);
    for (std::uint32_t j = 0; j < kJoints; ++j) {
      const Quat common = random_rotation(random);
      for (auto& all : rotations) all.push_back(rotation_near(random, common, kCommon));
    }
    const std::vector<Quat> blended = blender.blend_all(rotations, weights);

    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = count - 1; i > 0; --i)
      std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i + 1))]);
    std::vector<std::vector<Quat>> shuffled;
    std::vector<float> shuffled_weights;
    for (const std::size_t i : order) {
      shuffled.push_back(rotations[i]);
      shuffled_weights.push_back(weights[i]);
    }
    const std::vector<Quat> in_other_order = blender.blend_all(shuffled, shuffled_weights);

    std::vector<std::vector<Quat>> more = rotations;
    std::vector<float> more_weights = weights;
    more.emplace_back();
    for (std::uint32_t j = 0; j < kJoints; ++j) more.back().push_back(rotation_near(random, rotations[0][j], 0.3));
    more_weights.push_back(1e-8f);
    const std::vector<Quat> with_a_trace = blender.blend_all(more, more_weights);

    for (std::uint32_t j = 0; j < kJoints; ++j) {
      std::vector<Quat> each;
      for (const auto& all : rotations) each.push_back(all[j]);
      const Q result = to_ref(blended[j]);
      off_definition = std::max(off_definition, angle(result, exact_mean(each, weights)));
      off_order = std::max(off_order, angle(result, to_ref(in_other_order[j])));
      off_end = std::max(off_end, angle(result, to_ref(with_a_trace[j])));
      // What blending one after another does, in this and in the other order.
      const auto in_sequence = [&](auto&& index) {
        Quat q = each[index(0)];
        float sum = weights[index(0)];
        for (std::size_t i = 1; i < count; ++i) {
          sum += weights[index(i)];
          q = slerp(q, each[index(i)], weights[index(i)] / sum);
        }
        return q;
      };
      sequential = std::max(sequential, angle(to_ref(in_sequence([](std::size_t i) { return i; })),
                                              to_ref(in_sequence([&](std::size_t i) { return order[i]; }))));
    }
  }
  MESSAGE("worst angles: to the definition ", static_cast<double>(off_definition), ", between orders ",
          static_cast<double>(off_order), ", where a weight ends ", static_cast<double>(off_end),
          " rad; slerp in sequence differs between orders by up to ",
          static_cast<double>(sequential) * 180 / 3.14159265358979, " degrees");
  CHECK(off_definition < 1e-6);
  CHECK(off_order < 1e-6);
  CHECK(off_end < 1e-6);
}

TEST_CASE("any rotations at all give finite unit ones, the same on every lane count") {
  Random random(3);
  Blender blender(kJoints);
  for (int round = 0; round < 20; ++round) {
    const std::uint32_t count = 2 + static_cast<std::uint32_t>(round) % 7;
    std::vector<std::vector<Quat>> rotations(count);
    std::vector<float> weights;
    for (std::uint32_t i = 0; i < count; ++i) weights.push_back(round % 2 == 0 ? 0.5f : random.rangef(0, 1));
    for (std::uint32_t j = 0; j < kJoints; ++j) {
      const Quat q = random_rotation(random);
      for (std::uint32_t i = 0; i < count; ++i) {
        switch (j % 4) {
          case 0: rotations[i].push_back(random_rotation(random)); break;
          case 1: rotations[i].push_back(i % 2 == 0 ? q : Quat{-q.x, -q.y, -q.z, -q.w}); break;  // the same twice
          case 2:
            rotations[i].push_back(i % 2 == 0 ? q : Quat{-q.y, q.x, -q.w, q.z});
            break;  // half a turn apart
          // Even steps around a circle, whose sum is next to nothing.
          default: rotations[i].push_back(from_axis_angle({1, 2, 3}, 6.2831853f * float(i) / float(count))); break;
        }
      }
    }
    std::vector<Quat> first;
    test::on_every_lane_count([&] {
      const std::vector<Quat> blended = blender.blend_all(rotations, weights);
      Real worst = 0;
      for (const Quat& q : blended) {
        const Real n = std::sqrt(Real(q.x) * q.x + Real(q.y) * q.y + Real(q.z) * q.z + Real(q.w) * q.w);
        worst = n == n ? std::max(worst, std::fabs(n - 1)) : 1;
      }
      CHECK(worst < 1e-6);
      if (first.empty()) first = blended;
      CHECK(test::difference({&blended[0].x, 4 * blended.size()}, {&first[0].x, 4 * first.size()}) == "");
    });
  }
}

}  // namespace
}  // namespace marrow
