// Joints and weights made ready for skinning (skinning.h), once for a mesh.
//
// Neighbours in a mesh mostly follow the same few joints. So the vertices are taken eight at a time, with all the
// joints that any of the eight follows: the matrices of these are then fetched once for all, and blended in all eight
// at once. That is about twice as fast as four fetched for each vertex. Immutable and safe to share between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/skin/vertices.h"

namespace marrow {

class InfluenceGroups {
 public:
  // No vertices.
  InfluenceGroups() = default;

  // Groups the influences of `weights.size() / per_vertex` vertices. Weights of zero are left out. `joints` is as long
  // as `weights`.
  InfluenceGroups(std::span<const std::uint16_t> joints, std::span<const float> weights, std::uint32_t per_vertex);
  explicit InfluenceGroups(const Vertices& vertices);

  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }

  [[nodiscard]] std::uint32_t joint_end() const { return joint_end_; }  // one past the largest joint

  // How many joints a group has on the average; the time that skinning takes goes with it. Above seven or so (four with
  // four lanes, fourteen with one) it is faster without groups: the mesh wants its vertices in another order.
  [[nodiscard]] double joints_per_group() const;

  // For the library: the joints of group g are from first()[g] to first()[g + 1], in rising order, and with each goes
  // its weight in the eight vertices. There is at least one. The last group is filled up with vertices that follow
  // nothing.
  [[nodiscard]] std::span<const std::uint32_t> first() const { return first_; }
  [[nodiscard]] std::span<const std::uint32_t> joints() const { return joints_; }
  [[nodiscard]] std::span<const float> weights() const { return weights_; }

 private:
  std::size_t vertex_count_ = 0;
  std::uint32_t joint_end_ = 0;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> joints_;
  std::vector<float> weights_;
};

}  // namespace marrow
