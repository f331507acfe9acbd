#include "src/skin/octahedral.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "fixtures/random.h"
#include "support/reference.h"

namespace marrow {
namespace {

using test::Real;
using test::RefVec;

// What vertex_formats.h states. In theory sqrt(2) / 32767 and sqrt(6) / 32767, in the middles of the eight faces, where
// the codes lie as the corners of triangles with sides of sqrt(6) / 32767; and 6e-8 from rounding to float.
constexpr double kNormalBound = 4.33e-5, kTangentBound = 7.49e-5;

double bound_of(OctahedralGrid grid) { return grid.y_steps == 32767 ? kNormalBound : kTangentBound; }

bool is_inside(OctahedralCode code, OctahedralGrid grid) {
  return std::abs(code.x) <= grid.x_steps && std::abs(code.y) <= grid.y_steps;
}

// The direction of a code as the header tells shaders to compute it.
RefVec reference_direction(OctahedralCode code, OctahedralGrid grid) {
  const Real x = static_cast<Real>(code.x) / grid.x_steps, y = static_cast<Real>(code.y) / grid.y_steps;
  const Real z = 1 - std::fabs(x) - std::fabs(y), t = z < 0 ? -z : 0;
  return test::unit(RefVec{x + (x >= 0 ? -t : t), y + (y >= 0 ? -t : t), z});
}

// Packs and unpacks a direction, and returns the angle that it is off by.
double error_of(Vec3 v, OctahedralGrid grid) {
  const OctahedralCode code = octahedral_from_direction(widen(v), grid);
  if (!is_inside(code, grid)) return std::numeric_limits<double>::infinity();
  return static_cast<double>(
      test::angle_between(test::ref(v), test::ref(narrow(direction_from_octahedral(code, grid)))));
}

TEST_CASE("codes are the directions that a shader makes of them, with length 1") {
  test::Random random(31);
  for (const OctahedralGrid grid : {kNormalGrid, kTangentGrid}) {
    double worst = 0, worst_length = 0;
    for (int i = 0; i < test::samples(400'000); ++i) {
      const OctahedralCode code = {
          static_cast<std::int32_t>(random.below(65535)) - 32767,
          static_cast<std::int32_t>(random.below(2u * static_cast<unsigned>(grid.y_steps) + 1)) - grid.y_steps};
      const Vec3d d = direction_from_octahedral(code, grid);
      const RefVec got = {d.x, d.y, d.z};
      test::keep_larger(worst, test::angle_between(got, reference_direction(code, grid)));
      test::keep_larger(worst_length, std::fabs(test::length(got) - 1));
    }
    CHECK(worst < 1e-15);
    CHECK(worst_length < 1e-15);
  }
}

TEST_CASE("directions of codes come back as themselves, on the borders as a code of the same direction") {
  for (const OctahedralGrid grid : {kNormalGrid, kTangentGrid}) {
    CAPTURE(grid.y_steps);
    std::uint32_t other_codes = 0, other_directions = 0;
    const auto try_code = [&](OctahedralCode code) {
      const Vec3d d = direction_from_octahedral(code, grid);
      const OctahedralCode again = octahedral_from_direction(d, grid);
      const bool border = std::abs(code.x) == grid.x_steps || std::abs(code.y) == grid.y_steps;
      other_codes += !border && (again.x != code.x || again.y != code.y) ? 1u : 0u;
      const Vec3d e = direction_from_octahedral(again, grid);
      other_directions += length(subtract(d, e)) < 1e-15 ? 0u : 1u;
    };
    for (std::int32_t i = -32767; i <= 32767; ++i) {
      const std::int32_t y = i / (32767 / grid.y_steps), folded = (32767 - std::abs(i)) * grid.y_steps / 32767;
      for (const std::int32_t edge : {-1, 1}) {
        try_code({i, edge * grid.y_steps});
        try_code({edge * 32767, std::abs(y) <= grid.y_steps ? y : 0});
        try_code({i, 0});
        try_code({0, std::abs(y) <= grid.y_steps ? y : 0});
        try_code({i, edge * folded});  // the edges of the octahedron, along which the square is folded
      }
    }
    test::Random random(32);
    for (int i = 0; i < 300'000; ++i) {
      try_code({static_cast<std::int32_t>(random.below(65535)) - 32767,
                static_cast<std::int32_t>(random.below(2u * static_cast<unsigned>(grid.y_steps) + 1)) - grid.y_steps});
    }
    CHECK(other_codes == 0);
    CHECK(other_directions == 0);
  }
}

TEST_CASE("the axes are exact, also for vectors of any length") {
  const float lengths[] = {1, 1e18f, 1e-30f, std::numeric_limits<float>::denorm_min()};
  for (const OctahedralGrid grid : {kNormalGrid, kTangentGrid}) {
    for (const float size : lengths) {
      for (int axis = 0; axis < 6; ++axis) {
        float xyz[3] = {0, 0, 0};
        xyz[axis / 2] = axis % 2 == 0 ? size : -size;
        const Vec3d d =
            direction_from_octahedral(octahedral_from_direction(widen(Vec3{xyz[0], xyz[1], xyz[2]}), grid), grid);
        const double got[3] = {d.x, d.y, d.z};
        for (int k = 0; k < 3; ++k) {
          CAPTURE(axis);
          CAPTURE(k);
          CHECK(got[k] == (k == axis / 2 ? (axis % 2 == 0 ? 1 : -1) : 0));
        }
      }
    }
  }
}

TEST_CASE("of codes that are as near the first is taken, and the sign of a zero changes nothing") {
  // In the middle between two codes, near the middle of a face.
  const OctahedralCode tie = octahedral_from_direction({21845, 21845, 21844}, kNormalGrid);
  CHECK(tie.x == 10923);
  CHECK(tie.y == 10922);
  for (const OctahedralGrid grid : {kNormalGrid, kTangentGrid}) {
    for (const double zero : {0.0, -0.0}) {  // all corners of the square are this direction
      const OctahedralCode down = octahedral_from_direction({zero, zero, -1}, grid);
      CHECK(down.x == grid.x_steps);
      CHECK(down.y == grid.y_steps);
    }
  }
}

TEST_CASE("directions from everywhere are within the stated angle, which is reached") {
  for (const OctahedralGrid grid : {kNormalGrid, kTangentGrid}) {
    CAPTURE(grid.y_steps);
    test::Random random(33);
    double everywhere = 0, seams = 0, poles = 0, middles = 0, sizes = 0;
    const auto sign = [&] { return random.below(2) == 0 ? -1.0f : 1.0f; };
    for (int i = 0; i < test::samples(400'000); ++i) {
      test::keep_larger(everywhere, error_of(test::random_vector(random, 1), grid));

      // Near the planes of two axes, where the square is folded and where its borders meet.
      Vec3 seam = test::random_vector(random, 1);
      const auto tiny = static_cast<float>(random.range(-1, 1) * std::ldexp(1, -static_cast<int>(random.below(40))));
      (i % 3 == 0 ? seam.x : i % 3 == 1 ? seam.y : seam.z) = tiny;
      test::keep_larger(seams, error_of(seam, grid));

      // Near the axes.
      Vec3 pole = test::random_vector(random, std::ldexp(1, -static_cast<int>(random.below(40))));
      (i % 3 == 0 ? pole.x : i % 3 == 1 ? pole.y : pole.z) = sign();
      test::keep_larger(poles, error_of(pole, grid));

      // Near the middles of the faces, where the codes are farthest apart.
      const Vec3 near = test::random_vector(random, 1e-3);
      test::keep_larger(middles, error_of({sign() + near.x, sign() + near.y, sign() + near.z}, grid));

      // Numbers of all sizes, denormals too.
      const Vec3 any = {random.finite(), random.finite(), random.finite()};
      if (any.x != 0 || any.y != 0 || any.z != 0) test::keep_larger(sizes, error_of(any, grid));
    }
    CHECK(everywhere <= bound_of(grid));
    CHECK(seams <= bound_of(grid));
    CHECK(poles <= bound_of(grid));
    CHECK(middles <= bound_of(grid));
    CHECK(middles > bound_of(grid) * 0.98);
    CHECK(sizes <= bound_of(grid));
  }
}

TEST_CASE("no code around that of a normal is nearer to it") {
  test::Random random(34);
  double lost = 0;
  for (int i = 0; i < test::samples(100'000); ++i) {
    Vec3 v = test::random_vector(random, 1);
    if (i % 2 == 0) (i % 4 == 0 ? v.z : v.x) *= 1e-5f;
    const RefVec exact = test::ref(v);
    const OctahedralCode best = octahedral_from_direction(widen(v), kNormalGrid);
    const Real angle = test::angle_between(exact, reference_direction(best, kNormalGrid));
    for (std::int32_t k = 0; k < 25; ++k) {
      const OctahedralCode other = {best.x + k % 5 - 2, best.y + k / 5 - 2};
      if (!is_inside(other, kNormalGrid)) continue;
      test::keep_larger(lost, angle - test::angle_between(exact, reference_direction(other, kNormalGrid)));
    }
  }
  CHECK(lost < 1e-11);
}

TEST_CASE("all second numbers of tangents keep their handedness and never are 0") {
  for (std::int32_t y = -16383; y <= 16383; ++y) {
    const std::int32_t right = with_handedness(y, false), left = with_handedness(y, true);
    if (right < 1 || right > 32767 || left != -right || without_handedness(right) != y ||
        without_handedness(left) != y) {
      FAIL_CHECK("y " << y << " is " << right << " and " << left);
    }
  }
}

}  // namespace
}  // namespace marrow
