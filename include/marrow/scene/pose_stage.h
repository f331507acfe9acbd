// PoseStage: code that changes the pose of an instance between its animator and its matrices: look-at, inverse
// kinematics, springs, physics.
//
//   struct LookAt { std::uint32_t head; Vec3 target; };
//   StageResult look_at(void* data, PoseEdit& edit) {
//     const auto& self = *static_cast<const LookAt*>(data);
//     edit.set_local(self.head, aimed(edit.model_from_joint(self.head), self.target));
//     return StageResult::changed;
//   }
//   instance.add_stage({.name = "look at", .run = look_at, .data = &hero_look_at});
//
// The stages of an instance run in order in `finish`, on the thread that updates the instance: in batches on a thread
// of the executor. So a stage may read what other stages do not write, and write only its own data. It works on a copy
// of the pose: Instance::pose stays that of the animator. It is called with round to nearest and with denormals,
// whatever the thread has set, so that its results do not depend on the thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "marrow/anim/pose.h"
#include "marrow/math/types.h"

namespace marrow {

struct InstanceImpl;

// What a stage sees and changes. Valid during the call.
class PoseEdit {
 public:
  [[nodiscard]] const Skeleton& skeleton() const { return pose_.skeleton(); }

  // The time that the instance was advanced since the stage was added or last ran; 0 if it was not. At 0 a stage must
  // not change its state bytes.
  [[nodiscard]] double dt_s() const { return dt_s_; }

  // The state bytes of this stage. Zero when the stage is added; saved and restored with the instance. Aligned to 16.
  [[nodiscard]] std::span<std::byte> state() const { return state_; }

  // A joint's transform relative to its parent. `set_local` normalises the rotation. It returns false and changes
  // nothing if a value is not finite or beyond 1e18, or if the rotation has no length.
  [[nodiscard]] Transform local(std::uint32_t joint) const;
  bool set_local(std::uint32_t joint, const Transform& transform);

  // The matrix of a joint relative to the model, and those of all joints, with all changes so far. They are computed on
  // demand: after a change the subtree of the changed joint is computed again.
  [[nodiscard]] const Affine& model_from_joint(std::uint32_t joint);
  [[nodiscard]] std::span<const Affine> model_from_joints();

  // The pose itself, with the morph weights. `edit_pose` lets the stage write all of it; all matrices are then computed
  // again. Values must be finite, and rotations of unit length. After matrices were read, call edit_pose again before
  // the next write: writes through an older reference do not reach the matrices.
  [[nodiscard]] const Pose& pose() const { return pose_; }
  [[nodiscard]] Pose& edit_pose();

 private:
  friend struct InstanceImpl;
  PoseEdit(Pose& pose, std::span<Affine> matrices) : pose_(pose), matrices_(matrices) {}
  void compute();

  static constexpr std::uint32_t kMaxChanged = 8;  // subtrees; with more, all matrices are computed again

  Pose& pose_;
  std::span<Affine> matrices_;
  std::span<std::byte> state_;
  double dt_s_ = 0;
  bool known_ = false;  // the matrices are right but for those of the changed subtrees
  std::uint32_t changed_count_ = 0;
  std::uint32_t changed_[kMaxChanged] = {};
};

// Whether time can change what a stage does.
//   unchanged:  a promise: as long as the pose and the data of the stage stay the same, further runs change neither the
//               result nor the state bytes, with any dt
//   changed:    no promise
// When all stages of an instance without an animator have promised that, updates skip it: no stage runs, and its
// version stays. Instance::touch, edit_pose, overrides, restore, and a change of its stages or animator end the
// skipping. After changing the data of a stage, call Instance::touch. The next update gives the stages only its own
// time step, without the time of skipped updates.
enum class StageResult : std::uint8_t { unchanged, changed };

struct PoseStage {
  const char* name = "";  // not empty; must be alive as long as the stage. Saved blocks have the name and version.
  std::uint32_t version = 1;
  std::size_t state_bytes = 0;  // at most 1 MiB
  StageResult (*run)(void* data, PoseEdit& edit) = nullptr;
  void* data = nullptr;

  // Destroys `data`. Called when the stage is removed or its instance is destroyed. Null if the stage does not own
  // `data`. If add_stage fails, `data` stays with the caller.
  void (*destroy)(void* data) = nullptr;
};

}  // namespace marrow
