// Runs the body of a test on every set of vector instructions that this build and this processor have.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "marrow/math/simd.h"

namespace marrow::test {

// Calls body() once for each available lane count, and puts back the one that was in use before, even if body throws.
// A failure inside says which lane count it happened on.
template <typename Body>
void on_every_lane_count(const Body& body) {
  struct Restore {
    Lanes before = active_lanes();
    ~Restore() { set_lanes(before); }
  };
  const Restore restore;
  for (const Lanes lanes : available_lanes()) {
    const std::string name = to_string(lanes);
    CAPTURE(name);
    REQUIRE(set_lanes(lanes));
    body();
  }
}

}  // namespace marrow::test
