#include "marrow/anim/hierarchy.h"

#include "src/anim/imports.h"
#include "src/anim/kernels.h"
#include "src/anim/skeleton_data.h"

namespace marrow {

void local_to_model(const Pose& pose, std::span<Affine> model_from_joint) {
  const SkeletonData& skeleton = pose.skeleton().data();
  MARROW_ASSERT(model_from_joint.size() == skeleton.joint_count, "as many matrices as joints are needed");
  if (skeleton.joint_count == 0) return;
  const platform::FloatScope scope;
  anim_kernels().local_to_model(pose.blocks().data(), skeleton.parents.data(), skeleton.root_count, 0,
                                skeleton.joint_count, &model_from_joint[0].m[0][0]);
}

void local_to_model(const Pose& pose, std::uint32_t joint, std::span<Affine> model_from_joint) {
  const SkeletonData& skeleton = pose.skeleton().data();
  MARROW_ASSERT(model_from_joint.size() == skeleton.joint_count, "as many matrices as joints are needed");
  MARROW_ASSERT(joint < skeleton.joint_count, "the skeleton has no such joint");
  const platform::FloatScope scope;
  const AnimKernels& kernels = anim_kernels();
  for (Skeleton::Range generation{joint, joint + 1}; !generation.empty();) {
    kernels.local_to_model(pose.blocks().data(), skeleton.parents.data(), skeleton.root_count, generation.first,
                           generation.last, &model_from_joint[0].m[0][0]);
    generation = pose.skeleton().children(generation);
  }
}

void palette(const Skin& skin, std::span<const Affine> model_from_joint, std::span<Affine> palette) {
  MARROW_ASSERT(model_from_joint.size() == skin.skeleton_joint_count(),
                "the skin was made for a skeleton with another number of joints");
  MARROW_ASSERT(palette.size() == skin.size(), "as many matrices as the skin has joints are needed");
  if (skin.size() == 0) return;
  const platform::FloatScope scope;
  anim_kernels().palette(&model_from_joint[0].m[0][0], skin.joints().data(), &skin.inverse_binds()[0].m[0][0],
                         skin.size(), &palette[0].m[0][0]);
}

}  // namespace marrow
