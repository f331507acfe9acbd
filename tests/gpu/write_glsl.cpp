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
  std::printf("%d shaders\n", written);
  return good ? 0 : 1;
}
