// Compares poses with the curves that tracks describe.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "anim/random_clip.h"
#include "anim/reference.h"
#include "marrow/anim/pose.h"

namespace marrow::test {

inline std::vector<float> value_of(const Pose& pose, std::uint32_t joint, Property property) {
  const Transform t = pose.transform(joint);
  switch (property) {
    case Property::translation: return {t.translation.x, t.translation.y, t.translation.z};
    case Property::rotation: return {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
    case Property::scale: return {t.scale.x, t.scale.y, t.scale.z};
    case Property::morph: break;
  }
  const std::span<const float> weights = pose.morph_weights(joint);
  return {weights.begin(), weights.end()};
}

// The distance of two values of a property: radians between rotations, else the largest difference.
template <typename A, typename B>
Real distance(Property property, const A& a, const B& b) {
  if (property == Property::rotation) {
    return angle_between(RefQuat{a[0], a[1], a[2], a[3]}, RefQuat{b[0], b[1], b[2], b[3]});
  }
  Real worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) worst = std::max(worst, std::fabs(Real{a[i]} - Real{b[i]}));
  return worst;
}

// How far a value is from that of a track at a time, as a part of what may be: 1e-5 of the size of the values, and what
// the track itself moves within two microseconds, since key times are rounded; a jump may be on either side.
inline Real curve_error(const OwnedTrack& track, double time_s, std::span<const float> actual) {
  const TrackDesc desc{track.joint, track.property, track.interpolation, track.times, track.values};
  const RefValue exact = evaluate(desc, time_s);
  Real size = 1;
  if (track.property != Property::rotation) {
    for (const float v : track.values) size = std::max(size, std::fabs(Real{v}));
  }
  Real allowed = 1e-5L * (size + exact.reach) / std::min(exact.length, Real{1});
  for (const double off : {-2e-6, -1e-6, -5e-7, -2e-7, 2e-7, 5e-7, 1e-6, 2e-6}) {
    const RefValue other = evaluate(desc, time_s + off);
    allowed += distance(track.property, other.parts, exact.parts);
    if (!exact.other_way.empty()) return 0;  // keys half a turn apart: either way is right
  }
  return distance(track.property, actual, exact.parts) / allowed;
}

}  // namespace marrow::test
