#include "src/export/surface.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "marrow/math/functions.h"
#include "marrow/math/vec3.h"
#include "src/export/imports.h"

namespace marrow {
namespace {

constexpr float kHalfStep = 0.5f / 65535;

const Array<Vec2>* uvs_of(const Vertices& vertices, std::uint32_t set) {
  if (set < vertices.uvs.size() && !vertices.uvs[set].empty()) return &vertices.uvs[set];
  return vertices.uvs.empty() || vertices.uvs[0].empty() ? nullptr : &vertices.uvs[0];
}

Vec2 mapped(const UvMap& map, Vec2 uv) {
  return {map.m[0][0] * uv.x + map.m[0][1] * uv.y + map.m[0][2], map.m[1][0] * uv.x + map.m[1][1] * uv.y + map.m[1][2]};
}

Vec3 corner_normal(Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 u{b.x - a.x, b.y - a.y, b.z - a.z}, v{c.x - a.x, c.y - a.y, c.z - a.z};
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

}  // namespace

UvMap uv_map(const Material* material, const Vertices& vertices) {
  UvMap map;
  if (uvs_of(vertices, 0) == nullptr) return map;
  bool repeats[2] = {true, true};
  if (material != nullptr && material->base_color_texture.image != -1) {
    const TextureUse& use = material->base_color_texture;
    const float cosine = det::cos(use.rotation), sine = det::sin(use.rotation);
    map = {use.uv_set,
           {{cosine * use.scale.x, sine * use.scale.y, use.offset.x},
            {-sine * use.scale.x, cosine * use.scale.y, use.offset.y}}};
    repeats[0] = use.wrap_u == Wrap::repeat;
    repeats[1] = use.wrap_v == Wrap::repeat;
  }
  Vec2 low{3e38f, 3e38f}, high{-3e38f, -3e38f};
  for (const Vec2& uv : *uvs_of(vertices, map.set)) {
    const Vec2 at = mapped(map, uv);
    low = {std::min(low.x, at.x), std::min(low.y, at.y)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y)};
  }
  const float lows[] = {low.x, low.y}, highs[] = {high.x, high.y};
  for (int axis = 0; axis < 2; ++axis) {
    const float whole = std::floor(lows[axis] + kHalfStep);
    const bool inside = highs[axis] - whole <= 1 + kHalfStep;
    if (repeats[axis] && inside) map.m[axis][2] -= whole;
  }
  return map;
}

void append_uvs(const Vertices& vertices, const UvMap& map, Array<Vec2>& out) {
  const Array<Vec2>* uvs = uvs_of(vertices, map.set);
  for (std::size_t i = 0; i < vertices.positions.size(); ++i) {
    out.push_back(uvs == nullptr ? Vec2{} : mapped(map, (*uvs)[i]));
  }
}

std::size_t append_colors(const Vertices& vertices, bool clamp, Array<Vec4>& out) {
  std::size_t clamped = 0;
  for (std::size_t i = 0; i < vertices.positions.size(); ++i) {
    if (vertices.colors.empty()) {
      out.push_back({1, 1, 1, 1});
      continue;
    }
    const Vec4& given = vertices.colors[i];
    const auto inside = [&](float x) { return clamp ? std::clamp(x, 0.0f, 1.0f) : x; };
    const Vec4 color{inside(given.x), inside(given.y), inside(given.z), inside(given.w)};
    if (color.x != given.x || color.y != given.y || color.z != given.z || color.w != given.w) ++clamped;
    out.push_back(color);
  }
  return clamped;
}

std::size_t fill_normals(const Mesh& mesh, const Vertices& vertices, std::span<const Vec3> positions, bool mirrored,
                         std::span<Vec3> normals) {
  const auto is_missing = [](const Vec3& n) { return n.x == 0 && n.y == 0 && n.z == 0; };
  std::vector<bool> missing(normals.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < normals.size(); ++i) count += (missing[i] = is_missing(normals[i])) ? 1 : 0;
  for (const MeshPart& part : mesh.parts) {
    if (count == 0 || part.vertices.get() != &vertices || part.topology != Topology::triangles) continue;
    for (std::size_t i = 0; i + 2 < part.indices.size(); i += 3) {
      const std::uint32_t corners[] = {part.indices[i], part.indices[i + 1], part.indices[i + 2]};
      const Vec3 n = mirrored ? corner_normal(positions[corners[0]], positions[corners[2]], positions[corners[1]])
                              : corner_normal(positions[corners[0]], positions[corners[1]], positions[corners[2]]);
      for (const std::uint32_t c : corners) {
        if (missing[c]) normals[c] += n;
      }
    }
  }
  for (Vec3& n : normals) {
    const double size = length(widen(n));  // the squares fit in doubles
    n = size > 0 && std::isfinite(size) ? narrow(divided(widen(n), size)) : Vec3{0, 0, 1};
  }
  return count;
}

UvRange uv_range(std::span<const Vec2> uvs) {
  UvRange range;
  float farthest = 0;
  for (std::size_t i = 0; i < uvs.size(); ++i) {
    const float low = std::min(uvs[i].x, uvs[i].y), high = std::max(uvs[i].x, uvs[i].y);
    range.low = std::min(range.low, low);
    range.high = std::max(range.high, high);
    const float out = std::max(-low, high - 1);
    if (out <= farthest) continue;
    farthest = out;
    range.vertex = i;
  }
  return range;
}

bool fits_packed(const UvRange& range) { return range.low > -kHalfStep && range.high < 1 + kHalfStep; }

}  // namespace marrow
