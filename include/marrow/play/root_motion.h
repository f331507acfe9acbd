// Root motion: how far a character moves in a clip, taken out of its pose and handed to the game.
//
//   const RootSetup setup = RootSetup::create(skeleton, {.joint = hips}).value();
//   const RootCurve curve(skeleton, walk, hips);
//   ...
//   const Travel travel = advance_playhead(head, dt, walk.duration());
//   const RootMotion moved = root_motion(setup, curve, travel, head.loop, walk.duration());
//   sample(walk, clip_time(head, walk.duration()), pose);
//   remove_root_motion(setup, pose);
//
// RootSetup and RootCurve are immutable, cheap to copy, and safe to share between threads. Creating them allocates.
#pragma once

#include <cstdint>
#include <memory>

#include "marrow/anim/clip.h"
#include "marrow/anim/pose.h"
#include "marrow/core/result.h"
#include "marrow/math/types.h"
#include "marrow/play/playhead.h"

namespace marrow {

// The motion that is taken out. The rest of the joint's motion stays in the pose.
struct RootMotionOptions {
  std::uint32_t joint = 0;
  bool horizontal = true;  // translation across `up`
  bool vertical = true;    // translation along `up`
  bool yaw = true;         // rotation about `up` at the joint; a joint away from the axis moves around it
  Vec3 up{0, 0, 1};        // of the model
};

// The motion in one step, in model space as it was before the step: the object's new transform is object * motion.
// Motions compose like matrices.
struct RootMotion {
  Vec3 translation;
  Quat rotation;
};

struct RootSetupData;
struct RootCurveData;

// The options, prepared for a skeleton. The joints above the root joint are taken to be at rest.
class RootSetup {
 public:
  // Fails on a joint out of range, and on an `up` without direction.
  [[nodiscard]] static Result<RootSetup> create(const Skeleton& skeleton, const RootMotionOptions& options);

  [[nodiscard]] const RootMotionOptions& options() const;
  [[nodiscard]] const RootSetupData& data() const { return *data_; }  // for the library

 private:
  explicit RootSetup(std::shared_ptr<const RootSetupData> data) : data_(std::move(data)) {}

  std::shared_ptr<const RootSetupData> data_;
};

// The tracks of a joint in a clip. The keys are read once for each clip and joint; all curves of the two share them.
class RootCurve {
 public:
  // The clip was made for `skeleton`, or for one with as many joints and morph weights.
  RootCurve(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint);

  [[nodiscard]] const RootCurveData& data() const { return *data_; }  // for the library

 private:
  std::shared_ptr<const RootCurveData> data_;
};

// Returns how far the root moves on a way through the curve's clip.
[[nodiscard]] RootMotion root_motion(const RootSetup& setup, const RootCurve& curve, const Travel& travel, Loop loop,
                                     double duration);

// Takes the motion out of a pose. A property that the pose does not have stays as it is.
void remove_root_motion(const RootSetup& setup, Pose& pose);

}  // namespace marrow
