// Which joints move a vertex, and how much.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace marrow {

// `per_vertex` joints and weights for each vertex, one vertex after the other.
struct Influences {
  std::uint32_t per_vertex = 0;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
};

// What normalize_weights found.
struct WeightReport {
  std::uint32_t off = 0;       // vertices whose weights summed to something else than 1, by more than `tolerance`
  std::uint32_t zero = 0;      // vertices without any weight: they follow their first joint
  std::uint32_t negative = 0;  // vertices with weights that were below zero or not finite: they count as zero
  double worst_sum = 1;        // the sum farthest from 1
};

// Makes the weights of every vertex sum to 1. `weights` holds `per_vertex` for each vertex.
WeightReport normalize_weights(std::span<float> weights, std::uint32_t per_vertex, double tolerance = 1e-3);

// Returns the `count` influences with the largest weights of each vertex, largest first (of equal ones the first), with
// their sum made 1 again; weights of zero follow with joint 0. For GPUs, that take four.
[[nodiscard]] Influences reduce_influences(std::span<const std::uint16_t> joints, std::span<const float> weights,
                                           std::uint32_t per_vertex, std::uint32_t count = 4);

}  // namespace marrow
