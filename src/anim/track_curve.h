// The curve that the keys of one track describe, one value at a time: for tools. Internal to the library; what samples
// whole clips in the frame loop are the kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "marrow/anim/clip_keys.h"
#include "marrow/math/types.h"

namespace marrow {

// How many values a key has: in-tangent, value and out-tangent for a cubic spline.
inline std::size_t key_parts(Interpolation interpolation) {
  return interpolation == Interpolation::cubic_spline ? 3 : 1;
}
inline std::size_t value_size(const TrackKeys& track) {
  return track.values.size() / (track.times.size() * key_parts(track.interpolation));
}

// The floats of a key, all its parts.
inline std::size_t key_size(const TrackKeys& track) { return track.values.size() / track.times.size(); }
inline const float* key_floats(const TrackKeys& track, std::size_t key) {
  return track.values.data() + key * key_size(track);
}

// The value of a key: of a cubic spline the middle part.
inline const float* key_value(const TrackKeys& track, std::size_t key) {
  return key_floats(track, key) + (key_parts(track.interpolation) == 3 ? value_size(track) : 0);
}

// The values of a rotation track.
inline Quat to_quat(const float* v) { return {v[0], v[1], v[2], v[3]}; }
inline void store_quat(Quat q, float* v) {
  v[0] = q.x;
  v[1] = q.y;
  v[2] = q.z;
  v[3] = q.w;
}

// Writes the value at a time between the keys a and b, as if b came next after a. Rotations come out unit. Where b is
// not before the time, or both have the same, it is b's value.
void value_between(const TrackKeys& track, std::size_t a, std::size_t b, double time_s, float* value);

// Writes the value at any time.
void value_at(const TrackKeys& track, double time_s, float* value);

// Appends a key to `out` that, put at `time_s` into `track`, leaves the curve as it is; its time becomes `key_time`.
// The two have the same interpolation.
void append_point(const TrackKeys& track, double time_s, float key_time, TrackKeys& out);

// Appends a copy of a key at another time.
void append_key(const TrackKeys& track, std::size_t key, float key_time, TrackKeys& out);

// Returns keys of another, richer interpolation (step < linear < cubic_spline) for the same curve; turns become arcs of
// cubics that stay within 3e-7 rad of it.
TrackKeys with_interpolation(const TrackKeys& track, Interpolation interpolation);

// Takes the values and tangents of a track, one after the other, to others. Tangents are told, because differences
// leave them alone.
template <typename Change>
void for_each_part(TrackKeys& track, const Change& change) {
  const std::size_t size = value_size(track), parts = key_parts(track.interpolation);
  for (std::size_t i = 0; i * size < track.values.size(); ++i) {
    const bool tangent = parts == 3 && i % 3 != 1;
    change(track.values.data() + i * size, tangent);
  }
}

}  // namespace marrow
