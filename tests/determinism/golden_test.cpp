#include "golden.h"

#include <doctest/doctest.h>

#include <string>

#include "marrow/math/simd.h"

namespace marrow {
namespace {

TEST_CASE("600 frames of every kind of clip have the expected bits on every number of lanes") {
  const golden::Scene scene = golden::make_scene();
  const Lanes before = active_lanes();
  for (const Lanes lanes : available_lanes()) {
    set_lanes(lanes);
    const golden::Hashers hashers = golden::hash_frames(scene);
    for (const golden::Part& part : golden::kParts) {
      INFO(std::string(part.name), ", ", std::string(to_string(lanes)));  // doctest prints a char* as an address
      CHECK((hashers.*part.hasher).finish() == part.expected);
    }
  }
  set_lanes(before);
}

}  // namespace
}  // namespace marrow
