#include "golden.h"

#include <doctest/doctest.h>

#include "marrow/math/simd.h"

namespace marrow {
namespace {

TEST_CASE("600 frames of every kind of clip have the expected bits on every number of lanes") {
  const golden::Scene scene = golden::make_scene();
  const Lanes before = active_lanes();
  for (const Lanes lanes : available_lanes()) {
    set_lanes(lanes);
    INFO(to_string(lanes));
    CHECK(golden::hash_frames(scene) == golden::kExpected);
  }
  set_lanes(before);
}

}  // namespace
}  // namespace marrow
