// Contexts that a browser takes away. Internal.
#pragma once

#if defined(__EMSCRIPTEN__)
#include <emscripten/html5.h>
#endif

namespace marrow {

// True if the current context is one of WebGL and is lost.
static inline bool is_webgl_context_lost() {
#if defined(__EMSCRIPTEN__)
  return emscripten_is_webgl_context_lost(emscripten_webgl_get_current_context()) != 0;
#else
  return false;
#endif
}

}  // namespace marrow
