// The arithmetic of playheads, ramps and marks, for functions that are in the right floating-point state already
// (src/math/arithmetic.h). The public functions run these inside `exactly`. Internal.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/play/marks.h"
#include "marrow/play/playhead.h"
#include "marrow/play/ramp.h"

namespace marrow {

// Passes are counted up to here, in either direction.
inline constexpr std::int64_t kMostPasses = std::int64_t{1} << 61;
[[nodiscard]] std::int64_t clamp_pass(std::int64_t pass);

}  // namespace marrow

// Functions with the name of a public function compute what that one does.
namespace marrow::exact {

// Returns a mod b, exactly; a >= 0, b > 0.
[[nodiscard]] double remainder(double a, double b);

[[nodiscard]] Travel travel_by(const Playhead& head, double seconds, double duration);
[[nodiscard]] Travel travel_to(const Playhead& head, ClipPlace to, int direction, double duration);
void apply_travel(const Travel& travel, double duration, Playhead& head);
void seek_playhead(double time_s, double duration, Playhead& head);
void set_playhead_loop(Loop loop, std::uint32_t repetitions, double duration, Playhead& head);
[[nodiscard]] double clip_time(Loop loop, ClipPlace place, double duration);
[[nodiscard]] double clip_time(const Playhead& head, double duration);
[[nodiscard]] ClipPlace place_after(ClipPlace place, double seconds, double duration);
[[nodiscard]] double rem_in_phase(double rem, double duration, double other_duration);
[[nodiscard]] double distance_along(const Travel& travel, ClipPlace place, double duration);

std::uint64_t passed_marks(const Marks& marks, const Travel& travel, Loop loop, std::size_t limit,
                           std::vector<PassedMark>& out);

// The members of Ramp.
[[nodiscard]] static inline bool running(const Ramp& ramp) { return ramp.elapsed < ramp.duration; }
[[nodiscard]] static inline bool running_to(const Ramp& ramp, double target) {
  return running(ramp) && ramp.to == target;
}
[[nodiscard]] static inline double remaining(const Ramp& ramp) { return ramp.duration - ramp.elapsed; }
[[nodiscard]] static inline bool gets_to(const Ramp& ramp, double target, double seconds) {
  return ramp.to == target && remaining(ramp) <= seconds;
}
[[nodiscard]] double value_at(const Ramp& ramp, double elapsed_s);
[[nodiscard]] static inline double value(const Ramp& ramp) { return value_at(ramp, ramp.elapsed); }
void start(Ramp& ramp, double target, double seconds, Easing easing);
bool advance(Ramp& ramp, double dt);
[[nodiscard]] double integral(const Ramp& ramp, double dt);

}  // namespace marrow::exact
