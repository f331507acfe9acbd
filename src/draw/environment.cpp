// What is around a scene: ground, light and their sizes.
#include <algorithm>
#include <cmath>

#include "marrow/draw/renderer.h"
#include "marrow/math/vec3.h"

namespace marrow {

Environment environment_of(std::span<const Box> boxes) {
  constexpr float kFarthest = 1e15f;
  Box all;
  for (const Box& box : boxes) {
    if (is_empty(box)) continue;
    const float reach = std::max({std::abs(box.low.x), std::abs(box.low.y), std::abs(box.low.z), std::abs(box.high.x),
                                  std::abs(box.high.y), std::abs(box.high.z)});
    if (reach < kFarthest) all = enclose(all, box);
  }
  Environment out;
  if (is_empty(all)) return out;
  out.middle = (all.low + all.high) * 0.5f;
  const float size = length(size_of(all));
  out.radius = size > 0 ? 0.5f * size : 1;
  const bool stands = all.low.z >= -0.05f * size && all.low.z <= size;
  out.ground_height = stands ? 0 : all.low.z;
  return out;
}

Lighting lighting_for(const Camera& camera) {
  const CameraMatrices matrices = matrices_of(camera, 1);
  // Level with the ground, whatever the camera looks at.
  Vec3 toward = {matrices.back.x, matrices.back.y, 0};
  toward = length(toward) > 1e-3f ? direction_of(toward, {0, -1, 0}) : matrices.up * -1;
  const Vec3 right = cross({0, 0, 1}, toward);
  Lighting out;
  out.to_key = direction_of(toward * 0.7f + right * -0.5f + Vec3{0, 0, 0.95f}, {0, 0, 1});
  return out;
}

}  // namespace marrow
