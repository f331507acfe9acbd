#include "marrow/draw/camera.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "marrow/draw/renderer.h"

namespace marrow {
namespace {

// Where a place is in the picture, from -1 to 1.
Vec2 seen(const Camera& camera, float aspect, Vec3 p) {
  const CameraMatrices m = matrices_of(camera, aspect);
  const auto row = [&](int i) {
    const float* v = m.view_projection;
    return v[i] * p.x + v[4 + i] * p.y + v[8 + i] * p.z + v[12 + i];
  };
  return {row(0) / row(3), row(1) / row(3)};
}

std::vector<Vec3> corners(const Box& box) {
  std::vector<Vec3> out;
  for (int i = 0; i < 8; ++i) {
    out.push_back({(i & 1) != 0 ? box.high.x : box.low.x, (i & 2) != 0 ? box.high.y : box.low.y,
                   (i & 4) != 0 ? box.high.z : box.low.z});
  }
  return out;
}

TEST_CASE("a framed camera shows all of a box, as large as it can be") {
  const Box boxes[] = {{{-0.4f, -0.3f, 0}, {0.4f, 0.3f, 1.8f}},
                       {{100, 200, -30}, {255, 240, 60}},
                       {{-1e-3f, 2e-3f, 0}, {1e-3f, 3e-3f, 9e-3f}}};
  for (const Box& box : boxes) {
    for (const float aspect : {0.5f, 1.0f, 1.78f}) {
      for (const float azimuth : {0.0f, 0.5f, 2.5f, -1.2f}) {
        for (const float elevation : {-0.3f, 0.0f, 0.4f, 1.5707963f}) {
          CAPTURE(box.high.z);
          CAPTURE(aspect);
          CAPTURE(azimuth);
          CAPTURE(elevation);
          const ViewAngle angle{.azimuth = azimuth, .elevation = elevation, .margin = 0.05f};
          const Camera camera = camera_around(std::span(&box, 1), angle, aspect);
          float left = 1, right = -1, low = 1, high = -1;
          for (const Vec3& corner : corners(box)) {
            const Vec2 at = seen(camera, aspect, corner);
            left = std::min(left, at.x);
            right = std::max(right, at.x);
            low = std::min(low, at.y);
            high = std::max(high, at.y);
          }
          // Of the two directions one is full, with the same margin at both sides.
          const bool wide = right - left > high - low;
          CHECK((wide ? right : high) == doctest::Approx(0.9).epsilon(0.001));
          CHECK((wide ? left : low) == doctest::Approx(-0.9).epsilon(0.001));
          CHECK(std::max({-left, right, -low, high}) < 0.901f);
        }
      }
    }
  }
}

TEST_CASE("zoom makes everything larger by so much") {
  const Box box = {{-1, -1, 0}, {1, 1, 0.01f}};
  const Camera one = camera_around(std::span(&box, 1), {.elevation = 1.5707963f}, 1);
  const Camera two = camera_around(std::span(&box, 1), {.elevation = 1.5707963f, .zoom = 2}, 1);
  CHECK(seen(two, 1, {0.3f, 0, 0}).x == doctest::Approx(2 * seen(one, 1, {0.3f, 0, 0}).x).epsilon(0.02));
}

TEST_CASE("at azimuth 0 a model is seen from the front, its left hand on the right of the picture") {
  const Box box = {{-1, -1, 0}, {1, 1, 2}};
  const Camera front = camera_around(std::span(&box, 1), {}, 1);
  CHECK(front.eye.y < -1);  // models look along -y
  CHECK(seen(front, 1, {0.5f, 0, 1}).x > 0.1f);
  CHECK(seen(front, 1, {0, 0, 1.8f}).y > 0.1f);
  const Camera left = camera_around(std::span(&box, 1), {.azimuth = 1.5707963f}, 1);
  CHECK(left.eye.x > 1);
  // Straight from above the front is below.
  const Camera above = camera_around(std::span(&box, 1), {.elevation = 1.5707963f}, 1);
  CHECK(seen(above, 1, {0, -0.5f, 1}).y < -0.1f);
  CHECK(seen(above, 1, {0.5f, 0, 1}).x > 0.1f);
}

TEST_CASE("the points that are farthest in the framing directions frame as all points do") {
  std::vector<Box> all;
  for (int i = 0; i < 200; ++i) {
    const float t = 0.37f * static_cast<float>(i);
    const Vec3 p = {std::sin(t), 0.3f * std::cos(3 * t), 1 + std::sin(5 * t)};
    all.push_back({p, p});
  }
  const ViewAngle angle{.azimuth = 0.7f, .elevation = 0.3f};
  std::vector<Box> farthest;
  for (const Vec3& d : framing_directions(angle, 1.5f)) {
    const Box* best = all.data();
    const auto far = [&](const Box& b) { return d.x * b.low.x + d.y * b.low.y + d.z * b.low.z; };
    for (const Box& box : all) best = far(box) > far(*best) ? &box : best;
    farthest.push_back(*best);
  }
  const Camera exact = camera_around(all, angle, 1.5f), few = camera_around(farthest, angle, 1.5f);
  CHECK(few.eye.x == doctest::Approx(exact.eye.x).epsilon(1e-4));
  CHECK(few.eye.y == doctest::Approx(exact.eye.y).epsilon(1e-4));
  CHECK(few.eye.z == doctest::Approx(exact.eye.z).epsilon(1e-4));
}

TEST_CASE("nothing, a point and what is not finite still give a camera") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const Box odd[] = {{},
                     {{1, 2, 3}, {1, 2, 3}},
                     {{nan, 0, 0}, {1, 1, 1}},
                     {{-inf, 0, 0}, {inf, 1, 1}},
                     {{-3e38f, 0, 0}, {3e38f, 1, 1}}};
  for (const Box& box : odd) {
    const Camera camera = camera_around(std::span(&box, 1), {.azimuth = 0.5f, .elevation = 0.2f}, 1);
    const CameraMatrices m = matrices_of(camera, 1);
    for (const float x : m.view_projection) CHECK(std::isfinite(x));
    CHECK(camera.near_m > 0);
    CHECK(camera.far_m > camera.near_m);
    const Environment environment = environment_of(std::span(&box, 1));
    CHECK(environment.radius > 0);
    CHECK(std::isfinite(environment.radius));
    CHECK(std::isfinite(environment.ground_height));
  }
}

TEST_CASE("the ground is where a model stands, or below what stands nowhere") {
  const auto ground = [](float low, float high) {
    const Box box = {{-0.5f, -0.5f, low}, {0.5f, 0.5f, high}};
    return environment_of(std::span(&box, 1)).ground_height;
  };
  CHECK(ground(0, 2) == 0);
  CHECK(ground(-0.05f, 2) == 0);   // a toe
  CHECK(ground(0.5f, 2.5f) == 0);  // a jump
  CHECK(ground(-1, 1) == -1);      // a thing about its middle
  CHECK(ground(50, 52) == 50);     // far above
}

TEST_CASE("the key light comes from above and from the side of the camera") {
  const Box box = {{-1, -1, 0}, {1, 1, 2}};
  for (const float azimuth : {0.0f, 1.0f, 3.0f, -2.0f}) {
    const Camera camera = camera_around(std::span(&box, 1), {.azimuth = azimuth, .elevation = 0.3f}, 1);
    const Vec3 to_key = lighting_for(camera).to_key;
    const CameraMatrices m = matrices_of(camera, 1);
    const auto along = [&](Vec3 axis) { return to_key.x * axis.x + to_key.y * axis.y + to_key.z * axis.z; };
    CHECK(to_key.z > 0.5f);
    CHECK(along(m.back) > 0.3f);
    CHECK(along(m.right) < -0.2f);
  }
}

}  // namespace
}  // namespace marrow
