#include "render/session.h"

#include <algorithm>
#include <cmath>

#include "marrow/math/affine.h"
#include "marrow/math/vec3.h"

namespace marrow::tool {
namespace {

constexpr Color kInk = {48, 54, 64, 255};
constexpr Color kTrails[] = {{214, 60, 84, 255}, {40, 120, 214, 255}, {36, 150, 96, 255}, {150, 84, 200, 255}};
constexpr std::size_t kTrailPlaces = 240, kSides = 16;

Vec3 place_of(const Instance& instance, std::uint32_t joint) {
  const Affine& matrix = instance.model_from_joint()[joint];
  return transform_point(instance.node().world(), translation_of(matrix));
}

Vec3 moved(Vec3 place, Vec3 by) { return {place.x + by.x, place.y + by.y, place.z + by.z}; }

// A camera about `middle`, far enough for all of the angles.
Camera round_camera(std::span<const Box> points, std::span<const ViewAngle> angles, float aspect, Vec3 middle) {
  Camera out = camera_around(points, angles[0], aspect);
  float farthest = 0;
  for (const ViewAngle& angle : angles) {
    const Camera one = camera_around(points, angle, aspect);
    farthest = std::max(farthest, distance(one.eye, one.target) + distance(one.target, middle));
  }
  const float before = distance(out.eye, out.target), scale = before > 0 ? farthest / before : 1;
  const Vec3 back = {out.eye.x - out.target.x, out.eye.y - out.target.y, out.eye.z - out.target.z};
  out.target = middle;
  out.eye = {middle.x + back.x * scale, middle.y + back.y * scale, middle.z + back.z * scale};
  out.near_m *= scale;
  out.far_m *= scale;
  return out;
}

}  // namespace

Session::Session(Studio& studio, Motion& motion, double until_s, const Shot& shot)
    : studio_(studio), motion_(motion), until_s_(until_s), shot_(shot) {
  // A camera that goes round must see everything from all sides: from as far as the farthest of them needs.
  std::vector<ViewAngle> angles(shot.turn != 0 ? kSides : 1, shot.angle);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    angles[i].azimuth += shot.turn * static_cast<float>(i) / static_cast<float>(angles.size());
  }
  std::vector<Vec3> directions;
  for (const ViewAngle& angle : angles) {
    for (const Vec3& direction : framing_directions(angle, studio.aspect())) directions.push_back(direction);
  }
  const Reach reach = reach_of(motion, until_s, shot.skeleton || shot.names, directions);
  environment_ = environment_of(reach.boxes);
  camera_ = camera_around(reach.points, shot.angle, studio.aspect());
  if (shot.turn != 0) camera_ = round_camera(reach.points, angles, studio.aspect(), environment_.middle);
  environment_.backdrop = !shot.transparent;
  environment_.ground = shot.ground;
  environment_.shadow = shot.shadow;
  trails_.resize(shot.trails.size());
  for (std::size_t i = 0; i < kTrailPlaces && !trails_.empty(); ++i) {
    motion.go_to(until_s * static_cast<double>(i) / (kTrailPlaces - 1));
    for (std::size_t t = 0; t < trails_.size(); ++t) {
      trails_[t].push_back(place_of(motion.instance(), shot.trails[t]));
    }
  }
}

void Session::sketch(double time_s, const std::string& caption, const Camera& camera) {
  const SketchView view{camera, studio_.width(), studio_.height()};
  const float height = static_cast<float>(studio_.height());
  sketch_.clear();
  for (std::size_t t = 0; t < trails_.size(); ++t) {
    const double part = until_s_ > 0 ? std::clamp(time_s / until_s_, 0.0, 1.0) : 0;
    const auto now = static_cast<std::size_t>(std::lround(part * (kTrailPlaces - 1)));
    add_trail(sketch_, trails_[t], now, kTrails[t % std::size(kTrails)], view, std::max(1.5f, height / 240));
  }
  if (shot_.skeleton) add_bones(sketch_, motion_.instance());
  if (shot_.names) add_names(sketch_, motion_.instance(), view);
  if (caption.empty()) return;
  // As large as fits.
  const float wanted = std::clamp(height / 26, 7.0f, 16.0f);
  const float width = static_cast<float>(studio_.width()) - 2 * wanted;
  const float fits = wanted * std::min(1.0f, width / text_width(wanted, caption));
  add_text(sketch_, {wanted * 0.8f, height - wanted * 0.9f}, fits, caption, kInk);
}

// Turned about the z axis through what it looks at.
Camera Session::camera_at(double time_s) const {
  Camera out = camera_;
  const double part = until_s_ > 0 ? time_s / until_s_ : 0;
  const auto angle = static_cast<float>(static_cast<double>(shot_.turn) * part);
  const float c = std::cos(angle), s = std::sin(angle);
  const float x = camera_.eye.x - camera_.target.x, y = camera_.eye.y - camera_.target.y;
  if (angle != 0) out.eye = {camera_.target.x + c * x - s * y, camera_.target.y + s * x + c * y, camera_.eye.z};
  return out;
}

Result<void> Session::shoot(double time_s, const std::string& caption, Picture& out) {
  motion_.go_to(time_s);
  DrawOptions options;
  options.camera = camera_at(time_s);
  options.environment = environment_;
  const Vec3 way = motion_.way();
  options.camera.eye = moved(options.camera.eye, way);
  options.camera.target = moved(options.camera.target, way);
  options.environment.middle = moved(options.environment.middle, way);
  options.light = lighting_for(options.camera);
  sketch(time_s, caption, options.camera);
  options.sketch = &sketch_;
  return studio_.shoot(motion_.scene(), options, out);
}

}  // namespace marrow::tool
