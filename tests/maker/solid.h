// Questions to a mesh about its shape. Points at the same place count as one, whatever else of them differs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "marrow/math/types.h"

namespace marrow::test {

class Solid {
 public:
  Solid(std::span<const Vec3> positions, std::span<const std::uint32_t> indices);

  [[nodiscard]] std::size_t open_edges() const;      // that have no triangle at the other side
  [[nodiscard]] std::size_t crowded_edges() const;   // that two triangles have in the same direction
  [[nodiscard]] std::size_t pinched_points() const;  // whose triangles are no single fan
  [[nodiscard]] std::size_t pieces() const;
  [[nodiscard]] long euler_characteristic() const;
  [[nodiscard]] std::size_t loops() const;  // of open edges
  [[nodiscard]] double smallest_angle_degrees() const;

  // The volume inside, with the points at these places.
  [[nodiscard]] double volume(std::span<const Vec3> positions) const;

  // The same with each loop of open edges closed by triangles to its middle.
  [[nodiscard]] double capped_volume(std::span<const Vec3> positions) const;

 private:
  struct Edge {
    std::uint32_t from, to;
  };
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> open_loops() const;

  std::vector<std::uint32_t> triangles_;  // of points that stand for all at their place
  std::vector<Vec3> rest_;
};

// How many edges of the triangles of one part go through triangles of the other.
[[nodiscard]] std::size_t crossings(std::span<const Vec3> positions, std::span<const std::uint32_t> a,
                                    std::span<const std::uint32_t> b);

}  // namespace marrow::test
