// A model in one pose: all its matrices.
#pragma once

#include <vector>

#include "marrow/anim/pose.h"
#include "marrow/model/model.h"

namespace marrow::tool {

// A box with its sides along the axes; `low` is above `high` if there is nothing in it.
struct Box {
  Vec3 low{1e30f, 1e30f, 1e30f}, high{-1e30f, -1e30f, -1e30f};

  void add(Vec3 point);
  [[nodiscard]] bool empty() const { return low.x > high.x; }
  [[nodiscard]] Vec3 size() const;
  [[nodiscard]] double diagonal() const;  // 0 if empty
};

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
