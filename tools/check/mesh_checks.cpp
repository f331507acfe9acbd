#include <algorithm>
#include <cmath>

#include "check.h"
#include "text.h"

namespace marrow::tool {
namespace {

// Twice the area that a triangle must have, for its longest side squared.
constexpr double kLeastArea = 1e-7;

struct Vec3d {
  double x, y, z;
};

Vec3d minus(Vec3 a, Vec3 b) {
  return {static_cast<double>(a.x) - static_cast<double>(b.x), static_cast<double>(a.y) - static_cast<double>(b.y),
          static_cast<double>(a.z) - static_cast<double>(b.z)};
}

double squared(Vec3d v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

bool has_area(Vec3 a, Vec3 b, Vec3 c) {
  const Vec3d u = minus(b, a), v = minus(c, a), w = minus(c, b);
  const Vec3d cross = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  return std::sqrt(squared(cross)) > kLeastArea * std::max({squared(u), squared(v), squared(w)});
}

std::size_t count_degenerate(const MeshPart& part) {
  if (part.topology != Topology::triangles) return 0;
  const std::span<const Vec3> at = part.vertices->positions;
  std::size_t count = 0;
  for (std::size_t i = 0; i + 3 <= part.indices.size(); i += 3) {
    if (!has_area(at[part.indices[i]], at[part.indices[i + 1]], at[part.indices[i + 2]])) ++count;
  }
  return count;
}

void check_part(const Model& model, const Mesh& mesh, const MeshPart& part, const Place& place, Findings& out) {
  const Vertices& vertices = *part.vertices;
  if (vertices.positions.empty()) return;
  const Material fallback;
  const Material& material =
      part.material == kNone ? fallback : model.materials()[static_cast<std::size_t>(part.material)];
  const std::string name = mesh.name.empty() ? "" : in_quotes(mesh.name);
  if (part.topology == Topology::triangles && vertices.normals.empty() && !material.unlit) {
    out.push_back({Rule::missing_normals, place, name});
  }
  const TextureUse& texture = material.base_color_texture;
  if (texture.image != kNone && texture.uv_set >= vertices.uvs.size()) {
    out.push_back({Rule::missing_uvs, place,
                   "TEXCOORD_" + std::to_string(texture.uv_set) + " for the material " + in_quotes(material.name)});
  }
  if (const std::size_t bad = count_degenerate(part); bad > 0) {
    out.push_back(
        {Rule::degenerate_triangles, place,
         grouped(bad) + " of " + count_of(part.indices.size() / 3, "triangle") + (name.empty() ? "" : " of " + name)});
  }
}

}  // namespace

Findings check_meshes(const Subject& subject) {
  Findings out;
  for (std::size_t m = 0; m < subject.model.meshes().size(); ++m) {
    const Mesh& mesh = subject.model.meshes()[m];
    for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
      check_part(subject.model, mesh, mesh.parts[p], subject.part_place(m, p), out);
    }
  }
  return out;
}

}  // namespace marrow::tool
