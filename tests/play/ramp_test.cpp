#include "marrow/play/ramp.h"

#include <doctest/doctest.h>

namespace marrow {
namespace {

TEST_CASE("a ramp starts from its present value, and arrives once") {
  Ramp ramp;
  ramp.set(0);
  ramp.start(1, 2, Easing::linear);
  CHECK(!ramp.advance(0.5));
  CHECK(ramp.value() == 0.25);
  ramp.start(0, 1, Easing::linear);
  CHECK(ramp.value() == 0.25);
  CHECK(!ramp.advance(0.5));
  CHECK(ramp.value() == 0.125);
  CHECK(ramp.advance(9));
  CHECK(ramp.value() == 0);
  CHECK(!ramp.advance(1));
}

TEST_CASE("every easing goes from 0 to 1, and never back") {
  for (const Easing easing : {Easing::linear, Easing::smooth, Easing::ease_in, Easing::ease_out}) {
    Ramp ramp;
    ramp.set(0);
    ramp.start(1, 1, easing);
    double last = 0;
    for (int i = 0; i <= 100; ++i) {
      const double value = ramp.value_at(i / 100.0);
      CHECK(value >= last);
      last = value;
    }
    CHECK(ramp.value_at(0) == 0);
    CHECK(ramp.value_at(1) == 1);
  }
}

TEST_CASE("the integral of a linear ramp is the area below it, beyond its end too") {
  Ramp ramp;
  ramp.set(1);
  ramp.start(3, 2, Easing::linear);
  CHECK(ramp.integral(2) == 4);
  CHECK(ramp.integral(3) == 7);
  ramp.advance(1);
  CHECK(ramp.integral(1) == 2.5);
}

TEST_CASE("a ramp of no length arrives at once, and one that runs backward stops at its start") {
  Ramp ramp;
  ramp.set(0);
  ramp.start(1, 0, Easing::smooth);
  CHECK(ramp.value() == 1);
  CHECK(!ramp.running());
  ramp.start(0, 1, Easing::linear);
  ramp.advance(0.5);
  ramp.advance(-3);
  CHECK(ramp.value() == 1);
  CHECK(ramp.running());
}

}  // namespace
}  // namespace marrow
