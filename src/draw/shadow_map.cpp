#include "src/draw/shadow_map.h"

#include <algorithm>
#include <utility>

#include "marrow/math/vec3.h"
#include "src/draw/imports.h"
#include "src/draw/matrix4.h"

namespace marrow {

LightView light_view(const Environment& environment, Vec3 to_light) {
  const Vec3 back = direction_of(to_light, {0, 0, 1});
  Vec3 right = cross({0, 0, 1}, back);
  right = length(right) > 1e-3f ? direction_of(right, {1, 0, 0}) : Vec3{1, 0, 0};
  const Vec3 up = cross(back, right);
  const float scale = 1 / environment.radius;
  LightView out = {};
  const Vec3 rows[3] = {right, up, back * -1};
  for (int row = 0; row < 3; ++row) {
    out.clip_from_world[row] = rows[row].x * scale;
    out.clip_from_world[4 + row] = rows[row].y * scale;
    out.clip_from_world[8 + row] = rows[row].z * scale;
    out.clip_from_world[12 + row] = -dot(rows[row], environment.middle) * scale;
  }
  out.clip_from_world[15] = 1;
  const float half[16] = {0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1};
  multiply(half, out.clip_from_world, out.shadow_from_world);
  return out;
}

Result<ShadowMap> ShadowMap::create(const GlDevice& device, std::uint32_t size) {
  gl::Context& context = *device.context();
  const gl::Functions& gl = context.functions;
  ShadowMap made;
  made.context_ = device.context();
  made.size_ = std::clamp(size, 64u, context.max_picture_side);
  const auto side = static_cast<gl::Size>(made.size_);
  context.drop_errors();
  gl.GenTextures(1, &made.texture_);
  gl.ActiveTexture(context.upload_unit);
  gl.BindTexture(gl::kTexture2d, made.texture_);
  gl.TexImage2D(gl::kTexture2d, 0, static_cast<gl::Int>(gl::kDepthComponent24), side, side, 0, gl::kDepthComponent,
                gl::kUnsignedInt, nullptr);
  const std::pair<gl::Enum, gl::Enum> parameters[] = {{gl::kTextureMinFilter, gl::kLinear},
                                                      {gl::kTextureMagFilter, gl::kLinear},
                                                      {gl::kTextureWrapS, gl::kClampToEdge},
                                                      {gl::kTextureWrapT, gl::kClampToEdge},
                                                      {gl::kTextureCompareMode, gl::kCompareRefToTexture},
                                                      {gl::kTextureCompareFunc, gl::kLequal}};
  for (const auto& [name, value] : parameters) gl.TexParameteri(gl::kTexture2d, name, static_cast<gl::Int>(value));
  gl.GenFramebuffers(1, &made.framebuffer_);
  gl.BindFramebuffer(gl::kFramebuffer, made.framebuffer_);
  gl.FramebufferTexture2D(gl::kFramebuffer, gl::kDepthAttachment, gl::kTexture2d, made.texture_, 0);
  const gl::Enum none = gl::kNoBuffer;
  gl.DrawBuffers(1, &none);
  gl.ReadBuffer(gl::kNoBuffer);
  const bool complete = gl.CheckFramebufferStatus(gl::kFramebuffer) == gl::kFramebufferComplete;
  gl.BindFramebuffer(gl::kFramebuffer, 0);
  if (!context.no_error() || !complete) return device_memory_error(std::size_t{made.size_} * made.size_ * 4);
  return made;
}

ShadowMap::ShadowMap(ShadowMap&& other) noexcept : ShadowMap() { *this = std::move(other); }

ShadowMap& ShadowMap::operator=(ShadowMap&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(framebuffer_, other.framebuffer_);
  std::swap(texture_, other.texture_);
  size_ = other.size_;
  return *this;
}

ShadowMap::~ShadowMap() {
  if (framebuffer_ == 0 || context_->lost) return;
  context_->functions.DeleteFramebuffers(1, &framebuffer_);
  context_->functions.DeleteTextures(1, &texture_);
}

void ShadowMap::begin() const {
  const gl::Functions& gl = context_->functions;
  const auto side = static_cast<gl::Size>(size_);
  gl.BindFramebuffer(gl::kFramebuffer, framebuffer_);
  gl.Viewport(0, 0, side, side);
  gl.Disable(gl::kScissorTest);
  gl.DepthMask(1);
  gl.Clear(gl::kDepthBufferBit);
}

void ShadowMap::bind(unsigned int unit) const {
  context_->functions.ActiveTexture(gl::kTexture0 + unit);
  context_->functions.BindTexture(gl::kTexture2d, texture_);
}

}  // namespace marrow
