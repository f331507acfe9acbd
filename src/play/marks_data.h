// What Marks are made of. Internal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "marrow/play/marks.h"

namespace marrow {

struct MarksData {
  struct Entry {
    double time;
    std::uint32_t mark;  // in the order given
  };
  Clip clip;
  std::vector<Entry> by_time;  // ascending; equal times in the order given
  std::vector<double> times;
  std::vector<std::string> names;
};

}  // namespace marrow
