// ClipKeys: the keys of a clip in plain vectors, for tools that read or change them.
//
// A Clip is laid out for sampling and never changes. What edits clips reads the keys out of one, changes them, and
// makes another. Nothing here is meant for the frame loop.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "marrow/anim/clip.h"

namespace marrow {

// A TrackDesc that owns its keys.
struct TrackKeys {
  std::uint32_t joint = 0;
  Property property = Property::translation;
  Interpolation interpolation = Interpolation::linear;
  std::vector<float> times;
  std::vector<float> values;
};

struct ClipKeys {
  std::string name;
  double duration = 0;
  std::vector<TrackKeys> tracks;
};

// Returns the keys of `clip`, which was made for `skeleton` or one with as many joints and morph weights of each. They
// are those it was made of, with rotations normalised and continuous; a track that never changes has one key, at 0. A
// clip made of them has the same hash.
[[nodiscard]] ClipKeys clip_keys(const Skeleton& skeleton, const Clip& clip);

// The same for the tracks of one joint alone.
[[nodiscard]] ClipKeys clip_keys(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint);

// Creates a clip from keys; fails as Clip::create does.
[[nodiscard]] Result<Clip> create_clip(const Skeleton& skeleton, const ClipKeys& keys);

}  // namespace marrow
