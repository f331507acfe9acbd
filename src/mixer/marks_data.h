// What Marks are made of, and which of them a way passes. Internal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "marrow/mixer/marks.h"
#include "src/mixer/playhead.h"

namespace marrow {

struct MarksData {
  struct Entry {
    double time;
    std::uint32_t mark;  // in the order given
  };
  Clip clip;
  std::vector<Entry> by_time;  // ascending, of equals in the order given
  std::vector<double> times;
  std::vector<std::string> names;
};

struct PassedMark {
  std::uint32_t mark;
  double distance;  // from the start of the way
};

// Writes the marks that a way passes, in its order: the first `limit` and what comes together with the last of them, as
// far as it can be among the first `limit` in the order of events. That is below 3 * limit. Returns how many it passes
// in all.
std::uint64_t passed_marks(const MarksData& marks, const Travel& way, Loop loop, std::size_t limit,
                           std::vector<PassedMark>& out);

}  // namespace marrow
