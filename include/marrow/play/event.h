// Events: marks passed, loops and ends, found on the way of a playhead (playhead.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "marrow/core/handle.h"

namespace marrow {

// Identifies what plays a clip: in a mixer its action (see Mixer::action). Plain data without a pointer.
using ActionHandle = Handle<class Action>;

enum class EventKind : std::uint8_t {
  mark,      // passed a mark of the clip (marks.h)
  looped,    // reached an end of the clip and went on, `count` times
  finished,  // reached the end of its last pass, where it holds
};

// Returns "mark", "looped" or "finished".
[[nodiscard]] const char* to_string(EventKind kind);

struct Event {
  EventKind kind = EventKind::mark;
  ActionHandle action;
  double offset_s = 0;      // from the start of the step, in the player's time; the first loop for `looped`
  float weight = 0;         // the effective weight at that moment
  std::uint64_t count = 1;  // of `looped`
  std::uint32_t mark = 0;   // index of the mark
  std::string_view name;    // of the mark; valid until the next step
};

}  // namespace marrow
