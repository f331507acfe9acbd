// A humanoid made of arithmetic: the character that benchmarks, the determinism check and tests share.
//
// 67 joints, as a game character with fingers has. Its motion comes from marrow's own functions and whole numbers
// alone, so the clips have the same bits on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/anim/skeleton.h"
#include "marrow/anim/skin.h"

namespace marrow::humanoid {

// The skeleton, metres, z up. With `morph_weights` the head has that many morph targets.
[[nodiscard]] Skeleton make_skeleton(std::uint32_t morph_weights = 0);

// A skin over all joints, bound at rest.
[[nodiscard]] Skin make_skin(const Skeleton& skeleton);

enum class Keys {
  dense,  // every track has the same keys, 30 a second
  own,    // every track has about a third of them, each a choice of its own
};

// How a clip is made. All channels of all joints move.
struct Motion {
  const char* name = "walk";
  double duration = 4.0 / 3.0;  // seconds; a multiple of 1/30
  double stride = 0.5;          // how far limbs swing, in radians
  Keys keys = Keys::dense;
  Interpolation interpolation = Interpolation::linear;
  std::uint32_t seed = 1;
};
[[nodiscard]] Clip make_clip(const Skeleton& skeleton, const Motion& motion);

// The keys of such a clip, one track after another: joint by joint translation, rotation, scale and morph weights.
struct TrackKeys {
  std::uint32_t joint;
  Property property;
  std::vector<float> times, values;
};
[[nodiscard]] std::vector<TrackKeys> make_keys(const Skeleton& skeleton, const Motion& motion);

}  // namespace marrow::humanoid
