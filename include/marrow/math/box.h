// Boxes with their sides along the axes, and what a camera sees of them. Deterministic to the bit on every platform.
#pragma once

#include "marrow/math/types.h"

namespace marrow {

// A box; by default with nothing in it, and then `low` is above `high`.
struct Box {
  Vec3 low{3e38f, 3e38f, 3e38f}, high{-3e38f, -3e38f, -3e38f};
};

[[nodiscard]] bool is_empty(const Box& box);

// Returns the smallest box around both. What is not a number is left out.
[[nodiscard]] Box enclose(const Box& a, const Box& b);
[[nodiscard]] Box enclose(const Box& box, Vec3 point);

// Returns the smallest box around what a map makes of a box, made larger by the rounding; infinite where numbers end.
[[nodiscard]] Box transform_box(const Affine& a, const Box& box);

[[nodiscard]] bool contains(const Box& box, Vec3 point);
[[nodiscard]] Vec3 size_of(const Box& box);  // 0 for an empty box

// What a camera sees: the points with a * x + b * y + c * z + d >= 0 for all six planes (a, b, c, d).
struct Frustum {
  Vec4 planes[6];  // left, right, bottom, top, near, far
};

// The depth of what is seen, in clip space: from -w to w (OpenGL) or from 0 to w (WebGPU, Vulkan, Direct3D, Metal).
// With the near and far planes exchanged (reversed depth) the frustum is the same.
enum class ClipDepth { minus_one_to_one, zero_to_one };

// Returns the frustum of a matrix from the world to clip space, column by column. One with an infinite far plane works,
// too.
[[nodiscard]] Frustum frustum_of(const float clip_from_world[16], ClipDepth depth);

// Returns false if the box is surely out of sight: all of it beyond one of the planes. An empty box is. What is in
// sight is never called out of sight; a box near an edge may be called in sight though it is not.
[[nodiscard]] bool intersects(const Frustum& frustum, const Box& box);

}  // namespace marrow
