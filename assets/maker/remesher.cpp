#include "maker/remesher.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace marrow::character {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

// Where the rounds split and collapse, relative to the wanted length: an edge that is split is not collapsed next.
constexpr double kLong = 4.0 / 3, kShort = 4.0 / 5;
constexpr std::size_t kBestValence = 6;

class Remesher {
 public:
  Remesher(const Surface& surface, const RemeshOptions& options)
      : options_(options), points_(surface.points), triangles_(surface.triangles), around_(surface.points.size()) {
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      for (const std::uint32_t v : triangles_[t]) around_[v].push_back(t);
    }
  }

  Surface run() {
    for (int round = 0; round < options_.rounds; ++round) {
      for_each_edge([this](std::uint32_t a, std::uint32_t b) { split_if_long(a, b); });
      for_each_edge([this](std::uint32_t a, std::uint32_t b) { collapse_if_short(a, b); });
      for_each_edge([this](std::uint32_t a, std::uint32_t b) { turn_if_better(a, b); });
      relax();
    }
    return compact();
  }

 private:
  // A triangle that is gone has the same corner thrice.
  [[nodiscard]] bool is_gone(std::uint32_t t) const { return triangles_[t][0] == triangles_[t][1]; }

  // Calls for each edge that is there when it starts, once; what is done to one may take others away.
  template <typename Visit>
  void for_each_edge(const Visit& visit) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      if (is_gone(t)) continue;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t a = triangles_[t][i], b = triangles_[t][(i + 1) % 3];
        if (a < b) edges.emplace_back(a, b);
      }
    }
    for (const auto& [a, b] : edges) {
      if (is_edge(a, b)) visit(a, b);
    }
  }

  [[nodiscard]] bool has(std::uint32_t t, std::uint32_t v) const {
    return triangles_[t][0] == v || triangles_[t][1] == v || triangles_[t][2] == v;
  }
  [[nodiscard]] bool is_edge(std::uint32_t a, std::uint32_t b) const {
    return std::any_of(around_[a].begin(), around_[a].end(), [&](std::uint32_t t) { return has(t, b); });
  }

  // The triangle in which b comes after a, and its third corner.
  struct Side {
    std::uint32_t triangle, opposite;
  };
  [[nodiscard]] std::optional<Side> side(std::uint32_t a, std::uint32_t b) const {
    for (const std::uint32_t t : around_[a]) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (triangles_[t][i] == a && triangles_[t][(i + 1) % 3] == b) return Side{t, triangles_[t][(i + 2) % 3]};
      }
    }
    return {};
  }

  [[nodiscard]] double relative_length(std::uint32_t a, std::uint32_t b) const {
    return length(points_[b] - points_[a]) / options_.edge_length(lerp(points_[a], points_[b], 0.5));
  }

  [[nodiscard]] Point normal(const Triangle& t) const {
    return cross(points_[t[1]] - points_[t[0]], points_[t[2]] - points_[t[0]]);
  }

  void replace_corner(std::uint32_t t, std::uint32_t from, std::uint32_t to) {
    std::replace(triangles_[t].begin(), triangles_[t].end(), from, to);
  }
  void leave(std::uint32_t v, std::uint32_t t) { std::erase(around_[v], t); }

  void split_if_long(std::uint32_t a, std::uint32_t b) {
    if (relative_length(a, b) <= kLong) return;
    const auto left = side(a, b), right = side(b, a);
    if (!left || !right) return;
    const auto middle = static_cast<std::uint32_t>(points_.size());
    points_.push_back(drawn(lerp(points_[a], points_[b], 0.5)));
    around_.emplace_back();
    // Each of the two keeps the half at a; the half at b is new.
    for (const Side& s : {*left, *right}) {
      const auto added = static_cast<std::uint32_t>(triangles_.size());
      Triangle half = triangles_[s.triangle];
      std::replace(half.begin(), half.end(), a, middle);
      triangles_.push_back(half);
      replace_corner(s.triangle, b, middle);
      leave(b, s.triangle);
      around_[b].push_back(added);
      around_[s.opposite].push_back(added);
      around_[middle].push_back(s.triangle);
      around_[middle].push_back(added);
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> neighbours(std::uint32_t v) const {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t t : around_[v]) {
      for (const std::uint32_t corner : triangles_[t]) {
        if (corner != v) found.push_back(corner);
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  // True if the triangles around v, but those at `other`, keep their side when v goes to `place`, and no edge gets
  // long.
  [[nodiscard]] bool can_move(std::uint32_t v, std::uint32_t other, Point place) const {
    for (const std::uint32_t t : around_[v]) {
      if (has(t, other)) continue;
      Point moved[3];
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t corner = triangles_[t][i];
        moved[i] = corner == v ? place : points_[corner];
        if (corner != v && length(moved[i] - place) > kLong * options_.edge_length(place)) return false;
      }
      const Point before = normal(triangles_[t]), after = cross(moved[1] - moved[0], moved[2] - moved[0]);
      if (dot(before, after) <= 0.2 * length(before) * length(after)) return false;
    }
    return true;
  }

  void collapse_if_short(std::uint32_t a, std::uint32_t b) {
    if (relative_length(a, b) >= kShort) return;
    const auto left = side(a, b), right = side(b, a);
    if (!left || !right) return;
    // The corners that both have as neighbours must be those of the two triangles alone, or a handle would close.
    std::vector<std::uint32_t> common;
    const std::vector<std::uint32_t> near_a = neighbours(a), near_b = neighbours(b);
    std::set_intersection(near_a.begin(), near_a.end(), near_b.begin(), near_b.end(), std::back_inserter(common));
    if (common.size() != 2 || around_[left->opposite].size() <= 3 || around_[right->opposite].size() <= 3) return;
    const Point place = drawn(lerp(points_[a], points_[b], 0.5));
    if (!can_move(a, b, place) || !can_move(b, a, place)) return;
    for (const Side& s : {*left, *right}) {
      for (const std::uint32_t v : {a, b, s.opposite}) leave(v, s.triangle);
      triangles_[s.triangle] = {0, 0, 0};
    }
    for (const std::uint32_t t : around_[b]) {
      replace_corner(t, b, a);
      around_[a].push_back(t);
    }
    around_[b].clear();
    points_[a] = place;
  }

  [[nodiscard]] static long excess(std::size_t valence) {
    const long off = static_cast<long>(valence) - static_cast<long>(kBestValence);
    return off * off;
  }

  void turn_if_better(std::uint32_t a, std::uint32_t b) {
    const auto left = side(a, b), right = side(b, a);
    if (!left || !right) return;
    const std::uint32_t c = left->opposite, d = right->opposite;
    if (c == d || is_edge(c, d)) return;
    const std::size_t va = around_[a].size(), vb = around_[b].size(), vc = around_[c].size(), vd = around_[d].size();
    if (va <= 3 || vb <= 3) return;
    const long before = excess(va) + excess(vb) + excess(vc) + excess(vd);
    const long after = excess(va - 1) + excess(vb - 1) + excess(vc + 1) + excess(vd + 1);
    if (after >= before) return;
    const Triangle first = {a, d, c}, second = {d, b, c};
    const Point n = normal(triangles_[left->triangle]) + normal(triangles_[right->triangle]);
    for (const Triangle& t : {first, second}) {
      const Point made = normal(t);
      if (dot(made, n) <= 0.5 * length(made) * length(n)) return;
    }
    triangles_[left->triangle] = first;
    triangles_[right->triangle] = second;
    leave(a, right->triangle);
    leave(b, left->triangle);
    around_[d].push_back(left->triangle);
    around_[c].push_back(right->triangle);
  }

  // Each point goes to the middle of its neighbours, but only along the surface.
  void relax() {
    std::vector<Point> relaxed = points_;
    for (std::uint32_t v = 0; v < points_.size(); ++v) {
      if (around_[v].empty()) continue;
      Point middle, n;
      double weights = 0;
      for (const std::uint32_t t : around_[v]) {
        const Point across = normal(triangles_[t]);
        const double area = length(across);
        const Triangle& corners = triangles_[t];
        const Point center = (points_[corners[0]] + points_[corners[1]] + points_[corners[2]]) * (1.0 / 3);
        const double wanted = options_.edge_length(center);
        middle = middle + center * (area / (wanted * wanted));
        weights += area / (wanted * wanted);
        n = n + across;
      }
      const double square = dot(n, n);
      if (weights == 0 || square == 0) continue;
      Point step = middle * (1 / weights) - points_[v];
      step = step - n * (dot(step, n) / square);
      relaxed[v] = drawn(points_[v] + step * 0.7);
    }
    for (std::uint32_t v = 0; v < points_.size(); ++v) {
      if (!around_[v].empty() && keeps_sides(v, relaxed[v])) points_[v] = relaxed[v];
    }
  }

  [[nodiscard]] bool keeps_sides(std::uint32_t v, Point place) const {
    for (const std::uint32_t t : around_[v]) {
      Point moved[3];
      for (std::size_t i = 0; i < 3; ++i) moved[i] = triangles_[t][i] == v ? place : points_[triangles_[t][i]];
      if (dot(normal(triangles_[t]), cross(moved[1] - moved[0], moved[2] - moved[0])) <= 0) return false;
    }
    return true;
  }

  [[nodiscard]] Point drawn(Point p) const { return drawn_onto(options_.distance, p, options_.edge_length(p) * 0.5); }

  [[nodiscard]] Surface compact() const {
    Surface out;
    std::vector<std::uint32_t> number(points_.size());
    for (std::uint32_t v = 0; v < points_.size(); ++v) {
      if (around_[v].empty()) continue;
      number[v] = static_cast<std::uint32_t>(out.points.size());
      out.points.push_back(points_[v]);
    }
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      const Triangle& corners = triangles_[t];
      if (!is_gone(t)) out.triangles.push_back({number[corners[0]], number[corners[1]], number[corners[2]]});
    }
    return out;
  }

  const RemeshOptions& options_;
  std::vector<Point> points_;
  std::vector<Triangle> triangles_;
  std::vector<std::vector<std::uint32_t>> around_;  // triangles at each point; none if it is gone
};

}  // namespace

Surface remesh(const Surface& surface, const RemeshOptions& options) { return Remesher(surface, options).run(); }

}  // namespace marrow::character
