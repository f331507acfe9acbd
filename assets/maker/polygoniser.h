// Makes triangles of a surface that is given by a distance.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "maker/point.h"

namespace marrow::character {

struct Surface {
  std::vector<Point> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // counterclockwise as seen from outside
};

struct Grid {
  Point low, high;  // the surface must be inside
  double cell = 0.01;
};

// The direction in which a distance grows, of length 1; zero where it does not.
[[nodiscard]] Point slope_of(const std::function<double(Point)>& distance, Point p, double step);

// Draws a point onto the surface by a few steps of Newton's method along the slope, none longer than `reach`.
[[nodiscard]] Point drawn_onto(const std::function<double(Point)>& distance, Point p, double reach);

// Dual marching cubes (Nielson, 2004): a point for each piece of the surface in a cell, and a quadrangle for each edge
// of the grid that the surface cuts, so that the surface is closed. The points are then drawn onto the surface. The
// distance may be off, but not above 1.7 times what it should be: where it is large, not every cell is looked at.
[[nodiscard]] Surface polygonise(const std::function<double(Point)>& distance, const Grid& grid);

}  // namespace marrow::character
