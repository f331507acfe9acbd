// Draws sketches. Internal.
#pragma once

#include <memory>

#include "marrow/draw/sketch.h"
#include "src/draw/render_program.h"

namespace marrow {

class SketchPass {
 public:
  [[nodiscard]] static Result<SketchPass> create(const GlDevice& device);
  SketchPass(SketchPass&& other) noexcept;
  SketchPass& operator=(SketchPass&& other) noexcept;
  ~SketchPass();

  // Draws over what is in the framebuffer that is bound, whose depth it clears. Depth and blending are on afterwards.
  void draw(const Sketch& sketch, const CameraMatrices& camera, std::uint32_t width, std::uint32_t height) const;

 private:
  SketchPass(RenderProgram program, std::shared_ptr<gl::Context> context);
  void draw(const std::vector<SketchVertex>& vertices, const float view_projection[16]) const;

  RenderProgram program_;
  std::shared_ptr<gl::Context> context_;
  unsigned int array_ = 0, buffer_ = 0;
};

}  // namespace marrow
