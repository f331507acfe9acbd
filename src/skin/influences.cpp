#include "marrow/skin/influences.h"

#include <algorithm>

#include "marrow/core/assert.h"
#include "src/skin/imports.h"

namespace marrow {
namespace {

void normalize_vertex(float* weights, std::uint32_t count, double tolerance, WeightReport& report) {
  double sum = 0;
  bool negative = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!is_weight(weights[i])) {
      negative = true;
      weights[i] = 0;
    }
    sum += static_cast<double>(weights[i]);
  }
  if (negative) ++report.negative;
  if (!(sum > 0)) {
    ++report.zero;
    weights[0] = 1;
    return;
  }
  if (sum == 1) return;
  const double off = sum > 1 ? sum - 1 : 1 - sum;
  if (off > tolerance) ++report.off;
  const double worst = report.worst_sum > 1 ? report.worst_sum - 1 : 1 - report.worst_sum;
  if (off > worst) report.worst_sum = sum;
  for (std::uint32_t i = 0; i < count; ++i) weights[i] = static_cast<float>(static_cast<double>(weights[i]) / sum);
}

}  // namespace

WeightReport normalize_weights(std::span<float> weights, std::uint32_t per_vertex, double tolerance) {
  WeightReport report;
  if (per_vertex == 0) return report;
  MARROW_ASSERT(weights.size() % per_vertex == 0, "the weights are not so many for each vertex");
  exactly([&] {
    for (std::size_t at = 0; at < weights.size(); at += per_vertex) {
      normalize_vertex(weights.data() + at, per_vertex, tolerance, report);
    }
    return 0;
  });
  return report;
}

Influences reduce_influences(std::span<const std::uint16_t> joints, std::span<const float> weights,
                             std::uint32_t per_vertex, std::uint32_t count) {
  MARROW_ASSERT(joints.size() == weights.size(), "there must be a weight for each joint");
  MARROW_ASSERT(per_vertex > 0 && joints.size() % per_vertex == 0, "the joints are not so many for each vertex");
  MARROW_ASSERT(count > 0, "a vertex needs at least one influence");
  const std::size_t vertices = joints.size() / per_vertex;
  Influences out{count, std::vector<std::uint16_t>(vertices * count), std::vector<float>(vertices * count)};
  std::vector<std::uint32_t> order(per_vertex);
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    const std::size_t from = vertex * per_vertex, to = vertex * count;
    for (std::uint32_t i = 0; i < per_vertex; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return weights[from + a] > weights[from + b]; });
    for (std::uint32_t i = 0; i < std::min(per_vertex, count); ++i) {
      if (!(weights[from + order[i]] > 0)) break;
      out.joints[to + i] = joints[from + order[i]];
      out.weights[to + i] = weights[from + order[i]];
    }
  }
  normalize_weights(out.weights, count);
  return out;
}

}  // namespace marrow
