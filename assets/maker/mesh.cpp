#include "maker/mesh.h"

#include <map>
#include <utility>

namespace marrow::character {

void add_surface(MeshData& mesh, const Surface& surface, const std::vector<Colour>& colours,
                 const std::vector<Vec3>& normals, const std::vector<Influences>& influences) {
  std::map<std::pair<std::uint32_t, Colour>, std::uint32_t> numbers;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t point = surface.triangles[t][i];
      const auto number = static_cast<std::uint32_t>(mesh.positions.size());
      const auto [found, is_new] = numbers.try_emplace({point, colours[t]}, number);
      corners[i] = found->second;
      if (!is_new) continue;
      mesh.positions.push_back(to_vec3(surface.points[point]));
      mesh.normals.push_back(normals[point]);
      mesh.colours.push_back(colours[t]);
      if (!influences.empty()) mesh.influences.push_back(influences[point]);
    }
    mesh.triangles.push_back(corners);
  }
}

std::vector<Vec3> normals_of(const Surface& surface) {
  std::vector<Point> sums(surface.points.size());
  for (const auto& t : surface.triangles) {
    const Point a = surface.points[t[0]], b = surface.points[t[1]], c = surface.points[t[2]];
    const Point across = cross(b - a, c - a);
    for (const std::uint32_t v : t) sums[v] = sums[v] + across;
  }
  std::vector<Vec3> normals;
  normals.reserve(sums.size());
  for (const Point& sum : sums) normals.push_back(to_vec3(normalized(sum)));
  return normals;
}

}  // namespace marrow::character
