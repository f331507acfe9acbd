// Clip: a named animation of a skeleton's joints.
//
// Immutable, cheap to copy, safe to share between any number of players and threads. At creation tracks that share a
// timeline are stored together, the values of eight joints side by side, so that sampling (sampling.h) reads memory
// once and in order; tracks that never change are stored as one value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "marrow/anim/pose.h"
#include "marrow/anim/skeleton.h"
#include "marrow/core/result.h"

namespace marrow {

enum class Interpolation : std::uint8_t {
  step,          // the value of the key before
  linear,        // straight for vectors and weights, along the shorter arc at constant speed for rotations
  cubic_spline,  // glTF 2.0: each key is an in-tangent, a value and an out-tangent, tangents per second
};

// Returns "step", "linear" or "cubic spline".
[[nodiscard]] const char* to_string(Interpolation interpolation);

// The keys of one property of one joint. Before the first and after the last key the value stays what it is there.
struct TrackDesc {
  std::uint32_t joint = 0;
  Property property = Property::translation;
  Interpolation interpolation = Interpolation::linear;

  // Key times in seconds, ascending. Of keys at equal times the last holds from there on, so two make a jump.
  std::span<const float> times;

  // For each key 3 floats (translation, scale), 4 (rotation, x y z w) or as many as the joint has morph weights; three
  // times as many for cubic_spline. Rotations are normalised (what is unit up to rounding stays as it is) and
  // made continuous, but for cubic_spline.
  std::span<const float> values;
};

// The spans and the name need to live only for the call that takes this.
struct ClipDesc {
  std::string_view name;
  std::span<const TrackDesc> tracks;

  // In seconds; without it, the time of the last key of all tracks.
  std::optional<double> duration;
};

inline constexpr float kMaxKeyTime = 1e9f;                     // seconds, before and after 0
inline constexpr std::size_t kMaxKeys = std::size_t{1} << 28;  // of a clip

// What a clip remembers of a track.
struct TrackInfo {
  std::uint32_t joint;
  Property property;
  Interpolation interpolation;
  std::uint32_t key_count;  // as given
  bool constant;            // every key is the same: stored as one value
};

struct ClipData;
class KeyPool;

class Clip {
 public:
  // A clip without tracks and of no length, for a skeleton without joints.
  Clip();

  // Copies share the data; a move is a copy.
  Clip(const Clip&) = default;
  Clip& operator=(const Clip&) = default;

  // Makes a clip for the joints of `skeleton`. It can be played on any skeleton that it fits: what it has no track for
  // comes from that skeleton's rest pose. Fails, naming the track and key, on a joint out of range, two tracks for one
  // property, a track without keys, lengths that do not fit, times that are not ascending, values that are not finite
  // or above 1e18, times beyond kMaxKeyTime, a rotation of length zero (but in a cubic spline), morph weights of a
  // joint that has none, more than kMaxKeys keys; and on a duration below zero.
  [[nodiscard]] static Result<Clip> create(const Skeleton& skeleton, const ClipDesc& desc);

  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] double duration() const;
  [[nodiscard]] std::span<const TrackInfo> tracks() const;  // in the order given
  [[nodiscard]] std::uint32_t joint_count() const;          // of the skeleton it was made for
  [[nodiscard]] std::uint32_t morph_size() const;

  // Returns whether the clip can be played on a skeleton: one with as many joints, and morph weights of each, as the
  // one that it was made for.
  [[nodiscard]] bool fits(const Skeleton& skeleton) const;

  // A hash of the contents but for the name: clips of equal hash sample to equal bits.
  [[nodiscard]] std::uint64_t hash() const;

  // Identifies the clip and its copies, for caches: no other clip of the process has the same, whatever it contains.
  [[nodiscard]] std::uint64_t id() const;

  // Bytes of memory that the keys and their bookkeeping take.
  [[nodiscard]] std::size_t memory_bytes() const;

  // For the library's other modules.
  [[nodiscard]] const ClipData& data() const { return *data_; }

 private:
  friend Result<Clip> create_clip(const Skeleton& skeleton, const ClipDesc& desc,
                                  void (*change)(Property, std::span<float>), KeyPool& pool);
  friend Clip restore_clip(const Skeleton& skeleton, ClipData data);
  explicit Clip(std::shared_ptr<const ClipData> data) : data_(std::move(data)) {}

  std::shared_ptr<const ClipData> data_;
};

}  // namespace marrow
