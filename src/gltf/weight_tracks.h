// Morph weights that are animated one by one, put together to a track of all weights of a node. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marrow/anim/clip_keys.h"

namespace marrow {

// Keys of one weight, in ascending order.
struct WeightKeys {
  std::uint32_t weight = 0;
  TrackKeys keys;
};

// Makes all of the richest interpolation that one of them has. Returns the times at which the track of all weights
// needs keys: each that one of them has, twice where one jumps.
[[nodiscard]] std::vector<float> align_weights(std::span<WeightKeys> weights);

// Returns the track for aligned weights. Those without keys stay at rest.
[[nodiscard]] TrackKeys gather_weights(std::span<const WeightKeys> weights, std::span<const float> rest,
                                       std::vector<float> times);

}  // namespace marrow
