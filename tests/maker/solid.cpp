#include "maker/solid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace marrow::test {
namespace {

struct Double3 {
  double x, y, z;
};
Double3 operator-(Double3 a, Double3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Double3 cross(Double3 a, Double3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double dot(Double3 a, Double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Double3 at(std::span<const Vec3> positions, std::uint32_t i) {
  return {positions[i].x, positions[i].y, positions[i].z};
}

double tetrahedron(Double3 a, Double3 b, Double3 c) { return dot(a, cross(b, c)) / 6; }

using Directed = std::pair<std::uint32_t, std::uint32_t>;

std::map<Directed, std::size_t> directed_edges(const std::vector<std::uint32_t>& triangles) {
  std::map<Directed, std::size_t> edges;
  for (std::size_t i = 0; i < triangles.size(); ++i) ++edges[{triangles[i], triangles[i % 3 == 2 ? i - 2 : i + 1]}];
  return edges;
}

bool crosses(Double3 p, Double3 q, Double3 a, Double3 b, Double3 c) {
  const Double3 n = cross(b - a, c - a);
  const double dp = dot(n, p - a), dq = dot(n, q - a);
  if ((dp > 0) == (dq > 0)) return false;
  const Double3 d = q - p;
  const double u = dot(d, cross(a - p, b - p)), v = dot(d, cross(b - p, c - p)), w = dot(d, cross(c - p, a - p));
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

}  // namespace

Solid::Solid(std::span<const Vec3> positions, std::span<const std::uint32_t> indices)
    : rest_(positions.begin(), positions.end()) {
  std::map<std::tuple<float, float, float>, std::uint32_t> first;
  for (const std::uint32_t i : indices) {
    triangles_.push_back(first.try_emplace({positions[i].x, positions[i].y, positions[i].z}, i).first->second);
  }
}

std::size_t Solid::open_edges() const {
  const auto edges = directed_edges(triangles_);
  return static_cast<std::size_t>(std::count_if(edges.begin(), edges.end(), [&](const auto& edge) {
    return !edges.contains({edge.first.second, edge.first.first});
  }));
}

std::size_t Solid::crowded_edges() const {
  const auto edges = directed_edges(triangles_);
  return static_cast<std::size_t>(
      std::count_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.second > 1; }));
}

std::size_t Solid::pinched_points() const {
  // Around each point: from one neighbour to the next. Going round must pass all of them.
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> next;
  for (std::size_t t = 0; t < triangles_.size(); t += 3) {
    for (std::size_t i = 0; i < 3; ++i) {
      next[triangles_[t + i]][triangles_[t + (i + 1) % 3]] = triangles_[t + (i + 2) % 3];
    }
  }
  std::size_t pinched = 0;
  for (const auto& [point, around] : next) {
    std::uint32_t neighbour = around.begin()->first;
    std::size_t steps = 0;
    do {
      const auto found = around.find(neighbour);
      if (found == around.end()) break;
      neighbour = found->second;
      ++steps;
    } while (neighbour != around.begin()->first && steps <= around.size());
    pinched += steps == around.size() ? 0 : 1;
  }
  return pinched;
}

std::size_t Solid::pieces() const {
  std::vector<std::uint32_t> parent(rest_.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (std::size_t i = 0; i < triangles_.size(); ++i) parent[root(triangles_[i])] = root(triangles_[i / 3 * 3]);
  std::set<std::uint32_t> roots;
  for (const std::uint32_t i : triangles_) roots.insert(root(i));
  return roots.size();
}

long Solid::euler_characteristic() const {
  const std::set<std::uint32_t> points(triangles_.begin(), triangles_.end());
  std::set<Directed> edges;
  for (const auto& [edge, count] : directed_edges(triangles_)) edges.insert(std::minmax(edge.first, edge.second));
  return static_cast<long>(points.size()) - static_cast<long>(edges.size()) + static_cast<long>(triangles_.size() / 3);
}

std::vector<std::vector<std::uint32_t>> Solid::open_loops() const {
  const auto edges = directed_edges(triangles_);
  std::map<std::uint32_t, std::uint32_t> next;
  for (const auto& [edge, count] : edges) {
    if (!edges.contains({edge.second, edge.first})) next[edge.first] = edge.second;
  }
  std::vector<std::vector<std::uint32_t>> found;
  while (!next.empty()) {
    found.emplace_back();
    for (auto step = next.begin(); step != next.end(); step = next.find(found.back().back())) {
      if (found.back().empty()) found.back().push_back(step->first);
      found.back().push_back(step->second);
      next.erase(step);
    }
    found.back().pop_back();  // the first again
  }
  return found;
}

std::size_t Solid::loops() const { return open_loops().size(); }

double Solid::smallest_angle_degrees() const {
  double least = 180;
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    const std::size_t t = i / 3 * 3;
    const Double3 a = at(rest_, triangles_[i]), b = at(rest_, triangles_[t + (i + 1) % 3]),
                  c = at(rest_, triangles_[t + (i + 2) % 3]);
    const Double3 n = cross(b - a, c - a);
    least = std::min(least, std::atan2(std::sqrt(dot(n, n)), dot(b - a, c - a)) * 57.29577951308232);
  }
  return least;
}

double Solid::volume(std::span<const Vec3> positions) const {
  double sum = 0;
  for (std::size_t t = 0; t < triangles_.size(); t += 3) {
    sum +=
        tetrahedron(at(positions, triangles_[t]), at(positions, triangles_[t + 1]), at(positions, triangles_[t + 2]));
  }
  return sum;
}

double Solid::capped_volume(std::span<const Vec3> positions) const {
  double sum = volume(positions);
  for (const auto& loop : open_loops()) {
    Double3 middle{0, 0, 0};
    for (const std::uint32_t i : loop) {
      const Double3 p = at(positions, i);
      middle = {middle.x + p.x / static_cast<double>(loop.size()), middle.y + p.y / static_cast<double>(loop.size()),
                middle.z + p.z / static_cast<double>(loop.size())};
    }
    for (std::size_t i = 0; i < loop.size(); ++i) {
      sum += tetrahedron(middle, at(positions, loop[(i + 1) % loop.size()]), at(positions, loop[i]));
    }
  }
  return sum;
}

std::size_t crossings(std::span<const Vec3> positions, std::span<const std::uint32_t> a,
                      std::span<const std::uint32_t> b) {
  std::size_t found = 0;
  const auto count = [&](std::span<const std::uint32_t> edges, std::span<const std::uint32_t> triangles) {
    // Only what is in reach of the other part is looked at closely.
    float low = 3e38f, high = -3e38f;
    for (const std::uint32_t i : triangles) {
      low = std::min(low, positions[i].x);
      high = std::max(high, positions[i].x);
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Vec3 from = positions[edges[i]], to = positions[edges[i % 3 == 2 ? i - 2 : i + 1]];
      if (std::max(from.x, to.x) < low || std::min(from.x, to.x) > high) continue;
      for (std::size_t t = 0; t < triangles.size(); t += 3) {
        const Vec3 p = positions[triangles[t]];
        if (std::fabs(p.y - from.y) > 0.1f) continue;
        if (crosses({from.x, from.y, from.z}, {to.x, to.y, to.z}, at(positions, triangles[t]),
                    at(positions, triangles[t + 1]), at(positions, triangles[t + 2]))) {
          ++found;
        }
      }
    }
  };
  count(a, b);
  count(b, a);
  return found;
}

}  // namespace marrow::test
