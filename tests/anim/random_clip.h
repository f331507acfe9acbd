// Skeletons and clips of random numbers, for laws that hold for all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fixtures/random.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/anim/skeleton.h"

namespace marrow::test {

using OwnedTrack = TrackKeys;

// Returns descriptions that look into `tracks`.
[[nodiscard]] std::vector<TrackDesc> describe(std::span<const OwnedTrack> tracks);

// Makes a clip that must be good.
[[nodiscard]] Clip good_clip(const Skeleton& skeleton, std::span<const OwnedTrack> tracks);

// A hierarchy of any shape with several roots; rest transforms with scale and mirroring; on every third joint or so up
// to `max_weights` morph weights.
[[nodiscard]] Skeleton random_skeleton(Random& random, std::uint32_t joint_count, std::uint32_t max_weights = 0);

// What random tracks are like.
struct Recipe {
  double length_s = 4;                         // of the time between the first and the last key, about
  std::uint32_t max_keys = 20;                 // a track has from 1 to this many
  double shared = 0.5;                         // how many tracks share the clip's timelines; the others have their own
  double present = 0.8;                        // how many of all properties have a track
  double size = 2;                             // of positions
  double largest_angle = 3.14159265358979;     // between neighbouring rotations
  std::optional<Interpolation> interpolation;  // any, if not told
  bool jumps = true;                           // whether some keys come at equal times
};
[[nodiscard]] std::vector<OwnedTrack> random_tracks(Random& random, const Skeleton& skeleton, const Recipe& recipe);

// A skeleton of up to `max_joints` joints, tracks for it, and the clip of them.
struct RandomClip {
  Skeleton skeleton;
  std::vector<OwnedTrack> tracks;
  Clip clip;
};
[[nodiscard]] RandomClip random_clip(Random& random, const Recipe& recipe, std::uint32_t max_joints,
                                     std::uint32_t max_weights);

// Times at which sampling is most likely to go wrong: on keys, next to them, between them, outside.
[[nodiscard]] std::vector<double> interesting_times(Random& random, std::span<const OwnedTrack> tracks,
                                                    std::size_t count);

}  // namespace marrow::test
