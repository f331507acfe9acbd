// From the state of a mixer to a pose: the flat functions of `anim`, called in order.
#include "src/mixer/mixer_impl.h"

namespace marrow {

void MixerImpl::evaluate(MixScratch::Data& data, Pose& out) {
  std::size_t used = 0;
  data.layers.clear();
  for (std::uint32_t l = 0; l < layers.size(); ++l) {
    const LayerState& layer = layers[l];
    const auto weight = static_cast<float>(exact::value(layer.weight));
    if (!(weight > 0)) continue;
    const std::size_t first = used;
    for (std::uint32_t s = 0; s < slots.live_end(); ++s) {
      const ActionState& a = slots[s].action;
      if (a.layer != l || !a.contributes()) continue;
      MARROW_ASSERT(used < data.poses.size(), "the scratch is too small for the actions that contribute");
      if (used < data.poses.size()) {
        data.inputs[used] = BlendInput(data.poses[used], a.weight, static_cast<float>(exact::value(a.fade)));
        data.slots[used++] = s;
      }
    }
    if (used == first) continue;
    MARROW_ASSERT(data.layers.size() < data.layers.capacity(), "the scratch is too small for the layers");
    data.layers.push_back({{data.inputs.data() + first, used - first},
                           layer.mode,
                           weight,
                           layer.mask == 0 ? nullptr : &masks[layer.mask - 1].mask,
                           layer.fill});
  }

  const auto sample_action = [&](std::uint32_t slot, Pose& target) {
    const ActionState& a = slots[slot].action;
    const double time = exact::clip_time(a.head, duration(a));
    if (a.remnant) {  // has no cursor set up, and needs none: it stands still
      sample(clips[a.clip].clip, time, target);
    } else {
      sample(clips[a.clip].clip, time, slots[slot].cursor, target);
    }
    if (root && layers[a.layer].mode == LayerMode::replace) take_out_motion(root->data(), target);
  };
  if (data.layers.size() == 1 && used == 1) {
    // One action at full: its pose is the result.
    const BlendLayer& layer = data.layers[0];
    const float fill = data.inputs[0].fade * (layer.fill == Fill::weight ? data.inputs[0].weight : 1.0f);
    if (layer.mode == LayerMode::replace && layer.weight == 1.0f && layer.mask == nullptr && fill >= 1.0f) {
      return sample_action(data.slots[0], out);
    }
  }
  for (std::size_t i = 0; i < used; ++i) sample_action(data.slots[i], data.poses[i]);
  blend(data.layers, out);
}

}  // namespace marrow
