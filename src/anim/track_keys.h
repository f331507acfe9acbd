// Keys of tracks, for tools and readers of files: the curve that they describe, and clips made of them. Internal; in
// the frame loop the kernels sample whole clips.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "marrow/anim/clip_keys.h"
#include "marrow/math/types.h"

namespace marrow {

// ---- Curves, one value at a time -------------------------------------------------------------------------------

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

// ---- Clips -----------------------------------------------------------------------------------------------------

// Memory for the values of several clips, in blocks that live until the last clip in them is gone: a file of many clips
// takes a few large pieces of the system's memory and not many small ones.
class KeyPool {
 public:
  // For so many clips, which are expected to be of about one size.
  explicit KeyPool(std::size_t clips) : clips_(clips) {}

  // Returns memory for the values of the next clip.
  [[nodiscard]] std::shared_ptr<float> take(std::size_t floats);

  // Where the tracks of a clip are before it is laid out; kept from clip to clip.
  std::vector<float> scratch;

 private:
  std::size_t clips_;  // still to come
  std::shared_ptr<float> block_;
  std::size_t used_ = 0, size_ = 0;  // floats of the block
};

// Changes the values of a track, tangents too, where they are.
using KeyChange = void (*)(Property property, std::span<float> values);

// Clip::create with memory from a pool, and with a change of the values, if it is not null, before anything else.
Result<Clip> create_clip(const Skeleton& skeleton, const ClipDesc& desc, KeyChange change, KeyPool& pool);

// The error of a tool that was asked for something that makes no sense.
inline Error invalid_argument(const Clip& clip, const char* what, Place place) {
  return {ErrorCode::invalid_argument, "clip \"" + std::string(clip.name()) + "\": " + what, std::move(place)};
}

}  // namespace marrow
