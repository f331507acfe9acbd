#include "src/draw/sketch_pass.h"

#include <cstddef>
#include <utility>

#include "marrow/gpu/shaders.h"

namespace marrow {
namespace {

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);  // as OpenGL has it.  NOLINT(performance-no-int-to-ptr)
}

}  // namespace

Result<SketchPass> SketchPass::create(const GlDevice& device) {
  Result<RenderProgram> program =
      RenderProgram::create(device, std::string(shader_file("glsl/render_sketch_vertex.glsl")),
                            std::string(shader_file("glsl/render_sketch_fragment.glsl")));
  if (!program) return program.error();
  return SketchPass(std::move(*program), device.context());
}

SketchPass::SketchPass(RenderProgram program, std::shared_ptr<gl::Context> context)
    : program_(std::move(program)), context_(std::move(context)) {
  constexpr unsigned int kPosition = 0, kColor = 6;
  const gl::Functions& gl = context_->functions;
  gl.GenVertexArrays(1, &array_);
  gl.GenBuffers(1, &buffer_);
  gl.BindVertexArray(array_);
  gl.BindBuffer(gl::kArrayBuffer, buffer_);
  gl.EnableVertexAttribArray(kPosition);
  gl.EnableVertexAttribArray(kColor);
  gl.VertexAttribPointer(kPosition, 3, gl::kFloat, 0, sizeof(SketchVertex), offset(0));
  gl.VertexAttribPointer(kColor, 4, gl::kUnsignedByte, 1, sizeof(SketchVertex), offset(offsetof(SketchVertex, color)));
  gl.BindVertexArray(0);
}

SketchPass::SketchPass(SketchPass&& other) noexcept
    : program_(std::move(other.program_)),
      context_(std::move(other.context_)),
      array_(std::exchange(other.array_, 0)),
      buffer_(std::exchange(other.buffer_, 0)) {}

SketchPass& SketchPass::operator=(SketchPass&& other) noexcept {
  std::swap(program_, other.program_);
  std::swap(context_, other.context_);
  std::swap(array_, other.array_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

SketchPass::~SketchPass() {
  if (array_ == 0 || context_->lost) return;
  context_->functions.DeleteVertexArrays(1, &array_);
  context_->functions.DeleteBuffers(1, &buffer_);
}

void SketchPass::draw(const std::vector<SketchVertex>& vertices, const float view_projection[16]) const {
  if (vertices.empty()) return;
  const gl::Functions& gl = context_->functions;
  gl.BindVertexArray(array_);
  gl.BindBuffer(gl::kArrayBuffer, buffer_);
  gl.BufferData(gl::kArrayBuffer, static_cast<std::ptrdiff_t>(vertices.size() * sizeof(SketchVertex)), vertices.data(),
                gl::kStreamDraw);
  gl.UniformMatrix4fv(program_.at.view_projection, 1, 0, view_projection);
  gl.DrawArrays(gl::kTriangles, 0, static_cast<gl::Size>(vertices.size()));
  gl.BindVertexArray(0);
}

void SketchPass::draw(const Sketch& sketch, const CameraMatrices& camera, std::uint32_t width,
                      std::uint32_t height) const {
  const gl::Functions& gl = context_->functions;
  program_.use();
  gl.Disable(gl::kCullFace);
  gl.Enable(gl::kBlend);
  gl.DepthMask(1);
  gl.Clear(gl::kDepthBufferBit);
  draw(sketch.solid, camera.view_projection);
  gl.Disable(gl::kDepthTest);
  const float x = 2 / static_cast<float>(width), y = -2 / static_cast<float>(height);
  const float clip_from_pixels[16] = {x, 0, 0, 0, 0, y, 0, 0, 0, 0, 1, 0, -1, 1, 0, 1};
  draw(sketch.flat, clip_from_pixels);
  gl.Enable(gl::kDepthTest);
}

}  // namespace marrow
