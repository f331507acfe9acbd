// What the commands of mixers and actions have in common. Internal.
#pragma once

#include "src/ffi/arguments.h"
#include "src/ffi/registry.h"

namespace marrow::ffi {

// The options that a fade is given; easings are in the order of those of C++.
[[nodiscard]] inline marrow_status read_fade(const marrow_fade_options* options, FadeOptions& out) {
  marrow_fade_options own = MARROW_FADE_OPTIONS_INIT;
  MARROW_FFI_TRY(read_options(options, own, "options"));
  MARROW_FFI_TRY(check_choice(own.easing, MARROW_EASE_OUT, "easing"));
  MARROW_FFI_TRY(check_choice(own.warp, 1, "warp"));
  MARROW_FFI_TRY(check_choice(own.reserved, 0, "reserved"));
  out = {static_cast<Easing>(own.easing), own.warp != 0};
  return MARROW_OK;
}

static_assert(static_cast<int>(Easing::smooth) == MARROW_EASE_SMOOTH &&
              static_cast<int>(Easing::ease_out) == MARROW_EASE_OUT);
static_assert(static_cast<int>(Loop::repeat) == MARROW_REPEAT && static_cast<int>(Loop::ping_pong) == MARROW_PING_PONG);

}  // namespace marrow::ffi
