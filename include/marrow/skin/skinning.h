// Skinning on the CPU: where the vertices of a mesh are in a pose.
//
//   skin_vertices(vertices, morph_weights, palette, {positions, normals, tangents});
//
// moves the vertices of a model; `skin` the same for vertices wherever and however they lie in memory. Any number of
// influences; linear blending of the joints' matrices, or dual quaternions (dual_quaternions.h), which keep volume
// where joints twist. Allocates nothing, may run on any thread, and is deterministic to the bit. In linear blending
// positions are within 1e-6 of the size of what they are computed from.
//
// Normals go by the cofactors of the blended matrix times the sign of its determinant, so that they stay at right
// angles to the surface, and on its outer side, under any scale; the handedness of tangents changes where the joints
// mirror.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "marrow/math/types.h"
#include "marrow/skin/dual_quaternions.h"
#include "marrow/skin/influence_groups.h"
#include "marrow/skin/vertices.h"

namespace marrow {

// How the influences of several joints on a vertex are blended.
enum class Skinning : std::uint8_t { linear, dual_quaternion };

// What normals go by.
enum class NormalRule : std::uint8_t {
  cofactor,  // right under any scale
  matrix,    // the matrix itself: right where nothing is scaled, or all axes alike; a little faster
};

// An array of a caller's, with any distance between its elements: `stride` bytes, a multiple of four for floats; 0 if
// they are side by side.
template <typename T>
struct Strided {
  T* data = nullptr;
  std::size_t stride = 0;
};

// One call of `skin`. Owns nothing. What is null is not there, or not wanted.
struct SkinJob {
  std::size_t count = 0;  // vertices

  Strided<const Vec3> positions;
  Strided<const Vec3> normals;
  Strided<const Vec4> tangents;  // w is 1 or -1

  // So many joints and weights are at each step, the joints in one of the two sizes. An index beyond the palette is
  // taken as the last; vertices may have one where the weight is 0. Without influences all vertices follow the first
  // joint of the palette, or stay if it is empty.
  std::uint32_t influences = 0;
  Strided<const std::uint16_t> joints;
  Strided<const std::uint8_t> small_joints;
  Strided<const float> weights;

  // Or joints and weights made ready before, which is faster; null if not. They are added up in another order, so that
  // the last bits differ from those without; a joint beyond the palette is a mistake of the caller; and a matrix that
  // is not finite spoils all eight vertices of a group.
  const InfluenceGroups* groups = nullptr;

  // The joints: matrices, or dual quaternions. With `stretches` false, their stretch is taken as the identity.
  std::span<const Affine> palette;
  std::span<const DualJoint> dual_palette;
  bool stretches = true;

  NormalRule normal_rule = NormalRule::cofactor;

  // The results; may be the arrays that the vertices come from, but not overlap them otherwise. Nothing is written
  // between the elements.
  Strided<Vec3> out_positions;
  Strided<Vec3> out_normals;   // unit; 0 where a normal vanishes
  Strided<Vec4> out_tangents;  // unit in x, y, z; w changes sign where the joints mirror
};

// Moves vertices as a palette says.
void skin(const SkinJob& job);

// Where results go that are side by side. Each span is as long as the vertices, or empty for what is not wanted;
// normals and tangents can only be had of vertices that have them.
struct SkinnedVertices {
  std::span<Vec3> positions;
  std::span<Vec3> normals;
  std::span<Vec4> tangents;
};

// Writes the vertices as morph weights and a palette (hierarchy.h) put them, in model space. `morph_weights` is as long
// as the targets or shorter, for none of the rest. With influences every joint index must be inside the palette.
// Without, the vertices follow its first matrix, or stay where they are if it is empty: give them the matrix of their
// node alone, not the palette of a skin. model.h shows how to skin a whole model.
// `groups` are those of the vertices, made ready before, which is faster.
void skin_vertices(const Vertices& vertices, std::span<const float> morph_weights, std::span<const Affine> palette,
                   const SkinnedVertices& out, const InfluenceGroups* groups = nullptr);

// The same by dual quaternions. `stretches` is what dual_palette returned.
void skin_vertices(const Vertices& vertices, std::span<const float> morph_weights,
                   std::span<const DualJoint> dual_palette, bool stretches, const SkinnedVertices& out,
                   const InfluenceGroups* groups = nullptr);

// The same for vertices that follow one matrix, whatever influences they have.
void skin_rigidly(const Vertices& vertices, std::span<const float> morph_weights, const Affine& matrix,
                  const SkinnedVertices& out);

// Writes the vertices with their morph targets added and no joint: normals and tangents as they come out, of any
// length.
void morph_vertices(const Vertices& vertices, std::span<const float> morph_weights, const SkinnedVertices& out);

}  // namespace marrow
