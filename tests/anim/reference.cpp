#include "anim/reference.h"

#include <algorithm>
#include <cmath>

namespace marrow::test {
namespace {

using Parts = std::vector<Real>;

Real dot(const Parts& a, const Parts& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
Real length(const Parts& a) { return std::sqrt(dot(a, a)); }
Parts weighted_sum(const Parts& a, Real wa, const Parts& b, Real wb) {
  Parts out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = wa * a[i] + wb * b[i];
  return out;
}
Parts unit(const Parts& a) { return weighted_sum(a, 1 / length(a), a, 0); }

// Along the great circle from a to b, as they are: b is not turned round.
Parts slerp(const Parts& a, const Parts& b, Real u) {
  // Of the angle's two halves the chords are well known for every angle, unlike the cosine for a small one.
  const Real angle = 2 * std::atan2(length(weighted_sum(b, 1, a, -1)), length(weighted_sum(a, 1, b, 1)));
  if (angle == 0) return a;
  const Real s = std::sin(angle);
  return weighted_sum(a, std::sin((1 - u) * angle) / s, b, std::sin(u * angle) / s);
}

struct Keys {
  const TrackDesc& track;
  std::size_t parts_per_key = track.interpolation == Interpolation::cubic_spline ? 3 : 1;
  std::size_t size = track.values.size() / track.times.size() / parts_per_key;

  // Part 0 is the in-tangent, 1 the value, 2 the out-tangent of a cubic key; part 0 is the value of any other.
  [[nodiscard]] Parts part(std::size_t key, std::size_t which) const {
    const float* from = track.values.data() + (key * parts_per_key + which) * size;
    return {from, from + size};
  }
  [[nodiscard]] Parts value(std::size_t key) const {
    if (parts_per_key == 3) return part(key, 1);
    const Parts v = part(key, 0);
    return track.property == Property::rotation ? unit(v) : v;
  }
};

RefValue cubic(const Keys& keys, std::size_t k, Real u, Real interval) {
  const Parts v0 = keys.value(k), out = keys.part(k, 2), in = keys.part(k + 1, 0), v1 = keys.value(k + 1);
  const Real u2 = u * u, u3 = u2 * u;
  const Parts values = weighted_sum(v0, 2 * u3 - 3 * u2 + 1, v1, -2 * u3 + 3 * u2);
  const Parts tangents = weighted_sum(out, interval * (u3 - 2 * u2 + u), in, interval * (u3 - u2));
  RefValue result{weighted_sum(values, 1, tangents, 1), {}};
  result.reach = std::max(length(out), length(in)) * interval;
  return result;
}

}  // namespace

RefValue evaluate(const TrackDesc& track, double time_s) {
  const Keys keys{track};
  const bool is_rotation = track.property == Property::rotation;
  const bool is_cubic = track.interpolation == Interpolation::cubic_spline;
  const std::span<const float> times = track.times;
  // Of keys at equal times, this passes all.
  const auto after = static_cast<std::size_t>(
      std::upper_bound(times.begin(), times.end(), time_s, [](double t, float key) { return t < double{key}; }) -
      times.begin());

  RefValue result;
  if (after == 0) {
    result.parts = keys.value(0);
  } else if (after == times.size() || track.interpolation == Interpolation::step) {
    result.parts = keys.value(after - 1);
  } else {
    const Real t0 = times[after - 1], t1 = times[after], u = (Real{time_s} - t0) / (t1 - t0);
    const Parts v0 = keys.value(after - 1), v1 = keys.value(after), turned = weighted_sum(v1, -1, v1, 0);
    if (is_cubic) {
      result = cubic(keys, after - 1, u, t1 - t0);
    } else if (is_rotation) {
      const Real cosine = dot(v0, v1);
      result.parts = slerp(v0, cosine < 0 ? turned : v1, u);
      if (std::fabs(cosine) < 1e-6L) result.other_way = slerp(v0, cosine < 0 ? v1 : turned, u);
    } else {
      result.parts = weighted_sum(v0, 1 - u, v1, u);
    }
  }
  if (is_rotation && is_cubic) {
    result.length = length(result.parts);
    result.parts = unit(result.parts);
  }
  return result;
}

RefTransform ref(const Transform& t) { return {ref(t.translation), ref(t.rotation), ref(t.scale)}; }

std::vector<RefTransform> evaluate(const Skeleton& skeleton, std::span<const TrackDesc> tracks, double time_s) {
  std::vector<RefTransform> pose;
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) pose.push_back(ref(skeleton.rest(j)));
  for (const TrackDesc& track : tracks) {
    const Parts v = evaluate(track, time_s).parts;
    switch (track.property) {
      case Property::translation: pose[track.joint].translation = {v[0], v[1], v[2]}; break;
      case Property::rotation: pose[track.joint].rotation = {v[0], v[1], v[2], v[3]}; break;
      case Property::scale: pose[track.joint].scale = {v[0], v[1], v[2]}; break;
      case Property::morph: break;
    }
  }
  return pose;
}

RefAffine ref(const Affine& a) {
  RefAffine out;
  for (int i = 0; i < 3; ++i) std::copy_n(a.m[i], 4, out.m[i]);
  return out;
}

RefAffine multiply(const RefAffine& a, const RefAffine& b) {
  RefAffine out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      out.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j] + (j == 3 ? a.m[i][3] : 0);
    }
  }
  return out;
}

RefAffine to_affine(const RefTransform& t) {
  const RefVec columns[] = {rotate(t.rotation, {t.scale.x, 0, 0}), rotate(t.rotation, {0, t.scale.y, 0}),
                            rotate(t.rotation, {0, 0, t.scale.z}), t.translation};
  RefAffine out;
  for (int j = 0; j < 4; ++j) {
    out.m[0][j] = columns[j].x;
    out.m[1][j] = columns[j].y;
    out.m[2][j] = columns[j].z;
  }
  return out;
}

std::vector<RefAffine> to_model(std::span<const std::int32_t> parents, std::span<const RefTransform> locals) {
  std::vector<RefAffine> model;
  for (std::size_t j = 0; j < locals.size(); ++j) {
    const RefAffine local = to_affine(locals[j]);
    model.push_back(parents[j] < 0 ? local : multiply(model[static_cast<std::size_t>(parents[j])], local));
  }
  return model;
}

std::vector<RefAffine> to_model(const Pose& pose) {
  std::vector<RefTransform> locals;
  for (std::uint32_t j = 0; j < pose.skeleton().joint_count(); ++j) locals.push_back(ref(pose.transform(j)));
  return to_model(pose.skeleton().parents(), locals);
}

std::vector<RefAffine> to_palette(const Skin& skin, std::span<const RefAffine> model_from_joint) {
  std::vector<RefAffine> palette;
  for (std::size_t i = 0; i < skin.size(); ++i) {
    palette.push_back(multiply(model_from_joint[skin.joints()[i]], ref(skin.inverse_binds()[i])));
  }
  return palette;
}

Real linear_error(const Affine& actual, const RefAffine& exact) {
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) keep_larger(worst, std::fabs(Real{actual.m[i][j]} - exact.m[i][j]));
  }
  return worst;
}

Real translation_error(const Affine& actual, const RefAffine& exact) {
  double worst = 0;
  for (int i = 0; i < 3; ++i) keep_larger(worst, std::fabs(Real{actual.m[i][3]} - exact.m[i][3]));
  return worst;
}

}  // namespace marrow::test
