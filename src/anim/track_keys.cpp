#include "src/anim/track_keys.h"

#include <algorithm>

#include "marrow/math/functions.h"
#include "marrow/math/quat.h"
#include "src/anim/imports.h"

namespace marrow {
namespace {

// The last key that is not after a time; -1 before all. Of several at one time that is the one the track goes on from.
std::ptrdiff_t key_before(const TrackKeys& track, double time_s) {
  return std::upper_bound(track.times.begin(), track.times.end(), time_s,
                          [](double t, float key) { return t < static_cast<double>(key); }) -
         track.times.begin() - 1;
}

// The Hermite polynomials of a cubic segment at u in [0, 1], for the end values and the tangents times the interval.
struct Hermite {
  double p0, m0, p1, m1;

  static Hermite value(double u) {
    const double u2 = u * u, u3 = u2 * u;
    return {2 * u3 - 3 * u2 + 1, u3 - 2 * u2 + u, 3 * u2 - 2 * u3, u3 - u2};
  }
  static Hermite slope(double u) {  // per interval
    const double u2 = u * u;
    return {6 * u2 - 6 * u, 3 * u2 - 4 * u + 1, 6 * u - 6 * u2, 3 * u2 - 2 * u};
  }
};

// One component of a cubic segment. `key` is the first float of all parts of a key.
double combine(const Hermite& h, const float* a, const float* b, std::size_t size, std::size_t i, double interval) {
  return (h.p0 * static_cast<double>(a[size + i]) + h.m0 * (static_cast<double>(a[2 * size + i]) * interval)) +
         (h.p1 * static_cast<double>(b[size + i]) + h.m1 * (static_cast<double>(b[i]) * interval));
}

TrackKeys step_to_linear(const TrackKeys& track) {
  TrackKeys out{track.joint, track.property, Interpolation::linear, {}, {}};
  for (std::size_t k = 0; k < track.times.size(); ++k) {
    if (k > 0) append_key(track, k - 1, track.times[k], out);  // holds until here, then jumps
    append_key(track, k, track.times[k], out);
  }
  return out;
}

// A cubic spline through the keys with the speeds of the track as tangents. A turn is cut into arcs of at most 0.1 rad
// on the sphere of quaternions: a cubic is 0.1^4 / 384 off such an arc.
TrackKeys linear_to_cubic(const TrackKeys& track) {
  const std::size_t size = value_size(track);
  const bool turns = track.property == Property::rotation;
  TrackKeys out{track.joint, track.property, Interpolation::cubic_spline, {}, {}};
  const auto append = [&](float time, const float* value, const float* in_tangent) {
    out.times.push_back(time);
    out.values.insert(out.values.end(), in_tangent, in_tangent + size);
    out.values.insert(out.values.end(), value, value + size);
    out.values.insert(out.values.end(), size, 0.0f);
  };
  std::vector<float> value(size), speed(size, 0.0f);
  append(track.times[0], key_value(track, 0), speed.data());
  for (std::size_t k = 0; k + 1 < track.times.size(); ++k) {
    const float *from = key_value(track, k), *to = key_value(track, k + 1);
    const double t0 = static_cast<double>(track.times[k]), interval = static_cast<double>(track.times[k + 1]) - t0;
    if (!(interval > 0)) {  // a jump
      std::fill(speed.begin(), speed.end(), 0.0f);
      append(track.times[k + 1], to, speed.data());
      continue;
    }
    const int pieces = turns ? 1 + static_cast<int>(5.0f * angle_between(to_quat(from), to_quat(to))) : 1;
    const Vec3 turn = turns ? rotation_vector(multiply(conjugate(to_quat(from)), to_quat(to))) : Vec3{};
    const auto set_speed = [&] {  // at `value`
      const Quat q = turns ? multiply(to_quat(value.data()), {turn.x, turn.y, turn.z, 0}) : Quat{};
      const float all[4] = {q.x, q.y, q.z, q.w};
      for (std::size_t i = 0; i < size; ++i) {
        const float change = turns ? all[i] : to[i] - from[i];
        speed[i] = static_cast<float>(static_cast<double>(change) / interval);
      }
    };
    value.assign(from, from + size);
    for (int piece = 1; piece <= pieces; ++piece) {
      set_speed();
      std::copy(speed.begin(), speed.end(), out.values.end() - static_cast<std::ptrdiff_t>(size));
      const double time = piece == pieces ? t0 + interval : t0 + interval * piece / pieces;
      value_between(track, k, k + 1, time, value.data());
      set_speed();
      append(static_cast<float>(time), value.data(), speed.data());
    }
  }
  return out;
}

}  // namespace

void value_between(const TrackKeys& track, std::size_t a, std::size_t b, double time_s, float* value) {
  const std::size_t size = value_size(track);
  const double t0 = static_cast<double>(track.times[a]), t1 = static_cast<double>(track.times[b]);
  if (time_s >= t1 || !(t1 > t0)) {
    std::copy_n(key_value(track, b), size, value);
  } else if (time_s <= t0 || track.interpolation == Interpolation::step) {
    std::copy_n(key_value(track, a), size, value);
  } else if (track.interpolation == Interpolation::linear) {
    const auto u = static_cast<float>((time_s - t0) / (t1 - t0));
    const float *from = key_value(track, a), *to = key_value(track, b);
    if (track.property == Property::rotation) return store_quat(slerp(to_quat(from), to_quat(to), u), value);
    for (std::size_t i = 0; i < size; ++i) value[i] = from[i] + (to[i] - from[i]) * u;
    return;
  } else {
    const Hermite h = Hermite::value((time_s - t0) / (t1 - t0));
    for (std::size_t i = 0; i < size; ++i) {
      value[i] = static_cast<float>(combine(h, key_floats(track, a), key_floats(track, b), size, i, t1 - t0));
    }
  }
  if (track.property == Property::rotation && track.interpolation == Interpolation::cubic_spline) {
    store_quat(normalize(to_quat(value)), value);
  }
}

void value_at(const TrackKeys& track, double time_s, float* value) {
  const auto last = static_cast<std::ptrdiff_t>(track.times.size()) - 1;
  const std::ptrdiff_t before = key_before(track, time_s);
  const auto a = static_cast<std::size_t>(std::max(before, std::ptrdiff_t{0}));
  const auto b = static_cast<std::size_t>(std::min(before + 1, last));
  value_between(track, a, b, time_s, value);
}

void append_key(const TrackKeys& track, std::size_t key, float key_time, TrackKeys& out) {
  out.times.push_back(key_time);
  const float* from = key_floats(track, key);
  out.values.insert(out.values.end(), from, from + key_size(track));
}

void append_point(const TrackKeys& track, double time_s, float key_time, TrackKeys& out) {
  const std::size_t size = value_size(track), keys = track.times.size();
  out.times.push_back(key_time);
  const std::size_t at = out.values.size();
  out.values.resize(at + key_size(track), 0.0f);
  float* to = out.values.data() + at;
  const std::ptrdiff_t before = key_before(track, time_s);
  if (track.interpolation != Interpolation::cubic_spline) {
    value_at(track, time_s, to);
  } else if (before < 0 || static_cast<std::size_t>(before) + 1 >= keys) {  // held, so without tangents
    std::copy_n(key_value(track, before < 0 ? 0 : keys - 1), size, to + size);
  } else {  // a part of a cubic is a cubic: with its value before normalising, and its slope
    const auto a = static_cast<std::size_t>(before);
    const double t0 = static_cast<double>(track.times[a]), interval = static_cast<double>(track.times[a + 1]) - t0;
    const double u = (time_s - t0) / interval;
    const Hermite value = Hermite::value(u), slope = Hermite::slope(u);
    for (std::size_t i = 0; i < size; ++i) {
      const float *k0 = key_floats(track, a), *k1 = key_floats(track, a + 1);
      to[size + i] = static_cast<float>(combine(value, k0, k1, size, i, interval));
      to[i] = to[2 * size + i] = static_cast<float>(combine(slope, k0, k1, size, i, interval) / interval);
    }
  }
}

TrackKeys with_interpolation(const TrackKeys& track, Interpolation interpolation) {
  if (track.interpolation >= interpolation) return track;
  if (track.interpolation == Interpolation::step) return with_interpolation(step_to_linear(track), interpolation);
  return linear_to_cubic(track);
}

std::shared_ptr<float> KeyPool::take(std::size_t floats) {
  constexpr std::size_t kLine = 16, kMost = std::size_t{8} << 18;  // 64 bytes; 8 MiB
  const std::size_t lines = (floats + kLine - 1) / kLine * kLine;
  if (block_ == nullptr || floats > size_ - used_) {
    // As if all that are to come were like this one. One clip alone wastes nothing.
    const std::size_t for_all = clips_ > 1 ? std::min(lines * clips_, kMost) : 0;
    size_ = std::max(floats, for_all);
    used_ = 0;
    block_ = std::shared_ptr<float>(static_cast<float*>(allocate_large(size_ * sizeof(float))), free_large);
  }
  if (clips_ > 0) --clips_;
  float* const to = block_.get() + used_;
  used_ = std::min(size_, used_ + lines);
  return {block_, to};
}

}  // namespace marrow
