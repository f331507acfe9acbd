#include "marrow/draw/gl_target.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "src/draw/imports.h"

namespace marrow {
namespace {

void attach(const gl::Functions& gl, gl::Enum attachment, gl::Uint renderbuffer, gl::Enum format, gl::Int samples,
            gl::Size width, gl::Size height) {
  gl.BindRenderbuffer(gl::kRenderbuffer, renderbuffer);
  gl.RenderbufferStorageMultisample(gl::kRenderbuffer, samples, format, width, height);
  gl.FramebufferRenderbuffer(gl::kFramebuffer, attachment, gl::kRenderbuffer, renderbuffer);
}

// Divides colours by their alpha, rounded.
void make_straight(std::uint8_t* pixel) {
  const unsigned int alpha = pixel[3];
  if (alpha == 255 || alpha == 0) return;
  for (int i = 0; i < 3; ++i) {
    pixel[i] = static_cast<std::uint8_t>(std::min((pixel[i] * 255u + alpha / 2) / alpha, 255u));
  }
}

}  // namespace

Result<GlTarget> GlTarget::create(const GlDevice& device, std::uint32_t width, std::uint32_t height,
                                  std::uint32_t samples) {
  if (device.is_lost()) return lost_error();
  gl::Context& context = *device.context();
  const gl::Functions& gl = context.functions;
  if (width == 0 || height == 0 || std::max(width, height) > context.max_picture_side) {
    return Error{ErrorCode::invalid_argument,
                 "a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                     " pixels cannot be drawn: a side of one has from 1 to " + std::to_string(context.max_picture_side),
                 {}};
  }
  gl::Int most = 0;
  gl.GetIntegerv(gl::kMaxSamples, &most);
  const auto count = static_cast<gl::Int>(std::min(samples, static_cast<std::uint32_t>(std::max(most, 0))));
  const auto columns = static_cast<gl::Size>(width), rows = static_cast<gl::Size>(height);

  GlTarget made;
  made.context_ = device.context();
  made.width_ = width;
  made.height_ = height;
  context.drop_errors();
  gl.GenFramebuffers(2, made.framebuffers_);
  gl.GenRenderbuffers(3, made.renderbuffers_);
  gl.BindFramebuffer(gl::kFramebuffer, made.framebuffers_[1]);
  attach(gl, gl::kColorAttachment0, made.renderbuffers_[2], gl::kRgba8, 0, columns, rows);
  bool complete = gl.CheckFramebufferStatus(gl::kFramebuffer) == gl::kFramebufferComplete;
  gl.BindFramebuffer(gl::kFramebuffer, made.framebuffers_[0]);
  attach(gl, gl::kColorAttachment0, made.renderbuffers_[0], gl::kRgba8, count, columns, rows);
  attach(gl, gl::kDepthAttachment, made.renderbuffers_[1], gl::kDepthComponent24, count, columns, rows);
  complete = complete && gl.CheckFramebufferStatus(gl::kFramebuffer) == gl::kFramebufferComplete;
  gl.BindFramebuffer(gl::kFramebuffer, 0);
  gl.BindRenderbuffer(gl::kRenderbuffer, 0);
  if (!context.no_error() || !complete) {
    return device_memory_error(std::size_t{width} * height * 4 *
                               (2 * static_cast<std::size_t>(std::max(count, 1)) + 1));
  }
  return made;
}

GlTarget::GlTarget(GlTarget&& other) noexcept : GlTarget() { *this = std::move(other); }

GlTarget& GlTarget::operator=(GlTarget&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(framebuffers_, other.framebuffers_);
  std::swap(renderbuffers_, other.renderbuffers_);
  width_ = other.width_;
  height_ = other.height_;
  return *this;
}

GlTarget::~GlTarget() {
  if (framebuffers_[0] == 0 || context_->lost) return;
  context_->functions.DeleteFramebuffers(2, framebuffers_);
  context_->functions.DeleteRenderbuffers(3, renderbuffers_);
}

Result<void> GlTarget::read(Picture& out) const {
  if (context_->is_lost()) return lost_error();
  const gl::Functions& gl = context_->functions;
  const auto columns = static_cast<gl::Size>(width_), rows = static_cast<gl::Size>(height_);
  out.width = width_;
  out.height = height_;
  out.rgba.resize(std::size_t{width_} * height_ * 4);
  gl.Disable(gl::kScissorTest);  // which would cut the copy
  gl.BindFramebuffer(gl::kReadFramebuffer, framebuffers_[0]);
  gl.BindFramebuffer(gl::kDrawFramebuffer, framebuffers_[1]);
  gl.BlitFramebuffer(0, 0, columns, rows, 0, 0, columns, rows, gl::kColorBufferBit, gl::kNearest);
  gl.BindFramebuffer(gl::kFramebuffer, framebuffers_[1]);
  gl.ReadPixels(0, 0, columns, rows, gl::kRgba, gl::kUnsignedByte, out.rgba.data());
  gl.BindFramebuffer(gl::kFramebuffer, 0);
  if (context_->is_lost()) return lost_error();

  // OpenGL has the lowest row first.
  const std::size_t stride = std::size_t{width_} * 4;
  for (std::size_t low = 0, high = height_ - std::size_t{1}; low < high; ++low, --high) {
    std::swap_ranges(&out.rgba[low * stride], &out.rgba[low * stride] + stride, &out.rgba[high * stride]);
  }
  for (std::size_t i = 0; i < out.rgba.size(); i += 4) make_straight(&out.rgba[i]);
  return {};
}

}  // namespace marrow
