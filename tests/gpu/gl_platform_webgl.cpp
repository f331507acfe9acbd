#include <doctest/doctest.h>
#include <emscripten.h>
#include <emscripten/html5.h>

#include <string>

#include "gpu/gl_platform.h"

// clang-format off
EM_JS(void, add_canvas, (int number), {
  const canvas = document.createElement("canvas");
  canvas.id = "canvas" + number;
  document.body.append(canvas);
});
EM_JS(void, read_feedback_js, (void* out, int bytes), {
  GLctx.getBufferSubData(GLctx.TRANSFORM_FEEDBACK_BUFFER, 0, HEAPU8, out, bytes);
});
// clang-format on

namespace marrow::test {

struct PlatformContext::Impl {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE handle;
};

PlatformContext::PlatformContext(GlKind) {
  static int number = 0;
  add_canvas(++number);
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  const std::string target = "#canvas" + std::to_string(number);
  impl_ = std::make_unique<Impl>(Impl{emscripten_webgl_create_context(target.c_str(), &attributes)});
  REQUIRE(impl_->handle > 0);
  emscripten_webgl_make_context_current(impl_->handle);
}

PlatformContext::~PlatformContext() { emscripten_webgl_destroy_context(impl_->handle); }

void* get_gl_proc(const char* name) { return emscripten_webgl_get_proc_address(name); }

void read_feedback(std::span<std::byte> out) { read_feedback_js(out.data(), static_cast<int>(out.size())); }

}  // namespace marrow::test
