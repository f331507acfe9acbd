// GlTarget: a picture on the GPU to draw into where there is no window, with smooth edges, and back to memory from
// there. Made, used and destroyed on the thread on which the context is current.
#pragma once

#include <cstdint>
#include <memory>

#include "marrow/core/result.h"
#include "marrow/draw/picture.h"
#include "marrow/gpu/gl_device.h"

namespace marrow {

class GlTarget {
 public:
  // `samples` for each pixel, or as many as the device has. Fails if the device's memory is full, or a side is 0 or
  // longer than the device allows. Leaves GL_FRAMEBUFFER and GL_RENDERBUFFER unbound.
  [[nodiscard]] static Result<GlTarget> create(const GlDevice& device, std::uint32_t width, std::uint32_t height,
                                               std::uint32_t samples = 4);
  GlTarget(GlTarget&& other) noexcept;
  GlTarget& operator=(GlTarget&& other) noexcept;
  ~GlTarget();

  // The framebuffer to draw into, with colours and depth.
  [[nodiscard]] unsigned int framebuffer() const { return framebuffers_[0]; }
  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] std::uint32_t height() const { return height_; }

  // Takes what was drawn; waits for the GPU. Colours that were drawn multiplied by their alpha are divided by it.
  // Memory of `out` is used again. Fails if the context was lost. Leaves GL_FRAMEBUFFER unbound.
  [[nodiscard]] Result<void> read(Picture& out) const;

 private:
  GlTarget() = default;

  std::shared_ptr<gl::Context> context_;
  unsigned int framebuffers_[2] = {};   // drawn into, and read from
  unsigned int renderbuffers_[3] = {};  // colours, depth; and colours of one sample
  std::uint32_t width_ = 0, height_ = 0;
};

}  // namespace marrow
