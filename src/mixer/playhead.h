// Playhead: where in a clip an action is, and the way from one place to the next. Internal.
//
// A place is a number of passes through the clip and a remainder within one, so that neither a day of playing nor a
// step of years loses precision. Passes are not folded: in ping-pong every other one runs the clip backward.
#pragma once

#include <cstdint>

#include "marrow/mixer/action.h"

namespace marrow {

struct Place {
  std::int64_t pass = 0;
  double rem = 0;  // from 0 to the clip's duration, as a rule below it
};

// An end of the clip.
enum class End : std::uint8_t { none, start, end };

struct Playhead {
  Place place;
  std::uint64_t passes = 0;  // ends reached
  Loop loop = Loop::repeat;
  std::uint32_t repetitions = 0;  // 0: endless
  End reached = End::none;        // stands on this end, and has told so
};

// The way that a playhead goes in one update.
struct Travel {
  Place from, to;
  int direction = 0;          // 1 or -1; 0 for none at all
  double distance = 0;        // of the whole step, beyond `to` if that is the end; above zero
  bool from_reached = false;  // `from` is an end that was told of before
  bool finishes = false;
  std::uint64_t ends = 0;  // of the clip that are reached
};

// Passes are counted up to here, either way.
inline constexpr std::int64_t kMostPasses = std::int64_t{1} << 61;
[[nodiscard]] std::int64_t clamp_pass(std::int64_t pass);

// Returns a mod b, exactly; a >= 0, b > 0.
[[nodiscard]] double exact_remainder(double a, double b);

// Returns whether the clip runs backward in a pass, and the time in the clip of a place.
[[nodiscard]] bool runs_backward(Loop loop, std::int64_t pass);
[[nodiscard]] double clip_time(Loop loop, Place place, double duration);

// Returns the place `delta` seconds of the clip from another.
[[nodiscard]] Place moved(Place place, double delta, double duration);

// Returns the way over `delta` seconds of the clip, or to a given place in some direction in a clip with length, up
// to the end of the last pass.
[[nodiscard]] Travel travel_by(const Playhead& head, double delta, double duration);
[[nodiscard]] Travel travel_to(const Playhead& head, Place to, int direction, double duration);

// Returns the remainder in the pass of another clip that is the same fraction of it; of clips with length.
[[nodiscard]] double in_phase(double rem, double duration, double other_duration);

// Puts the playhead at the end of a way.
void follow(const Travel& travel, double duration, Playhead& head);

// Puts it where playing starts; `backward` at the other end.
void rewind(bool backward, double duration, Playhead& head);

// Puts it at a time of the clip, within the present pass.
void seek(double time_s, double duration, Playhead& head);

// Changes how it loops, at the same time of the clip.
void set_loop(Loop loop, std::uint32_t repetitions, double duration, Playhead& head);

// Returns how far a place is from the start of a way, along it.
[[nodiscard]] double distance_to(const Travel& travel, Place place, double duration);

}  // namespace marrow
