#include "maker/paint.h"

#include <algorithm>
#include <functional>

#include "maker/body.h"
#include "maker/cutter.h"
#include "maker/rig.h"

namespace marrow::character {
namespace {

// A border of a region.
struct Line {
  std::function<double(Point)> line;
  std::function<bool(Point)> where;
};

// A part of the skin, below zero inside. What comes later is painted over what came before. Each border is a line of
// its own, because two that are near to each other could go through one edge.
struct Region {
  Colour colour;
  std::function<double(Point)> outside;
  std::vector<Line> borders;
};

Point to_left(Point p) { return {std::fabs(p.x), p.y, p.z}; }

// What lies between two parallel planes, `from` and `to` metres along an axis from a center, and no further from the
// center than `reach`: a ring around a limb. Of the left side, and likewise of the right.
Region ring(Colour colour, Point center, Point axis, double from, double to, double reach) {
  const Point along = normalized(axis);
  const auto height = [=](Point p) { return dot(to_left(p) - center, along); };
  const auto away = [=](Point p) { return length(to_left(p) - center) - reach; };
  Region region;
  region.colour = colour;
  region.outside = [=](Point p) { return std::max({from - height(p), height(p) - to, away(p)}); };
  for (const double end : {from, to}) {
    region.borders.push_back({[=](Point p) { return height(p) - end; }, [=](Point p) { return away(p) < 0; }});
  }
  return region;
}

std::vector<Region> make_regions() {
  const Rig& r = rig();
  const RigSide& side = r.sides[0];
  const Point shoulder = r.place(side.upper_arm), elbow = r.place(side.lower_arm), wrist = r.place(side.hand);
  const Point hip = r.place(side.thigh), knee = r.place(side.shin), ankle = r.place(side.foot);
  const Point arm = elbow - shoulder, forearm = wrist - elbow, foot{0, -1, 0.12};
  const Point waist{0, 1.022, 0}, upwards{0, 1, -0.06}, hem{0.22, -1, 0};  // shorts are cut higher at the sides
  const Region above_hem = ring(kSlate, hip, hem, -0.3, 0.165, 0.34),
               below_waist = ring(kSlate, waist, upwards, -0.4, 0, 0.45);
  std::vector<Region> regions;
  regions.push_back({kSlate, [=](Point p) { return std::max(above_hem.outside(p), below_waist.outside(p)); }, {}});
  regions.push_back(ring(kAccent, hip, hem, 0.165, 0.181, 0.27));
  regions.push_back(ring(kAccent, waist, upwards, 0, 0.014, 0.2));
  regions.push_back(ring(kAccent, shoulder, arm, 0.096, 0.112, 0.15));
  regions.push_back(ring(kSlate, elbow, arm, -0.026, 0.026, 0.08));
  regions.push_back(ring(kSlate, knee, {0, -1, 0}, -0.036, 0.034, 0.10));
  regions.push_back(ring(kSlate, wrist, forearm, -0.012, 0.3, 0.26));
  regions.push_back(ring(kAccent, wrist, forearm, -0.028, -0.012, 0.06));
  regions.push_back(ring(kSlate, ankle, foot, -0.022, 0.2, 0.28));
  regions.push_back(ring(kAccent, ankle, foot, -0.040, -0.022, 0.08));
  regions.push_back(ring(kAccent, {0, 1.505, -0.010}, {0, 1, 0.22}, -0.010, 0.010, 0.08));
  regions.push_back({kVisor, visor_distance, {{visor_distance, {}}}});
  return regions;
}

const std::vector<Region>& regions() {
  static const std::vector<Region> made = make_regions();
  return made;
}

}  // namespace

Surface cut_at_borders(const Surface& body) {
  Surface surface = body;
  CutOptions options;
  options.distance = body_distance;
  for (const Region& region : regions()) {
    for (const Line& border : region.borders) {
      options.line = border.line;
      options.where = border.where;
      surface = cut(surface, options);
    }
  }
  options.line = [](Point p) { return visor_distance(p) + kVisorSlope; };
  options.where = {};
  return cut(surface, options);
}

std::vector<Colour> paint(const Surface& body) {
  std::vector<Colour> colours;
  colours.reserve(body.triangles.size());
  for (const auto& t : body.triangles) {
    const Point center = (body.points[t[0]] + body.points[t[1]] + body.points[t[2]]) * (1.0 / 3);
    Colour colour = kIvory;
    for (const Region& region : regions()) {
      if (region.outside(center) < 0) colour = region.colour;
    }
    colours.push_back(colour);
  }
  return colours;
}

}  // namespace marrow::character
