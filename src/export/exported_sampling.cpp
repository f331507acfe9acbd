#include <algorithm>

#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "marrow/math/vec3.h"
#include "src/export/exported_frame.h"
#include "src/export/imports.h"

namespace marrow {
namespace {

const float* frame_bone(const ExportedAnimation& animation, std::size_t frame, std::size_t bone) {
  return animation.keyframes.data() + (frame * animation.bones.size() + bone) * keyframe_size(animation);
}

}  // namespace

Affine exported_matrix(const ExportedAnimation& animation, std::size_t frame, std::size_t bone) {
  if (animation.trs) return to_affine(exported_transform(animation, frame, bone));
  Affine matrix;
  std::copy_n(frame_bone(animation, frame, bone), 12, &matrix.m[0][0]);
  return matrix;
}

Transform exported_transform(const ExportedAnimation& animation, std::size_t frame, std::size_t bone) {
  if (!animation.trs) return to_transform(exported_matrix(animation, frame, bone));
  const float* v = frame_bone(animation, frame, bone);
  return {{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}, {v[7], v[8], v[9]}};
}

Transform between(const Transform& a, const Transform& b, float u) {
  return {mix(a.translation, b.translation, u), slerp(a.rotation, b.rotation, u), mix(a.scale, b.scale, u)};
}

void sample_exported(const ExportedAnimation& animation, double time_s, std::span<Affine> local) {
  MARROW_ASSERT(local.size() == animation.bones.size(), "the output must have one matrix for each bone");
  exactly([&] {
    const auto next = std::upper_bound(animation.times.begin(), animation.times.end(), time_s,
                                       [](double time, float frame) { return time < static_cast<double>(frame); });
    const auto after = static_cast<std::size_t>(next - animation.times.begin());
    const std::size_t a = after == 0 ? 0 : after - 1;
    const auto from = static_cast<double>(animation.times[a]);
    const bool on_frame = after == 0 || after == animation.times.size() || time_s == from;
    const float u =
        on_frame ? 0 : static_cast<float>((time_s - from) / (static_cast<double>(animation.times[after]) - from));
    for (std::size_t b = 0; b < local.size(); ++b) {
      if (on_frame || animation.interpolation[b] == ExportedInterpolation::step) {
        local[b] = exported_matrix(animation, a, b);
      } else {
        local[b] = to_affine(between(exported_transform(animation, a, b), exported_transform(animation, after, b), u));
      }
    }
  });
}

void exported_to_model(std::span<const ExportedBone> bones, std::span<const Affine> local,
                       std::span<Affine> model_from_bone) {
  MARROW_ASSERT(local.size() == bones.size() && model_from_bone.size() == bones.size(),
                "there must be a matrix for each bone");
  exactly([&] {
    for (std::size_t b = 0; b < bones.size(); ++b) {
      model_from_bone[b] = bones[b].parent == kNoParent
                               ? local[b]
                               : multiply(model_from_bone[static_cast<std::size_t>(bones[b].parent)], local[b]);
    }
  });
}

}  // namespace marrow
