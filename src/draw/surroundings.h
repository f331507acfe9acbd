// What is behind and below a scene. Internal.
#pragma once

#include <memory>

#include "src/draw/render_program.h"
#include "src/draw/shadow_map.h"

namespace marrow {

// Gives the program in use the light, and where its shadow is. `shadow_size` is that of the map's side.
void set_light(const gl::Functions& gl, const RenderProgram& program, const DrawOptions& options,
               const LightView& light, std::uint32_t shadow_size);

class Surroundings {
 public:
  [[nodiscard]] static Result<Surroundings> create(const GlDevice& device);
  Surroundings(Surroundings&& other) noexcept;
  Surroundings& operator=(Surroundings&& other) noexcept;
  ~Surroundings();

  // Draws backdrop and ground into what was cleared. Where the backdrop is left out, only what darkens is drawn. Depth
  // is on afterwards.
  void draw(const DrawOptions& options, const CameraMatrices& camera, float aspect, const LightView& light,
            std::uint32_t shadow_size) const;

 private:
  Surroundings(RenderProgram backdrop, RenderProgram ground, std::shared_ptr<gl::Context> context);
  void draw_backdrop(const CameraMatrices& camera, float aspect) const;

  RenderProgram backdrop_, ground_;
  std::shared_ptr<gl::Context> context_;
  unsigned int array_ = 0;  // of no vertices
};

}  // namespace marrow
