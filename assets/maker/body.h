// The character's body as a solid: a smooth union of round cones and ellipsoids around its joints.
#pragma once

#include <array>

#include "maker/polygoniser.h"

namespace marrow::character {

// The distance of a point to the skin: below zero inside. It grows no faster than the point moves away, but for a few
// percent, near the surface.
[[nodiscard]] double body_distance(Point p);

// The distances to the parts that the body is made of, before they flow into each other.
struct BodyParts {
  double torso = 0;                                // with the head
  std::array<double, 2> arms{}, palms{}, legs{};   // left, right
  std::array<std::array<double, 5>, 2> fingers{};  // as in rig.h
};
[[nodiscard]] BodyParts body_parts(Point p);

// The same for the outline of the visor, on the face: below zero on it.
[[nodiscard]] double visor_distance(Point p);
inline constexpr double kVisorSlope = 0.006;  // metres from its outline in which it rises

// How long the edges of the triangles should be: short where the skin curves or bends much.
[[nodiscard]] double body_edge_length(Point p);

// The box that the body is in.
inline constexpr Grid kBodyGrid{{-0.744, -0.024, -0.186}, {0.744, 1.80, 0.222}, 0.006};

}  // namespace marrow::character
