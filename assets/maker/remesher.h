// Makes the triangles of a surface even, and as large as each place needs them.
#pragma once

#include <functional>

#include "maker/polygoniser.h"

namespace marrow::character {

struct RemeshOptions {
  std::function<double(Point)> distance;     // of the surface, which points are drawn back onto
  std::function<double(Point)> edge_length;  // that is wanted at a place
  int rounds = 8;
};

// Splits long edges, collapses short ones, turns those between corners that have too many, and evens the points out
// along the surface, round after round (Botsch and Kobbelt, "A Remeshing Approach to Multiresolution Modeling", 2004).
// A closed manifold stays one, with its holes and handles.
[[nodiscard]] Surface remesh(const Surface& surface, const RemeshOptions& options);

}  // namespace marrow::character
