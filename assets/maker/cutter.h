// Cuts the triangles of a surface along a line that is drawn on it.
#pragma once

#include <functional>

#include "maker/polygoniser.h"

namespace marrow::character {

struct CutOptions {
  std::function<double(Point)> distance;  // of the surface, which new points are drawn onto
  std::function<double(Point)> line;      // zero on the line, and of different signs at its sides; about a distance
  std::function<bool(Point)> where;       // the line is only here; may be empty
  double snap = 0.3;  // points that are nearer to the line than this part of their edges are moved to it
};

// Returns the surface with edges all along the line: no triangle is at both sides of it, but where it crosses an edge
// twice. A closed manifold stays one.
[[nodiscard]] Surface cut(const Surface& surface, const CutOptions& options);

}  // namespace marrow::character
