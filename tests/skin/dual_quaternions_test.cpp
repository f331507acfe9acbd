#include "marrow/skin/dual_quaternions.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

#include "marrow/math/quat.h"
#include "marrow/math/vec3.h"
#include "marrow/skin/skinning.h"
#include "skin/random_vertices.h"
#include "support/bits.h"
#include "support/lanes.h"

namespace marrow {
namespace {

TEST_CASE("a vertex of one joint goes where the matrix of the joint takes it, whatever it scales, mirrors or shears") {
  test::Random random(3);
  for (int kind = 0; kind < 4; ++kind) {
    CAPTURE(kind);
    std::vector<Affine> palette(10);
    for (Affine& a : palette) {
      const float mirror = kind == 2 ? -1.0f : 1.0f;
      a = kind == 0   ? test::random_rigid(random)
          : kind == 3 ? test::random_affine(random)
                      : to_affine({test::random_vector(random),
                                   test::random_quat(random),
                                   {mirror * random.rangef(0.2, 3), random.rangef(0.2, 3), random.rangef(0.2, 3)}});
    }
    std::vector<DualJoint> dual(10);
    const bool stretches = dual_palette(palette, dual);
    CHECK(stretches == (kind != 0));
    const Vertices v = test::random_vertices(random, 50, 1, 10);
    std::vector<Vec3> linear(50), by_dual(50), linear_normals(50), dual_normals(50);
    skin_vertices(v, {}, palette, {linear, linear_normals, {}});
    skin_vertices(v, {}, dual, stretches, {by_dual, dual_normals, {}});
    for (std::size_t i = 0; i < 50; ++i) {
      CHECK(distance(linear[i], by_dual[i]) < 8e-6);
      CHECK(distance(linear_normals[i], dual_normals[i]) < (kind == 3 ? 1e-3 : 1e-5));
    }
  }
}

TEST_CASE("between rigid joints a vertex is moved rigidly: two points of the same weights keep their distance") {
  test::Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Affine> palette(4);
    for (Affine& a : palette) a = test::random_rigid(random);
    std::vector<DualJoint> dual(4);
    REQUIRE_FALSE(dual_palette(palette, dual));
    Vertices v = test::random_vertices(random, 2, 4, 4);
    for (std::size_t i = 0; i < 4; ++i) {
      v.joints[i] = static_cast<std::uint16_t>(i);
      v.joints[4 + i] = v.joints[i];
      v.weights[4 + i] = v.weights[i];
    }
    std::vector<Vec3> out(2);
    skin_vertices(v, {}, dual, false, {out, {}, {}});
    CHECK(distance(out[0], out[1]) == doctest::Approx(distance(v.positions[0], v.positions[1])).epsilon(1e-4));
  }
}

TEST_CASE("q and -q are the same joint, also for the bits") {
  test::Random random(7);
  std::vector<Affine> palette(5);
  for (Affine& a : palette) a = test::random_rigid(random);
  std::vector<DualJoint> dual(5);
  dual_palette(palette, dual);
  // The vertex follows joint 2 the most: the others are taken on its side.
  Vertices v = test::random_vertices(random, 8, 4, 5);
  for (std::size_t i = 0; i < 8; ++i) {
    const float weights[] = {0.2f, 0.1f, 0.4f, 0.3f};
    for (std::size_t k = 0; k < 4; ++k) {
      v.joints[4 * i + k] = static_cast<std::uint16_t>(k);
      v.weights[4 * i + k] = weights[k];
    }
  }
  std::vector<Vec3> before(8), after(8);
  skin_vertices(v, {}, dual, false, {before, {}, {}});
  for (const std::size_t joint : {0u, 1u, 3u}) {
    DualJoint& j = dual[joint];
    j.real = {-j.real.x, -j.real.y, -j.real.z, -j.real.w};
    j.dual = {-j.dual.x, -j.dual.y, -j.dual.z, -j.dual.w};
  }
  skin_vertices(v, {}, dual, false, {after, {}, {}});
  CHECK(test::difference({&after[0].x, 24}, {&before[0].x, 24}) == "");
}

TEST_CASE("dual quaternions give the same bits on all lanes, and the same vertices with groups") {
  test::Random random(11);
  for (const bool stretches : {false, true}) {
    for (const std::size_t count : {1u, 7u, 8u, 30u, 75u}) {
      std::vector<Affine> palette(12);
      for (Affine& a : palette) {
        a = to_affine({test::random_vector(random), from_axis_angle(test::random_vector(random), random.rangef(0, 1)),
                       stretches ? Vec3{1.5f, 0.75f, 1} : Vec3{1, 1, 1}});
      }
      std::vector<DualJoint> dual(12);
      REQUIRE(dual_palette(palette, dual) == stretches);
      const Vertices v = test::random_vertices(random, count, 4, 12);
      const InfluenceGroups groups(v);
      std::vector<Vec3> first(count), first_grouped(count), out(count);
      SkinJob job;
      job.count = count;
      job.positions.data = v.positions.data();
      job.groups = &groups;
      job.dual_palette = dual;
      job.stretches = stretches;
      job.out_positions.data = first_grouped.data();
      skin_vertices(v, {}, dual, stretches, {first, {}, {}});
      skin(job);
      for (std::size_t i = 0; i < count; ++i) CHECK(distance(first[i], first_grouped[i]) < 5e-6);
      test::on_every_lane_count([&] {
        skin_vertices(v, {}, dual, stretches, {out, {}, {}});
        CHECK(test::difference({&out[0].x, 3 * count}, {&first[0].x, 3 * count}) == "");
        job.out_positions.data = out.data();
        skin(job);
        CHECK(test::difference({&out[0].x, 3 * count}, {&first_grouped[0].x, 3 * count}) == "");
      });
    }
  }
}

// A cylinder along z of five bones, each a fifth of the twist further than the one before, and a ring of vertices at
// every tenth of a bone. Between the middles of two bones the weight goes from one to the other.
struct Cylinder {
  static constexpr int kBones = 5, kRings = 41, kCorners = 16;
  Vertices vertices;

  Cylinder() {
    vertices.influences = 2;
    for (int ring = 0; ring < kRings; ++ring) {
      const double along = 0.5 + ring * 0.1;  // in bones; bone b has its middle at b + 0.5
      const int below = std::min(static_cast<int>(along - 0.5), kBones - 2);
      const double weight = along - 0.5 - below;
      for (int corner = 0; corner < kCorners; ++corner) {
        const double angle = corner * 6.283185307179586 / kCorners;
        vertices.positions.push_back(
            {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), static_cast<float>(along)});
        vertices.joints.push_back(static_cast<std::uint16_t>(below));
        vertices.joints.push_back(static_cast<std::uint16_t>(below + 1));
        vertices.weights.push_back(static_cast<float>(1 - weight));
        vertices.weights.push_back(static_cast<float>(weight));
      }
    }
  }

  // The radius of the ring that is the thinnest.
  static double least_radius(const std::vector<Vec3>& positions) {
    double least = 1e9;
    for (const Vec3& p : positions) least = std::min(least, std::hypot(static_cast<double>(p.x), p.y));
    return least;
  }
};

TEST_CASE("a twisted cylinder collapses by linear blending and keeps its radius by dual quaternions") {
  const Cylinder cylinder;
  std::vector<Vec3> linear(cylinder.vertices.positions.size()), by_dual(linear.size());
  std::printf("  twist from bone to bone   least radius: linear   dual quaternions   (at rest 1)\n");
  for (const int degrees : {0, 30, 60, 90, 120, 150, 170}) {
    std::vector<Affine> palette;
    for (int bone = 0; bone < Cylinder::kBones; ++bone) {
      const double angle = bone * degrees * 3.141592653589793 / 180;
      palette.push_back(to_affine({{}, from_axis_angle({0, 0, 1}, static_cast<float>(angle)), {1, 1, 1}}));
    }
    std::vector<DualJoint> dual(palette.size());
    REQUIRE_FALSE(dual_palette(palette, dual));
    skin_vertices(cylinder.vertices, {}, palette, {linear, {}, {}});
    skin_vertices(cylinder.vertices, {}, dual, false, {by_dual, {}, {}});
    const double thin = Cylinder::least_radius(linear), kept = Cylinder::least_radius(by_dual);
    std::printf("  %3d degrees %38.4f %18.4f\n", degrees, thin, kept);
    // Halfway between two unit vectors at that angle lies the cosine of half of it.
    CHECK(thin == doctest::Approx(std::cos(degrees * 3.141592653589793 / 360)).epsilon(1e-4));
    CHECK(std::fabs(kept - 1) < 0.02);
  }
}

}  // namespace
}  // namespace marrow
