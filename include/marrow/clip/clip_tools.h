// Tools that make clips out of clips.
//
// Each takes a skeleton and clips that were made for it, or for one with as many joints and morph weights of each, and
// returns a new clip; the old ones are untouched. They work on keys, so that what comes out plays as what went in, to
// rounding: nothing is resampled that need not be. All fail as Clip::create does, for instance where a slope comes out
// too large. They allocate, are deterministic to the bit, and may run on any thread. A result has the name of its
// (first) source.
#pragma once

#include <string_view>

#include "marrow/anim/clip.h"
#include "marrow/anim/joint_mask.h"
#include "marrow/anim/pose.h"

namespace marrow {

// Returns the clip under another name.
[[nodiscard]] Result<Clip> rename_clip(const Skeleton& skeleton, const Clip& clip, std::string_view name);

// Returns the part from `from_s` to `to_s`, which becomes its duration; keys are made at both ends where there are
// none. The part may reach beyond the clip, which stands still there. Fails if the times are not finite, beyond 1e9
// seconds or the wrong way round.
[[nodiscard]] Result<Clip> trim(const Skeleton& skeleton, const Clip& clip, double from_s, double to_s);

// Returns the clip played from its duration back to 0. What jumps does so at the same place; at that very instant it
// has the value of the other side.
[[nodiscard]] Result<Clip> reverse_clip(const Skeleton& skeleton, const Clip& clip);

// Returns the first clip followed by the second. Where they do not meet there is a jump; a property that only one of
// them moves is at rest in the other. Of different interpolations the track takes the richer.
[[nodiscard]] Result<Clip> concatenate(const Skeleton& skeleton, const Clip& first, const Clip& second);

// Returns a clip with even keys on every track that moves, both ends included: `keys_per_second`, rounded up to fit the
// duration. Steps stay steps, on the next of the new keys; all else becomes linear, jumps too. Fails on a rate that is
// not above zero, or on too many keys.
[[nodiscard]] Result<Clip> resample(const Skeleton& skeleton, const Clip& clip, double keys_per_second);

// Returns the difference of the clip from a pose, for layers that add: added to that pose with weight 1 it gives the
// clip, where that has tracks. Translations and morph weights are subtracted, rotations are reference^-1 * rotation,
// scales are divided. Fails on a scale of zero in the reference where the clip has a scale track, naming the joint.
// Between keys that are half a turn apart, to rounding, the difference may go the other way.
[[nodiscard]] Result<Clip> to_additive(const Skeleton& skeleton, const Clip& clip, const Pose& reference);

// The same from the clip's own pose at a time.
[[nodiscard]] Result<Clip> to_additive(const Skeleton& skeleton, const Clip& clip, double reference_time_s);

// Returns the clip with the tracks of those joints alone that have more than 0 in the mask, or without them.
[[nodiscard]] Result<Clip> keep_joints(const Skeleton& skeleton, const Clip& clip, const JointMask& mask);
[[nodiscard]] Result<Clip> drop_joints(const Skeleton& skeleton, const Clip& clip, const JointMask& mask);

}  // namespace marrow
