// Where a clip has the bones of an export at a time. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marrow/anim/clip_keys.h"
#include "marrow/anim/pose.h"
#include "marrow/anim/sampling.h"
#include "src/export/bone_list.h"

namespace marrow {

// Samples a clip for a list of bones. All must outlive it.
class BoneFrames {
 public:
  BoneFrames(const Model& model, const BoneList& list, const Clip& clip);

  // Writes the transform of every bone relative to its parent. What stands still above the roots is in theirs.
  void at(double time_s, std::span<Transform> out);
  void at(double time_s, std::span<Affine> out);

 private:
  const BoneList& list_;
  const Clip& clip_;
  Cursor cursor_;
  Pose pose_;
};

// Which times of a clip matter to a list of bones.
struct BoneKeys {
  std::vector<ExportedInterpolation> interpolation;  // for each bone
  std::vector<float> keys;                           // the times of all keys within the clip, ascending, and both ends
  std::vector<float> steps;                          // those of them at which anything jumps
  std::vector<float> jumps;                          // the last times before bones that are not all steps do
  bool other_joints = false;                         // the clip moves joints that are no bones
  bool morphs = false;                               // and morph weights
};

[[nodiscard]] BoneKeys bone_keys(const Model& model, const BoneList& list, const Clip& clip);

// Returns the times of the frames: the keys, without those that only rounding sets apart, and those before jumps.
[[nodiscard]] std::vector<float> frame_times(const BoneKeys& keys);

// Returns even times from 0 to the end of the clip, `fps` or a little more of them a second.
[[nodiscard]] std::vector<float> even_times(double duration, double fps);

}  // namespace marrow
