// Camera: from where a scene is looked at, and where to put it so that everything is in sight.
//
//   const Camera camera = camera_around(boxes, {.azimuth = 0.5f, .elevation = 0.3f}, aspect);
//
// Plain data and functions of it; z is up. Any thread.
#pragma once

#include <array>
#include <span>

#include "marrow/math/box.h"
#include "marrow/math/types.h"

namespace marrow {

// Looks from `eye` to `target`. Nothing nearer than `near_m` or beyond `far_m` is drawn.
struct Camera {
  Vec3 eye{0, -5, 1}, target{0, 0, 1};
  Vec3 up{0, 0, 1};            // what is upward in the picture, as nearly as can be
  float field_of_view = 0.5f;  // from the lower edge to the upper, in radians
  float near_m = 0.05f, far_m = 100;
};

// A camera's matrices, column by column, for a picture that is `aspect` times as wide as high, and its axes.
struct CameraMatrices {
  float view[16];             // camera from world: it looks along -z
  float projection[16];       // clip space from camera, depth from -w to w
  float view_projection[16];  // both
  Vec3 right, up, back;
};
[[nodiscard]] CameraMatrices matrices_of(const Camera& camera, float aspect);

// The direction from which a framed camera looks, and the margin around its subject.
struct ViewAngle {
  // About the z axis, in radians: at 0 from the front of a model that looks along -y, as those of glTF do; at a quarter
  // turn from the model's left.
  float azimuth = 0;
  float elevation = 0;  // above the horizon; up to a right angle, straight from above
  float field_of_view = 0.5f;
  float zoom = 1;        // 2 shows everything twice as large
  float margin = 0.06f;  // of the picture, free at each side
};

// Returns the camera from that side that shows all boxes as large as the picture allows. Boxes that are empty or not
// finite are left out; without any, it looks at the origin from a few metres.
[[nodiscard]] Camera camera_around(std::span<const Box> boxes, const ViewAngle& angle, float aspect);

// Returns the four directions in which what reaches farthest touches an edge of the picture. Of a mesh, only the
// vertices that are farthest in one of them matter: `framed` of those, as boxes of no size, is as tight as can be.
[[nodiscard]] std::array<Vec3, 4> framing_directions(const ViewAngle& angle, float aspect);

}  // namespace marrow
