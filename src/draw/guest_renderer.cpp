#include "marrow/draw/guest_renderer.h"

#include <utility>

#include "src/draw/guest_draw_list.h"

namespace marrow {

struct GuestRenderer::Impl {
  Renderer renderer;
  GuestDrawList list;
};

GuestRenderer::GuestRenderer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GuestRenderer::GuestRenderer(GuestRenderer&&) noexcept = default;
GuestRenderer& GuestRenderer::operator=(GuestRenderer&&) noexcept = default;
GuestRenderer::~GuestRenderer() = default;

Result<GuestRenderer> GuestRenderer::create(const GlDevice& device, const RendererOptions& options) {
  Result<Renderer> renderer = Renderer::create(device, options);
  if (!renderer) return renderer.error();
  Result<GuestDrawList> list = GuestDrawList::create(device);
  if (!list) return list.error();
  return GuestRenderer(std::unique_ptr<Impl>(new Impl{std::move(*renderer), std::move(*list)}));
}

Result<void> GuestRenderer::draw(const GuestHost& host, const DrawOptions& options, const DrawArea& area) {
  const Result<MeshList> meshes = impl_->list.collect(host);
  if (!meshes) return meshes.error();
  return impl_->renderer.draw(*meshes, options, area);
}

}  // namespace marrow
