#include <algorithm>

#include "marrow/anim/hierarchy.h"
#include "marrow/core/assert.h"
#include "marrow/scene/pose_stage.h"
#include "src/scene/imports.h"
#include "src/scene/scene_impl.h"

namespace marrow {

Transform PoseEdit::local(std::uint32_t joint) const { return pose_.transform(joint); }

bool PoseEdit::set_local(std::uint32_t joint, const Transform& transform) {
  MARROW_ASSERT(joint < skeleton().joint_count(), "the skeleton has no such joint");
  const std::optional<Transform> usable = usable_transform(transform);
  if (!usable || joint >= skeleton().joint_count()) return false;
  pose_.set_transform(joint, *usable);
  if (!known_) return true;
  if (changed_count_ == kMaxChanged) {
    known_ = false;
  } else {
    changed_[changed_count_++] = joint;
  }
  return true;
}

const Affine& PoseEdit::model_from_joint(std::uint32_t joint) {
  MARROW_ASSERT(joint < skeleton().joint_count(), "the skeleton has no such joint");
  compute();
  return matrices_[joint];
}

std::span<const Affine> PoseEdit::model_from_joints() {
  compute();
  return matrices_;
}

Pose& PoseEdit::edit_pose() {
  known_ = false;
  changed_count_ = 0;
  return pose_;
}

void PoseEdit::compute() {
  if (!known_) {
    local_to_model(pose_, matrices_);
  } else {
    // Joints are sorted parents first, so a subtree is computed after those that it is in.
    std::sort(changed_, changed_ + changed_count_);
    for (std::uint32_t i = 0; i < changed_count_; ++i) local_to_model(pose_, changed_[i], matrices_);
  }
  known_ = true;
  changed_count_ = 0;
}

}  // namespace marrow
