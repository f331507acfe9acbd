// Writes every GLSL shader there is to a folder, for a validator: write_glsl FOLDER
#include <cstdio>
#include <fstream>
#include <string>

#include "marrow/gpu/shaders.h"

namespace {

using namespace marrow;

struct Language {
  ShaderLanguage language;
  const char* name;
  const char* head;
};

int written = 0;
bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  ++written;
  return file.good();
}

// Each text to paste, in a shader that uses nothing else.
std::string pasted(const Language& language, std::string_view text, const char* body) {
  return std::string(language.head) + std::string(text) + "void main() {\n  " + body + "\n}\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  const Language languages[] = {{ShaderLanguage::glsl_es_300, "es300", "#version 300 es\n"},
                                {ShaderLanguage::glsl_330, "gl330", "#version 330 core\n"}};
  bool good = true;
  for (const Language& language : languages) {
    for (const PaletteStorage storage : {PaletteStorage::uniform_3x4, PaletteStorage::uniform_4x4,
                                         PaletteStorage::texture_3x4, PaletteStorage::texture_4x4}) {
      for (const bool bound : {false, true}) {
        const Result<std::string_view> include = skin_include({storage, bound}, language.language);
        if (!include) continue;
        const std::string name = folder + "/" + language.name + "_" + to_string(storage) + (bound ? "_bound" : "");
        good =
            write(
                name + "_pasted.vert",
                pasted(language, *include,
                       "gl_Position = vec4(marrow_tangent(marrow_skin(uvec4(0), vec4(1.0)), vec4(1.0)).xyz, 1.0);")) &&
            good;
        for (const std::uint32_t morphs : {0u, 1u, 52u}) {
          for (const bool packed : {false, true}) {
            good = write(name + "_" + std::to_string(morphs) + (packed ? "_packed" : "") + ".vert",
                         *vertex_shader({{storage, bound}, 0, morphs, packed}, language.language)) &&
                   good;
          }
        }
      }
    }
    good =
        write(folder + "/" + language.name + "_morphing.vert",
              pasted(language, shader_file("glsl/morphing.glsl"),
                     "vec3 p = vec3(0.0), n = p; marrow_morph(gl_VertexID, p, n); gl_Position = vec4(p + n, 1.0);")) &&
        good;
    good = write(folder + "/" + language.name + "_octahedral.vert",
                 pasted(language, shader_file("glsl/octahedral.glsl"),
                        "gl_Position = vec4(marrow_octahedral(vec2(0.5)), 1.0);")) &&
           good;
  }
  // Those of the renderer, as they stand behind a head.
  for (const Language& language : languages) {
    const std::string head = std::string(language.head) + "precision highp float;\nprecision highp int;\n";
    for (const ShaderFile& file : shader_files()) {
      if (!file.path.starts_with("glsl/render_")) continue;
      const bool vertex = file.path.ends_with("_vertex.glsl"), fragment = file.path.ends_with("_fragment.glsl");
      if (!vertex && !fragment) continue;
      std::string before;
      if (file.path == "glsl/render_mesh_vertex.glsl") before = shader_file("glsl/skin_none.glsl");
      const std::string name(file.path.substr(5, file.path.size() - 10));
      good = write(folder + "/" + language.name + "_" + name + (vertex ? ".vert" : ".frag"),
                   head + before + std::string(file.text)) &&
             good;
    }
    for (const char* skin :
         {"glsl/skin_none.glsl", "glsl/skin_uniform.glsl", "glsl/skin_texture.glsl", "glsl/skin_bound.glsl"}) {
      const std::string defined = std::string("#define MARROW_MORPHS 1\n#define MARROW_MAX_MORPHS 1024\n") +
                                  (std::string_view(skin) == "glsl/skin_none.glsl" ? "" : "#define MARROW_SKINNED 1\n");
      good = write(folder + "/" + language.name + "_render_mesh_" + std::string(skin).substr(5, 9) + ".vert",
                   head + defined + std::string(shader_file(skin)) + std::string(shader_file("glsl/morphing.glsl")) +
                       std::string(shader_file("glsl/render_mesh_vertex.glsl"))) &&
             good;
    }
  }
  std::printf("%d shaders\n", written);
  return good ? 0 : 1;
}
