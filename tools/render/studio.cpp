#include "render/studio.h"

#include <utility>

#include "render/images.h"

namespace marrow::tool {

Result<Studio> Studio::make(std::uint32_t width, std::uint32_t height) {
  Result<OffscreenContext> context = OffscreenContext::create();
  if (!context) return context.error();
  const Result<GlDevice> device = GlDevice::create(OffscreenContext::get_proc);
  if (!device) return device.error();
  Result<Renderer> renderer = Renderer::create(*device, {.decode = decode_image});
  if (!renderer) return renderer.error();
  Result<GlTarget> target = GlTarget::create(*device, width, height);
  if (!target) return target.error();
  return Studio(std::move(*context), std::move(*renderer), std::move(*target));
}

Result<void> Studio::shoot(const Scene& scene, const DrawOptions& options, Picture& out) {
  Result<void> drawn = renderer_.draw(scene, options, {target_.framebuffer(), 0, 0, target_.width(), target_.height()});
  if (!drawn) return drawn;
  return target_.read(out);
}

}  // namespace marrow::tool
