// A model in one pose: all its matrices.
#pragma once

#include <vector>

#include "marrow/anim/pose.h"
#include "marrow/math/box.h"
#include "marrow/model/model.h"

namespace marrow::tool {

// The length of the diagonal of a box; 0 if it is empty.
[[nodiscard]] double diagonal_of(const Box& box);

class PosedModel {
 public:
  explicit PosedModel(const Model& model);

  // Changes to the pose take effect with `finish`.
  [[nodiscard]] Pose& pose() { return pose_; }
  void finish();

  [[nodiscard]] const std::vector<Affine>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<std::vector<Affine>>& palettes() const { return palettes_; }  // one for each skin

  // The morph weights of a node; none if it has no morph targets.
  [[nodiscard]] std::span<const float> morph_weights(std::size_t node) const;

  // The positions of a part of a node's mesh in model space.
  void positions(std::size_t node, std::size_t part, std::vector<Vec3>& out) const;

  // The box around the meshes that are shown; around the joints if there are none.
  [[nodiscard]] Box bounds() const;

 private:
  Model model_;
  Pose pose_;
  std::vector<Affine> joints_, nodes_;
  std::vector<std::vector<Affine>> palettes_;
};

}  // namespace marrow::tool
