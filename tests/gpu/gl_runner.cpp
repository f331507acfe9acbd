#include "gpu/gl_runner.h"

#include <cstring>
#include <numeric>

#include "src/gpu/gl_context.h"

namespace marrow::test {
namespace {

constexpr gl::Enum kTransformFeedbackBuffer = 0x8C8E, kRasterizerDiscard = 0x8C89, kInterleaved = 0x8C8C;
constexpr gl::Enum kStreamRead = 0x88E1;
constexpr gl::Enum kFramebuffer = 0x8D40, kRenderbuffer = 0x8D41, kColorAttachment = 0x8CE0, kRgba8 = 0x8058;

// What only tests use.
struct MoreFunctions {
  void (*BindBufferBase)(gl::Enum, gl::Uint, gl::Uint);
  void (*BeginTransformFeedback)(gl::Enum);
  void (*EndTransformFeedback)();
  void (*Enable)(gl::Enum);
  void (*Disable)(gl::Enum);
  void (*GenFramebuffers)(gl::Size, gl::Uint*);
  void (*BindFramebuffer)(gl::Enum, gl::Uint);
  void (*GenRenderbuffers)(gl::Size, gl::Uint*);
  void (*BindRenderbuffer)(gl::Enum, gl::Uint);
  void (*RenderbufferStorage)(gl::Enum, gl::Enum, gl::Size, gl::Size);
  void (*FramebufferRenderbuffer)(gl::Enum, gl::Enum, gl::Enum, gl::Uint);
};

template <typename Function>
void load(const char* name, Function& out) {
  void* found = get_gl_proc(name);
  REQUIRE_MESSAGE(found != nullptr, name);
  out = reinterpret_cast<Function>(found);
}

MoreFunctions load_more() {
  MoreFunctions more{};
  load("glBindBufferBase", more.BindBufferBase);
  load("glBeginTransformFeedback", more.BeginTransformFeedback);
  load("glEndTransformFeedback", more.EndTransformFeedback);
  load("glEnable", more.Enable);
  load("glDisable", more.Disable);
  load("glGenFramebuffers", more.GenFramebuffers);
  load("glBindFramebuffer", more.BindFramebuffer);
  load("glGenRenderbuffers", more.GenRenderbuffers);
  load("glBindRenderbuffer", more.BindRenderbuffer);
  load("glRenderbufferStorage", more.RenderbufferStorage);
  load("glFramebufferRenderbuffer", more.FramebufferRenderbuffer);
  return more;
}

const MoreFunctions& more_functions() {
  static const MoreFunctions more = load_more();
  return more;
}

// Somewhere to draw to, though nothing is drawn; it goes with the context.
void bind_framebuffer() {
  const MoreFunctions& more = more_functions();
  gl::Uint framebuffer = 0, renderbuffer = 0;
  more.GenFramebuffers(1, &framebuffer);
  more.GenRenderbuffers(1, &renderbuffer);
  more.BindRenderbuffer(kRenderbuffer, renderbuffer);
  more.RenderbufferStorage(kRenderbuffer, kRgba8, 1, 1);
  more.BindFramebuffer(kFramebuffer, framebuffer);
  more.FramebufferRenderbuffer(kFramebuffer, kColorAttachment, kRenderbuffer, renderbuffer);
}

unsigned int compile(const gl::Functions& gl, gl::Enum type, const std::string& text) {
  const unsigned int shader = gl.CreateShader(type);
  const char* texts[] = {text.c_str()};
  gl.ShaderSource(shader, 1, texts, nullptr);
  gl.CompileShader(shader);
  gl::Int good = 0;
  gl.GetShaderiv(shader, gl::kCompileStatus, &good);
  char log[2000] = "";
  gl.GetShaderInfoLog(shader, sizeof log, nullptr, log);
  REQUIRE_MESSAGE(good == 1, log, "\n", text);
  return shader;
}

}  // namespace

GlContext::GlContext(GlKind kind) : context_(kind) {
  Result<GlDevice> device = GlDevice::create(get_gl_proc);
  REQUIRE_MESSAGE(device.ok(), (device ? "" : to_string(device.error())));
  device_ = std::make_unique<GlDevice>(std::move(*device));
  bind_framebuffer();
}

ShaderLanguage GlContext::language() const {
  return device_->is_es() ? ShaderLanguage::glsl_es_300 : ShaderLanguage::glsl_330;
}

unsigned int GlContext::error() const { return device_->context()->functions.GetError(); }

CaptureProgram::CaptureProgram(const GlContext& context, const std::string& vertex_shader, Outputs outputs)
    : context_(context), outputs_(outputs) {
  const gl::Functions& gl = context.device().context()->functions;
  program_ = gl.CreateProgram();
  const std::string head =
      context.device().is_es() ? "#version 300 es\nprecision highp float;\n" : "#version 330 core\n";
  const unsigned int shaders[] = {
      compile(gl, gl::kVertexShader, vertex_shader),
      compile(gl, gl::kFragmentShader, head + "out vec4 c;\nvoid main() { c = vec4(1.0); }\n")};
  for (const unsigned int shader : shaders) gl.AttachShader(program_, shader);
  const char* varyings[] = {"v_world_position", "v_world_normal", "v_uv", "v_view_depth", "gl_Position"};
  gl.TransformFeedbackVaryings(program_, outputs == Outputs::all ? 5 : 2, varyings, kInterleaved);
  gl.LinkProgram(program_);
  for (const unsigned int shader : shaders) gl.DeleteShader(shader);
  gl::Int good = 0;
  gl.GetProgramiv(program_, gl::kLinkStatus, &good);
  char log[2000] = "";
  gl.GetProgramInfoLog(program_, sizeof log, nullptr, log);
  REQUIRE_MESSAGE(good == 1, log);
  gl.UseProgram(program_);
}

CaptureProgram::~CaptureProgram() {
  const gl::Functions& gl = context_.device().context()->functions;
  gl.DeleteProgram(program_);
  if (frame_buffer_ != 0) gl.DeleteBuffers(1, &frame_buffer_);
}

void CaptureProgram::bind_frame(const Affine& world, const View& view) {
  const gl::Functions& gl = context_.device().context()->functions;
  constexpr std::size_t kFrameBytes = 208, kWorldAt = 256, kMatrixBytes = 64;
  std::byte bytes[kWorldAt + kMatrixBytes] = {};
  // What the two are together is for engines' own shaders; these do not look at it.
  pack_bones({&view.view, 1}, PaletteStorage::uniform_4x4, std::span(bytes).first(kMatrixBytes));
  std::memcpy(bytes + kMatrixBytes, view.projection, kMatrixBytes);
  pack_bones({&world, 1}, PaletteStorage::uniform_4x4, std::span(bytes).subspan(kWorldAt, kMatrixBytes));
  if (frame_buffer_ == 0) gl.GenBuffers(1, &frame_buffer_);
  gl.BindBuffer(gl::kUniformBuffer, frame_buffer_);
  gl.BufferData(gl::kUniformBuffer, sizeof bytes, bytes, gl::kStaticDraw);
  const GlBindings at;
  gl.BindBufferRange(gl::kUniformBuffer, at.frame_block, frame_buffer_, 0, kFrameBytes);
  gl.BindBufferRange(gl::kUniformBuffer, at.object_block, frame_buffer_, kWorldAt, kMatrixBytes);
}

Captured CaptureProgram::run(const GlMesh& mesh) {
  const MoreFunctions& more = more_functions();
  const gl::Functions& gl = context_.device().context()->functions;
  const std::size_t each = outputs_ == Outputs::all ? 13 : 6;  // floats
  const auto bytes = static_cast<std::ptrdiff_t>(mesh.vertex_count() * each * sizeof(float));
  unsigned int buffer = 0;
  gl.GenBuffers(1, &buffer);
  gl.BindBuffer(kTransformFeedbackBuffer, buffer);
  gl.BufferData(kTransformFeedbackBuffer, bytes, nullptr, kStreamRead);
  more.BindBufferBase(kTransformFeedbackBuffer, 0, buffer);
  more.Enable(kRasterizerDiscard);
  more.BeginTransformFeedback(gl::kPoints);
  mesh.draw_points();
  more.EndTransformFeedback();
  more.Disable(kRasterizerDiscard);
  REQUIRE(gl.GetError() == gl::kNoError);
  std::vector<float> all(each * mesh.vertex_count());
  read_feedback(std::as_writable_bytes(std::span(all)));
  gl.DeleteBuffers(1, &buffer);
  Captured captured;
  for (const float* f = all.data(); f != all.data() + all.size(); f += each) {
    captured.positions.push_back({f[0], f[1], f[2]});
    captured.normals.push_back({f[3], f[4], f[5]});
    if (outputs_ != Outputs::all) continue;
    captured.uvs.push_back({f[6], f[7]});
    captured.depths.push_back(f[8]);
    captured.clip_positions.push_back({f[9], f[10], f[11], f[12]});
  }
  return captured;
}

// A shader as an engine would write it around what it pastes.
std::string own_shader(ShaderLanguage language, SkinTechnique technique, std::uint32_t max_bones,
                       std::uint32_t max_morphs) {
  std::string text = language == ShaderLanguage::glsl_es_300 ? "#version 300 es\n" : "#version 330 core\n";
  if (max_bones > 0) text += "#define MARROW_MAX_BONES " + std::to_string(max_bones) + "\n";
  if (max_morphs > 0) text += "#define MARROW_MAX_MORPHS " + std::to_string(max_morphs) + "\n";
  text += *skin_include(technique, language);
  if (max_morphs > 0) text += shader_file("glsl/morphing.glsl");
  text +=
      "layout(location = 0) in vec3 a_position;\n"
      "layout(location = 1) in vec3 a_normal;\n"
      "layout(location = 3) in uvec4 a_joints;\n"
      "layout(location = 4) in vec4 a_weights;\n"
      "out vec3 v_world_position;\n"
      "out vec3 v_world_normal;\n"
      "void main() {\n"
      "  vec3 position = a_position, normal = a_normal;\n";
  if (max_morphs > 0) text += "  marrow_morph(gl_VertexID, position, normal);\n";
  text +=
      "  MarrowMatrix skin = marrow_skin(a_joints, a_weights);\n"
      "  v_world_position = marrow_position(skin, position);\n"
      "  v_world_normal = marrow_normal(skin, normal);\n"
      "  gl_Position = vec4(v_world_position, 1.0);\n"
      "}\n";
  return text;
}

GlMesh make_mesh(const GlContext& context, const SkinningCase& c, JointEncoding joints) {
  VertexFormat format = kFloatVertex;
  format.joints = joints;
  std::vector<std::uint32_t> indices(c.vertices.positions.size() / 3 * 3);
  std::iota(indices.begin(), indices.end(), 0u);
  Result<GlMesh> mesh = GlMesh::create(context.device(), c.vertices, indices, format);
  REQUIRE_MESSAGE(mesh.ok(), (mesh ? "" : to_string(mesh.error())));
  return std::move(*mesh);
}

}  // namespace marrow::test
