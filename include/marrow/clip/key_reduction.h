// Removes keys that a clip can do without.
#pragma once

#include <cstdint>

#include "marrow/anim/clip.h"
#include "marrow/clip/clip_error.h"

namespace marrow {

struct ReductionOptions {
  double tolerance = 1e-3;        // metres in model space that a point on the skin may be off; 0 or more
  double distance = 0.1;          // metres in model space from a joint to the skin that moves with it
  double morph_tolerance = 1e-3;  // that a morph weight may be off

  // Called now and then with the part of the work that is done, from 0 to 1; may be null.
  void (*progress)(double done, void* user) = nullptr;
  void* user = nullptr;
};

struct ReducedClip {
  Clip clip;
  std::uint64_t keys_before = 0, keys_after = 0;
  ClipError error;  // as measured between the two clips
};

// Returns the clip with as few of its keys as keep every point on the skin within the tolerance of where it was, at
// the times of all keys and 240 times a second: ClipError says how that is measured. What is allowed is the error in
// model space with that of all parents in it, so a hand is as good as the hips. The keys that stay are those of the
// clip, with its interpolation; every track keeps one at least.
//
// It takes some seconds and a few hundred megabytes for a minute of a character, and not above two gigabytes for
// anything larger: then not every key is looked at, and those that are not stay. Fails on a tolerance or distance that
// is negative or not finite, and on millions of jumps.
[[nodiscard]] Result<ReducedClip> reduce_keys(const Skeleton& skeleton, const Clip& clip,
                                              const ReductionOptions& options = {});

}  // namespace marrow
