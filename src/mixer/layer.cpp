#include "marrow/mixer/layer.h"

#include "src/math/exact.h"
#include "src/mixer/mixer_impl.h"

namespace marrow {
namespace {

// Runs body(mixer, state) for the layer that a handle refers to, and returns what it does; for no layer a default or an
// error.
template <typename Body>
auto on_layer(MixerImpl* mixer, std::uint32_t index, const Body& body) {
  const bool there = mixer != nullptr && index < mixer->layers.size();
  MARROW_ASSERT(there, "there is no such layer");
  using Value = decltype(body(*mixer, mixer->layers[index]));
  if constexpr (std::is_void_v<Value>) {
    if (there) exactly([&] { body(*mixer, mixer->layers[index]); });
  } else if (there) {
    return exactly([&] { return body(*mixer, mixer->layers[index]); });
  } else if constexpr (std::is_default_constructible_v<Value>) {
    return Value();
  } else {
    return Value(Error{ErrorCode::invalid_argument, "there is no such layer", "layer"});
  }
}

// A weight that makes no sense is refused.
bool is_layer_weight(MixerImpl& mixer, float weight) {
  const bool good = weight >= 0 && weight <= 1;
  if (!good) mixer.refuse("the weight of a layer is not between 0 and 1");
  return good;
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
    if (is_layer_weight(m, weight) && m.is_duration(seconds) && !exact::gets_to(l.weight, target, seconds)) {
      exact::start(l.weight, target, seconds, easing);
    }
    return *this;
  });
}

Layer Layer::set_mask(const JointMask* mask) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState& l) {
    const bool fits = mask == nullptr || mask->joint_count() == m.skeleton.joint_count();
    if (fits) {
      l.mask = m.get_mask(mask);
    } else {
      m.refuse("the mask is for a skeleton with another number of joints");
    }
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
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) { return m.get_action(clip, index_, false); });
}
Result<Action> Layer::new_action(const Clip& clip) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) { return m.get_action(clip, index_, true); });
}

Action Layer::play(const Clip& clip, const PlayOptions& options) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) { return m.play_clip(clip, index_, options); });
}

Action Layer::cross_fade_to(const Clip& to, double seconds, const FadeOptions& options) const {
  return on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) {
    if (!m.is_duration(seconds)) return Action();
    const Action action = m.action_or_error(to, index_);
    if (action) m.cross_fade(std::nullopt, action.handle().index - 1, seconds, options);
    return action;
  });
}

void Layer::stop_all() const {
  on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) {
    for (std::uint32_t s = 0; s < m.slots.live_end(); ++s) {
      if (m.slots.is_live(s) && m.slots[s].action.layer == index_) m.stop(s);
    }
  });
}

void Layer::fade_out_all(double seconds, Easing easing) const {
  on_layer(mixer_, index_, [&](MixerImpl& m, LayerState&) {
    for (std::uint32_t s = 0; s < m.slots.live_end(); ++s) {
      if (m.slots.is_live(s) && m.slots[s].action.layer == index_) m.fade_out(s, seconds, easing, false);
    }
  });
}

}  // namespace marrow
