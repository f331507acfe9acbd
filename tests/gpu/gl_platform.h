// Where the tests get OpenGL from: EGL without a screen (gl_platform_egl.cpp), or a browser (gl_platform_webgl.cpp).
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace marrow::test {

enum class GlKind { es_3_0, gl_3_3 };

// A context that is current until it is destroyed.
class PlatformContext {
 public:
  explicit PlatformContext(GlKind kind);
  ~PlatformContext();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Returns the function of OpenGL of that name, or null.
[[nodiscard]] void* get_gl_proc(const char* name);

// Reads what is in the buffer that is bound for transform feedback.
void read_feedback(std::span<std::byte> out);

}  // namespace marrow::test
