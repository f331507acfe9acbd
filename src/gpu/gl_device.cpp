#include "marrow/gpu/gl_device.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "src/gpu/gl_context.h"

namespace marrow {
namespace {

template <typename Function>
bool find(GlLoader loader, const char* name, Function& out) {
  out = reinterpret_cast<Function>(loader(name));
  return out != nullptr;
}

// Returns the name of a function that is missing, or null.
const char* load(GlLoader loader, gl::Functions& gl) {
#define MARROW_GL_LOAD(Return, Name, Arguments) \
  if (!find(loader, "gl" #Name, gl.Name)) return "gl" #Name;
  MARROW_GL_FUNCTIONS(MARROW_GL_LOAD)
#undef MARROW_GL_LOAD
  return nullptr;
}

std::uint32_t limit(const gl::Functions& gl, gl::Enum name) {
  gl::Int value = 0;
  gl.GetIntegerv(name, &value);
  return static_cast<std::uint32_t>(std::max(value, 0));
}

DeviceLimits limits_of(const gl::Functions& gl) {
  DeviceLimits limits;
  limits.uniform_bytes = limit(gl, gl::kMaxUniformBlockSize);
  limits.uniform_alignment = std::max(limit(gl, gl::kUniformBufferOffsetAlignment), 1u);
  limits.texture_size = limit(gl, gl::kMaxVertexTextureUnits) > 0 ? limit(gl, gl::kMaxTextureSize) : 0;
  return limits;
}

// "OpenGL ES 3.2 Mesa" and "OpenGL ES 3.0 (WebGL 2.0 ...)" are ES; "4.5 (Core Profile) Mesa" is not.
constexpr std::string_view kEs = "OpenGL ES ";

// Returns 32 for 3.2.
int version_number(std::string_view text) {
  const std::string number(text.substr(text.starts_with(kEs) ? kEs.size() : 0));
  char* end = nullptr;
  const long major = std::strtol(number.c_str(), &end, 10);
  const long minor = *end == '.' ? std::strtol(end + 1, nullptr, 10) : 0;
  return static_cast<int>(std::clamp(major, 0L, 99L) * 10 + std::clamp(minor, 0L, 9L));
}

bool has_extension(const gl::Functions& gl, std::string_view name) {
  gl::Int count = 0;
  gl.GetIntegerv(gl::kNumExtensions, &count);
  for (gl::Int i = 0; i < count; ++i) {
    const auto* text = reinterpret_cast<const char*>(gl.GetStringi(gl::kExtensions, static_cast<gl::Uint>(i)));
    if (text != nullptr && name == text) return true;
  }
  return false;
}

// The function that tells of a reset, by the name that it has here. To be found is not enough: loaders return something
// for any name.
const char* reset_status_name(const gl::Functions& gl, bool es, int version) {
  if (version >= (es ? 32 : 45)) return "glGetGraphicsResetStatus";
  if (has_extension(gl, "GL_KHR_robustness")) return es ? "glGetGraphicsResetStatusKHR" : "glGetGraphicsResetStatus";
  if (es && has_extension(gl, "GL_EXT_robustness")) return "glGetGraphicsResetStatusEXT";
  if (!es && has_extension(gl, "GL_ARB_robustness")) return "glGetGraphicsResetStatusARB";
  return nullptr;
}

// ---- The functions of the Device ---------------------------------------------------------------------------------

gl::Context& of(void* context) { return *static_cast<gl::Context*>(context); }

bool is_lost(void* context) { return of(context).is_lost(); }

DeviceHandle create_buffer(void* context, BufferUse use, std::size_t bytes) {
  gl::Context& self = of(context);
  const gl::Functions& gl = self.functions;
  if (use != BufferUse::uniform) return 0;
  self.drop_errors();
  gl::Uint buffer = 0;
  gl.GenBuffers(1, &buffer);
  gl.BindBuffer(gl::kCopyWriteBuffer, buffer);
  gl.BufferData(gl::kCopyWriteBuffer, static_cast<std::ptrdiff_t>(bytes), nullptr, gl::kDynamicDraw);
  if (self.no_error()) return buffer;
  gl.DeleteBuffers(1, &buffer);
  return 0;
}

void write_buffer(void* context, DeviceHandle buffer, std::size_t offset, std::span<const std::byte> bytes) {
  const gl::Functions& gl = of(context).functions;
  gl.BindBuffer(gl::kCopyWriteBuffer, static_cast<gl::Uint>(buffer));
  gl.BufferSubData(gl::kCopyWriteBuffer, static_cast<std::ptrdiff_t>(offset), static_cast<std::ptrdiff_t>(bytes.size()),
                   bytes.data());
}

// What was lost is gone already, and its name may be that of something in the next context.
void destroy_buffer(void* context, DeviceHandle buffer) {
  const auto name = static_cast<gl::Uint>(buffer);
  if (!of(context).lost) of(context).functions.DeleteBuffers(1, &name);
}

void bind_for_upload(const gl::Context& self, DeviceHandle texture) {
  self.functions.ActiveTexture(self.upload_unit);
  self.functions.BindTexture(gl::kTexture2d, static_cast<gl::Uint>(texture));
}

DeviceHandle create_texture(void* context, std::uint32_t width, std::uint32_t height) {
  gl::Context& self = of(context);
  const gl::Functions& gl = self.functions;
  self.drop_errors();
  gl::Uint texture = 0;
  gl.GenTextures(1, &texture);
  bind_for_upload(self, texture);
  gl.TexImage2D(gl::kTexture2d, 0, gl::kRgba32f, static_cast<gl::Size>(width), static_cast<gl::Size>(height), 0,
                gl::kRgba, gl::kFloat, nullptr);
  for (const gl::Enum name : {gl::kTextureMinFilter, gl::kTextureMagFilter}) {
    gl.TexParameteri(gl::kTexture2d, name, gl::kNearest);
  }
  gl.TexParameteri(gl::kTexture2d, gl::kTextureMaxLevel, 0);
  if (self.no_error()) return texture;
  gl.DeleteTextures(1, &texture);
  return 0;
}

void write_texture(void* context, DeviceHandle texture, std::uint32_t first_row, std::uint32_t rows,
                   std::span<const std::byte> bytes) {
  constexpr std::size_t kTexelSize = 16;
  bind_for_upload(of(context), texture);
  of(context).functions.TexSubImage2D(gl::kTexture2d, 0, 0, static_cast<gl::Int>(first_row),
                                      static_cast<gl::Size>(bytes.size() / rows / kTexelSize),
                                      static_cast<gl::Size>(rows), gl::kRgba, gl::kFloat, bytes.data());
}

void destroy_texture(void* context, DeviceHandle texture) {
  const auto name = static_cast<gl::Uint>(texture);
  if (!of(context).lost) of(context).functions.DeleteTextures(1, &name);
}

}  // namespace

Result<GlDevice> GlDevice::create(GlLoader loader, const GlDeviceOptions& options) {
  auto context = std::make_shared<gl::Context>();
  gl::Functions& gl = context->functions;
  if (!find(loader, "glGetString", gl.GetString)) {
    return Error{ErrorCode::unsupported, "there is no OpenGL here: glGetString is missing", {}};
  }
  const auto* version = reinterpret_cast<const char*>(gl.GetString(gl::kVersion));
  if (version == nullptr) {
    return Error{ErrorCode::unsupported, "no context of OpenGL is current on this thread", {}};
  }
  context->version = version;
  const bool es = context->version.starts_with(kEs);
  const int number = version_number(context->version);
  if (number < (es ? 30 : 33)) {
    return Error{
        ErrorCode::unsupported, "OpenGL ES 3.0, WebGL 2 or OpenGL 3.3 is needed, and this is " + context->version, {}};
  }
  if (const char* missing = load(loader, gl); missing != nullptr) {
    return Error{ErrorCode::unsupported, std::string(missing) + " is missing in " + context->version, {}};
  }
  if (const char* name = reset_status_name(gl, es, number)) find(loader, name, gl.GetGraphicsResetStatus);
  context->limits = limits_of(gl);
  context->block_points = limit(gl, gl::kMaxUniformBufferBindings);
  context->texture_units = limit(gl, gl::kMaxTextureUnits);
  context->max_picture_side = std::min(limit(gl, gl::kMaxTextureSize), limit(gl, gl::kMaxRenderbufferSize));
  if (options.upload_unit >= context->texture_units) {
    return Error{ErrorCode::invalid_argument,
                 "there is no texture unit " + std::to_string(options.upload_unit) + ": this device has " +
                     std::to_string(context->texture_units),
                 "upload_unit"};
  }
  context->upload_unit = gl::kTexture0 + options.upload_unit;
  return GlDevice(std::move(context));
}

Device GlDevice::device() const {
  return {context_,      context_->limits, create_buffer,   create_texture, write_buffer,
          write_texture, destroy_buffer,   destroy_texture, marrow::is_lost};
}

const std::string& GlDevice::version() const { return context_->version; }
bool GlDevice::is_es() const { return context_->version.starts_with(kEs); }
bool GlDevice::is_lost() const { return context_->is_lost(); }

}  // namespace marrow
