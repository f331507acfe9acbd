#include "marrow/gpu/shaders.h"

#include <doctest/doctest.h>

#include <span>
#include <sstream>
#include <string>
#include <utility>

namespace marrow {
namespace {

constexpr ShaderLanguage kLanguages[] = {ShaderLanguage::glsl_es_300, ShaderLanguage::glsl_330, ShaderLanguage::wgsl};
constexpr PaletteStorage kStorages[] = {PaletteStorage::uniform_3x4, PaletteStorage::uniform_4x4,
                                        PaletteStorage::texture_3x4, PaletteStorage::texture_4x4,
                                        PaletteStorage::storage_3x4};

TEST_CASE("the shaders are in the library, whole") {
  CHECK(shader_files().size() >= 10);
  for (const ShaderFile& file : shader_files()) {
    CAPTURE(file.path);
    CHECK(file.text.size() > 50);
    CHECK(file.text.find("#include") == std::string_view::npos);
    CHECK(shader_file(file.path).data() == file.text.data());
  }
  CHECK(shader_file("glsl/bogus.glsl").empty());
}

TEST_CASE("each language has the techniques that it can, and says of the others that it has none") {
  int there = 0;
  for (const ShaderLanguage language : kLanguages) {
    const bool wgsl = language == ShaderLanguage::wgsl;
    for (const PaletteStorage storage : kStorages) {
      for (const bool bound : {false, true}) {
        CAPTURE(to_string(storage));
        CAPTURE(bound);
        CAPTURE(wgsl);
        const bool expected =
            wgsl ? storage == PaletteStorage::storage_3x4 || (!is_texture(storage) && !bound)
                 : storage != PaletteStorage::storage_3x4 && !(storage == PaletteStorage::uniform_4x4 && bound);
        const Result<std::string_view> include = skin_include({storage, bound}, language);
        const Result<std::string> whole = vertex_shader({{storage, bound}, 0, 0, false}, language);
        CHECK(include.ok() == expected);
        CHECK(whole.ok() == expected);
        if (!expected) continue;
        ++there;
        CHECK(include->find("marrow_skin") != std::string_view::npos);
        CHECK(whole->size() > include->size());
      }
    }
  }
  CHECK(there == 2 * 7 + 4);
  CHECK(to_string(skin_include({PaletteStorage::uniform_4x4, true}, ShaderLanguage::glsl_330).error()) ==
        "there is no shader in GLSL for bones in uniform_4x4, bound to a skeleton");
  CHECK(to_string(skin_include({PaletteStorage::texture_3x4, false}, ShaderLanguage::wgsl).error()) ==
        "there is no shader in WGSL for bones in texture_3x4");
  CHECK(to_string(vertex_shader({{PaletteStorage::uniform_4x4, false}, 129, 0, false}, ShaderLanguage::wgsl).error()) ==
        "129 bones were asked for in uniform_4x4, which holds 128");
}

TEST_CASE("vertex attributes of the shaders are at the locations that attribute_location returns") {
  const std::pair<VertexSemantic, std::string> names[] = {
      {VertexSemantic::position, "position"}, {VertexSemantic::normal, "normal"},   {VertexSemantic::uv, "uv"},
      {VertexSemantic::joints, "joints"},     {VertexSemantic::weights, "weights"}, {VertexSemantic::color, "color"}};
  int found = 0;
  for (const ShaderFile& file : shader_files()) {
    CAPTURE(file.path);
    std::istringstream text{std::string(file.text)};
    for (std::string line; std::getline(text, line);) {
      if (!line.starts_with("layout(location = ")) continue;
      for (const auto& [semantic, name] : names) {
        if (!line.ends_with(" a_" + name + ";")) continue;
        CAPTURE(line);
        CHECK(line.starts_with("layout(location = " + std::to_string(attribute_location(semantic)) + ")"));
        ++found;
      }
    }
  }
  CHECK(found >= 10);
  const std::string_view wgsl = shader_file("wgsl/mesh.wgsl");
  for (const auto& attribute : std::span(names).first(5)) {
    const auto& [semantic, name] = attribute;
    CAPTURE(attribute.second);
    const std::string line = "  @location(" + std::to_string(attribute_location(semantic)) + ") " + name + ":";
    CHECK(wgsl.find(line) != std::string_view::npos);
  }
}

}  // namespace
}  // namespace marrow
