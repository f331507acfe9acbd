#include "marrow/skin/influence_groups.h"

#include <algorithm>

#include "marrow/core/assert.h"

namespace marrow {
namespace {

constexpr std::size_t kSize = 8;  // vertices of a group

struct Influence {
  std::uint32_t joint, vertex;  // the vertex of the group
  float weight;
};

}  // namespace

InfluenceGroups::InfluenceGroups(std::span<const std::uint16_t> joints, std::span<const float> weights,
                                 std::uint32_t per_vertex) {
  MARROW_ASSERT(joints.size() == weights.size(), "there must be a weight for each joint");
  MARROW_ASSERT(per_vertex > 0 && joints.size() % per_vertex == 0, "the joints are not so many for each vertex");
  vertex_count_ = weights.size() / per_vertex;
  first_.push_back(0);
  std::vector<Influence> found;
  for (std::size_t start = 0; start < vertex_count_; start += kSize) {
    const std::size_t end = std::min(start + kSize, vertex_count_);
    found.clear();
    for (std::size_t i = start * per_vertex; i < end * per_vertex; ++i) {
      if (weights[i] == 0) continue;
      found.push_back({joints[i], static_cast<std::uint32_t>(i / per_vertex - start), weights[i]});
    }
    if (found.empty()) found.push_back({0, 0, 0});  // a group has at least one joint
    std::stable_sort(found.begin(), found.end(),
                     [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (i == 0 || found[i].joint != found[i - 1].joint) {
        joints_.push_back(found[i].joint);
        weights_.insert(weights_.end(), kSize, 0.0f);
      }
      weights_[weights_.size() - kSize + found[i].vertex] += found[i].weight;  // a vertex may name a joint twice
    }
    first_.push_back(static_cast<std::uint32_t>(joints_.size()));
  }
  if (!joints_.empty()) joint_end_ = *std::max_element(joints_.begin(), joints_.end()) + 1;
}

InfluenceGroups::InfluenceGroups(const Vertices& vertices)
    : InfluenceGroups(vertices.joints, vertices.weights, vertices.influences) {}

double InfluenceGroups::joints_per_group() const {
  return first_.size() < 2 ? 0.0 : static_cast<double>(joints_.size()) / static_cast<double>(first_.size() - 1);
}

}  // namespace marrow
