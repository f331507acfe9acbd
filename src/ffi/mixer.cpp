// Mixers: playing clips, layers, events, root motion, snapshots.
#include "src/ffi/mixer.h"

#include "src/ffi/snapshot.h"

using namespace marrow;
using namespace marrow::ffi;

namespace {

template <typename Body>
marrow_status with_mixer(marrow_mixer mixer, const Body& body) noexcept {
  return with<FoundMixer>(mixer, [&](const FoundMixer& found) { return body(found); });
}
template <typename Body>
marrow_status with_layer(marrow_mixer mixer, std::uint32_t layer, const Body& body) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    MARROW_FFI_TRY(check_index(layer, found.mixer->layer_count(), "layer"));
    return body(found, found.mixer->layer(layer));
  });
}

marrow_status find_clip(const FoundMixer& found, std::uint32_t clip, const Clip*& out) {
  const std::span<const Clip> clips = found.instance.model().clips();
  MARROW_FFI_TRY(check_index(clip, clips.size(), "clip"));
  out = &clips[clip];
  return MARROW_OK;
}

// Gives an action out that the caller may not want to know.
void give(const FoundMixer& found, const Action& action, marrow_action* out) {
  if (out != nullptr) *out = handle_of(found.handle, action.handle());
}

constexpr std::uint32_t kPlayMembers =
    MARROW_PLAY_SPEED | MARROW_PLAY_LOOP | MARROW_PLAY_REPETITIONS | MARROW_PLAY_WEIGHT;

marrow_status read_play_options(const marrow_play_options* options, PlayOptions& out) {
  marrow_play_options in = MARROW_PLAY_OPTIONS_INIT;
  MARROW_FFI_TRY(read_options(options, in, "options"));
  MARROW_FFI_TRY(check_choice(in.reserved, 0, "reserved"));
  if ((in.set & ~kPlayMembers) != 0) {
    return fail(MARROW_ERROR_INVALID_ARGUMENT, "`set` has a bit that means nothing", "set");
  }
  MARROW_FFI_TRY(check_seconds(in.fade_in, "fade_in"));
  out.fade_in = in.fade_in;
  if ((in.set & MARROW_PLAY_SPEED) != 0) {
    MARROW_FFI_TRY(check_finite(in.speed, "speed"));
    out.speed = in.speed;
  }
  if ((in.set & MARROW_PLAY_LOOP) != 0) {
    MARROW_FFI_TRY(check_choice(in.loop, MARROW_PING_PONG, "loop"));
    out.loop = static_cast<Loop>(in.loop);
  }
  if ((in.set & MARROW_PLAY_REPETITIONS) != 0) out.repetitions = in.repetitions;
  if ((in.set & MARROW_PLAY_WEIGHT) != 0) {
    MARROW_FFI_TRY(check_weight(in.weight, "weight"));
    out.weight = in.weight;
  }
  return MARROW_OK;
}

// Plays a clip by a function of its layer.
marrow_status start_clip(marrow_mixer mixer, std::uint32_t layer, std::uint32_t clip,
                         const marrow_play_options* options, marrow_action* action,
                         Action (Layer::*start)(const Clip&, const PlayOptions&) const) noexcept {
  return with_layer(mixer, layer, [&](const FoundMixer& found, const Layer& l) -> marrow_status {
    const Clip* own = nullptr;
    MARROW_FFI_TRY(find_clip(found, clip, own));
    PlayOptions in;
    MARROW_FFI_TRY(read_play_options(options, in));
    Action started;
    MARROW_FFI_TRY(command(*found.mixer, [&] { started = (l.*start)(*own, in); }));
    give(found, started, action);
    return MARROW_OK;
  });
}

// Runs a body with the mixer of an instance and the number of a clip of its model.
template <typename Body>
marrow_status with_named_clip(marrow_instance instance, const char* clip, const Body& body) noexcept {
  std::uint32_t index = 0;
  MARROW_FFI_TRY(with<FoundInstance>(instance, [&](const FoundInstance& found) -> marrow_status {
    if (clip == nullptr) return null_pointer("clip");
    return find_clip_by_name(found.instance.model(), clip, index);
  }));
  marrow_mixer mixer = 0;
  MARROW_FFI_TRY(marrow_instance_mixer(instance, &mixer));
  return body(mixer, index);
}

Vec3 up_of(const Model& model) { return model.up() == Up::y ? Vec3{0, 1, 0} : Vec3{0, 0, 1}; }

// The mask of a layer, for as long as it is handed over.
std::optional<JointMask> read_mask(const Mixer& mixer, const float* mask) {
  if (mask == nullptr) return std::nullopt;
  return JointMask::from_values(mixer.skeleton(), {mask, mixer.skeleton().joint_count()});
}

}  // namespace

// ---- Playing ---------------------------------------------------------------------------------------------------

marrow_status marrow_mixer_clip_action(marrow_mixer mixer, uint32_t layer, uint32_t clip,
                                       marrow_action* action) noexcept {
  return with_layer(mixer, layer, [&](const FoundMixer& found, const Layer& l) -> marrow_status {
    const Clip* own = nullptr;
    MARROW_FFI_TRY(find_clip(found, clip, own));
    if (action == nullptr) return null_pointer("action");
    const Result<Action> got = l.clip_action(*own);
    if (!got) return fail(got.error());
    *action = handle_of(found.handle, got->handle());
    return MARROW_OK;
  });
}

marrow_status marrow_mixer_new_action(marrow_mixer mixer, uint32_t layer, uint32_t clip,
                                      marrow_action* action) noexcept {
  return with_layer(mixer, layer, [&](const FoundMixer& found, const Layer& l) -> marrow_status {
    const Clip* own = nullptr;
    MARROW_FFI_TRY(find_clip(found, clip, own));
    if (action == nullptr) return null_pointer("action");
    const Result<Action> got = l.new_action(*own);
    if (!got) return fail(got.error());
    *action = handle_of(found.handle, got->handle());
    return MARROW_OK;
  });
}

marrow_status marrow_mixer_play(marrow_mixer mixer, uint32_t layer, uint32_t clip, const marrow_play_options* options,
                                marrow_action* action) noexcept {
  return start_clip(mixer, layer, clip, options, action, &Layer::play);
}

marrow_status marrow_mixer_switch_to(marrow_mixer mixer, uint32_t layer, uint32_t clip,
                                     const marrow_play_options* options, marrow_action* action) noexcept {
  return start_clip(mixer, layer, clip, options, action, &Layer::switch_to);
}

marrow_status marrow_mixer_cross_fade_to(marrow_mixer mixer, uint32_t layer, uint32_t clip, double seconds,
                                         const marrow_fade_options* options, marrow_action* action) noexcept {
  return with_layer(mixer, layer, [&](const FoundMixer& found, const Layer& l) -> marrow_status {
    const Clip* own = nullptr;
    MARROW_FFI_TRY(find_clip(found, clip, own));
    MARROW_FFI_TRY(check_seconds(seconds, "seconds"));
    FadeOptions fade;
    MARROW_FFI_TRY(read_fade(options, fade));
    Action started;
    MARROW_FFI_TRY(command(*found.mixer, [&] { started = l.cross_fade_to(*own, seconds, fade); }));
    give(found, started, action);
    return MARROW_OK;
  });
}

marrow_status marrow_instance_play(marrow_instance instance, const char* clip, const marrow_play_options* options,
                                   marrow_action* action) noexcept {
  return with_named_clip(instance, clip, [&](marrow_mixer mixer, std::uint32_t index) {
    return marrow_mixer_play(mixer, 0, index, options, action);
  });
}

marrow_status marrow_instance_switch_to(marrow_instance instance, const char* clip, const marrow_play_options* options,
                                        marrow_action* action) noexcept {
  return with_named_clip(instance, clip, [&](marrow_mixer mixer, std::uint32_t index) {
    return marrow_mixer_switch_to(mixer, 0, index, options, action);
  });
}

marrow_status marrow_instance_cross_fade_to(marrow_instance instance, const char* clip, double seconds,
                                            const marrow_fade_options* options, marrow_action* action) noexcept {
  return with_named_clip(instance, clip, [&](marrow_mixer mixer, std::uint32_t index) {
    return marrow_mixer_cross_fade_to(mixer, 0, index, seconds, options, action);
  });
}

marrow_status marrow_mixer_stop_all(marrow_mixer mixer) noexcept {
  return with_mixer(mixer, [](const FoundMixer& found) { return found.mixer->stop_all(), MARROW_OK; });
}

marrow_status marrow_mixer_stop_layer(marrow_mixer mixer, uint32_t layer) noexcept {
  return with_layer(mixer, layer, [](const FoundMixer&, const Layer& l) { return l.stop_all(), MARROW_OK; });
}

marrow_status marrow_mixer_fade_out_layer(marrow_mixer mixer, uint32_t layer, double seconds,
                                          uint32_t easing) noexcept {
  return with_layer(mixer, layer, [&](const FoundMixer& found, const Layer& l) -> marrow_status {
    MARROW_FFI_TRY(check_seconds(seconds, "seconds"));
    MARROW_FFI_TRY(check_choice(easing, MARROW_EASE_OUT, "easing"));
    return command(*found.mixer, [&] { l.fade_out_all(seconds, static_cast<Easing>(easing)); });
  });
}

marrow_status marrow_mixer_actions(marrow_mixer mixer, marrow_action* out, uint64_t capacity,
                                   uint64_t* count) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    const Output output = check_output(found.mixer->actions().size(), out, capacity, count);
    if (!output.write) return output.status;
    for (const Action action : found.mixer->actions()) *out++ = handle_of(found.handle, action.handle());
    return MARROW_OK;
  });
}

marrow_status marrow_mixer_current(marrow_mixer mixer, uint32_t layer, marrow_action* action) noexcept {
  return with_layer(mixer, layer, [&](const FoundMixer& found, const Layer& l) -> marrow_status {
    if (action == nullptr) return null_pointer("action");
    *action = handle_of(found.handle, l.current().handle());
    return MARROW_OK;
  });
}

// ---- Layers ----------------------------------------------------------------------------------------------------

marrow_status marrow_mixer_add_layer(marrow_mixer mixer, const marrow_layer_options* options,
                                     uint32_t* layer) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    marrow_layer_options own = MARROW_LAYER_OPTIONS_INIT;
    MARROW_FFI_TRY(read_options(options, own, "options"));
    MARROW_FFI_TRY(check_choice(own.mode, MARROW_ADD, "mode"));
    MARROW_FFI_TRY(check_choice(own.fill, MARROW_FILL_WEIGHT, "fill"));
    MARROW_FFI_TRY(check_share(own.weight, "weight"));
    MARROW_FFI_TRY(check_mask(own.mask, own.mask_count, found.mixer->skeleton().joint_count()));
    const std::optional<JointMask> mask = read_mask(*found.mixer, own.mask);
    const Result<Layer> added =
        found.mixer->add_layer({own.mode == MARROW_ADD ? LayerMode::add : LayerMode::replace, own.weight,
                                mask ? &*mask : nullptr, own.fill == MARROW_FILL_WEIGHT ? Fill::weight : Fill::fade});
    if (!added) return fail(added.error());
    if (layer != nullptr) *layer = added->index();
    return MARROW_OK;
  });
}

marrow_status marrow_mixer_layer_count(marrow_mixer mixer, uint32_t* layer_count) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    if (layer_count == nullptr) return null_pointer("layer_count");
    *layer_count = found.mixer->layer_count();
    return MARROW_OK;
  });
}

marrow_status marrow_mixer_layer_weight(marrow_mixer mixer, uint32_t layer, float* weight) noexcept {
  return with_layer(mixer, layer, [&](const FoundMixer&, const Layer& l) -> marrow_status {
    if (weight == nullptr) return null_pointer("weight");
    *weight = l.weight();
    return MARROW_OK;
  });
}

marrow_status marrow_mixer_fade_layer(marrow_mixer mixer, uint32_t layer, float weight, double seconds,
                                      uint32_t easing) noexcept {
  return with_layer(mixer, layer, [&](const FoundMixer& found, const Layer& l) -> marrow_status {
    MARROW_FFI_TRY(check_share(weight, "weight"));
    MARROW_FFI_TRY(check_seconds(seconds, "seconds"));
    MARROW_FFI_TRY(check_choice(easing, MARROW_EASE_OUT, "easing"));
    return command(*found.mixer, [&] { l.fade_to(weight, seconds, static_cast<Easing>(easing)); });
  });
}

marrow_status marrow_mixer_set_mask(marrow_mixer mixer, uint32_t layer, const float* mask,
                                    uint64_t mask_count) noexcept {
  return with_layer(mixer, layer, [&](const FoundMixer& found, const Layer& l) -> marrow_status {
    MARROW_FFI_TRY(check_mask(mask, mask_count, found.mixer->skeleton().joint_count()));
    const std::optional<JointMask> own = read_mask(*found.mixer, mask);
    return command(*found.mixer, [&] { l.set_mask(own ? &*own : nullptr); });
  });
}

marrow_status marrow_mixer_set_fill(marrow_mixer mixer, uint32_t layer, uint32_t fill) noexcept {
  return with_layer(mixer, layer, [&](const FoundMixer&, const Layer& l) -> marrow_status {
    MARROW_FFI_TRY(check_choice(fill, MARROW_FILL_WEIGHT, "fill"));
    l.set_fill(fill == MARROW_FILL_WEIGHT ? Fill::weight : Fill::fade);
    return MARROW_OK;
  });
}

// ---- Time and events -------------------------------------------------------------------------------------------

marrow_status marrow_mixer_time_scale(marrow_mixer mixer, double* scale) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    if (scale == nullptr) return null_pointer("scale");
    *scale = found.mixer->time_scale();
    return MARROW_OK;
  });
}

marrow_status marrow_mixer_set_time_scale(marrow_mixer mixer, double scale) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    MARROW_FFI_TRY(check_finite(scale, "scale"));
    return command(*found.mixer, [&] { found.mixer->set_time_scale(scale); });
  });
}

marrow_status marrow_mixer_events(marrow_mixer mixer, marrow_event* out, uint64_t capacity, uint64_t* count) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    const Output output = check_output(found.mixer->events().size(), out, capacity, count);
    if (!output.write) return output.status;
    for (const Event& event : found.mixer->events()) {
      const marrow_action action = handle_of(found.handle, event.action);
      const auto kind = static_cast<std::uint32_t>(event.kind);
      *out++ = {action, event.offset_s, event.count, kind, event.mark, event.weight, 0};
    }
    return MARROW_OK;
  });
}

marrow_status marrow_mixer_dropped_events(marrow_mixer mixer, uint64_t* dropped) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    if (dropped == nullptr) return null_pointer("dropped");
    *dropped = found.mixer->dropped_events();
    return MARROW_OK;
  });
}

marrow_status marrow_mixer_event_name(marrow_mixer mixer, uint32_t event, char* out, uint64_t capacity,
                                      uint64_t* count) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    MARROW_FFI_TRY(check_index(event, found.mixer->events().size(), "event"));
    return copy_text_out(found.mixer->events()[event].name, out, capacity, count);
  });
}

marrow_status marrow_mixer_set_marks(marrow_mixer mixer, uint32_t clip, const marrow_mark* marks,
                                     uint64_t count) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    const Clip* own = nullptr;
    MARROW_FFI_TRY(find_clip(found, clip, own));
    MARROW_FFI_TRY(check_array(marks, count, 0, "marks"));
    if (count > 1u << 20) return fail(MARROW_ERROR_LIMIT_EXCEEDED, "there are more marks than a clip takes", "marks");
    std::vector<Mark> list;
    for (std::uint64_t i = 0; i < count; ++i) {
      MARROW_FFI_TRY(check_text(marks[i].name, "marks"));
      list.push_back({marks[i].seconds, marks[i].name == nullptr ? "" : marks[i].name});
    }
    const Result<Marks> made = Marks::create(*own, list);
    if (!made) return fail(made.error());
    const Result<void> set = found.mixer->set_marks(*made);
    return set ? MARROW_OK : fail(set.error());
  });
}

// ---- Root motion and snapshots ---------------------------------------------------------------------------------

marrow_status marrow_mixer_set_root_motion(marrow_mixer mixer, const marrow_root_motion_options* options) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    marrow_root_motion_options own = MARROW_ROOT_MOTION_OPTIONS_INIT;
    MARROW_FFI_TRY(read_options(options, own, "options"));
    MARROW_FFI_TRY(check_choice(own.horizontal, 1, "horizontal"));
    MARROW_FFI_TRY(check_choice(own.vertical, 1, "vertical"));
    MARROW_FFI_TRY(check_choice(own.yaw, 1, "yaw"));
    for (const float x : own.up) MARROW_FFI_TRY(check_finite(static_cast<double>(x), "up"));
    const bool is_model_up = own.up[0] == 0 && own.up[1] == 0 && own.up[2] == 0;
    const Vec3 up = is_model_up ? up_of(found.instance.model()) : Vec3{own.up[0], own.up[1], own.up[2]};
    const Result<void> set =
        found.mixer->set_root_motion({own.joint, own.horizontal != 0, own.vertical != 0, own.yaw != 0, up});
    return set ? MARROW_OK : fail(set.error());
  });
}

marrow_status marrow_mixer_clear_root_motion(marrow_mixer mixer) noexcept {
  return with_mixer(mixer, [](const FoundMixer& found) { return found.mixer->clear_root_motion(), MARROW_OK; });
}

marrow_status marrow_mixer_root_motion(marrow_mixer mixer, marrow_transform* delta) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) -> marrow_status {
    if (delta == nullptr) return null_pointer("delta");
    const RootMotion& motion = found.mixer->root_motion();
    *delta = same_bits<marrow_transform>(Transform{motion.translation, motion.rotation, {1, 1, 1}});
    return MARROW_OK;
  });
}

marrow_status marrow_mixer_save(marrow_mixer mixer, void* out, uint64_t capacity, uint64_t* count) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) { return save_block(*found.mixer, out, capacity, count); });
}

marrow_status marrow_mixer_restore(marrow_mixer mixer, const void* block, uint64_t size) noexcept {
  return with_mixer(mixer, [&](const FoundMixer& found) { return restore_block(*found.mixer, block, size); });
}
