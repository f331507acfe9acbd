#include "marrow/gpu/shaders.h"

#include "src/gpu/shader_texts.h"
#include "src/gpu/wgsl_shader.h"

namespace marrow {
namespace {

std::string_view include_path(SkinTechnique technique, bool wgsl, std::uint32_t bones) {
  using enum PaletteStorage;
  if (wgsl) {
    switch (technique.storage) {
      case uniform_3x4: return technique.bound ? "" : "wgsl/skin_uniform.wgsl";
      case uniform_4x4: return technique.bound ? "" : "wgsl/skin_uniform_4x4.wgsl";
      case storage_3x4: return bones > kMaxBoundBones ? "wgsl/skin_storage_any.wgsl" : "wgsl/skin_storage.wgsl";
      default: return "";
    }
  }
  switch (technique.storage) {
    case uniform_3x4: return technique.bound ? "glsl/skin_bound.glsl" : "glsl/skin_uniform.glsl";
    case uniform_4x4: return technique.bound ? "" : "glsl/skin_uniform_4x4.glsl";
    case texture_3x4:
    case texture_4x4: return technique.bound ? "glsl/skin_bound_texture.glsl" : "glsl/skin_texture.glsl";
    default: return "";
  }
}

std::string define(std::string_view name, std::uint32_t value) {
  return "#define " + std::string(name) + " " + std::to_string(value) + "\n";
}

std::string glsl_shader(const VertexShaderOptions& options, ShaderLanguage language, std::string_view include) {
  std::string text = language == ShaderLanguage::glsl_es_300 ? "#version 300 es\n" : "#version 330 core\n";
  text += "precision highp float;\nprecision highp int;\n";
  if (options.max_bones > 0) text += define("MARROW_MAX_BONES", options.max_bones);
  if (options.max_morphs > 0) text += define("MARROW_MORPHS", 1) + define("MARROW_MAX_MORPHS", options.max_morphs);
  if (options.octahedral_normals) text += define("MARROW_OCTAHEDRAL_NORMALS", 1);
  text += include;
  if (options.max_morphs > 0) text += shader_file("glsl/morphing.glsl");
  if (options.octahedral_normals) text += shader_file("glsl/octahedral.glsl");
  text += shader_file("glsl/mesh.glsl");
  return text;
}

}  // namespace

std::span<const ShaderFile> shader_files() { return {kShaderFiles, kShaderFileCount}; }

std::string_view shader_file(std::string_view path) {
  for (const ShaderFile& file : shader_files()) {
    if (file.path == path) return file.text;
  }
  return {};
}

std::uint32_t attribute_location(VertexSemantic semantic) {
  switch (semantic) {
    case VertexSemantic::position: return 0;
    case VertexSemantic::normal: return 1;
    case VertexSemantic::uv: return 2;
    case VertexSemantic::joints: return 3;
    case VertexSemantic::weights: return 4;
    case VertexSemantic::tangent: return 5;
    case VertexSemantic::color: return 6;
  }
  return 0;
}

Result<std::string_view> skin_include(SkinTechnique technique, ShaderLanguage language, std::uint32_t bones) {
  const bool wgsl = language == ShaderLanguage::wgsl;
  const std::string_view path = include_path(technique, wgsl, bones);
  if (path.empty()) {
    return Error{ErrorCode::unsupported,
                 std::string("there is no shader in ") + (wgsl ? "WGSL" : "GLSL") + " for bones in " +
                     to_string(technique.storage) + (technique.bound ? ", bound to a skeleton" : ""),
                 {}};
  }
  return shader_file(path);
}

Result<std::string> vertex_shader(const VertexShaderOptions& options, ShaderLanguage language) {
  const Result<std::string_view> include = skin_include(options.technique, language, options.max_bones);
  if (!include) return include.error();
  if (options.technique.storage == PaletteStorage::uniform_4x4 && options.max_bones > kMaxBones4x4) {
    return Error{ErrorCode::limit_exceeded,
                 std::to_string(options.max_bones) + " bones were asked for in uniform_4x4, which holds 128",
                 {}};
  }
  return language == ShaderLanguage::wgsl ? wgsl_shader(options, *include) : glsl_shader(options, language, *include);
}

}  // namespace marrow
