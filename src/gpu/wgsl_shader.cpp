#include "src/gpu/wgsl_shader.h"

namespace marrow {
namespace {

// Replaces the number of bones that the text of a technique declares. Arrays of any size have none.
void set_max_bones(std::string& text, std::uint32_t bones) {
  constexpr std::string_view kConstant = "const MARROW_MAX_BONES = ";
  const std::size_t at = text.find(kConstant);
  if (at == std::string::npos) return;
  const std::size_t number = at + kConstant.size();
  text.replace(number, text.find(';', number) - number, std::to_string(bones));
}

}  // namespace

// What a preprocessor would choose is chosen by which files are there: they have the names that mesh.wgsl uses.
std::string wgsl_shader(const VertexShaderOptions& options, std::string_view include) {
  std::string text(include);
  if (options.max_bones > 0) set_max_bones(text, options.max_bones);
  text += shader_file(options.max_morphs > 0 ? "wgsl/morphing.wgsl" : "wgsl/mesh_no_morphs.wgsl");
  text += shader_file(options.octahedral_normals ? "wgsl/mesh_normals_oct32.wgsl" : "wgsl/mesh_normals_f32.wgsl");
  text += shader_file("wgsl/mesh.wgsl");
  return text;
}

}  // namespace marrow
