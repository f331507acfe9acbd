// Action: a clip being played by a mixer (mixer.h).
//
// An Action is a small value handle. Copy and keep it freely; `if (action)` tells whether the action still exists. The
// mixer owns the state, until the action is released or the mixer is destroyed. One thread at a time may use a mixer
// and its actions.
//
// Commands return the action, so that they can be chained. A command changes nothing and leaves an error in
// Mixer::last_error if
//   - a value is invalid: NaN, infinity, a negative weight or fade time
//   - the action was released, or its slot was reused (mixer.h)
// A released action reads as one that was never played: speed 1, weight 1, Loop::repeat, time 0, fade 0. Its clip is
// empty, and its layer is null. So does what a failed command of a mixer returns, and commands on it do nothing: the
// error of the failed one stays. A default-constructed action must be neither read nor commanded.
#pragma once

#include <cstdint>

#include "marrow/anim/clip.h"
#include "marrow/play/event.h"
#include "marrow/play/playhead.h"
#include "marrow/play/ramp.h"

namespace marrow {

struct MixerImpl;
class Layer;

class Action {
 public:
  // No action.
  Action() = default;

  // True if this refers to an action that was neither released nor reused (mixer.h).
  explicit operator bool() const;
  friend bool operator==(const Action& a, const Action& b) {
    return a.handle_ == b.handle_ && (a.mixer_ == b.mixer_ || a.handle_.is_null());
  }

  friend bool operator==(const Action& a, ActionHandle b) { return a.handle_ == b; }
  friend bool operator==(ActionHandle a, const Action& b) { return a == b.handle_; }

  // Plain data that identifies the action in the state of a game and in events. See Mixer::action.
  [[nodiscard]] ActionHandle handle() const { return handle_; }
  [[nodiscard]] const Clip& clip() const;  // lives as long as the mixer
  [[nodiscard]] Layer layer() const;

  // Starts an action that is stopped or finished, at once and with full fade: at its start, at its end if the speed is
  // below zero, or where a stopped one was sought to. One that plays goes on if it was paused; a fade-out under way
  // turns round.
  Action play() const;

  // Rewinds and leaves the blend, at once.
  Action stop() const;

  // Keeps contributing the pose that it is at, and does not move. Fades go on.
  Action pause() const;
  Action resume() const;

  // Goes back to the start (the end for a speed below zero), with all passes before it. Fade and weight stay.
  Action reset() const;

  // Goes to a time in the clip, clamped to it; no events, no root motion. A finished action goes on from there.
  Action seek(double time_s) const;

  // Fades from the present fade to 1, over `seconds`. An action that contributes nothing is started with fade 0, and so
  // is a finished one; what it showed fades out by itself (see Mixer::cross_fade). If it gets there sooner anyway, it
  // goes on as it does.
  Action fade_in(double seconds, Easing easing = Easing::linear) const;

  // Fades from the present fade to 0, over `seconds` or what is left of a fade-out, and stops there.
  Action fade_out(double seconds, Easing easing = Easing::linear) const;

  // How many times as fast as the clip; backward below zero, still at zero.
  Action set_speed(double speed) const;

  // The share among the actions of the layer, together with the fade; at most 1e18.
  Action set_weight(float weight) const;

  // What happens at the ends. After `repetitions` passes (in ping-pong there and back are two) the action is finished
  // and holds; 0 is endless. `once` is one pass, whatever is said here. The time stays as it is.
  Action set_loop(Loop loop, std::uint32_t repetitions = 0) const;

  // Puts this action in phase with `leader`, and keeps it there while both play: whatever its own speed, each pass of
  // the one takes as long as one of the other. (Of two that loop differently the passes agree, not the times.) An error
  // if the leader follows this action. A null leader ends it.
  Action sync_with(Action leader) const;

  [[nodiscard]] double time() const;   // in the clip, from 0 to its duration
  [[nodiscard]] double phase() const;  // time / duration; 0 for a clip of no length
  [[nodiscard]] double speed() const;
  [[nodiscard]] float weight() const;
  [[nodiscard]] Loop loop() const;
  [[nodiscard]] std::uint32_t repetitions() const;
  [[nodiscard]] std::uint64_t passes() const;  // ends of the clip reached since it was started
  [[nodiscard]] Action leader() const;

  [[nodiscard]] bool playing() const;   // started, and neither stopped nor finished; paused or not
  [[nodiscard]] bool paused() const;    // by `pause`
  [[nodiscard]] bool finished() const;  // holds the end
  [[nodiscard]] bool active() const;    // not stopped: takes part in the blend, as far as weight and fade go

  [[nodiscard]] float fade() const;              // from 0 to 1; 0 when stopped
  [[nodiscard]] float effective_weight() const;  // weight * fade
  [[nodiscard]] bool fading() const;
  [[nodiscard]] double fade_remaining() const;  // seconds of the mixer's time until the fade ends; 0 if it does not run

 private:
  friend struct MixerImpl;
  Action(MixerImpl* mixer, ActionHandle handle) : mixer_(mixer), handle_(handle) {}

  MixerImpl* mixer_ = nullptr;
  ActionHandle handle_;
};

}  // namespace marrow
