// Layer: a group of actions that a mixer blends as one, on top of the layers below it.
//
// A Layer is a small handle like Action. Crossfades stay within a layer. A layer without any action that plays costs
// nothing and changes nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "marrow/anim/blend.h"
#include "marrow/core/result.h"
#include "marrow/mixer/action.h"

namespace marrow {

struct LayerOptions {
  LayerMode mode = LayerMode::replace;
  float weight = 1;
  const JointMask* mask = nullptr;  // copied; null for all joints
  Fill fill = Fill::fade;
};

// What mixer.play(clip, options) sets on the action before it starts it. What is not named stays as it is: that of an
// action that was never set is speed 1, Loop::repeat without end, weight 1.
struct PlayOptions {
  std::optional<double> speed = {};
  std::optional<Loop> loop = {};
  std::optional<std::uint32_t> repetitions = {};  // 0: endless
  std::optional<float> weight = {};
  double fade_in = 0;  // seconds, from the present fade; leaves the weight alone
};

struct FadeOptions {
  Easing easing = Easing::linear;

  // Lets both sides go at one pace, which changes from that of the outgoing action to that of the incoming in the
  // course of the fade; an incoming action that contributes nothing starts in the phase of the outgoing. For gaits,
  // whose feet then keep step. Without effect where one of the two stands still or plays the other way; and a speed
  // that is set during the fade counts from there on, out of step.
  bool warp = false;
};

class Layer {
 public:
  Layer() = default;

  // True if the mixer has this layer.
  explicit operator bool() const;
  friend bool operator==(const Layer& a, const Layer& b) { return a.mixer_ == b.mixer_ && a.index_ == b.index_; }

  [[nodiscard]] std::uint32_t index() const { return index_; }  // 0 is the base
  [[nodiscard]] LayerMode mode() const;

  // The weight of the whole layer, from 0 to 1. Another value leaves an error in Mixer::last_error.
  Layer set_weight(float weight) const;
  Layer fade_to(float weight, double seconds, Easing easing = Easing::linear) const;
  [[nodiscard]] float weight() const;

  // Sets which joints the layer moves, and how much; null for all. The mask is copied, which may allocate.
  Layer set_mask(const JointMask* mask) const;
  [[nodiscard]] const JointMask* mask() const;

  Layer set_fill(Fill fill) const;
  [[nodiscard]] Fill fill() const;

  // As those of the mixer (mixer.h), which are the base layer's.
  [[nodiscard]] Result<Action> clip_action(const Clip& clip) const;
  [[nodiscard]] Result<Action> new_action(const Clip& clip) const;
  Action play(const Clip& clip, const PlayOptions& options = {}) const;
  Action switch_to(const Clip& clip, const PlayOptions& options = {}) const;
  Action cross_fade_to(const Clip& to, double seconds, const FadeOptions& options = {}) const;
  [[nodiscard]] Action current() const;
  Layer stop_all() const;
  Layer fade_out_all(double seconds, Easing easing = Easing::linear) const;

 private:
  friend struct MixerImpl;
  Layer(MixerImpl* mixer, std::uint32_t index) : mixer_(mixer), index_(index) {}

  MixerImpl* mixer_ = nullptr;
  std::uint32_t index_ = 0;
};

}  // namespace marrow
