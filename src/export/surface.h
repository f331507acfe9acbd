// What the vertices of a mesh need before they can be packed: texture coordinates, colors and normals. Internal.
#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include "marrow/model/material.h"
#include "marrow/model/mesh.h"

namespace marrow {

// How texture coordinates come from those of a mesh: turned, scaled and moved as the material has it, then moved by
// whole numbers.
struct UvMap {
  std::uint32_t set = 0;
  float m[2][3] = {{1, 0, 0}, {0, 1, 0}};
  friend auto operator<=>(const UvMap&, const UvMap&) = default;
};

// Returns the map for vertices with a material (null for none). Where the picture repeats and the coordinates fit
// between two whole numbers, it takes them into 0 to 1.
[[nodiscard]] UvMap uv_map(const Material* material, const Vertices& vertices);

// Appends a texture coordinate for each vertex; (0, 0) where there are none.
void append_uvs(const Vertices& vertices, const UvMap& map, Array<Vec2>& out);

// Appends a color for each vertex, white where there are none; between 0 and 1 if they are to be clamped. Returns how
// many were.
std::size_t append_colors(const Vertices& vertices, bool clamp, Array<Vec4>& out);

// Makes the normals that have no length from the triangles around them, of all parts of the mesh that have these
// vertices; upright where these have no area. Their corners go the other way round if they are mirrored. All normals
// have length 1 then. Returns how many were made.
std::size_t fill_normals(const Mesh& mesh, const Vertices& vertices, std::span<const Vec3> positions, bool mirrored,
                         std::span<Vec3> normals);

struct UvRange {
  float low = 0, high = 0;
  std::size_t vertex = 0;  // the one that is farthest out
};
[[nodiscard]] UvRange uv_range(std::span<const Vec2> uvs);

// Returns true for a range that 16-bit numbers from 0 to 1 can have.
[[nodiscard]] bool fits_packed(const UvRange& range);

}  // namespace marrow
