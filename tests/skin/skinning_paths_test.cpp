// All ways to the same vertices: any number of lanes, any layout in memory, influences grouped or not.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "marrow/math/quat.h"
#include "skin/random_vertices.h"
#include "skin/reference_skinning.h"
#include "support/bits.h"
#include "support/lanes.h"

namespace marrow {
namespace {

// Arrays as long as they must be, each an allocation of its own: what is read or written beyond, ASan sees.
struct Skinned {
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;
  explicit Skinned(std::size_t count) : positions(count), normals(count), tangents(count) {}
  [[nodiscard]] SkinnedVertices spans() { return {positions, normals, tangents}; }
};

std::string difference(const Skinned& a, const Skinned& b) {
  const auto floats = [](const auto& v) {
    return std::span(reinterpret_cast<const float*>(v.data()), v.size() * sizeof(v[0]) / sizeof(float));
  };
  for (const std::string& text : {test::difference(floats(a.positions), floats(b.positions)),
                                  test::difference(floats(a.normals), floats(b.normals)),
                                  test::difference(floats(a.tangents), floats(b.tangents))}) {
    if (!text.empty()) return text;
  }
  return {};
}

SkinJob job_of(const Vertices& v, std::span<const Affine> palette, Skinned& out) {
  SkinJob job;
  job.count = v.positions.size();
  job.positions.data = v.positions.data();
  job.normals.data = v.normals.data();
  job.tangents.data = v.tangents.data();
  job.influences = v.influences;
  job.joints.data = v.joints.data();
  job.weights.data = v.weights.data();
  job.palette = palette;
  job.out_positions.data = out.positions.data();
  job.out_normals.data = out.normals.data();
  job.out_tangents.data = out.tangents.data();
  return job;
}

void check_near(const Skinned& actual, const Skinned& expected, double size) {
  const auto off = [](Vec3 a, Vec3 b) {
    return std::max({std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.z - b.z)});
  };
  for (std::size_t i = 0; i < actual.positions.size(); ++i) {
    CAPTURE(i);
    CHECK(off(actual.positions[i], expected.positions[i]) <= 1e-6 * size);
    // A blend may nearly cancel out; then rounding decides where a direction points.
    CHECK(off(actual.normals[i], expected.normals[i]) < 1e-3);
    const Vec4 &a = actual.tangents[i], &b = expected.tangents[i];
    CHECK(off({a.x, a.y, a.z}, {b.x, b.y, b.z}) < 1e-3);
    CHECK(a.w == b.w);
  }
}

TEST_CASE(
    "skinning agrees with the same in double, for all counts of vertices and influences, with the same bits on all "
    "lanes") {
  test::Random random(17);
  for (const std::uint32_t influences : {1u, 2u, 3u, 4u, 5u, 8u}) {
    for (const std::size_t count : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 15u, 16u, 17u, 63u, 64u, 65u, 72u, 73u, 200u}) {
      CAPTURE(influences);
      CAPTURE(count);
      const Vertices v = test::random_vertices(random, count, influences, 20);
      std::vector<Affine> palette(20);
      // Not too far apart, so that the determinants of blends have a sign to speak of.
      for (Affine& a : palette) {
        a = to_affine({test::random_vector(random),
                       from_axis_angle(test::random_vector(random), random.rangef(0, 0.5)),
                       {random.rangef(0.5, 2), random.rangef(0.5, 2), random.rangef(0.5, 2)}});
      }
      Skinned expected(count), first(count);
      test::skin_reference(v, {}, palette, expected.spans());
      skin_vertices(v, {}, palette, first.spans());
      check_near(first, expected, 8);
      const InfluenceGroups groups(v);
      Skinned first_grouped(count);
      SkinJob grouped_job = job_of(v, palette, first_grouped);
      grouped_job.groups = &groups;
      skin(grouped_job);
      check_near(first_grouped, expected, 8);
      test::on_every_lane_count([&] {
        Skinned again(count), grouped(count);
        skin_vertices(v, {}, palette, again.spans());
        CHECK(difference(again, first) == "");
        SkinJob job = job_of(v, palette, grouped);
        job.groups = &groups;
        skin(job);
        CHECK(difference(grouped, first_grouped) == "");
      });
    }
  }
}

TEST_CASE("what is asked for does not change what is had") {
  test::Random random(19);
  const Vertices v = test::random_vertices(random, 37, 4, 9);
  std::vector<Affine> palette(9);
  for (Affine& a : palette) a = test::random_affine(random);
  test::on_every_lane_count([&] {
    Skinned all(37);
    skin_vertices(v, {}, palette, all.spans());
    for (int wanted = 0; wanted < 8; ++wanted) {
      Skinned some = all;
      SkinJob job = job_of(v, palette, some);
      if ((wanted & 1) == 0) job.out_positions = {};
      if ((wanted & 2) == 0) job.out_normals = {};
      if ((wanted & 4) == 0) job.out_tangents = {};
      for (Vec3& p : some.positions) p = (wanted & 1) != 0 ? Vec3{7, 7, 7} : p;
      for (Vec3& n : some.normals) n = (wanted & 2) != 0 ? Vec3{7, 7, 7} : n;
      for (Vec4& t : some.tangents) t = (wanted & 4) != 0 ? Vec4{7, 7, 7, 7} : t;
      skin(job);
      CAPTURE(wanted);
      CHECK(difference(some, all) == "");
    }
  });
}

TEST_CASE("an empty span is not wanted, though it points somewhere, as that of a reserved vector does") {
  test::Random random(23);
  Vertices v = test::random_vertices(random, 37, 4, 9);
  std::vector<Affine> palette(9);
  for (Affine& a : palette) a = test::random_affine(random);
  Skinned all(37), some(37);
  skin_vertices(v, {}, palette, all.spans());
  for (std::vector<Vec3>* normals : {&v.normals.own(), &all.normals, &some.normals}) normals->clear();
  for (std::vector<Vec4>* tangents : {&v.tangents.own(), &all.tangents, &some.tangents}) tangents->clear();
  REQUIRE(some.normals.data() != nullptr);
  skin_vertices(v, {}, palette, some.spans());
  CHECK(difference(some, all) == "");
}

// Everything of a vertex in one piece, the last attribute at the very end.
struct Interleaved {
  float before;
  Vec4 tangent;
  Vec3 normal;
  std::uint8_t small_joints[4];
  float weights[4];
  std::uint16_t joints[4];
  Vec3 position;
};

TEST_CASE("vertices may lie in memory as they like: what is between them is neither read beyond the end nor written") {
  test::Random random(23);
  for (const std::size_t count : {1u, 5u, 8u, 19u, 64u, 131u}) {
    const Vertices v = test::random_vertices(random, count, 4, 9);
    std::vector<Affine> palette(9);
    for (Affine& a : palette) a = test::random_affine(random);
    test::on_every_lane_count([&] {
      Skinned expected(count);
      skin_vertices(v, {}, palette, expected.spans());
      for (const bool small : {false, true}) {
        const auto vertices = std::make_unique<Interleaved[]>(count);
        for (std::size_t i = 0; i < count; ++i) {
          Interleaved& to = vertices[i];
          to = {1, v.tangents[i], v.normals[i], {}, {}, {}, v.positions[i]};
          for (std::size_t k = 0; k < 4; ++k) {
            to.weights[k] = v.weights[4 * i + k];
            to.joints[k] = small ? 7 : v.joints[4 * i + k];
            to.small_joints[k] = static_cast<std::uint8_t>(v.joints[4 * i + k]);
          }
        }
        constexpr std::size_t kStride = sizeof(Interleaved);
        SkinJob job;
        job.count = count;
        job.influences = 4;
        job.positions = {&vertices[0].position, kStride};
        job.normals = {&vertices[0].normal, kStride};
        job.tangents = {&vertices[0].tangent, kStride};
        if (small) {
          job.small_joints = {vertices[0].small_joints, kStride};
        } else {
          job.joints = {vertices[0].joints, kStride};
        }
        job.weights = {vertices[0].weights, kStride};
        job.palette = palette;
        // In place: the results take the place of what they come from.
        job.out_positions = {&vertices[0].position, kStride};
        job.out_normals = {&vertices[0].normal, kStride};
        job.out_tangents = {&vertices[0].tangent, kStride};
        skin(job);
        Skinned out(count);
        for (std::size_t i = 0; i < count; ++i) {
          out.positions[i] = vertices[i].position;
          out.normals[i] = vertices[i].normal;
          out.tangents[i] = vertices[i].tangent;
          CHECK(vertices[i].before == 1);
          CHECK(std::memcmp(vertices[i].weights, &v.weights[4 * i], 16) == 0);
        }
        CAPTURE(small);
        CAPTURE(count);
        CHECK(difference(out, expected) == "");
      }
    });
  }
}

TEST_CASE("a joint named twice counts twice, and groups of vertices without weights vanish as without groups") {
  Vertices v;
  v.influences = 2;
  v.positions.assign(9, {1, 0, 0});
  v.joints.assign(18, 1);
  v.weights.assign(18, 0.5f);
  v.weights[16] = v.weights[17] = 0;
  const Affine palette[] = {{}, to_affine({{0, 5, 0}, {}, {1, 1, 1}})};
  const InfluenceGroups groups(v);
  CHECK(groups.joints_per_group() == 1);
  std::vector<Vec3> out(9);
  SkinJob job;
  job.count = 9;
  job.positions.data = v.positions.data();
  job.groups = &groups;
  job.palette = palette;
  job.out_positions.data = out.data();
  skin(job);
  CHECK(out[0].y == 5);
  CHECK(out[8].x == 0);
  CHECK(out[8].y == 0);
}

TEST_CASE("normals and tangents survive matrices of any size") {
  test::Random random(29);
  for (const float size : {1e-18f, 1e-12f, 1e-7f, 1e-3f, 1e3f, 1e7f, 1e12f, 1e18f}) {
    CAPTURE(size);
    const Vertices v = test::random_vertices(random, 40, 1, 5);
    std::vector<Affine> palette(5);
    for (Affine& a : palette) {
      const float mirror = random.below(2) == 0 ? -1.0f : 1.0f;
      a = to_affine({{}, test::random_quat(random), {mirror * size, size * 0.5f, size * 2}});
    }
    Skinned expected(40);
    test::skin_reference(v, {}, palette, expected.spans());
    test::on_every_lane_count([&] {
      Skinned out(40);
      skin_vertices(v, {}, palette, out.spans());
      check_near(out, expected, static_cast<double>(size) * 4);
    });
  }
}

TEST_CASE("a joint that flattens what it moves leaves the normal of the plane, and one without any size leaves none") {
  Vertices v;
  v.influences = 1;
  v.positions.assign(3, {1, 2, 3});
  v.normals.assign(3, {0.6f, 0, 0.8f});
  v.joints = {0, 1, 2};
  v.weights.assign(3, 1);
  const float infinity = std::numeric_limits<float>::infinity();
  const Affine palette[] = {to_affine({{}, {}, {1, 1, 0}}), to_affine({{}, {}, {0, 0, 0}}),
                            to_affine({{}, {}, {infinity, 1, 1}})};
  std::vector<Vec3> normals(3);
  skin_vertices(v, {}, palette, {{}, normals, {}});
  CHECK(normals[0].x == 0);
  CHECK(normals[0].z == doctest::Approx(1));
  for (const Vec3& n : {normals[1], normals[2]}) {
    CHECK(n.x == 0);
    CHECK(n.y == 0);
    CHECK(n.z == 0);
  }
}

TEST_CASE("by the matrix itself normals are those of the tangents") {
  test::Random random(31);
  Vertices v = test::random_vertices(random, 30, 4, 6);
  for (std::size_t i = 0; i < 30; ++i) v.normals[i] = {v.tangents[i].x, v.tangents[i].y, v.tangents[i].z};
  std::vector<Affine> palette(6);
  for (Affine& a : palette) a = test::random_affine(random);
  test::on_every_lane_count([&] {
    Skinned out(30);
    SkinJob job = job_of(v, palette, out);
    job.normal_rule = NormalRule::matrix;
    skin(job);
    for (std::size_t i = 0; i < 30; ++i) {
      CHECK(out.normals[i].x == out.tangents[i].x);
      CHECK(out.normals[i].y == out.tangents[i].y);
      CHECK(out.normals[i].z == out.tangents[i].z);
    }
  });
}

}  // namespace
}  // namespace marrow
