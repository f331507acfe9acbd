// Every public header, and a pose from a clip.
#include <marrow/anim/blend.h>
#include <marrow/anim/clip.h>
#include <marrow/anim/hierarchy.h>
#include <marrow/anim/joint_mask.h>
#include <marrow/anim/pose.h>
#include <marrow/anim/sampling.h>
#include <marrow/anim/skeleton.h>
#include <marrow/anim/skin.h>
#include <marrow/core/assert.h>
#include <marrow/core/handle.h>
#include <marrow/core/hash.h>
#include <marrow/core/log.h>
#include <marrow/core/result.h>
#include <marrow/core/version.h>
#include <marrow/math/affine.h>
#include <marrow/math/functions.h>
#include <marrow/math/quat.h>
#include <marrow/math/simd.h>
#include <marrow/mixer/mixer.h>

#include <cstdio>
#include <vector>

int main() {
  marrow::JointDesc joints[2];
  joints[0].name = "shoulder";
  joints[1].name = "hand";
  joints[1].parent = 0;
  joints[1].rest.translation = {1, 0, 0};
  const auto build = marrow::Skeleton::create(joints);
  if (!build) return 1;
  const marrow::Skeleton skeleton = build->skeleton;

  const float times[] = {0, 1};
  const marrow::Quat turn = marrow::from_axis_angle({0, 0, 1}, 3.14159265f / 2);
  const float values[] = {0, 0, 0, 1, turn.x, turn.y, turn.z, turn.w};
  const marrow::TrackDesc track = {*skeleton.joint("shoulder"), marrow::Property::rotation,
                                   marrow::Interpolation::linear, times, values};
  const auto clip = marrow::Clip::create(skeleton, {"wave", {&track, 1}, {}});
  if (!clip) {
    std::printf("%s\n", marrow::to_string(clip.error()).c_str());
    return 1;
  }

  marrow::Pose pose(skeleton);
  marrow::Cursor cursor(*clip);
  std::vector<marrow::Affine> model(skeleton.joint_count());
  marrow::sample(*clip, 0.5, cursor, pose);
  marrow::local_to_model(pose, model);

  marrow::Mixer mixer(skeleton);
  mixer.play(*clip, {.speed = 0.5, .loop = marrow::Loop::once});
  mixer.update(1.0);
  if (mixer.pose().transform(0).rotation.z != pose.transform(0).rotation.z) return 1;

  const float x = model[1].m[0][3], y = model[1].m[1][3];
  std::printf("marrow %s: the hand is at %.3f %.3f\n", marrow::version(), x, y);
  return x > 0.707f && x < 0.7072f && y > 0.707f && y < 0.7072f ? 0 : 1;
}
