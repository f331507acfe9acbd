// The motion of a clip's root: what is taken out of the pose, and how far it goes on a way. Internal.
#pragma once

#include <optional>

#include "marrow/anim/clip_keys.h"
#include "marrow/anim/pose.h"
#include "marrow/mixer/root_motion.h"
#include "src/math/double_functions.h"
#include "src/mixer/playhead.h"

namespace marrow {

// What the options come to for a skeleton.
struct RootSetup {
  RootMotionOptions options;
  Transform rest;            // of the joint
  Affine model_from_parent;  // of the skeleton at rest
  bool mirrors = false;      // model_from_parent does
  Vec3d up{};                // of the model, of unit length
  Vec3d parent_up{};         // the same in the space of the joint's parent
};

// Fails on a joint out of range, and on an up that is no direction.
[[nodiscard]] Result<RootSetup> make_root_setup(const Skeleton& skeleton, const RootMotionOptions& options);

// A rotation about the up axis, by twice the angle of (cosine, sine), and then a translation; in model space.
struct PlanarMotion {
  double cosine = 1, sine = 0;
  Vec3d translation{0, 0, 0};
};

// The tracks of the root in a clip.
struct RootCurve {
  std::optional<TrackKeys> translation, rotation;
};
[[nodiscard]] RootCurve read_root_curve(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint);

// Returns how far the root goes on a way through a clip.
[[nodiscard]] PlanarMotion root_travel(const RootSetup& setup, const RootCurve& curve, const Travel& way, Loop loop,
                                       double duration);

// Sums up the motions of several actions, as a layer that replaces blends them.
class RootSum {
 public:
  void add(const PlanarMotion& motion, const RootCurve& curve, double weight, double fade, bool fill_by_weight);

  [[nodiscard]] RootMotion total(const RootSetup& setup, double layer_weight) const;

 private:
  struct Mean {
    double weights = 0, coverage = 0;
    [[nodiscard]] double factor() const { return weights > 0 ? (coverage < 1 ? coverage : 1) / weights : 0; }
  };
  Mean translation_mean_, rotation_mean_;
  Vec3d translation_{0, 0, 0};
  double angle_ = 0;
};

// Takes the motion out of a pose.
void remove_root_motion(const RootSetup& setup, Pose& pose);

}  // namespace marrow
