#include "engine.h"

#include <GLES3/gl3.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "marrow/draw/add_palette.h"
#include "tube.h"

using namespace marrow;

namespace example {
namespace {

template <typename T>
T or_exit(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", to_string(result.error()).c_str());
  std::exit(1);
}

unsigned int compile(GLenum type, const std::string& text) {
  const GLuint shader = glCreateShader(type);
  const char* texts[] = {text.c_str()};
  glShaderSource(shader, 1, texts, nullptr);
  glCompileShader(shader);
  return shader;
}

unsigned int link(const std::string& vertex, const std::string& fragment) {
  const GLuint program = glCreateProgram();
  glAttachShader(program, compile(GL_VERTEX_SHADER, vertex));
  glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment));
  glLinkProgram(program);
  return program;
}

const std::string kVersion = "#version 300 es\n";

const std::string kVertexMain = R"(
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 3) in uvec4 a_joints;
layout(location = 4) in vec4 a_weights;
uniform float u_aspect, u_place;
out vec3 v_normal;
void main() {
  MarrowMatrix skin = marrow_skin(a_joints, a_weights);
  vec3 p = marrow_position(skin, a_position);
  v_normal = marrow_normal(skin, a_normal);
  gl_Position = vec4((p.x + p.y * 0.3 + u_place) / 1.3 / u_aspect, (p.z - 1.0) / 1.3, p.y / 3.0, 1.0);
}
)";

const std::string kFragment = kVersion + R"(precision highp float;
in vec3 v_normal;
out vec4 color;
void main() {
  float light = 0.35 + 0.65 * max(dot(normalize(v_normal), normalize(vec3(-0.5, -1.0, 0.6))), 0.0);
  color = vec4(light * vec3(1.0, 0.75, 0.5), 1.0);
}
)";

// Vertices as they were made, without texture coordinates.
constexpr VertexFormat kFormat = {.normal = NormalEncoding::f32x3, .joints = JointEncoding::u8x4};

}  // namespace

// The forty lines: this, and draw.
Engine::Engine(GlLoader loader)
    : device_(or_exit(GlDevice::create(loader))),
      tube_(scene_.instantiate(make_tube())),
      palettes_(or_exit(PaletteBuffer::create(device_.device(), {.max_bones = 128}))),
      mesh_(or_exit(GlMesh::create(device_, *tube_.model().meshes()[0].parts[0].vertices,
                                   tube_.model().meshes()[0].parts[0].indices, kFormat))),
      program_(link(kVersion + "#define MARROW_MAX_BONES 128\n" +
                        std::string(*skin_include({palettes_.storage()}, ShaderLanguage::glsl_es_300)) + kVertexMain,
                    kFragment)),
      skinning_(or_exit(GlSkinning::create(device_, program_))) {
  tube_.mixer().play(tube_.model().clips()[0]);
}

void Engine::draw(double dt_s, int width, int height) {
  scene_.update(dt_s);
  palettes_.begin_frame();
  const PaletteRef palette = or_exit(add_palette(palettes_, tube_, 0));
  if (const Result<void> uploaded = palettes_.upload(); !uploaded) {
    if (uploaded.error().code == ErrorCode::device_lost) return;  // make everything anew, in a new context
  }
  glViewport(0, 0, width, height);
  glEnable(GL_DEPTH_TEST);
  glClearColor(0.1f, 0.12f, 0.15f, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glUseProgram(program_);
  if (!skinning_.bind(palettes_, palette, mesh_.largest_joint())) return;
  glUniform1f(glGetUniformLocation(program_, "u_aspect"), static_cast<float>(width) / static_cast<float>(height));
  for (const float place : {-1.0f, 0.0f, 1.0f}) {  // one palette, three draws
    glUniform1f(glGetUniformLocation(program_, "u_place"), place);
    mesh_.draw();
  }
}

}  // namespace example
