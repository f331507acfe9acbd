// Actions.
#include "marrow/mixer/action.h"

#include "src/ffi/mixer.h"

using namespace marrow;
using namespace marrow::ffi;

namespace {

// Runs a command on an action, once its arguments are found good.
template <typename Check, typename Command>
marrow_status command_action(marrow_action action, const Check& check, const Command& body) noexcept {
  return with<FoundAction>(action, [&](const FoundAction& found) -> marrow_status {
    MARROW_FFI_TRY(check());
    return command(*found.of.mixer, [&] { body(found.action); });
  });
}
template <typename Command>
marrow_status command_action(marrow_action action, const Command& body) noexcept {
  return command_action(
      action, []() -> marrow_status { return MARROW_OK; }, body);
}

marrow_status check_fade(double seconds, std::uint32_t easing) {
  MARROW_FFI_TRY(check_seconds(seconds, "seconds"));
  return check_choice(easing, MARROW_EASE_OUT, "easing");
}

// Finds an action that must be of the same mixer as another.
marrow_status find_beside(const FoundAction& beside, marrow_action handle, const char* parameter, Action& out) {
  FoundAction found;
  MARROW_FFI_TRY(find(handle, found));
  if (found.of.mixer != beside.of.mixer) {
    return fail(MARROW_ERROR_FOREIGN_HANDLE, "the action is of another mixer", parameter);
  }
  out = found.action;
  return MARROW_OK;
}

std::int32_t clip_index(const FoundAction& found) {
  const std::span<const Clip> clips = found.of.instance.model().clips();
  for (std::size_t i = 0; i < clips.size(); ++i) {
    if (clips[i].id() == found.action.clip().id()) return static_cast<std::int32_t>(i);
  }
  return MARROW_NONE;
}

}  // namespace

marrow_status marrow_action_play(marrow_action action) noexcept {
  return command_action(action, [](const Action& a) { a.play(); });
}
marrow_status marrow_action_stop(marrow_action action) noexcept {
  return command_action(action, [](const Action& a) { a.stop(); });
}
marrow_status marrow_action_pause(marrow_action action) noexcept {
  return command_action(action, [](const Action& a) { a.pause(); });
}
marrow_status marrow_action_resume(marrow_action action) noexcept {
  return command_action(action, [](const Action& a) { a.resume(); });
}
marrow_status marrow_action_reset(marrow_action action) noexcept {
  return command_action(action, [](const Action& a) { a.reset(); });
}

marrow_status marrow_action_seek(marrow_action action, double seconds) noexcept {
  return command_action(
      action, [&] { return check_finite(seconds, "seconds"); }, [&](const Action& a) { a.seek(seconds); });
}

marrow_status marrow_action_fade_in(marrow_action action, double seconds, uint32_t easing) noexcept {
  return command_action(
      action, [&] { return check_fade(seconds, easing); },
      [&](const Action& a) { a.fade_in(seconds, static_cast<Easing>(easing)); });
}

marrow_status marrow_action_fade_out(marrow_action action, double seconds, uint32_t easing) noexcept {
  return command_action(
      action, [&] { return check_fade(seconds, easing); },
      [&](const Action& a) { a.fade_out(seconds, static_cast<Easing>(easing)); });
}

marrow_status marrow_action_set_speed(marrow_action action, double speed) noexcept {
  return command_action(
      action, [&] { return check_finite(speed, "speed"); }, [&](const Action& a) { a.set_speed(speed); });
}

marrow_status marrow_action_set_weight(marrow_action action, float weight) noexcept {
  return command_action(
      action, [&] { return check_weight(weight, "weight"); }, [&](const Action& a) { a.set_weight(weight); });
}

marrow_status marrow_action_set_loop(marrow_action action, uint32_t loop, uint32_t repetitions) noexcept {
  return command_action(
      action, [&] { return check_choice(loop, MARROW_PING_PONG, "loop"); },
      [&](const Action& a) { a.set_loop(static_cast<Loop>(loop), repetitions); });
}

marrow_status marrow_action_sync(marrow_action action, marrow_action leader) noexcept {
  return with<FoundAction>(action, [&](const FoundAction& found) -> marrow_status {
    Action other;
    if (leader != 0) MARROW_FFI_TRY(find_beside(found, leader, "leader", other));
    return command(*found.of.mixer, [&] { found.action.sync_with(other); });
  });
}

marrow_status marrow_action_cross_fade(marrow_action from, marrow_action to, double seconds,
                                       const marrow_fade_options* options) noexcept {
  return with<FoundAction>(from, [&](const FoundAction& found) -> marrow_status {
    Action other;
    MARROW_FFI_TRY(find_beside(found, to, "to", other));
    MARROW_FFI_TRY(check_seconds(seconds, "seconds"));
    FadeOptions fade;
    MARROW_FFI_TRY(read_fade(options, fade));
    return command(*found.of.mixer, [&] { found.of.mixer->cross_fade(found.action, other, seconds, fade); });
  });
}

marrow_status marrow_action_cross_fade_to(marrow_action to, double seconds,
                                          const marrow_fade_options* options) noexcept {
  return with<FoundAction>(to, [&](const FoundAction& found) -> marrow_status {
    MARROW_FFI_TRY(check_seconds(seconds, "seconds"));
    FadeOptions fade;
    MARROW_FFI_TRY(read_fade(options, fade));
    return command(*found.of.mixer, [&] { found.of.mixer->cross_fade_to(found.action, seconds, fade); });
  });
}

marrow_status marrow_action_release(marrow_action action) noexcept {
  return with<FoundAction>(action, [](const FoundAction& found) -> marrow_status {
    found.of.mixer->release(found.action);
    return MARROW_OK;
  });
}

marrow_status marrow_action_get_info(marrow_action action, marrow_action_info* info) noexcept {
  return with<FoundAction>(action, [&](const FoundAction& found) -> marrow_status {
    MARROW_FFI_TRY(check_info(info));
    const Action& a = found.action;
    marrow_action_info out = {};
    out.layer = a.layer().index();
    out.clip = clip_index(found);
    out.loop = static_cast<std::uint32_t>(a.loop());
    out.time = a.time();
    out.phase = a.phase();
    out.speed = a.speed();
    out.passes = a.passes();
    out.leader = handle_of(found.of.handle, a.leader().handle());
    out.weight = a.weight();
    out.fade = a.fade();
    out.repetitions = a.repetitions();
    out.playing = a.playing() ? 1 : 0;
    out.paused = a.paused() ? 1 : 0;
    out.finished = a.finished() ? 1 : 0;
    out.active = a.active() ? 1 : 0;
    out.fading = a.fading() ? 1 : 0;
    out.fade_remaining = a.fade_remaining();
    write_info(info, out);
    return MARROW_OK;
  });
}
