// What the animators of the library are written with: the arithmetic of time, the insides of MixScratch, and root
// motion. Internal.
#pragma once

#include <optional>
#include <vector>

#include "marrow/anim/blend.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/play/mix_scratch.h"
#include "marrow/play/root_motion.h"
#include "src/play/imports.h"
#include "src/play/time_arithmetic.h"

namespace marrow {

struct MixScratch::Data {
  std::vector<Pose> poses;
  std::vector<BlendInput> inputs;    // of those poses
  std::vector<std::uint32_t> slots;  // the player's, of each pose
  std::vector<BlendLayer> layers;
};

// ---- Root motion -----------------------------------------------------------------------------------------------
//
// These functions expect the floating-point state that results are defined in.

struct RootSetupData {
  RootMotionOptions options;
  Transform rest;            // of the joint
  Affine model_from_parent;  // of the skeleton at rest
  bool mirrors = false;      // model_from_parent does
  Vec3d up{};                // of the model, of unit length
  Vec3d parent_up{};         // the same in the space of the joint's parent
};

struct RootCurveData {
  std::optional<TrackKeys> translation, rotation;
};

// A rotation about the up axis, by twice the angle of (cosine, sine), and then a translation; in model space.
struct PlanarMotion {
  double cosine = 1, sine = 0;
  Vec3d translation{0, 0, 0};
};

// Returns how far the root moves on a way through a clip.
[[nodiscard]] PlanarMotion planar_motion(const RootSetupData& setup, const RootCurveData& curve, const Travel& travel,
                                         Loop loop, double duration);

// Sums the motions of several actions, as a layer that replaces blends them.
class RootSum {
 public:
  void add(const PlanarMotion& motion, const RootCurveData& curve, double weight, double fade, bool fill_by_weight);

  [[nodiscard]] RootMotion total(const RootSetupData& setup, double layer_weight) const;

 private:
  struct Mean {
    double weights = 0, coverage = 0;
    [[nodiscard]] double factor() const { return weights > 0 ? (coverage < 1 ? coverage : 1) / weights : 0; }
  };
  Mean translation_mean_, rotation_mean_;
  Vec3d translation_{0, 0, 0};
  double angle_ = 0;
};

// As remove_root_motion.
void take_out_motion(const RootSetupData& setup, Pose& pose);

}  // namespace marrow
