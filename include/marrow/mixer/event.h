// Events: what happened to the actions of a mixer in its last update.
#pragma once

#include <cstdint>
#include <string_view>

#include "marrow/mixer/action.h"

namespace marrow {

enum class EventKind : std::uint8_t {
  mark,      // passed a mark of the clip (marks.h)
  looped,    // reached an end of the clip and went on, `count` times
  finished,  // reached the end of its last pass, where it holds
};

// Returns "mark", "looped" or "finished".
[[nodiscard]] const char* to_string(EventKind kind);

struct Event {
  EventKind kind = EventKind::mark;
  Action action;
  double offset_s = 0;      // from the start of the update, in the mixer's time; that of the first loop for `looped`
  float weight = 0;         // the action's effective weight then
  std::uint64_t count = 1;  // of `looped`
  std::uint32_t mark = 0;   // index of the mark
  std::string_view name;    // of the mark; good until the next advance
};

}  // namespace marrow
