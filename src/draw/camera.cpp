#include "marrow/draw/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "marrow/math/vec3.h"
#include "src/draw/matrix4.h"

namespace marrow {
namespace {

constexpr float kLargest = 1e15f;  // of what can be framed; beyond it squares overflow

struct CameraAxes {
  Vec3 right, up, back;
};

CameraAxes axes_of(Vec3 back, Vec3 wanted_up) {
  Vec3 right = cross(wanted_up, back);
  if (length(right) < 1e-4f * length(wanted_up)) right = cross({0, 1, 0}, back);  // straight from above
  if (length(right) < 1e-4f) right = {1, 0, 0};
  right = direction_of(right, {1, 0, 0});
  return {right, cross(back, right), back};
}

bool is_usable(const Box& box) {
  if (is_empty(box)) return false;
  for (const float x : {box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z}) {
    if (!(std::abs(x) < kLargest)) return false;
  }
  return true;
}

// How far the corners reach, seen along an axis by rays that widen by `slope`: to the one side and the other.
struct Reach {
  float to_high = -std::numeric_limits<float>::infinity(), to_low = to_high;
  void add(float across, float toward, float slope) {
    to_high = std::max(to_high, across + toward * slope);
    to_low = std::max(to_low, toward * slope - across);
  }
};

}  // namespace

CameraMatrices matrices_of(const Camera& camera, float aspect) {
  const CameraAxes axes = axes_of(direction_of(camera.eye - camera.target, {0, -1, 0}), camera.up);
  CameraMatrices out = {};
  out.right = axes.right;
  out.up = axes.up;
  out.back = axes.back;
  const Vec3 rows[3] = {axes.right, axes.up, axes.back};
  for (int row = 0; row < 3; ++row) {
    out.view[row] = rows[row].x;
    out.view[4 + row] = rows[row].y;
    out.view[8 + row] = rows[row].z;
    out.view[12 + row] = -dot(rows[row], camera.eye);
  }
  out.view[15] = 1;
  const float half = camera.field_of_view / 2, slope = det::sin(half) / det::cos(half);
  out.projection[0] = 1 / (slope * aspect);
  out.projection[5] = 1 / slope;
  out.projection[10] = -(camera.far_m + camera.near_m) / (camera.far_m - camera.near_m);
  out.projection[11] = -1;
  out.projection[14] = -2 * camera.far_m * camera.near_m / (camera.far_m - camera.near_m);
  multiply(out.projection, out.view, out.view_projection);
  return out;
}

namespace {

// What a view angle makes of a camera before it has a place.
struct Sight {
  CameraAxes axes;
  Vec3 up;
  float across, along;  // slopes of the outermost rays that are used
};

Sight sight_of(const ViewAngle& angle, float aspect) {
  const float level = det::cos(angle.elevation);
  const Vec3 back = {det::sin(angle.azimuth) * level, -det::cos(angle.azimuth) * level, det::sin(angle.elevation)};
  // Seen straight from above, the front of a model is at the lower edge.
  const float upward = angle.elevation < 0 ? -1.0f : 1.0f;
  const Vec3 rear = {-det::sin(angle.azimuth) * upward, det::cos(angle.azimuth) * upward, 0};
  const Vec3 up = level < 1e-3f ? rear : Vec3{0, 0, 1};
  const float slope = det::sin(angle.field_of_view / 2) / det::cos(angle.field_of_view / 2);
  const float used = slope * (1 - 2 * std::clamp(angle.margin, 0.0f, 0.45f));
  return {axes_of(back, up), up, used * aspect, used};
}

}  // namespace

std::array<Vec3, 4> framing_directions(const ViewAngle& angle, float aspect) {
  const Sight sight = sight_of(angle, aspect);
  const auto& [right, up, back] = sight.axes;
  return {right + back * sight.across, right * -1 + back * sight.across, up + back * sight.along,
          up * -1 + back * sight.along};
}

Camera camera_around(std::span<const Box> boxes, const ViewAngle& angle, float aspect) {
  const Sight sight = sight_of(angle, aspect);
  const CameraAxes& axes = sight.axes;
  Box all;
  for (const Box& box : boxes) {
    if (is_usable(box)) all = enclose(all, box);
  }
  const Box nothing = {{-1, -1, -1}, {1, 1, 1}};
  if (is_empty(all)) {
    all = nothing;
    boxes = std::span(&nothing, 1);
  }
  const Vec3 middle = (all.low + all.high) * 0.5f;
  Reach across, along;
  for (const Box& box : boxes) {
    if (!is_usable(box)) continue;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 at = Vec3{(corner & 1) != 0 ? box.high.x : box.low.x, (corner & 2) != 0 ? box.high.y : box.low.y,
                           (corner & 4) != 0 ? box.high.z : box.low.z} -
                      middle;
      across.add(dot(at, axes.right), dot(at, axes.back), sight.across);
      along.add(dot(at, axes.up), dot(at, axes.back), sight.along);
    }
  }

  // The nearest place from which the outermost rays of all four sides still pass the corners.
  const float radius = std::max(length(size_of(all)) / 2, 1e-6f);
  float distance = std::max((across.to_high + across.to_low) / (2 * sight.across),
                            (along.to_high + along.to_low) / (2 * sight.along));
  distance = std::max(distance / std::max(angle.zoom, 1e-3f), 0.05f * radius);
  Camera out;
  out.target =
      middle + (axes.right * ((across.to_high - across.to_low) / 2) + axes.up * ((along.to_high - along.to_low) / 2));
  out.eye = out.target + axes.back * distance;
  out.up = sight.up;
  out.field_of_view = angle.field_of_view;
  out.near_m = 0.04f * distance;
  out.far_m = distance + 60 * radius;
  return out;
}

}  // namespace marrow
