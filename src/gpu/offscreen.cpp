#include "marrow/gpu/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace marrow {

struct OffscreenContext::Impl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  // The display is not terminated: EGL has one for all users of it in the program.
  ~Impl() {
    if (context == EGL_NO_CONTEXT) return;
    if (eglGetCurrentContext() == context) eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
  }
};

namespace {

Error failed(const char* step) {
  char code[16];
  std::snprintf(code, sizeof code, "0x%04x", static_cast<unsigned int>(eglGetError()));
  return {ErrorCode::unsupported,
          std::string("OpenGL cannot be had without a screen: ") + step + " failed with " + code +
              " (is a driver installed, such as Mesa's?)",
          {}};
}

bool has(const char* extensions, const char* name) {
  if (extensions == nullptr) return false;
  const std::size_t length = std::strlen(name);
  for (const char* at = std::strstr(extensions, name); at != nullptr; at = std::strstr(at + length, name)) {
    if (at[length] == ' ' || at[length] == '\0') return true;
  }
  return false;
}

// Without a surface where EGL knows that platform, else that of the system.
EGLDisplay find_display() {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto get = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (get != nullptr && has(extensions, "EGL_MESA_platform_surfaceless")) {
    return get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  }
  return eglGetDisplay(EGL_DEFAULT_DISPLAY);
}

}  // namespace

OffscreenContext::OffscreenContext(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OffscreenContext::OffscreenContext(OffscreenContext&&) noexcept = default;
OffscreenContext& OffscreenContext::operator=(OffscreenContext&&) noexcept = default;
OffscreenContext::~OffscreenContext() = default;

Result<OffscreenContext> OffscreenContext::create(GlApi api) {
  auto impl = std::make_unique<Impl>();
  impl->display = find_display();
  if (impl->display == EGL_NO_DISPLAY) return failed("eglGetDisplay");
  if (eglInitialize(impl->display, nullptr, nullptr) == EGL_FALSE) return failed("eglInitialize");
  const char* extensions = eglQueryString(impl->display, EGL_EXTENSIONS);
  if (!has(extensions, "EGL_KHR_surfaceless_context")) return failed("EGL_KHR_surfaceless_context");

  const bool es = api == GlApi::es_3_0;
  if (eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) == EGL_FALSE) return failed("eglBindAPI");
  const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT,
                           EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (eglChooseConfig(impl->display, wanted, &config, 1, &count) == EGL_FALSE || count == 0) {
    return failed("eglChooseConfig");
  }
  std::vector<EGLint> attributes = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, es ? 0 : 3};
  if (!es) {
    attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT});
  }
  // So that a reset of the driver is told, not guessed.
  const std::size_t usual = attributes.size();
  if (has(extensions, "EGL_EXT_create_context_robustness")) {
    attributes.insert(attributes.end(),
                      {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET_EXT});
  }
  attributes.push_back(EGL_NONE);
  impl->context = eglCreateContext(impl->display, config, EGL_NO_CONTEXT, attributes.data());
  if (impl->context == EGL_NO_CONTEXT) {
    attributes.resize(usual);
    attributes.push_back(EGL_NONE);
    impl->context = eglCreateContext(impl->display, config, EGL_NO_CONTEXT, attributes.data());
  }
  if (impl->context == EGL_NO_CONTEXT) return failed("eglCreateContext");
  OffscreenContext made(std::move(impl));
  if (const Result<void> current = made.make_current(); !current) return current.error();
  return made;
}

Result<void> OffscreenContext::make_current() const {
  if (eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, impl_->context) == EGL_FALSE) {
    return failed("eglMakeCurrent");
  }
  return {};
}

void* OffscreenContext::get_proc(const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); }

}  // namespace marrow
