#include "marrow/play/ramp.h"

#include <algorithm>

namespace marrow {
namespace {

double eased(double u, Easing easing) {
  switch (easing) {
    case Easing::linear: return u;
    case Easing::smooth: return u * u * (3 - 2 * u);
    case Easing::ease_in: return u * u;
    case Easing::ease_out: return u * (2 - u);
  }
  return u;
}

}  // namespace

double Ramp::value_at(double elapsed_s) const {
  if (!(elapsed_s < duration)) return to;
  if (!(elapsed_s > 0)) return from;
  return from + (to - from) * eased(elapsed_s / duration, easing);
}

void Ramp::start(double target, double seconds, Easing easing_) {
  const double present = value();
  if (seconds > 0) {
    *this = {present, target, 0, seconds, easing_};
  } else {
    set(target);
  }
}

bool Ramp::advance(double dt) {
  if (!running()) return false;
  elapsed = std::max(elapsed + dt, 0.0);
  // Frames that add up to the duration but for rounding end it, and not the frame after.
  if (remaining() > duration * 1e-9) return false;
  set(to);
  return true;
}

double Ramp::integral(double dt) const {
  if (!running()) return to * dt;
  const double end = elapsed + dt, within = std::clamp(end, 0.0, duration);
  // A line up to its end, a constant beyond.
  const double sloping = 0.5 * (value() + value_at(within)) * (within - elapsed);
  return sloping + value_at(within) * (end - within);
}

}  // namespace marrow
