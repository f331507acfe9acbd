// OffscreenContext: OpenGL without a window, a display or a GPU, for tools, servers and tests. In the library
// marrow::offscreen, over EGL.
//
//   Result<OffscreenContext> context = OffscreenContext::create();
//   Result<GlDevice> device = GlDevice::create(OffscreenContext::get_proc);
//
// There is no surface: draw into framebuffer objects. On machines without a GPU Mesa's software renderer does the work.
#pragma once

#include <cstdint>
#include <memory>

#include "marrow/core/result.h"

namespace marrow {

enum class GlApi : std::uint8_t { es_3_0, gl_3_3 };

class OffscreenContext {
 public:
  // Makes a context and makes it current on this thread. Drivers may give a higher version. Fails, saying which step
  // of EGL did, if there is no driver for it.
  [[nodiscard]] static Result<OffscreenContext> create(GlApi api = GlApi::es_3_0);
  OffscreenContext(OffscreenContext&&) noexcept;
  OffscreenContext& operator=(OffscreenContext&&) noexcept;
  ~OffscreenContext();

  // Makes it current again, after another was. Fails if the driver refuses.
  [[nodiscard]] Result<void> make_current() const;

  // Returns the function of that name, or null.
  [[nodiscard]] static void* get_proc(const char* name);

 private:
  struct Impl;
  explicit OffscreenContext(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace marrow
