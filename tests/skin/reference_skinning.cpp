#include "skin/reference_skinning.h"

#include <algorithm>

#include "src/math/arithmetic.h"

namespace marrow::test {
namespace {

// An affine map in double: the rows of the 3x3 part, and the translation.
struct Map {
  Vec3d row[3] = {};
  Vec3d translation = {};
};

void add_scaled(Map& to, const Affine& matrix, double weight) {
  for (int r = 0; r < 3; ++r) {
    const auto& m = matrix.m[r];
    to.row[r] = add(to.row[r], scaled({m[0], m[1], m[2]}, weight));
  }
  to.translation = add(to.translation, scaled({matrix.m[0][3], matrix.m[1][3], matrix.m[2][3]}, weight));
}

Vec3d product(const Vec3d (&rows)[3], Vec3d v) { return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)}; }

Map blended(const Vertices& vertices, std::size_t vertex, std::span<const Affine> palette) {
  Map sum;
  if (vertices.influences == 0) {
    add_scaled(sum, palette.empty() ? Affine{} : palette[0], 1);
    return sum;
  }
  for (std::uint32_t i = 0; i < vertices.influences; ++i) {
    const std::size_t at = vertex * vertices.influences + i;
    const auto weight = static_cast<double>(vertices.weights[at]);
    if (weight == 0) continue;
    add_scaled(sum, palette[vertices.joints[at]], weight);
  }
  return sum;
}

// Returns the cofactors of the map times a normal, with the sign of the determinant.
Vec3d normal_product(const Map& map, bool mirrors, Vec3d normal) {
  const Vec3d cofactors[3] = {cross(map.row[1], map.row[2]), cross(map.row[2], map.row[0]),
                              cross(map.row[0], map.row[1])};
  return scaled(product(cofactors, normal), mirrors ? -1 : 1);
}

Vec3d unit(Vec3d v) {
  const double size = length(v);
  return size > 0 && is_finite(size) ? divided(v, size) : Vec3d{};
}

// Returns the value with the targets' deltas added; `member` says which of a target's arrays they are in.
Vec3d morphed(Vec3d value, const Vertices& vertices, Array<Vec3> MorphTarget::*member, std::size_t vertex,
              std::span<const float> weights) {
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const std::span<const Vec3> deltas = vertices.targets[t].*member;
    if (weights[t] != 0 && !deltas.empty()) {
      value = add(value, scaled(widen(deltas[vertex]), static_cast<double>(weights[t])));
    }
  }
  return value;
}

void skin_one(const Vertices& vertices, std::size_t vertex, std::span<const float> weights,
              std::span<const Affine> palette, const SkinnedVertices& out) {
  const Map map = blended(vertices, vertex, palette);
  if (!out.positions.empty()) {
    const Vec3d position =
        morphed(widen(vertices.positions[vertex]), vertices, &MorphTarget::positions, vertex, weights);
    out.positions[vertex] = narrow(add(product(map.row, position), map.translation));
  }
  if (out.normals.empty() && out.tangents.empty()) return;
  const bool mirrors = dot(map.row[0], cross(map.row[1], map.row[2])) < 0;
  if (!out.normals.empty()) {
    const Vec3d normal = morphed(widen(vertices.normals[vertex]), vertices, &MorphTarget::normals, vertex, weights);
    out.normals[vertex] = narrow(unit(normal_product(map, mirrors, normal)));
  }
  if (!out.tangents.empty()) {
    const Vec4& given = vertices.tangents[vertex];
    const Vec3d tangent = morphed({given.x, given.y, given.z}, vertices, &MorphTarget::tangents, vertex, weights);
    const Vec3 moved = narrow(unit(product(map.row, tangent)));
    out.tangents[vertex] = {moved.x, moved.y, moved.z, mirrors ? -given.w : given.w};
  }
}

}  // namespace

void skin_reference(const Vertices& vertices, std::span<const float> morph_weights, std::span<const Affine> palette,
                    const SkinnedVertices& out) {
  const std::span<const float> weights = morph_weights.first(std::min(morph_weights.size(), vertices.targets.size()));
  for (std::size_t vertex = 0; vertex < vertices.positions.size(); ++vertex) {
    skin_one(vertices, vertex, weights, palette, out);
  }
}

}  // namespace marrow::test
