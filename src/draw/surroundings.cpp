#include "src/draw/surroundings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "marrow/gpu/shaders.h"
#include "marrow/math/vec3.h"

namespace marrow {
namespace {

constexpr float kReach = 14;  // how many radii the ground goes on for
constexpr float kLine = 0.10f, kTenthLine = 0.22f, kShade = 0.40f;

// A distance between lines of 1, 10, 100..., or 0.1, 0.01...: from a twentieth to a half of the size.
float grid_distance(float size) { return std::pow(10.0f, std::round(std::log10(std::max(size, 1e-12f)) - 0.85f)); }

void set(const gl::Functions& gl, int location, Vec3 v, float w) {
  const float values[4] = {v.x, v.y, v.z, w};
  gl.Uniform4fv(location, 1, values);
}

}  // namespace

void set_light(const gl::Functions& gl, const RenderProgram& program, const DrawOptions& options,
               const LightView& light, std::uint32_t shadow_size) {
  const float texel = 1 / static_cast<float>(shadow_size), side = 2 * options.environment.radius * texel;
  set(gl, program.at.shadow, {texel, side, 0.5f * texel}, options.environment.shadow ? 1.0f : 0.0f);
  set(gl, program.at.to_light, direction_of(options.light.to_key, {0, 0, 1}), 0);
  set(gl, program.at.key, options.light.key, 0);
  set(gl, program.at.sky, options.light.sky, 0);
  set(gl, program.at.earth, options.light.earth, 0);
  set(gl, program.at.eye, options.camera.eye, 1);
  gl.UniformMatrix4fv(program.at.shadow_from_world, 1, 0, light.shadow_from_world);
}

Result<Surroundings> Surroundings::create(const GlDevice& device) {
  const auto text = [](const char* path) { return std::string(shader_file(path)); };
  Result<RenderProgram> backdrop = RenderProgram::create(device, text("glsl/render_backdrop_vertex.glsl"),
                                                         text("glsl/render_backdrop_fragment.glsl"));
  if (!backdrop) return backdrop.error();
  Result<RenderProgram> ground =
      RenderProgram::create(device, text("glsl/render_ground_vertex.glsl"), text("glsl/render_ground_fragment.glsl"));
  if (!ground) return ground.error();
  return Surroundings(std::move(*backdrop), std::move(*ground), device.context());
}

Surroundings::Surroundings(RenderProgram backdrop, RenderProgram ground, std::shared_ptr<gl::Context> context)
    : backdrop_(std::move(backdrop)), ground_(std::move(ground)), context_(std::move(context)) {
  context_->functions.GenVertexArrays(1, &array_);
}

Surroundings::Surroundings(Surroundings&& other) noexcept
    : backdrop_(std::move(other.backdrop_)),
      ground_(std::move(other.ground_)),
      context_(std::move(other.context_)),
      array_(std::exchange(other.array_, 0)) {}

Surroundings& Surroundings::operator=(Surroundings&& other) noexcept {
  std::swap(backdrop_, other.backdrop_);
  std::swap(ground_, other.ground_);
  std::swap(context_, other.context_);
  std::swap(array_, other.array_);
  return *this;
}

Surroundings::~Surroundings() {
  if (array_ != 0 && !context_->lost) context_->functions.DeleteVertexArrays(1, &array_);
}

void Surroundings::draw_backdrop(const CameraMatrices& camera, float aspect) const {
  const gl::Functions& gl = context_->functions;
  gl.Disable(gl::kDepthTest);
  gl.Disable(gl::kBlend);
  backdrop_.use();
  const float slope = 1 / camera.projection[5];
  const Vec3 right = camera.right * (slope * aspect), up = camera.up * slope;
  const float rays[12] = {-camera.back.x, -camera.back.y, -camera.back.z, 0, right.x, right.y, right.z, 0,
                          up.x,           up.y,           up.z,           0};
  gl.Uniform4fv(backdrop_.at.rays, 3, rays);
  gl.DrawArrays(gl::kTriangles, 0, 3);
  gl.Enable(gl::kDepthTest);
}

void Surroundings::draw(const DrawOptions& options, const CameraMatrices& camera, float aspect, const LightView& light,
                        std::uint32_t shadow_size) const {
  const gl::Functions& gl = context_->functions;
  const Environment& environment = options.environment;
  gl.BindVertexArray(array_);
  gl.Disable(gl::kCullFace);
  if (environment.backdrop) draw_backdrop(camera, aspect);
  if (!environment.ground || options.camera.eye.z <= environment.ground_height) return;
  ground_.use();
  gl.UniformMatrix4fv(ground_.at.view_projection, 1, 0, camera.view_projection);
  set_light(gl, ground_, options, light, shadow_size);
  // A little deeper than what stands on it, so that floors of models win.
  const float height = environment.ground_height - 1e-3f * environment.radius;
  set(gl, ground_.at.ground, {environment.middle.x, environment.middle.y, height}, kReach * environment.radius);
  const bool lines = environment.grid && environment.backdrop;
  set(gl, ground_.at.grid, {grid_distance(2 * environment.radius), lines ? kLine : 0.0f, lines ? kTenthLine : 0.0f},
      environment.shadow ? kShade : 0.0f);
  gl.Enable(gl::kBlend);
  gl.DepthMask(environment.backdrop ? 1 : 0);  // the ground hides objects below it, but a bare shadow does not
  gl.DrawArrays(gl::kTriangleStrip, 0, 4);
  gl.DepthMask(1);
}

}  // namespace marrow
