#include "maker/face.h"

#include <functional>

#include "maker/body.h"
#include "maker/rig.h"
#include "marrow/math/functions.h"

namespace marrow::character {
namespace {

constexpr std::uint32_t kAround = 18, kRings = 3;

// A place on the visor as seen from the front.
struct Spot {
  double x = 0, y = 0;
};
using Outline = std::function<Spot(double u, double v)>;  // from the disc of radius 1

// The point of the visor behind a place, and so far in front of it.
Point on_visor(Spot spot, double lift) {
  double outside = 0.25, inside = 0.05;
  for (int i = 0; i < 40; ++i) {
    const double z = (outside + inside) * 0.5;
    (body_distance({spot.x, spot.y, z}) > 0 ? outside : inside) = z;
  }
  return {spot.x, spot.y, outside + lift};
}

// A lens: bulging in front, its rim and back below the surface, and closed.
Surface lens(const Outline& outline) {
  Surface s;
  s.points.push_back(on_visor(outline(0, 0), 0.0030));
  for (std::uint32_t ring = 1; ring <= kRings; ++ring) {
    const double r = static_cast<double>(ring) / kRings;
    for (std::uint32_t i = 0; i < kAround; ++i) {
      const float angle = 6.28318531f * static_cast<float>(i) / kAround;
      const Spot spot = outline(r * det::cos(angle), r * det::sin(angle));
      s.points.push_back(on_visor(spot, 0.0030 - 0.0036 * r * r * r));
    }
  }
  s.points.push_back(on_visor(outline(0, 0), -0.0040));
  const auto at = [](std::uint32_t ring, std::uint32_t i) { return 1 + (ring - 1) * kAround + i % kAround; };
  const auto back = static_cast<std::uint32_t>(s.points.size() - 1);
  for (std::uint32_t i = 0; i < kAround; ++i) {
    s.triangles.push_back({0, at(1, i), at(1, i + 1)});
    for (std::uint32_t ring = 1; ring < kRings; ++ring) {
      s.triangles.push_back({at(ring, i), at(ring + 1, i), at(ring + 1, i + 1)});
      s.triangles.push_back({at(ring, i), at(ring + 1, i + 1), at(ring, i + 1)});
    }
    s.triangles.push_back({back, at(kRings, i + 1), at(kRings, i)});
  }
  return s;
}

// The disc made squarer, as a screen shows eyes.
double squarer(double u, double v) {
  const double fourth = u * u * u * u + v * v * v * v, square = u * u + v * v;
  return fourth > 0 ? std::sqrt(square / std::sqrt(fourth)) : 1;
}

struct Feature {
  Outline rest, blink, smile;
};

Feature eye(double side) {
  const auto shape = [side](double height, double below, double lift, double wide) {
    return [=](double u, double v) {
      const double k = 0.35 + 0.65 * squarer(u, v);
      return Spot{side * 0.0315 + u * k * 0.0105 * wide, 1.6580 + lift + v * k * height * (v < 0 ? below : 1)};
    };
  };
  return {shape(0.0165, 1, 0, 1), shape(0.0018, 1, -0.002, 1.18), shape(0.0135, 0.10, 0.0015, 1.12)};
}

Feature mouth() {
  const auto shape = [](double width, double rise, double thick) {
    return [=](double u, double v) {
      const double x = u * width;
      return Spot{x, 1.6275 + rise * (u * u - 0.4) + v * thick};
    };
  };
  const Outline rest = shape(0.0150, 0.0022, 0.0020);
  return {rest, rest, shape(0.0235, 0.0098, 0.0030)};
}

void add_feature(MeshData& mesh, const Feature& feature, const Influences& head) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const Surface rest = lens(feature.rest);
  const std::vector<Vec3> normals = normals_of(rest);
  // As add_surface, but point by point, so that the morph targets know where each has gone.
  for (std::size_t i = 0; i < rest.points.size(); ++i) {
    mesh.positions.push_back(to_vec3(rest.points[i]));
    mesh.normals.push_back(normals[i]);
    mesh.colours.push_back(kGlow);
    mesh.influences.push_back(head);
  }
  for (const auto& t : rest.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  const Outline* outlines[] = {&feature.blink, &feature.smile};
  for (std::size_t m = 0; m < 2; ++m) {
    const Surface moved = lens(*outlines[m]);
    const std::vector<Vec3> moved_normals = normals_of(moved);
    for (std::uint32_t i = 0; i < rest.points.size(); ++i) {
      mesh.morphs[m].points.push_back(first + i);
      mesh.morphs[m].positions.push_back(to_vec3(moved.points[i] - rest.points[i]));
      mesh.morphs[m].normals.push_back(to_vec3(to_point(moved_normals[i]) - to_point(normals[i])));
    }
  }
}

}  // namespace

void add_face(MeshData& body) {
  body.morphs = {{"blink", {}, {}, {}}, {"smile", {}, {}, {}}};
  Influences head;
  head.joints[0] = static_cast<std::uint8_t>(rig().head);
  head.weights[0] = 255;
  for (const Feature& feature : {eye(1), eye(-1), mouth()}) add_feature(body, feature, head);
}

}  // namespace marrow::character
