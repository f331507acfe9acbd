#include "src/draw/render_program.h"

#include <utility>
#include <vector>

namespace marrow {
namespace {

std::string head(const GlDevice& device) {
  return std::string(device.is_es() ? "#version 300 es\n" : "#version 330 core\n") +
         "precision highp float;\nprecision highp int;\n";
}

// Returns 0, and the driver's words, if it does not compile.
gl::Uint compile(const gl::Functions& gl, gl::Enum type, const std::string& text, std::string& words) {
  const gl::Uint shader = gl.CreateShader(type);
  const char* const texts[] = {text.c_str()};
  gl.ShaderSource(shader, 1, texts, nullptr);
  gl.CompileShader(shader);
  gl::Int good = 0;
  gl.GetShaderiv(shader, gl::kCompileStatus, &good);
  if (good != 0) return shader;
  std::vector<char> log(1024);
  gl.GetShaderInfoLog(shader, static_cast<gl::Size>(log.size()), nullptr, log.data());
  words = log.data();
  gl.DeleteShader(shader);
  return 0;
}

Error refused(const std::string& words) {
  return {ErrorCode::unsupported, "the driver refuses a shader of the renderer: " + words, {}};
}

}  // namespace

Result<RenderProgram> RenderProgram::create(const GlDevice& device, const std::string& vertex,
                                            const std::string& fragment) {
  if (device.is_lost()) return lost_error();
  const gl::Functions& gl = device.context()->functions;
  std::string words;
  const gl::Uint first = compile(gl, gl::kVertexShader, head(device) + vertex, words);
  if (first == 0) return refused(words);
  const gl::Uint second = compile(gl, gl::kFragmentShader, head(device) + fragment, words);
  if (second == 0) {
    gl.DeleteShader(first);
    return refused(words);
  }
  RenderProgram made;
  made.context_ = device.context();
  made.name_ = gl.CreateProgram();
  gl.AttachShader(made.name_, first);
  gl.AttachShader(made.name_, second);
  gl.LinkProgram(made.name_);
  gl.DeleteShader(first);
  gl.DeleteShader(second);
  gl::Int good = 0;
  gl.GetProgramiv(made.name_, gl::kLinkStatus, &good);
  if (good == 0) {
    std::vector<char> log(1024);
    gl.GetProgramInfoLog(made.name_, static_cast<gl::Size>(log.size()), nullptr, log.data());
    return refused(log.data());
  }
  gl.UseProgram(made.name_);
  place_texture(gl, made.name_, "u_texture", kBaseColorUnit);
  place_texture(gl, made.name_, "u_emissive_texture", kEmissiveUnit);
  place_texture(gl, made.name_, "u_shadow_map", kShadowUnit);
  const std::pair<int Locations::*, const char*> names[] = {{&Locations::view_projection, "u_view_projection"},
                                                            {&Locations::world, "u_world"},
                                                            {&Locations::uv_rows, "u_uv_rows"},
                                                            {&Locations::base_color, "u_base_color"},
                                                            {&Locations::emissive, "u_emissive"},
                                                            {&Locations::surface, "u_surface"},
                                                            {&Locations::alpha, "u_alpha"},
                                                            {&Locations::eye, "u_eye"},
                                                            {&Locations::shadow_from_world, "u_shadow_from_world"},
                                                            {&Locations::shadow, "u_shadow"},
                                                            {&Locations::to_light, "u_to_light"},
                                                            {&Locations::key, "u_key"},
                                                            {&Locations::sky, "u_sky"},
                                                            {&Locations::earth, "u_earth"},
                                                            {&Locations::rays, "u_rays"},
                                                            {&Locations::ground, "u_ground"},
                                                            {&Locations::grid, "u_grid"}};
  for (const auto& [member, name] : names) made.at.*member = gl.GetUniformLocation(made.name_, name);
  return made;
}

RenderProgram::RenderProgram(RenderProgram&& other) noexcept : RenderProgram() { *this = std::move(other); }

RenderProgram& RenderProgram::operator=(RenderProgram&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(name_, other.name_);
  at = other.at;
  return *this;
}

RenderProgram::~RenderProgram() {
  if (name_ != 0 && !context_->lost) context_->functions.DeleteProgram(name_);
}

Result<MeshProgram> make_mesh_program(const GlDevice& device, const MeshProgramKind& kind) {
  std::string vertex;
  if (kind.morphs)
    vertex += "#define MARROW_MORPHS 1\n#define MARROW_MAX_MORPHS " + std::to_string(kRenderMaxMorphs) + "\n";
  if (kind.skin != RenderSkin::none) vertex += "#define MARROW_SKINNED 1\n";
  switch (kind.skin) {
    case RenderSkin::none: vertex += shader_file("glsl/skin_none.glsl"); break;
    case RenderSkin::uniform: vertex += shader_file("glsl/skin_uniform.glsl"); break;
    case RenderSkin::texture: vertex += shader_file("glsl/skin_texture.glsl"); break;
    case RenderSkin::bound: vertex += shader_file("glsl/skin_bound.glsl"); break;
  }
  if (kind.morphs) vertex += shader_file("glsl/morphing.glsl");
  vertex += shader_file("glsl/render_mesh_vertex.glsl");
  const std::string fragment(
      shader_file(kind.shadow ? "glsl/render_shadow_fragment.glsl" : "glsl/render_surface_fragment.glsl"));
  Result<RenderProgram> program = RenderProgram::create(device, vertex, fragment);
  if (!program) return program.error();
  MeshProgram made{std::move(*program), std::nullopt};
  if (kind.skin == RenderSkin::none && !kind.morphs) return made;
  Result<GlSkinning> skinning = GlSkinning::create(device, made.program.name());
  if (!skinning) return skinning.error();
  made.skinning = std::move(*skinning);
  return made;
}

}  // namespace marrow
