// Skinning on the CPU: where the vertices of a mesh are in a pose.
//
// Linear blend skinning with any number of influences, after morph targets. Plain and exact rather than fast: it is
// what other ways to skin are held to. Deterministic to the bit; allocates nothing; may run on any thread.
#pragma once

#include <span>

#include "marrow/math/types.h"
#include "marrow/skin/vertices.h"

namespace marrow {

// Where the results go. Each span is as long as the vertices, or empty for what is not wanted; normals and tangents can
// only be had of vertices that have them.
struct SkinnedVertices {
  std::span<Vec3> positions;
  std::span<Vec3> normals;   // unit; 0 where a normal vanishes
  std::span<Vec4> tangents;  // unit in x, y, z; w changes sign where the joints mirror
};

// Writes the vertices as morph weights and a palette (hierarchy.h) put them, in model space. `morph_weights` is as long
// as the targets or shorter, for none of the rest. With influences every joint index must be inside the palette.
// Without, the vertices follow its first matrix, or stay where they are if it is empty: give them the matrix of their
// node alone, not the palette of a skin. model.h shows how to skin a whole model.
//
// Normals go by the cofactors of the blended matrix times the sign of its determinant, so that they stay at right
// angles to the surface under any scale.
void skin_vertices(const Vertices& vertices, std::span<const float> morph_weights, std::span<const Affine> palette,
                   const SkinnedVertices& out);

}  // namespace marrow
