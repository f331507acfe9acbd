// GuestRenderer: draws what a guest drew (guest_host.h) with marrow's renderer (renderer.h), raw and bound skeletons
// alike. OpenGL ES 3.0, WebGL 2 or OpenGL 3.3.
//
// Meshes and inverse binds are brought to the GPU when they are first drawn, and freed once neither the host nor a copy
// of its state has them; the bones of a frame go there in one write. What Renderer says of threads and of the state of
// OpenGL holds here too. A host that calls the shaders itself needs none of this: it has draws(), bones() and the
// inverse binds.
#pragma once

#include <memory>

#include "marrow/core/result.h"
#include "marrow/draw/renderer.h"
#include "marrow/guest/guest_host.h"

namespace marrow {

class GuestRenderer {
 public:
  // Fails as Renderer::create does.
  [[nodiscard]] static Result<GuestRenderer> create(const GlDevice& device, const RendererOptions& options = {});
  GuestRenderer(GuestRenderer&&) noexcept;
  GuestRenderer& operator=(GuestRenderer&&) noexcept;
  ~GuestRenderer();

  // Draws the host's frame. Meshes are white, or as their colours say. Fails if the context was lost or its memory is
  // full.
  [[nodiscard]] Result<void> draw(const GuestHost& host, const DrawOptions& options, const DrawArea& area);

 private:
  struct Impl;
  explicit GuestRenderer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace marrow
