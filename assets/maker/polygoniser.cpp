#include "maker/polygoniser.h"

#include <algorithm>
#include <cstddef>

namespace marrow::character {
namespace {

// Corner c of a cell is at (c & 1, c >> 1 & 1, c >> 2). Edges go from a corner along an axis.
constexpr std::uint8_t kEdgeCorners[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                              {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
// The corners of each face in turn.
constexpr std::uint8_t kFaceCorners[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                             {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};

int edge_between(int a, int b) {
  for (int e = 0; e < 12; ++e) {
    if ((kEdgeCorners[e][0] == a && kEdgeCorners[e][1] == b) || (kEdgeCorners[e][0] == b && kEdgeCorners[e][1] == a)) {
      return e;
    }
  }
  return -1;
}

// For each of the 256 ways in which corners can be inside: to which piece of the surface each cut edge belongs.
struct Pieces {
  std::int8_t of_edge[12];  // -1 for edges that are not cut
  std::int8_t count = 0;
};

// On each face the cut edges are joined in pairs; where all four are cut, around the corners that are inside, so that
// both cells at a face do the same.
Pieces find_pieces(int inside) {
  std::array<int, 12> piece;
  for (int e = 0; e < 12; ++e) {
    const bool cut = ((inside >> kEdgeCorners[e][0]) & 1) != ((inside >> kEdgeCorners[e][1]) & 1);
    piece[static_cast<std::size_t>(e)] = cut ? e : -1;
  }
  const auto join = [&](int a, int b) {
    const int from = std::max(piece[static_cast<std::size_t>(a)], piece[static_cast<std::size_t>(b)]);
    const int to = std::min(piece[static_cast<std::size_t>(a)], piece[static_cast<std::size_t>(b)]);
    std::replace(piece.begin(), piece.end(), from, to);
  };
  for (const auto& corners : kFaceCorners) {
    int edges[4], cut[4], cuts = 0;
    for (int i = 0; i < 4; ++i) {
      edges[i] = edge_between(corners[i], corners[(i + 1) % 4]);
      if (piece[static_cast<std::size_t>(edges[i])] >= 0) cut[cuts++] = edges[i];
    }
    if (cuts == 2) join(cut[0], cut[1]);
    if (cuts < 4) continue;
    for (int i = 0; i < 4; ++i) {
      if ((inside >> corners[i]) & 1) join(edges[(i + 3) % 4], edges[i]);
    }
  }
  Pieces pieces;
  std::int8_t number[12];
  std::fill_n(number, 12, std::int8_t{-1});
  for (std::size_t e = 0; e < 12; ++e) {
    pieces.of_edge[e] = -1;
    if (piece[e] < 0) continue;
    std::int8_t& n = number[piece[e]];
    if (n < 0) n = pieces.count++;
    pieces.of_edge[e] = n;
  }
  return pieces;
}

const Pieces& pieces_of(int inside) {
  static const std::array<Pieces, 256> all = [] {
    std::array<Pieces, 256> made;
    for (int i = 0; i < 256; ++i) made[static_cast<std::size_t>(i)] = find_pieces(i);
    return made;
  }();
  return all[static_cast<std::size_t>(inside)];
}

constexpr std::uint32_t kNoPoint = 0xffffffffu;
constexpr std::size_t kBlock = 6;  // corners along an edge of a block

class Polygoniser {
 public:
  Polygoniser(const std::function<double(Point)>& distance, const Grid& grid) : distance_(distance), grid_(grid) {
    const Point size = grid.high - grid.low;
    nx_ = cells(size.x);
    ny_ = cells(size.y);
    nz_ = cells(size.z);
    values_.resize((nx_ + 1) * (ny_ + 1) * (nz_ + 1));
    for (std::size_t z = 0; z <= nz_; z += kBlock) {
      for (std::size_t y = 0; y <= ny_; y += kBlock) {
        for (std::size_t x = 0; x <= nx_; x += kBlock) fill_block(x, y, z);
      }
    }
  }

  Surface run() {
    make_points();
    make_triangles();
    for (Point& p : surface_.points) p = drawn_onto(distance_, p, grid_.cell * 0.5);
    return std::move(surface_);
  }

 private:
  // The corners of a block of cells. Most blocks are far from the surface, so that one distance will do for all.
  void fill_block(std::size_t x0, std::size_t y0, std::size_t z0) {
    const double half = grid_.cell * (kBlock - 1) * 0.5;
    const double middle = distance_(place(x0, y0, z0) + Point{half, half, half});
    const bool far_away = std::fabs(middle) > 3 * half;  // half of the diagonal is 1.73
    for (std::size_t z = z0; z <= std::min(nz_, z0 + kBlock - 1); ++z) {
      for (std::size_t y = y0; y <= std::min(ny_, y0 + kBlock - 1); ++y) {
        for (std::size_t x = x0; x <= std::min(nx_, x0 + kBlock - 1); ++x) {
          values_[corner(x, y, z)] = far_away ? middle : distance_(place(x, y, z));
        }
      }
    }
  }

  [[nodiscard]] std::size_t cells(double length) const { return static_cast<std::size_t>(length / grid_.cell) + 1; }
  [[nodiscard]] std::size_t corner(std::size_t x, std::size_t y, std::size_t z) const {
    return (z * (ny_ + 1) + y) * (nx_ + 1) + x;
  }
  [[nodiscard]] std::size_t cell(std::size_t x, std::size_t y, std::size_t z) const { return (z * ny_ + y) * nx_ + x; }
  [[nodiscard]] Point place(std::size_t x, std::size_t y, std::size_t z) const {
    return grid_.low + Point{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)} * grid_.cell;
  }
  [[nodiscard]] bool is_inside(std::size_t x, std::size_t y, std::size_t z) const {
    return values_[corner(x, y, z)] < 0;
  }
  [[nodiscard]] int inside_of(std::size_t x, std::size_t y, std::size_t z) const {
    int inside = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      if (is_inside(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2))) inside |= 1 << c;
    }
    return inside;
  }

  // The mean of the cuts that a piece has.
  void make_points() {
    first_point_.assign(nx_ * ny_ * nz_, kNoPoint);
    for (std::size_t z = 0; z < nz_; ++z) {
      for (std::size_t y = 0; y < ny_; ++y) {
        for (std::size_t x = 0; x < nx_; ++x) {
          const int inside = inside_of(x, y, z);
          const Pieces& pieces = pieces_of(inside);
          if (pieces.count == 0) continue;
          first_point_[cell(x, y, z)] = static_cast<std::uint32_t>(surface_.points.size());
          for (std::int8_t piece = 0; piece < pieces.count; ++piece) {
            surface_.points.push_back(mean_of_cuts(x, y, z, pieces, piece));
          }
        }
      }
    }
  }

  [[nodiscard]] Point mean_of_cuts(std::size_t x, std::size_t y, std::size_t z, const Pieces& pieces,
                                   std::int8_t piece) const {
    Point sum;
    double count = 0;
    for (std::size_t e = 0; e < 12; ++e) {
      if (pieces.of_edge[e] != piece) continue;
      const std::size_t a = kEdgeCorners[e][0], b = kEdgeCorners[e][1];
      const std::size_t ax = x + (a & 1), ay = y + (a >> 1 & 1), az = z + (a >> 2);
      const std::size_t bx = x + (b & 1), by = y + (b >> 1 & 1), bz = z + (b >> 2);
      const double va = values_[corner(ax, ay, az)], vb = values_[corner(bx, by, bz)];
      sum = sum + lerp(place(ax, ay, az), place(bx, by, bz), va / (va - vb));
      count += 1;
    }
    return sum * (1 / count);
  }

  // A quadrangle for each edge of the grid that is cut, of the pieces that it belongs to in the four cells around it.
  void make_triangles() {
    for (std::size_t z = 1; z < nz_; ++z) {
      for (std::size_t y = 1; y < ny_; ++y) {
        for (std::size_t x = 1; x < nx_; ++x) {
          const bool here = is_inside(x, y, z);
          if (here != is_inside(x + 1, y, z)) {
            add_quad({point_at(x, y - 1, z - 1, 3), point_at(x, y, z - 1, 2), point_at(x, y, z, 0),
                      point_at(x, y - 1, z, 1)},
                     here);
          }
          if (here != is_inside(x, y + 1, z)) {
            add_quad({point_at(x - 1, y, z - 1, 7), point_at(x - 1, y, z, 5), point_at(x, y, z, 4),
                      point_at(x, y, z - 1, 6)},
                     here);
          }
          if (here != is_inside(x, y, z + 1)) {
            add_quad({point_at(x - 1, y - 1, z, 11), point_at(x, y - 1, z, 10), point_at(x, y, z, 8),
                      point_at(x - 1, y, z, 9)},
                     here);
          }
        }
      }
    }
  }

  [[nodiscard]] std::uint32_t point_at(std::size_t x, std::size_t y, std::size_t z, std::size_t edge) const {
    const std::int8_t piece = pieces_of(inside_of(x, y, z)).of_edge[edge];
    return first_point_[cell(x, y, z)] + static_cast<std::uint32_t>(piece);
  }

  // Along its shorter diagonal, so that a thin one does not fold.
  void add_quad(std::array<std::uint32_t, 4> q, bool inside_first) {
    if (!inside_first) std::reverse(q.begin(), q.end());
    const auto& p = surface_.points;
    const Point d02 = p[q[2]] - p[q[0]], d13 = p[q[3]] - p[q[1]];
    if (dot(d02, d02) <= dot(d13, d13)) {
      surface_.triangles.push_back({q[0], q[1], q[2]});
      surface_.triangles.push_back({q[0], q[2], q[3]});
    } else {
      surface_.triangles.push_back({q[0], q[1], q[3]});
      surface_.triangles.push_back({q[1], q[2], q[3]});
    }
  }

  const std::function<double(Point)>& distance_;
  Grid grid_;
  std::size_t nx_ = 0, ny_ = 0, nz_ = 0;
  std::vector<double> values_;              // at the corners
  std::vector<std::uint32_t> first_point_;  // of each cell
  Surface surface_;
};

}  // namespace

namespace {

// Twice the step times the slope.
Point difference(const std::function<double(Point)>& distance, Point p, double step) {
  return {distance({p.x + step, p.y, p.z}) - distance({p.x - step, p.y, p.z}),
          distance({p.x, p.y + step, p.z}) - distance({p.x, p.y - step, p.z}),
          distance({p.x, p.y, p.z + step}) - distance({p.x, p.y, p.z - step})};
}

}  // namespace

Point slope_of(const std::function<double(Point)>& distance, Point p, double step) {
  const Point slope = difference(distance, p, step);
  const double size = length(slope);
  return size > 0 ? slope * (1 / size) : Point{};
}

Point drawn_onto(const std::function<double(Point)>& distance, Point p, double reach) {
  const double h = reach * 0.1;
  for (int i = 0; i < 3; ++i) {
    const double d = distance(p);
    const Point slope = difference(distance, p, h);
    const double square = dot(slope, slope);
    if (square == 0) break;
    Point step = slope * (d * 2 * h / square);
    const double size = length(step);
    if (size > reach) step = step * (reach / size);
    p = p - step;
  }
  return p;
}

Surface polygonise(const std::function<double(Point)>& distance, const Grid& grid) {
  return Polygoniser(distance, grid).run();
}

}  // namespace marrow::character
