#include "marrow/skin/bounds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "marrow/math/quat.h"
#include "marrow/skin/skinning.h"
#include "skin/random_vertices.h"
#include "support/asserts.h"
#include "support/bits.h"
#include "support/lanes.h"

namespace marrow {
namespace {

double volume(const Box& b) {
  return (static_cast<double>(b.high.x) - b.low.x) * (static_cast<double>(b.high.y) - b.low.y) *
         (static_cast<double>(b.high.z) - b.low.z);
}

Box box_of(const std::vector<Vec3>& points) {
  Box box;
  for (const Vec3& p : points) box = enclose(box, p);
  return box;
}

bool holds(const Box& box, const std::vector<Vec3>& points) {
  return std::all_of(points.begin(), points.end(), [&](Vec3 p) { return contains(box, p); });
}

// Vertices along a limb of `joints` joints, each of which follows those that are near.
Vertices limb(test::Random& random, std::size_t count, int joints) {
  Vertices v;
  v.influences = 4;
  for (std::size_t i = 0; i < count; ++i) {
    const double along = random.range(0, joints);
    v.positions.push_back({random.rangef(-0.3, 0.3), static_cast<float>(along), random.rangef(-0.3, 0.3)});
    double weights[4], sum = 0;
    for (int k = 0; k < 4; ++k) {
      const int joint = std::clamp(static_cast<int>(along) - 1 + k, 0, joints - 1);
      v.joints.push_back(static_cast<std::uint16_t>(joint));
      weights[k] = std::exp(-3 * std::pow(along - joint - 0.5, 2));
      sum += weights[k];
    }
    for (const double w : weights) v.weights.push_back(static_cast<float>(w / sum));
  }
  return v;
}

// Joints of such a limb, each turned against the one before it.
std::vector<Affine> bend(test::Random& random, int joints, double angle, Vec3 scale = {1, 1, 1}) {
  std::vector<Affine> palette;
  Affine at;
  for (int j = 0; j < joints; ++j) {
    const Affine turn = to_affine({{0, static_cast<float>(j), 0},
                                   from_axis_angle(test::random_vector(random), random.rangef(-angle, angle)),
                                   scale});
    at = multiply(at, multiply(turn, to_affine({{0, static_cast<float>(-j), 0}, {}, {1, 1, 1}})));
    palette.push_back(at);
  }
  return palette;
}

TEST_CASE("the box holds every vertex in any pose, whatever the matrices, and is not much too large") {
  test::Random random(7);
  std::vector<double> ratios;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const bool wild = round % 3 == 0;
    const Vertices v = wild ? test::random_vertices(random, 60, 1 + random.below(6), 9) : limb(random, 300, 6);
    std::vector<Affine> palette;
    if (wild) {
      for (int i = 0; i < 9; ++i) palette.push_back(test::random_affine(random));
    } else {
      palette = bend(random, 6, round % 2 == 0 ? 0.4 : 1.5, round % 5 == 0 ? Vec3{1.1f, 0.9f, -1.05f} : Vec3{1, 1, 1});
    }
    const SkinBounds bounds(v);
    std::vector<Vec3> out(v.positions.size());
    skin_vertices(v, {}, palette, {out, {}, {}});
    const Box box = bounds.box(palette);
    CHECK(holds(box, out));
    if (!wild) ratios.push_back(volume(box) / volume(box_of(out)));
    test::on_every_lane_count([&] {
      const Box again = bounds.box(palette);
      CHECK(test::difference({&again.low.x, 6}, {&box.low.x, 6}) == "");
    });
  }
  std::sort(ratios.begin(), ratios.end());
  CHECK(ratios[ratios.size() / 2] < 2);  // bent more than any body is
  CHECK(ratios.back() < 5);
}

TEST_CASE("far from the origin, and moved far and back, no vertex is lost to rounding") {
  test::Random random(9);
  for (int round = 0; round < 50; ++round) {
    Vertices v = limb(random, 200, 4);
    for (Vec3& p : v.positions) p = {p.x + 3000, p.y - 5000, p.z};
    std::vector<Affine> palette = bend(random, 4, 1.0);
    for (Affine& a : palette) a = multiply(a, to_affine({{-3000, 5000, 0}, {}, {1, 1, 1}}));
    std::vector<Vec3> out(v.positions.size());
    skin_vertices(v, {}, palette, {out, {}, {}});
    CHECK(holds(SkinBounds(v).box(palette), out));
  }
}

TEST_CASE("weights that do not quite sum to 1 do not let a vertex out") {
  test::Random random(11);
  Vertices v = limb(random, 300, 4);
  for (float& w : v.weights) w *= 1.0009f;
  std::vector<Affine> palette = bend(random, 4, 0.8);
  for (Affine& a : palette) a.m[0][3] += 100;
  std::vector<Vec3> out(v.positions.size());
  skin_vertices(v, {}, palette, {out, {}, {}});
  CHECK(holds(SkinBounds(v).box(palette), out));
}

TEST_CASE("morph targets of any weight stay inside, also with dual quaternions") {
  test::Random random(13);
  int outside = 0;  // of the box without weights
  for (int round = 0; round < 100; ++round) {
    Vertices v = limb(random, 120, 4);
    v.targets.resize(3);
    for (int t = 0; t < 2; ++t) {  // the third moves nothing
      for (const Vec3& p : v.positions) {
        const float reach = p.y < 2 ? 0.0f : static_cast<float>(1 + t);
        v.targets[static_cast<std::size_t>(t)].positions.push_back(
            {random.rangef(0, 1) * reach, 0, random.rangef(-0.2, 0.2) * reach});
      }
    }
    const float weights[] = {random.rangef(-2, 2), random.rangef(0, 1), 1};
    const std::vector<Affine> palette = bend(random, 4, 0.9);
    std::vector<DualJoint> dual(4);
    const bool stretches = dual_palette(palette, dual);
    const SkinBounds bounds(v);
    std::vector<Vec3> out(v.positions.size());
    skin_vertices(v, weights, palette, {out, {}, {}});
    CHECK(holds(bounds.box(palette, weights), out));
    outside += holds(bounds.box(palette), out) ? 0 : 1;
    skin_vertices(v, weights, dual, stretches, {out, {}, {}});
    CHECK(holds(bounds.box(palette, dual, stretches, weights), out));
  }
  CHECK(outside > 80);
}

TEST_CASE("dual quaternions have a box that holds their arcs, where that of linear blending does not") {
  test::Random random(17);
  int beyond = 0;
  std::vector<double> ratios;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    const bool wild = round % 4 == 0;
    const Vertices v = wild ? test::random_vertices(random, 60, 4, 6) : limb(random, 200, 6);
    std::vector<Affine> palette;
    if (wild) {
      for (int i = 0; i < 6; ++i) {
        palette.push_back(round % 8 == 0 ? test::random_rigid(random) : test::random_affine(random));
      }
    } else {
      palette = bend(random, 6, round % 3 == 0 ? 0.3 : 2.5, round % 5 == 0 ? Vec3{1.3f, 0.8f, 1} : Vec3{1, 1, 1});
    }
    std::vector<DualJoint> dual(palette.size());
    const bool stretches = dual_palette(palette, dual);
    const SkinBounds bounds(v);
    std::vector<Vec3> out(v.positions.size());
    skin_vertices(v, {}, dual, stretches, {out, {}, {}});
    const Box box = bounds.box(palette, dual, stretches);
    CHECK(holds(box, out));
    beyond += holds(bounds.box(palette), out) ? 0 : 1;
    if (!wild && round % 3 == 0) ratios.push_back(volume(box) / volume(box_of(out)));
  }
  CHECK(beyond > 10);
  std::sort(ratios.begin(), ratios.end());
  CHECK(ratios[ratios.size() / 2] < 4);
}

TEST_CASE("dual quaternions stay inside where weights are equal, where joints are named twice, and with groups") {
  test::Random random(19);
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    const std::uint32_t influences = 2 + random.below(5);
    Vertices v = test::random_vertices(random, 12, influences, 6);
    for (std::size_t i = 0; i < v.joints.size(); ++i) {
      v.joints[i] = static_cast<std::uint16_t>(random.below(6));                             // twice and more
      if (round % 2 == 0) v.joints[i] = static_cast<std::uint16_t>(5 - i % influences % 6);  // each once, falling
      if (round % 3 == 0) v.weights[i] = 1.0f / static_cast<float>(influences);
    }
    std::vector<Affine> palette(6);
    for (Affine& a : palette) a = test::random_rigid(random);
    std::vector<DualJoint> dual(6);
    REQUIRE_FALSE(dual_palette(palette, dual));
    const Box box = SkinBounds(v).box(palette, dual, false);
    const InfluenceGroups groups(v);
    std::vector<Vec3> out(12), grouped(12);
    skin_vertices(v, {}, dual, false, {out, {}, {}});
    skin_vertices(v, {}, dual, false, {grouped, {}, {}}, &groups);
    CHECK(holds(box, out));
    CHECK(holds(box, grouped));
    if (round % 2 != 0) continue;
    // Without a joint named twice the grouping makes no difference.
    for (std::size_t i = 0; i < 12; ++i) {
      CHECK(std::hypot(out[i].x - grouped[i].x, out[i].y - grouped[i].y, out[i].z - grouped[i].z) < 1e-3);
    }
  }
}

TEST_CASE("a vertex without weights is at the origin, and its box reaches there") {
  Vertices v;
  v.influences = 1;
  v.positions = {{10, 0, 0}, {11, 1, 1}};
  v.joints = {0, 0};
  v.weights = {0, 1};
  const Affine identity;
  CHECK(contains(SkinBounds(v).box(std::span(&identity, 1)), {0, 0, 0}));
}

TEST_CASE("vertices without influences follow the first matrix, and none have no box") {
  Vertices v;
  v.positions = {{1, 2, 3}, {-1, 0, 5}};
  const SkinBounds bounds(v);
  CHECK(bounds.box_count() == 1);
  const Affine up = to_affine({{0, 0, 10}, {}, {2, 2, 2}});
  const Box box = bounds.box(std::span(&up, 1));
  CHECK(box.low.z == doctest::Approx(16).epsilon(1e-4));
  CHECK(box.high.x == doctest::Approx(2).epsilon(1e-4));
  CHECK(bounds.box({}).high.z == doctest::Approx(5).epsilon(1e-4));
  CHECK(is_empty(SkinBounds().box({})));
  CHECK(is_empty(SkinBounds(Vertices()).box({})));
  v.influences = 1;
  v.joints = {4, 2};
  v.weights = {1, 1};
  CHECK(test::assert_message([&] { (void)SkinBounds(v).box(std::span(&up, 1)); }) != "");
}

}  // namespace
}  // namespace marrow
