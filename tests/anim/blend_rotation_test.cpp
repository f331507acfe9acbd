// The mean of rotations: against slerp, against its definition in long double, and its laws.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "anim/rotation_mean.h"
#include "support/bits.h"
#include "support/lanes.h"

namespace marrow {
namespace {

using test::angle_between;
using test::Blender;
using test::exact;
using test::exact_mean;
using test::keep_larger;
using test::Random;
using test::random_rotation;
using test::Real;
using test::RefQuat;
using test::rotation_near;

constexpr std::uint32_t kRotationJoints = 500;
constexpr double kCommonAngle = 85.0 / 180.0 * 3.14159265358979;

TEST_CASE("two inputs blend as slerp does, to 1e-6 rad, for 500,000 pairs and weights") {
  Random random(1);
  Blender blender(kRotationJoints);
  double worst = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<std::vector<Quat>> rotations(2);
    for (std::uint32_t j = 0; j < kRotationJoints; ++j) {
      rotations[0].push_back(random_rotation(random));
      rotations[1].push_back(j % 2 == 0 ? random_rotation(random) : rotation_near(random, rotations[0][j], 0.1));
    }
    const float a = random.rangef(0.01, 3), b = random.rangef(0.01, 3);
    const std::vector<Quat> blended = blender.blend_all(rotations, {a, b});
    for (std::uint32_t j = 0; j < kRotationJoints; ++j) {
      // Where they are half a turn apart neither way is the shorter.
      if (std::fabs(dot(rotations[0][j], rotations[1][j])) < 1e-6f) continue;
      const RefQuat mean = exact_mean({rotations[0][j], rotations[1][j]}, {a, b});
      const Quat by_slerp = slerp(rotations[0][j], rotations[1][j], b / (a + b));
      keep_larger(worst, angle_between(exact(blended[j]), mean));
      keep_larger(worst, angle_between(exact(blended[j]), exact(by_slerp)));
    }
  }
  MESSAGE("worst angle ", static_cast<double>(worst), " rad");
  CHECK(worst < 1e-6);
}

TEST_CASE("inputs within 85 degrees of a common rotation: the definition, any order, continuous where a weight ends") {
  Random random(2);
  Blender blender(kRotationJoints);
  double off_definition = 0, off_order = 0, off_end = 0, sequential = 0;
  for (int round = 0; round < 40; ++round) {
    const std::uint32_t count = 2 + static_cast<std::uint32_t>(round) % 7;
    std::vector<std::vector<Quat>> rotations(count);
    std::vector<float> weights;
    for (std::uint32_t i = 0; i < count; ++i) weights.push_back(random.rangef(0.05, 1));
    if (round % 3 == 0) std::fill(weights.begin(), weights.end(), 0.5f);
    for (std::uint32_t j = 0; j < kRotationJoints; ++j) {
      const Quat common = random_rotation(random);
      for (auto& all : rotations) all.push_back(rotation_near(random, common, kCommonAngle));
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
    for (std::uint32_t j = 0; j < kRotationJoints; ++j)
      more.back().push_back(rotation_near(random, rotations[0][j], 0.3));
    more_weights.push_back(1e-8f);
    const std::vector<Quat> with_a_trace = blender.blend_all(more, more_weights);

    for (std::uint32_t j = 0; j < kRotationJoints; ++j) {
      std::vector<Quat> each;
      for (const auto& all : rotations) each.push_back(all[j]);
      const RefQuat result = exact(blended[j]);
      keep_larger(off_definition, angle_between(result, exact_mean(each, weights)));
      keep_larger(off_order, angle_between(result, exact(in_other_order[j])));
      keep_larger(off_end, angle_between(result, exact(with_a_trace[j])));
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
      keep_larger(sequential, angle_between(exact(in_sequence([](std::size_t i) { return i; })),
                                            exact(in_sequence([&](std::size_t i) { return order[i]; }))));
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
  Blender blender(kRotationJoints);
  for (int round = 0; round < 20; ++round) {
    const std::uint32_t count = 2 + static_cast<std::uint32_t>(round) % 7;
    std::vector<std::vector<Quat>> rotations(count);
    std::vector<float> weights;
    for (std::uint32_t i = 0; i < count; ++i) weights.push_back(round % 2 == 0 ? 0.5f : random.rangef(0, 1));
    for (std::uint32_t j = 0; j < kRotationJoints; ++j) {
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
      double worst = 0;
      for (const Quat& q : blended) {
        const Real n = std::sqrt(Real(q.x) * q.x + Real(q.y) * q.y + Real(q.z) * q.z + Real(q.w) * q.w);
        keep_larger(worst, std::fabs(n - 1));
      }
      CHECK(worst < 1e-6);
      if (first.empty()) first = blended;
      CHECK(test::difference({&blended[0].x, 4 * blended.size()}, {&first[0].x, 4 * first.size()}) == "");
    });
  }
}

}  // namespace
}  // namespace marrow
