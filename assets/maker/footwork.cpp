#include "maker/footwork.h"

namespace marrow::character {

LegControls stand_on(const Footing& f) {
  const Quat way = to_quat({0, f.out_deg, 0});
  const Turn foot{f.heel_up_deg, f.out_deg, 0};
  const Point heel{f.x, 0, f.z};
  if (f.heel_up_deg < 0) {
    return {.ankle = heel - turned(to_quat(foot), heel_from_ankle()), .foot = foot};
  }
  const Point flat_ankle = heel - turned(way, heel_from_ankle());
  const Point tip = flat_ankle + turned(way, ball_from_ankle() + tip_from_ball());
  const Point ball = tip - turned(to_quat({f.tip_roll_deg, f.out_deg, 0}), tip_from_ball());
  return {.ankle = ball - turned(to_quat(foot), ball_from_ankle()),
          .foot = foot,
          .toes_deg = f.heel_up_deg - f.tip_roll_deg};
}

Swing::Swing(double lift, double land, const Contact& before, const Contact& after, const Keys& keys) {
  using Get = double (*)(const LegControls&);
  constexpr double kStep = 1e-3;
  const auto slope = [](const Contact& contact, Get get, double t, double step) {
    return (-3 * get(contact(t)) + 4 * get(contact(t + step)) - get(contact(t + 2 * step))) / (2 * step);
  };
  const auto bridge = [&](std::vector<CurveKey> between, Get get) {
    between.insert(between.begin(), {lift, get(before(lift))});
    between.push_back({land, get(after(land))});
    return Curve::once(between, slope(before, get, lift, -kStep), slope(after, get, land, kStep));
  };
  x_ = bridge(keys.x, [](const LegControls& leg) { return leg.ankle.x; });
  y_ = bridge(keys.y, [](const LegControls& leg) { return leg.ankle.y; });
  z_ = bridge(keys.z, [](const LegControls& leg) { return leg.ankle.z; });
  forward_deg_ = bridge(keys.forward_deg, [](const LegControls& leg) { return leg.foot.forward_deg; });
  left_deg_ = bridge(keys.left_deg, [](const LegControls& leg) { return leg.foot.left_deg; });
  toes_deg_ = bridge(keys.toes_deg, [](const LegControls& leg) { return leg.toes_deg; });
}

LegControls Swing::at(double t) const {
  return {.ankle = {x_(t), y_(t), z_(t)}, .foot = {forward_deg_(t), left_deg_(t), 0}, .toes_deg = toes_deg_(t)};
}

}  // namespace marrow::character
