#include <doctest/doctest.h>

#include <cstring>

#include "gpu/gl_platform.h"
#include "marrow/gpu/offscreen.h"

namespace marrow::test {

struct PlatformContext::Impl {
  OffscreenContext context;
};

PlatformContext::PlatformContext(GlKind kind) {
  Result<OffscreenContext> context = OffscreenContext::create(kind == GlKind::es_3_0 ? GlApi::es_3_0 : GlApi::gl_3_3);
  REQUIRE_MESSAGE(context.ok(), (context ? "" : to_string(context.error())));
  impl_ = std::make_unique<Impl>(Impl{std::move(*context)});
}
PlatformContext::~PlatformContext() = default;

void* get_gl_proc(const char* name) { return OffscreenContext::get_proc(name); }

void read_feedback(std::span<std::byte> out) {
  constexpr unsigned int kTransformFeedbackBuffer = 0x8C8E, kMapRead = 1;
  using Map = void* (*)(unsigned int, std::ptrdiff_t, std::ptrdiff_t, unsigned int);
  using Unmap = unsigned char (*)(unsigned int);
  const auto map = reinterpret_cast<Map>(get_gl_proc("glMapBufferRange"));
  const auto unmap = reinterpret_cast<Unmap>(get_gl_proc("glUnmapBuffer"));
  const void* mapped = map(kTransformFeedbackBuffer, 0, static_cast<std::ptrdiff_t>(out.size()), kMapRead);
  REQUIRE(mapped != nullptr);
  std::memcpy(out.data(), mapped, out.size());
  unmap(kTransformFeedbackBuffer);
}

}  // namespace marrow::test
