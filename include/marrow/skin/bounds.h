// Bounds of skinned vertices: a box around them in any pose, without looking at them.
//
//   const SkinBounds bounds(vertices);             // once for a mesh
//   const Box box = bounds.box(palette);           // in every frame
//
// For each joint there are two boxes, made from the weights: of the vertices that follow it more than any other joint,
// and of those that follow it less. A vertex lies between where the joints that it follows would put it; so the box
// that comes out holds all vertices, wherever the joints are, and is about 1.2 times as large as need be. Immutable and
// safe to share between threads; allocates nothing after construction; deterministic to the bit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "marrow/math/box.h"
#include "marrow/skin/dual_quaternions.h"
#include "marrow/skin/vertices.h"

namespace marrow {

struct SkinBoundsData;

class SkinBounds {
 public:
  // Of no vertices.
  SkinBounds();

  // Of vertices that are moved by the same palette. Those without influences follow its first matrix.
  explicit SkinBounds(const Vertices& vertices);
  explicit SkinBounds(std::span<const Vertices* const> parts);

  // Of vertices that follow the first matrix, whatever influences they have.
  [[nodiscard]] static SkinBounds rigid(std::span<const Vertices* const> parts);

  // Returns a box around all vertices as linear blending puts them, with a margin for rounding. Morph weights may be
  // beyond 0 to 1. The palette must have all joints that the vertices follow; if it is empty, none moves them.
  [[nodiscard]] Box box(std::span<const Affine> palette, std::span<const float> morph_weights = {}) const;

  // The same for dual quaternions, which move vertices on arcs beyond what lies between the joints. `palette` and
  // `dual_palette` are the same joints; `stretches` is what dual_palette returned. Slower, and not as tight.
  [[nodiscard]] Box box(std::span<const Affine> palette, std::span<const DualJoint> dual_palette, bool stretches,
                        std::span<const float> morph_weights = {}) const;

  // How many boxes there are: at most two for each joint that has vertices.
  [[nodiscard]] std::uint32_t box_count() const;

 private:
  SkinBounds(std::span<const Vertices* const> parts, bool rigid);

  std::shared_ptr<const SkinBoundsData> data_;
};

}  // namespace marrow
