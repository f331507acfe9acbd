// Ramp: a number on its way to another, in some time. Internal.
#pragma once

#include "marrow/mixer/action.h"

namespace marrow {

struct Ramp {
  double from = 1, to = 1;
  double elapsed = 0, duration = 0;  // seconds; at rest both are 0
  Easing easing = Easing::linear;

  [[nodiscard]] bool running() const { return elapsed < duration; }
  [[nodiscard]] bool running_to(double target) const { return running() && to == target; }
  [[nodiscard]] double remaining() const { return duration - elapsed; }

  // Whether it is at a target, or will be in so many seconds: asking again does not slow it down.
  [[nodiscard]] bool gets_to(double target, double seconds) const { return to == target && remaining() <= seconds; }

  [[nodiscard]] double value() const { return value_at(elapsed); }
  [[nodiscard]] double value_at(double elapsed_s) const;

  // Is at `value` from now on.
  void set(double value) { *this = {value, value, 0, 0, Easing::linear}; }

  // Sets out from the present value; arrives at once if `seconds` is 0.
  void start(double target, double seconds, Easing easing_);

  // Moves by dt, not before the start; returns true when it has just arrived.
  bool advance(double dt);

  // Returns the integral of the value over the next dt; of a linear ramp.
  [[nodiscard]] double integral(double dt) const;
};

}  // namespace marrow
