#include "maker/cutter.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace marrow::character {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

class Cutter {
 public:
  Cutter(const Surface& surface, const CutOptions& options) : options_(options), out_{surface.points, {}} {
    sides_.reserve(out_.points.size());
    for (const Point& p : out_.points) sides_.push_back(is_here(p) ? options.line(p) : 0);
    snap(surface);
    for (const Triangle& t : surface.triangles) add(t);
  }

  Surface take() { return std::move(out_); }

 private:
  [[nodiscard]] bool is_here(Point p) const { return !options_.where || options_.where(p); }

  // Moves what is near the line onto it, unless a triangle would turn over, so that no thin triangles are cut off.
  void snap(const Surface& surface) {
    std::vector<double> shortest(out_.points.size(), 1e9);
    std::vector<std::vector<std::uint32_t>> around(out_.points.size());
    for (std::uint32_t t = 0; t < surface.triangles.size(); ++t) {
      const Triangle& corners = surface.triangles[t];
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t a = corners[i], b = corners[(i + 1) % 3];
        const double edge = length(out_.points[b] - out_.points[a]);
        for (const std::uint32_t v : {a, b}) shortest[v] = std::min(shortest[v], edge);
        around[a].push_back(t);
      }
    }
    for (std::uint32_t v = 0; v < out_.points.size(); ++v) {
      const double reach = shortest[v] * options_.snap;
      if (std::fabs(sides_[v]) > reach || !is_here(out_.points[v])) continue;
      const Point place = on_line(out_.points[v], reach);
      const bool keeps_sides = std::all_of(around[v].begin(), around[v].end(), [&](std::uint32_t t) {
        Point before[3], after[3];
        for (std::size_t i = 0; i < 3; ++i) {
          const std::uint32_t corner = surface.triangles[t][i];
          before[i] = out_.points[corner];
          after[i] = corner == v ? place : before[i];
        }
        const Point n = cross(before[1] - before[0], before[2] - before[0]);
        const Point m = cross(after[1] - after[0], after[2] - after[0]);
        return dot(n, m) > 0.3 * length(n) * length(m);
      });
      if (!keeps_sides || std::fabs(options_.line(place)) > reach * 0.01) continue;
      out_.points[v] = place;
      sides_[v] = 0;
    }
  }

  // Goes to the line and to the surface in turns.
  [[nodiscard]] Point on_line(Point p, double reach) const {
    for (int i = 0; i < 6; ++i) {
      p = drawn_onto(options_.line, p, reach);
      p = drawn_onto(options_.distance, p, reach);
    }
    return p;
  }

  // The point where the line crosses an edge.
  std::uint32_t crossing(std::uint32_t a, std::uint32_t b) {
    const auto key = std::minmax(a, b);
    const auto [found, is_new] = crossings_.try_emplace(key, static_cast<std::uint32_t>(out_.points.size()));
    if (is_new) {
      const auto [first, last] = key;
      double low = 0, high = 1;
      for (int i = 0; i < 40; ++i) {  // the line may be far from straight along an edge
        const double middle = (low + high) * 0.5;
        const bool same =
            (options_.line(lerp(out_.points[first], out_.points[last], middle)) < 0) == (sides_[first] < 0);
        (same ? low : high) = middle;
      }
      const double reach = length(out_.points[last] - out_.points[first]) * 0.2;
      out_.points.push_back(on_line(lerp(out_.points[first], out_.points[last], low), reach));
      sides_.push_back(0);
    }
    return found->second;
  }

  [[nodiscard]] bool crosses(std::uint32_t a, std::uint32_t b) const {
    return (sides_[a] < 0 && sides_[b] > 0) || (sides_[a] > 0 && sides_[b] < 0);
  }

  void add(const Triangle& t) {
    for (std::size_t i = 0; i < 3; ++i) {
      // One corner alone at its side: i. Or on the line, with the other two apart.
      const std::uint32_t a = t[i], b = t[(i + 1) % 3], c = t[(i + 2) % 3];
      if (crosses(a, b) && crosses(a, c)) {
        const std::uint32_t ab = crossing(a, b), ac = crossing(a, c);
        out_.triangles.push_back({a, ab, ac});
        if (length(out_.points[ab] - out_.points[c]) < length(out_.points[ac] - out_.points[b])) {
          out_.triangles.push_back({ab, b, c});
          out_.triangles.push_back({ab, c, ac});
        } else {
          out_.triangles.push_back({ab, b, ac});
          out_.triangles.push_back({b, c, ac});
        }
        return;
      }
      if (sides_[a] == 0 && crosses(b, c)) {
        const std::uint32_t bc = crossing(b, c);
        out_.triangles.push_back({a, b, bc});
        out_.triangles.push_back({a, bc, c});
        return;
      }
    }
    out_.triangles.push_back(t);
  }

  const CutOptions& options_;
  Surface out_;
  std::vector<double> sides_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> crossings_;
};

}  // namespace

Surface cut(const Surface& surface, const CutOptions& options) { return Cutter(surface, options).take(); }

}  // namespace marrow::character
