#include "marrow/mixer/layer.h"

#include "src/mixer/imports.h"
#include "src/mixer/mixer_impl.h"

namespace marrow {
namespace {

// Returns body(mixer, state) for the layer that a handle refers to; for no layer a default or an error.
template <typename Body>
auto on_layer(MixerImpl* mixer, std::uint32_t index, const Body& body) {
  const bool there = mixer != nullptr && index < mixer->layers.size();
  MARROW_ASSERT(there, "there is no such layer");
  using Value = decltype(body(*mixer, mixer->layers[index]));
  if (there) {
    return exactly([&] { return body(*mixer, mixer->layers[index]); });
  } else if constexpr (std::is_default_constructible_v<Value>) {
    return Value();
  } else {
    return Value(Error{ErrorCode::invalid_argument, "there is no such layer", "layer"});
  }
}

// Returns whether the weight and mask of a layer are valid, and leaves an error if they are not.
bool check(MixerImpl& mixer, float weight, const JointMask* mask) {
  const Result<void> checked = mixer.check_layer(weight, mask);
  if (!checked) mixer.last_error = checked.error();
  return checked.ok();
}

}  // namespace

Layer::operator bool() const { return mixer_ != nullptr && index_ < mixer_->layers.size(); }

LayerMode Layer::mode() const {
  return on_layer(mixer_, index_, [](MixerImpl&, const LayerState& l) { return l.mode; });
}
float Layer::weight() const {
  return on_layer(mixer_, index_,
                  [](MixerImpl&, const LayerState& l) { return static_cast<float>(exact::value(l.weight)); });
}
Fill Layer::fill() const {
  return on_layer(mixer_, index_, [](MixerImpl&, const LayerState& l) { return l.fill; });
}
const JointMask* Layer::mask() const {
  return on_layer(mixer_, index_, [](MixerImpl& m, const LayerState& l) -> const JointMask* {
    return l.mask == 0 ? nullptr : &m.masks[l.mask - 1].mask;
  });
}
Action Layer::current() const {
  return on_layer(mixer_, index_, [](MixerImpl& m, const LayerState& l) {
    const std::optional<std::uint32_t> slot = m.find(l.current);
    return slot && m.slots[*slot].action.active() ? m.make_action(*slot) : Action();
  });
}

Layer Layer::set_weight(float weight) const { return fade_to(weight, 0); }

Layer Layer::fade_to(float weight, double seconds, Easing easing) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState& l) {
    const auto target = static_cast<double>(weight);
    if (check(m, weight, nullptr) && m.check_duration(seconds) && !exact::gets_to(l.weight, target, seconds)) {
      exact::start(l.weight, target, seconds, easing);
    }
    return *this;
  });
}

Layer Layer::set_mask(const JointMask* mask) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState& l) {
    if (check(m, 1, mask)) l.mask = m.get_mask(mask);
    return *this;
  });
}

Layer Layer::set_fill(Fill fill) const {
  return on_layer(mixer_, index_, [&](MixerImpl&, LayerState& l) {
    l.fill = fill;
    return *this;
  });
}

Result<Action> Layer::clip_action(const Clip& clip) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) { return m.get_action(clip, index_, false, true); });
}
Result<Action> Layer::new_action(const Clip& clip) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) { return m.get_action(clip, index_, true, true); });
}

Action Layer::play(const Clip& clip, const PlayOptions& options) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) { return m.play_clip(clip, index_, options); });
}

Action Layer::switch_to(const Clip& clip, const PlayOptions& options) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) { return m.switch_to_clip(clip, index_, options); });
}

Action Layer::cross_fade_to(const Clip& to, double seconds, const FadeOptions& options) const {
  return on_layer(mixer_, index_,
                  [&](MixerImpl& m, LayerState&) { return m.cross_fade_to_clip(to, index_, seconds, options); });
}

Layer Layer::stop_all() const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) {
    for (std::uint32_t s = 0; s < m.slots.live_end(); ++s) {
      if (m.slots.is_live(s) && m.slots[s].action.layer == index_) m.stop(s);
    }
    return *this;
  });
}

Layer Layer::fade_out_all(double seconds, Easing easing) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) {
    for (std::uint32_t s = 0; s < m.slots.live_end(); ++s) {
      if (m.slots.is_live(s) && m.slots[s].action.layer == index_) m.fade_out(s, seconds, easing, false);
    }
    return *this;
  });
}

}  // namespace marrow
