// Sampling: the pose of a clip at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/anim/pose.h"

namespace marrow {

// Where in a clip a player was last: it saves looking for the keys again. A cursor belongs to one player of one clip,
// and never changes a result. Clips whose tracks share even timelines need none, and their cursors are empty.
class Cursor {
 public:
  // A cursor for any clip; the first use with a clip sets it up, which may allocate.
  Cursor() = default;

  // A cursor for `clip`; using it with that clip never allocates.
  explicit Cursor(const Clip& clip) { reset(clip); }

  // Sets the cursor up for a clip, forgetting where it was. Allocates if no clip before needed as much.
  void reset(const Clip& clip);

  [[nodiscard]] std::size_t memory_bytes() const { return memory_.capacity(); }

  // For the library: the words that the kernels read and write, set up for `clip`; null where it needs none.
  [[nodiscard]] std::uint32_t* words(const Clip& clip);

 private:
  std::vector<std::byte> memory_;
  std::uint64_t clip_id_ = 0;
};

// Writes the pose of `clip` at `time_s` to `pose`: every property that the clip has a track for takes its value and is
// marked present; every other takes that of the pose's skeleton at rest and is marked absent. Before its
// first and after its last key a track has the value of that key, whatever the clip's duration. The result depends on
// nothing else: not on the cursor, not on what was in the pose.
//
// Never allocates with a cursor made for the clip. The pose's skeleton must have as many joints, and morph weights of
// each, as the clip was made for; the time must not be NaN.
void sample(const Clip& clip, double time_s, Cursor& cursor, Pose& pose);

// The same without a cursor: for single looks and random times.
void sample(const Clip& clip, double time_s, Pose& pose);

}  // namespace marrow
