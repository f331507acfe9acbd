// How far frames are from the clip that they were taken from. Internal.
#pragma once

#include <span>
#include <vector>

#include "marrow/math/box.h"
#include "src/export/bone_frames.h"
#include "src/export/rounding.h"

namespace marrow {

// What the bones of a list move: for each a box, in the space of its joint, around the vertices that follow it and its
// own origin.
struct BonePoints {
  std::vector<Box> boxes;
  std::vector<double> binds;  // the largest number that taking a vertex to the bone adds up
  std::vector<double> apart;  // how far the bones' own binds take vertices from where their skins do, in that space
  std::vector<BoneRounding> above;  // of what stands still above the roots
  double size = 1;  // of the model at rest: the diagonal of the box around its vertices, or its bones if it has none
};

[[nodiscard]] BonePoints bone_points(const Model& model, const BoneList& list, const ExportBones& options);

struct FrameErrors {
  // For each two neighbouring frames, the largest distance between where they and the clip have a point of the boxes,
  // at eight times between any two of the frames and `keys`. A vertex is nowhere farther off than the worst of its
  // bones. Frames that are set apart to make a jump are left out.
  std::vector<double> between;

  // What arithmetic in float, and binds that are not quite the same, can add to any of them.
  double rounding = 0;
};

[[nodiscard]] FrameErrors frame_errors(const ExportedAnimation& animation, const BonePoints& points, BoneFrames& clip,
                                       const BoneKeys& keys);

}  // namespace marrow
