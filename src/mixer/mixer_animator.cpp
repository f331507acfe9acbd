// The mixer as an animator of instances.
#include "marrow/mixer/mixer.h"

namespace marrow {
namespace {

Mixer& mixer(void* self) { return *static_cast<Mixer*>(self); }
const Mixer& mixer(const void* self) { return *static_cast<const Mixer*>(self); }

constexpr AnimatorFunctions kMixerFunctions = {
    "mixer",
    1,
    [](void* self, double dt_s) { return mixer(self).advance_deferred(dt_s); },
    [](void* self, MixScratch& scratch, Pose& out) { mixer(self).evaluate(scratch, out); },
    [](const void* self) { return mixer(self).scratch_size(); },
    [](const void* self) { return mixer(self).events(); },
    [](const void* self) { return mixer(self).root_motion(); },
    [](const void* self) { return mixer(self).has_pending_events(); },
    [](void* self) { mixer(self).dispatch_events(); },
    [](const void* self) { return mixer(self).snapshot_size(); },
    [](const void* self, std::span<std::byte> out) { return mixer(self).save(out); },
    [](void* self, std::span<const std::byte> block) { return mixer(self).restore(block); },
    [](const void* self) { return mixer(self).memory_bytes(); },
    nullptr,
};

}  // namespace

Animator mixer_animator(Mixer& mixer) { return {&kMixerFunctions, &mixer}; }

Mixer* mixer_of(const Animator& animator) {
  return animator.functions == &kMixerFunctions ? static_cast<Mixer*>(animator.self) : nullptr;
}

}  // namespace marrow
