#include "maker/weapons.h"

#include "marrow/math/functions.h"

namespace marrow::character {
namespace {

using Ring = std::vector<Point>;

// Rings of as many points each, joined one after the other, and closed at both ends. Counterclockwise as seen from
// where the rings go to. Flat faces keep their edges, round ones do not.
enum class Faces : std::uint8_t { flat, round };

void add_loft(MeshData& mesh, const std::vector<Ring>& rings, Colour colour, Faces faces) {
  Surface s;
  const std::size_t n = rings.front().size();
  const auto at = [&](std::size_t ring, std::size_t i) { return static_cast<std::uint32_t>(ring * n + i % n); };
  for (const Ring& ring : rings) s.points.insert(s.points.end(), ring.begin(), ring.end());
  for (std::size_t ring = 0; ring + 1 < rings.size(); ++ring) {
    for (std::size_t i = 0; i < n; ++i) {
      s.triangles.push_back({at(ring, i), at(ring, i + 1), at(ring + 1, i + 1)});
      s.triangles.push_back({at(ring, i), at(ring + 1, i + 1), at(ring + 1, i)});
    }
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    s.triangles.push_back({at(0, 0), at(0, i + 1), at(0, i)});
    s.triangles.push_back({at(rings.size() - 1, 0), at(rings.size() - 1, i), at(rings.size() - 1, i + 1)});
  }
  if (faces == Faces::round) {
    add_surface(mesh, s, std::vector<Colour>(s.triangles.size(), colour), normals_of(s), {});
    return;
  }
  for (const auto& t : s.triangles) {
    const Surface one{{s.points[t[0]], s.points[t[1]], s.points[t[2]]}, {{0, 1, 2}}};
    add_surface(mesh, one, {colour}, normals_of(one), {});
  }
}

// A round ring across y.
Ring circle(double y, double radius) {
  constexpr int kCorners = 12;
  Ring ring;
  for (int i = 0; i < kCorners; ++i) {
    const float angle = 6.28318531f * static_cast<float>(i) / kCorners;
    ring.push_back({radius * det::sin(angle), y, radius * det::cos(angle)});
  }
  return ring;
}

// Four corners across y: sharp along z.
Ring diamond(double y, double half_width, double half_thickness) {
  return {{0, y, half_width}, {half_thickness, y, 0}, {0, y, -half_width}, {-half_thickness, y, 0}};
}

// Four corners across z.
Ring slab(double z, double half_thickness, double low, double high) {
  return {{-half_thickness, low, z}, {half_thickness, low, z}, {half_thickness, high, z}, {-half_thickness, high, z}};
}

void add_handle(MeshData& mesh, double low, double high, Colour end) {
  add_loft(mesh, {circle(low, 0.0125), circle(low * 0.5, 0.0140), circle(high * 0.5, 0.0135), circle(high, 0.0130)},
           kWood, Faces::round);
  add_loft(mesh,
           {circle(low - 0.034, 0.006), circle(low - 0.030, 0.014), circle(low - 0.018, 0.0195),
            circle(low - 0.006, 0.014), circle(low, 0.010)},
           end, Faces::round);
}

}  // namespace

MeshData make_sword() {
  MeshData mesh;
  mesh.name = "sword";
  add_handle(mesh, -0.072, 0.070, kGold);
  add_loft(mesh,
           {slab(-0.086, 0.008, 0.082, 0.096), slab(-0.030, 0.013, 0.068, 0.092), slab(0.030, 0.013, 0.068, 0.092),
            slab(0.086, 0.008, 0.082, 0.096)},
           kGold, Faces::flat);
  add_loft(mesh, {diamond(0.088, 0.0260, 0.0065), diamond(0.700, 0.0200, 0.0048), diamond(0.820, 0.0010, 0.0008)},
           kSteel, Faces::flat);
  return mesh;
}

MeshData make_axe() {
  MeshData mesh;
  mesh.name = "axe";
  add_handle(mesh, -0.110, 0.560, kSlate);
  add_loft(mesh,
           {slab(-0.062, 0.004, 0.478, 0.502), slab(-0.024, 0.018, 0.455, 0.525), slab(0.024, 0.018, 0.455, 0.525),
            slab(0.080, 0.008, 0.440, 0.545), slab(0.128, 0.0008, 0.388, 0.590)},
           kSteel, Faces::flat);
  return mesh;
}

}  // namespace marrow::character
