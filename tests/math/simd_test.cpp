#include "marrow/math/simd.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace marrow {
namespace {

TEST_CASE("The widest available lanes are active, and there is always at least one choice") {
  const std::span<const Lanes> available = available_lanes();
  REQUIRE(!available.empty());
  CHECK(available.front() == Lanes::one);
  CHECK(std::is_sorted(available.begin(), available.end()));
  CHECK(active_lanes() == available.back());
}

TEST_CASE("Lanes can be chosen among those available alone") {
  const Lanes before = active_lanes();
  for (const Lanes lanes : available_lanes()) {
    CHECK(set_lanes(lanes));
    CHECK(active_lanes() == lanes);
    CHECK(std::string(to_string(lanes)).find(std::to_string(static_cast<int>(lanes))) != std::string::npos);
  }
  CHECK_FALSE(set_lanes(static_cast<Lanes>(3)));
  CHECK(active_lanes() == available_lanes().back());
  set_lanes(before);
}

}  // namespace
}  // namespace marrow
