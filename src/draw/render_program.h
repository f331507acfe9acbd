// The renderer's programs. Internal.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "marrow/core/result.h"
#include "marrow/gpu/gl_device.h"
#include "marrow/gpu/gl_skinning.h"
#include "src/draw/imports.h"

namespace marrow {

// The texture units of the renderer's own samplers.
inline constexpr unsigned int kBaseColorUnit = 0, kEmissiveUnit = 1, kShadowUnit = 2;

inline constexpr std::uint32_t kRenderMaxMorphs = 1024;

// A linked program and where its uniforms are: -1, which OpenGL ignores, for those that it has not.
class RenderProgram {
 public:
  // Fails with the driver's words if it refuses a shader. The texts follow the version and the precisions.
  [[nodiscard]] static Result<RenderProgram> create(const GlDevice& device, const std::string& vertex,
                                                    const std::string& fragment);
  RenderProgram(RenderProgram&& other) noexcept;
  RenderProgram& operator=(RenderProgram&& other) noexcept;
  ~RenderProgram();

  [[nodiscard]] unsigned int name() const { return name_; }
  void use() const { context_->functions.UseProgram(name_); }

  struct Locations {
    int view_projection = -1, world = -1, uv_rows = -1, base_color = -1, emissive = -1, surface = -1, alpha = -1,
        eye = -1, shadow_from_world = -1, shadow = -1, to_light = -1, key = -1, sky = -1, earth = -1, rays = -1,
        ground = -1, grid = -1;
  } at;

 private:
  RenderProgram() = default;
  std::shared_ptr<gl::Context> context_;
  unsigned int name_ = 0;
};

// How a mesh is moved: by what a skin's palette is in; or by bones that may be bound to a skeleton.
enum class RenderSkin : std::uint8_t { none, uniform, texture, bound };
inline constexpr std::size_t kRenderSkins = 4;

// Which of the programs for meshes.
struct MeshProgramKind {
  RenderSkin skin = RenderSkin::none;
  bool morphs = false;
  bool shadow = false;  // depth alone
};

struct MeshProgram {
  RenderProgram program;
  std::optional<GlSkinning> skinning;  // if it has bones or morph targets
};

[[nodiscard]] Result<MeshProgram> make_mesh_program(const GlDevice& device, const MeshProgramKind& kind);

}  // namespace marrow
