// The depth of a scene as its key light sees it. Internal.
#pragma once

#include <cstdint>
#include <memory>

#include "marrow/core/result.h"
#include "marrow/draw/renderer.h"
#include "marrow/gpu/gl_device.h"

namespace marrow {

// What a light that comes from one direction sees of a sphere.
struct LightView {
  float clip_from_world[16];
  float shadow_from_world[16];  // to texture coordinates and depth, from 0 to 1
};
[[nodiscard]] LightView light_view(const Environment& environment, Vec3 to_light);

class ShadowMap {
 public:
  [[nodiscard]] static Result<ShadowMap> create(const GlDevice& device, std::uint32_t size);
  ShadowMap(ShadowMap&& other) noexcept;
  ShadowMap& operator=(ShadowMap&& other) noexcept;
  ~ShadowMap();

  // Binds it to be drawn into, empty; and its texture to a unit.
  void begin() const;
  void bind(unsigned int unit) const;
  [[nodiscard]] std::uint32_t size() const { return size_; }

 private:
  ShadowMap() = default;
  std::shared_ptr<gl::Context> context_;
  unsigned int framebuffer_ = 0, texture_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace marrow
