#include "marrow/play/ramp.h"

#include <algorithm>

#include "src/play/imports.h"
#include "src/play/time_arithmetic.h"

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

namespace exact {

double value_at(const Ramp& ramp, double elapsed_s) {
  if (!(elapsed_s < ramp.duration)) return ramp.to;
  if (!(elapsed_s > 0)) return ramp.from;
  return ramp.from + (ramp.to - ramp.from) * eased(elapsed_s / ramp.duration, ramp.easing);
}

void start(Ramp& ramp, double target, double seconds, Easing easing) {
  const double present = value(ramp);
  if (seconds > 0) {
    ramp = {present, target, 0, seconds, easing};
  } else {
    ramp.set(target);
  }
}

bool advance(Ramp& ramp, double dt) {
  if (!running(ramp)) return false;
  ramp.elapsed = std::max(ramp.elapsed + dt, 0.0);
  // Frames that add up to the duration but for rounding end it, and not the frame after.
  if (remaining(ramp) > ramp.duration * 1e-9) return false;
  ramp.set(ramp.to);
  return true;
}

double integral(const Ramp& ramp, double dt) {
  if (!running(ramp)) return ramp.to * dt;
  const double end = ramp.elapsed + dt, within = std::clamp(end, 0.0, ramp.duration);
  // A line up to its end, a constant beyond.
  const double sloping = 0.5 * (value(ramp) + value_at(ramp, within)) * (within - ramp.elapsed);
  return sloping + value_at(ramp, within) * (end - within);
}

}  // namespace exact

bool Ramp::running() const {
  return exactly([&] { return exact::running(*this); });
}
bool Ramp::running_to(double target) const {
  return exactly([&] { return exact::running_to(*this, target); });
}
double Ramp::remaining() const {
  return exactly([&] { return exact::remaining(*this); });
}
bool Ramp::gets_to(double target, double seconds) const {
  return exactly([&] { return exact::gets_to(*this, target, seconds); });
}
double Ramp::value() const {
  return exactly([&] { return exact::value(*this); });
}
double Ramp::value_at(double elapsed_s) const {
  return exactly([&] { return exact::value_at(*this, elapsed_s); });
}
void Ramp::set(double value) { *this = {value, value, 0, 0, Easing::linear}; }
void Ramp::start(double target, double seconds, Easing easing_) {
  exactly([&] { exact::start(*this, target, seconds, easing_); });
}
bool Ramp::advance(double dt) {
  return exactly([&] { return exact::advance(*this, dt); });
}
double Ramp::integral(double dt) const {
  return exactly([&] { return exact::integral(*this, dt); });
}

}  // namespace marrow
