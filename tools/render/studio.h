// Studio: OpenGL without a screen, a renderer, and what pictures are taken with.
#pragma once

#include <cstdint>

#include "marrow/draw/gl_target.h"
#include "marrow/draw/renderer.h"
#include "marrow/gpu/offscreen.h"

namespace marrow::tool {

class Studio {
 public:
  // Fails if there is no OpenGL, or not enough memory for a picture of that size.
  [[nodiscard]] static Result<Studio> make(std::uint32_t width, std::uint32_t height);

  // Takes a picture of a scene. Memory of `out` is used again.
  [[nodiscard]] Result<void> shoot(const Scene& scene, const DrawOptions& options, Picture& out);

  [[nodiscard]] std::uint32_t width() const { return target_.width(); }
  [[nodiscard]] std::uint32_t height() const { return target_.height(); }
  [[nodiscard]] float aspect() const { return static_cast<float>(width()) / static_cast<float>(height()); }

  // What could not be drawn as the model has it.
  [[nodiscard]] std::span<const Warning> warnings() const { return renderer_.warnings(); }

 private:
  Studio(OffscreenContext context, Renderer renderer, GlTarget target)
      : context_(std::move(context)), renderer_(std::move(renderer)), target_(std::move(target)) {}

  OffscreenContext context_;  // outlives what was made in it
  Renderer renderer_;
  GlTarget target_;
};

}  // namespace marrow::tool
