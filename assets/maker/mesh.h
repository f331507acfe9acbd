// A mesh as it goes into a file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "maker/paint.h"
#include "maker/weights.h"
#include "marrow/math/types.h"

namespace marrow::character {

// How far a morph target moves some of the points.
struct MorphTarget {
  std::string name;
  std::vector<std::uint32_t> points;  // ascending
  std::vector<Vec3> positions, normals;
};

struct MeshData {
  std::string name;
  std::vector<Vec3> positions, normals;
  std::vector<Colour> colours;
  std::vector<Influences> influences;  // none for a thing without joints
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<MorphTarget> morphs;
};

// Adds a surface whose triangles have colours: a point between two colours is there once for each.
void add_surface(MeshData& mesh, const Surface& surface, const std::vector<Colour>& colours,
                 const std::vector<Vec3>& normals, const std::vector<Influences>& influences);

// The normals of a surface at its points, from the triangles around them.
[[nodiscard]] std::vector<Vec3> normals_of(const Surface& surface);

}  // namespace marrow::character
