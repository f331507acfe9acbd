// Ramp: a number that moves to another over some seconds: a fade, the weight of a layer, a factor of a speed.
//
//   Ramp fade;
//   fade.set(0);
//   fade.start(1, 0.3, Easing::smooth);
//   fade.advance(dt);
//   blend(fade.value());
//
// A plain value; any thread may use its own. The functions compute with round to nearest and with denormals, whatever
// the host has set.
#pragma once

#include <cstdint>

namespace marrow {

// The shape of a ramp: how far it has gone at a fraction u of its time.
enum class Easing : std::uint8_t {
  linear,
  smooth,    // 3u^2 - 2u^3: starts and ends gently
  ease_in,   // u^2
  ease_out,  // 2u - u^2
};

struct Ramp {
  double from = 1, to = 1;
  double elapsed = 0, duration = 0;  // seconds; both are 0 at rest
  Easing easing = Easing::linear;

  [[nodiscard]] bool running() const;
  [[nodiscard]] bool running_to(double target) const;
  [[nodiscard]] double remaining() const;

  // Returns whether it is at a target, or will be within `seconds`.
  [[nodiscard]] bool gets_to(double target, double seconds) const;

  [[nodiscard]] double value() const;
  [[nodiscard]] double value_at(double elapsed_s) const;

  // Puts it at rest at a value.
  void set(double value);

  // Starts from the present value; arrives at once if `seconds` is 0.
  void start(double target, double seconds, Easing easing_);

  // Moves by dt, which may be negative, but not before the start. Returns true if it has just arrived.
  bool advance(double dt);

  // Returns the integral of the value over the next dt seconds. Only for Easing::linear.
  [[nodiscard]] double integral(double dt) const;
};

}  // namespace marrow
