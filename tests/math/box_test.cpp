#include "marrow/math/box.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

#include "fixtures/random.h"
#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "support/random_vectors.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::kInf;
using test::kNaN;
using test::random_vector;

TEST_CASE("boxes join, hold points, and are empty until something is in them") {
  Box box;
  CHECK(is_empty(box));
  CHECK(size_of(box).x == 0);
  CHECK_FALSE(contains(box, {0, 0, 0}));
  box = enclose(box, Vec3{1, 2, 3});
  CHECK_FALSE(is_empty(box));
  box = enclose(box, Box{{-1, 5, 0}, {0, 6, 1}});
  CHECK(box.low.x == -1);
  CHECK(box.high.y == 6);
  CHECK(size_of(box).z == 3);
  CHECK(contains(box, {0, 4, 2}));
  CHECK_FALSE(contains(box, {0, 7, 2}));
  CHECK(is_empty(enclose(Box{}, Box{})));
  CHECK(is_empty(transform_box({}, Box{})));
}

TEST_CASE("a box that is turned holds all its points, and no more than its corners") {
  test::Random random(3);
  for (int round = 0; round < 200; ++round) {
    const Box box = enclose(enclose(Box{}, random_vector(random, 10)), random_vector(random, 10));
    const test::UnitQuat q = random.quat();
    const Affine a =
        to_affine({random_vector(random, 100),
                   {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)},
                   random_vector(random, 2)});
    const Box moved = transform_box(a, box);
    Box corners;
    for (int i = 0; i < 8; ++i) {
      const Vec3 corner =
          transform_point(a, {(i & 1) != 0 ? box.low.x : box.high.x, (i & 2) != 0 ? box.low.y : box.high.y,
                              (i & 4) != 0 ? box.low.z : box.high.z});
      CHECK(contains(moved, corner));
      corners = enclose(corners, corner);
    }
    CHECK(size_of(moved).x == doctest::Approx(size_of(corners).x).epsilon(1e-3));
    CHECK(size_of(moved).y == doctest::Approx(size_of(corners).y).epsilon(1e-3));
  }
}

// A camera at the origin that looks along -z, as OpenGL has it.
void perspective(float near, float far, float (&m)[16]) {
  for (float& x : m) x = 0;
  m[0] = 1.5f;
  m[5] = 2;
  m[10] = (near + far) / (near - far);
  m[11] = -1;
  m[14] = 2 * near * far / (near - far);
}

TEST_CASE("no box with a point in sight is called out of sight, and boxes far beyond an edge are") {
  float m[16];
  perspective(0.5f, 50, m);
  const Frustum frustum = frustum_of(m, ClipDepth::minus_one_to_one);
  test::Random random(5);
  int in = 0, out = 0;
  for (int round = 0; round < 20000; ++round) {
    const Vec3 p = random_vector(random, 60);
    const Box box = {{p.x - 1, p.y - 1, p.z - 1}, {p.x + 1, p.y + 1, p.z + 1}};
    bool in_sight = false;
    for (int i = 0; i < 30; ++i) {
      const Vec3 q = {p.x + random.rangef(-1, 1), p.y + random.rangef(-1, 1), p.z + random.rangef(-1, 1)};
      const float x = m[0] * q.x, y = m[5] * q.y, z = m[10] * q.z + m[14], w = -q.z;
      in_sight = in_sight || (x >= -w && x <= w && y >= -w && y <= w && z >= -w && z <= w);
    }
    if (in_sight) CHECK(intersects(frustum, box));
    intersects(frustum, box) ? ++in : ++out;
  }
  CHECK(in > 500);
  CHECK(out > 15000);
  CHECK(intersects(frustum, {{-1, -1, -10}, {1, 1, -9}}));
  CHECK_FALSE(intersects(frustum, {{-1, -1, 9}, {1, 1, 10}}));     // behind
  CHECK_FALSE(intersects(frustum, {{-1, -1, -60}, {1, 1, -55}}));  // beyond the far plane
  CHECK_FALSE(intersects(frustum, {{20, -1, -10}, {30, 1, -9}}));  // to the right
  CHECK_FALSE(intersects(frustum, Box{}));
}

TEST_CASE("what is no number does not make a box vanish") {
  const Box box = {{0, 0, 0}, {1, 1, 1}};
  for (const Box& joined :
       {enclose(box, Vec3{kNaN, kNaN, kNaN}), enclose(Box{{kNaN, kNaN, kNaN}, {kNaN, kNaN, kNaN}}, box)}) {
    CHECK(contains(joined, {0.5f, 0.5f, 0.5f}));
    CHECK(contains(enclose(joined, Box{{5, 5, 5}, {6, 6, 6}}), {0.5f, 0.5f, 0.5f}));
  }
  float m[16];
  perspective(0.5f, 50, m);
  const Frustum frustum = frustum_of(m, ClipDepth::minus_one_to_one);
  const Box endless = enclose(box, Vec3{kInf, 0, 0});
  const Affine turn = to_affine({{0, 0, -5}, from_axis_angle({0, 0, 1}, 0.5f), {1, 1, 1}});
  CHECK(intersects(frustum, transform_box(turn, endless)));
  Affine broken;
  broken.m[0][0] = kNaN;
  CHECK(intersects(frustum, transform_box(multiply(turn, broken), box)));
}

TEST_CASE("a depth from 0 to w, and one without an end, are told apart from -w to w") {
  // Reversed depth without a far plane: z = near.
  float m[16] = {};
  m[0] = m[5] = 1;
  m[11] = -1;
  m[14] = 0.5f;
  const Frustum frustum = frustum_of(m, ClipDepth::zero_to_one);
  CHECK(intersects(frustum, {{-1, -1, -1e6f}, {1, 1, -9e5f}}));
  CHECK_FALSE(intersects(frustum, {{-1, -1, 1}, {1, 1, 2}}));
  CHECK_FALSE(intersects(frustum, {{-0.1f, -0.1f, -0.4f}, {0.1f, 0.1f, -0.3f}}));  // before the near plane
  float gl[16];
  perspective(1, 10, gl);
  CHECK(intersects(frustum_of(gl, ClipDepth::minus_one_to_one), {{-1, -1, -1.2f}, {1, 1, -1.1f}}));
  CHECK_FALSE(intersects(frustum_of(gl, ClipDepth::zero_to_one), {{-1, -1, -1.2f}, {1, 1, -1.1f}}));
}

}  // namespace
}  // namespace marrow
