// Playhead: where in a clip something plays, and Travel: the way over one step of time.
//
//   Playhead head;
//   const Travel travel = advance_playhead(head, dt * speed, clip.duration());
//   sample(clip, clip_time(head, clip.duration()), pose);
//
// A place is a number of passes through the clip and a remainder within one, so neither a day of playing nor a step of
// years loses precision. Passes are not folded: in ping-pong every other pass runs the clip backward. Events (marks.h,
// event_list.h) and root motion (root_motion.h) are read off a Travel.
//
// Plain values without owners; any thread may use its own. Times are seconds of the clip, a duration is that of the
// clip and is not negative. The functions compute with round to nearest and with denormals, whatever the host has set.
#pragma once

#include <cstdint>

namespace marrow {

enum class Loop : std::uint8_t {
  once,       // plays to the end and holds it
  repeat,     // starts again at the start
  ping_pong,  // runs forward and backward in turn
};

struct ClipPlace {
  std::int64_t pass = 0;
  double rem = 0;  // from 0 to the duration; below it unless the last pass has ended there
};

enum class ClipEnd : std::uint8_t { none, start, end };

// The state of playing a clip: save it, restore it, copy it.
struct Playhead {
  ClipPlace place;
  std::uint64_t passes = 0;  // ends of the clip reached since the last rewind
  Loop loop = Loop::repeat;
  std::uint32_t repetitions = 0;    // passes to play; 0 for no end. Loop::once plays one.
  ClipEnd reached = ClipEnd::none;  // the end that it stands on and that a travel has covered already
};

// The way of a playhead in one step.
struct Travel {
  ClipPlace from, to;
  int direction = 0;    // 1 forward, -1 backward, 0 if it did not move
  double distance = 0;  // seconds of the whole step, also beyond `to` where the last pass ends there; not negative
  bool from_reached = false;  // `from` is an end that an earlier travel has covered
  bool finishes = false;      // the last pass ends at `to`
  std::uint64_t ends = 0;     // ends of the clip that it reaches
};

// Moves a playhead by `seconds`, up to the end of its last pass, and returns the way. A finished playhead that is moved
// again starts another last pass.
Travel advance_playhead(Playhead& head, double seconds, double duration);

// advance_playhead in two steps: returns the way without moving, then puts the playhead at the end of a way.
[[nodiscard]] Travel travel_by(const Playhead& head, double seconds, double duration);
void apply_travel(const Travel& travel, double duration, Playhead& head);

// Returns the way to a given place in a given direction, up to the end of the last pass. The duration is above 0.
[[nodiscard]] Travel travel_to(const Playhead& head, ClipPlace to, int direction, double duration);

// Puts a playhead where playing starts: at the start, or with `backward` at the end.
void rewind_playhead(bool backward, double duration, Playhead& head);

// Puts a playhead at a time of the clip, clamped to it, within the present pass.
void seek_playhead(double time_s, double duration, Playhead& head);

// Changes how a playhead loops. The time in the clip stays.
void set_playhead_loop(Loop loop, std::uint32_t repetitions, double duration, Playhead& head);

// Returns whether the clip runs backward in a pass.
[[nodiscard]] bool runs_backward(Loop loop, std::int64_t pass);

// Returns the time in the clip of a place, or of a playhead.
[[nodiscard]] double clip_time(Loop loop, ClipPlace place, double duration);
[[nodiscard]] double clip_time(const Playhead& head, double duration);

// Returns the place `seconds` after another; before it if that is negative.
[[nodiscard]] ClipPlace place_after(ClipPlace place, double seconds, double duration);

// Returns the remainder in a clip of `other_duration` at the same fraction of a pass. Both durations are above 0.
[[nodiscard]] double rem_in_phase(double rem, double duration, double other_duration);

// Returns how far a place is from the start of a way, along the way; 0 if it is before the start.
[[nodiscard]] double distance_along(const Travel& travel, ClipPlace place, double duration);

}  // namespace marrow
