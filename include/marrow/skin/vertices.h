// Vertices: what the corners of a mesh are made of, one array for each attribute.
//
// Plain data that owns its memory, or shares that of a file (array.h). Every array but `positions` may be empty; those
// that are not are as long as `positions`. Nothing here is meant to be changed once a Model holds it.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/core/array.h"
#include "marrow/core/result.h"
#include "marrow/math/types.h"

namespace marrow {

// How far each vertex moves when the target's weight is 1. What is empty does not move.
struct MorphTarget {
  Array<Vec3> positions;
  Array<Vec3> normals;
  Array<Vec3> tangents;
};

struct Vertices {
  Array<Vec3> positions;
  Array<Vec3> normals;
  Array<Vec4> tangents;          // w is 1 or -1: the bitangent is w * cross(normal, tangent)
  std::vector<Array<Vec2>> uvs;  // sets of texture coordinates; (0, 0) is the upper left corner
  Array<Vec4> colors;            // linear red, green, blue and alpha

  // `influences` joints and weights for each vertex: those of vertex v begin at v * influences. Joints are indices into
  // the skin's joints; weights are not negative and sum to 1.
  std::uint32_t influences = 0;
  Array<std::uint16_t> joints;
  Array<float> weights;

  std::vector<MorphTarget> targets;
};

// Fails, naming the array and vertex, where lengths do not agree or a value is not finite or beyond 1e18, and on
// weights that are negative or whose sum is not 1 to 1e-3.
[[nodiscard]] Result<void> check_vertices(const Vertices& vertices);

// In place of the largest joint, for what has no joints.
inline constexpr std::uint32_t kNoJoints = 0xffffffffu;

// Returns the largest joint index of a weight above zero; 0 if there is none.
[[nodiscard]] std::uint32_t largest_joint(const Vertices& vertices);

}  // namespace marrow
