#include "marrow/gpu/gl_device.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "src/gpu/gl_functions.h"
#include "src/gpu/webgl_loss.h"

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
  for (const char* name : {"glGetGraphicsResetStatus", "glGetGraphicsResetStatusKHR", "glGetGraphicsResetStatusEXT"}) {
    if (find(loader, name, gl.GetGraphicsResetStatus)) break;
  }
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

}  // namespace

struct GlDevice::Impl {
  gl::Functions gl;
  Device device;
  std::string version;
  gl::Enum unit = 0;
  bool lost = false;

  static Impl& of(void* context) { return *static_cast<Impl*>(context); }

  // Once gone it stays so, whatever the driver says next.
  static bool is_lost(void* context) {
    Impl& self = of(context);
    if (self.gl.GetGraphicsResetStatus != nullptr) self.lost = self.lost || self.gl.GetGraphicsResetStatus() != 0;
    self.lost = self.lost || is_webgl_context_lost();
    return self.lost;
  }

  // Errors are read where something is made, since in a browser that waits for the GPU. Those of the engine before are
  // dropped; a lost context may report its loss for ever.
  void drop_errors() {
    constexpr int kMost = 16;
    for (int i = 0; i < kMost && gl.GetError() != gl::kNoError; ++i) {
    }
  }
  bool no_error() {
    const gl::Enum error = gl.GetError();
    lost = lost || error == gl::kContextLost || error == gl::kContextLostWebGl;
    return error == gl::kNoError;
  }

  static DeviceHandle make_buffer(void* context, BufferUse use, std::size_t bytes) {
    Impl& self = of(context);
    if (use != BufferUse::uniform) return 0;
    self.drop_errors();
    gl::Uint buffer = 0;
    self.gl.GenBuffers(1, &buffer);
    self.gl.BindBuffer(gl::kCopyWriteBuffer, buffer);
    self.gl.BufferData(gl::kCopyWriteBuffer, static_cast<std::ptrdiff_t>(bytes), nullptr, gl::kDynamicDraw);
    if (self.no_error()) return buffer;
    self.gl.DeleteBuffers(1, &buffer);
    return 0;
  }

  static void write_buffer(void* context, DeviceHandle buffer, std::size_t offset, std::span<const std::byte> bytes) {
    const gl::Functions& gl = of(context).gl;
    gl.BindBuffer(gl::kCopyWriteBuffer, static_cast<gl::Uint>(buffer));
    gl.BufferSubData(gl::kCopyWriteBuffer, static_cast<std::ptrdiff_t>(offset),
                     static_cast<std::ptrdiff_t>(bytes.size()), bytes.data());
  }

  static void destroy_buffer(void* context, DeviceHandle buffer) {
    const auto name = static_cast<gl::Uint>(buffer);
    if (name != 0) of(context).gl.DeleteBuffers(1, &name);
  }

  void bind_for_upload(DeviceHandle texture) const {
    gl.ActiveTexture(unit);
    gl.BindTexture(gl::kTexture2d, static_cast<gl::Uint>(texture));
  }

  static DeviceHandle make_texture(void* context, std::uint32_t width, std::uint32_t height) {
    Impl& self = of(context);
    self.drop_errors();
    gl::Uint texture = 0;
    self.gl.GenTextures(1, &texture);
    self.bind_for_upload(texture);
    self.gl.TexImage2D(gl::kTexture2d, 0, gl::kRgba32f, static_cast<gl::Size>(width), static_cast<gl::Size>(height), 0,
                       gl::kRgba, gl::kFloat, nullptr);
    for (const gl::Enum name : {gl::kTextureMinFilter, gl::kTextureMagFilter}) {
      self.gl.TexParameteri(gl::kTexture2d, name, gl::kNearest);
    }
    self.gl.TexParameteri(gl::kTexture2d, gl::kTextureMaxLevel, 0);
    if (self.no_error()) return texture;
    self.gl.DeleteTextures(1, &texture);
    return 0;
  }

  static void write_texture(void* context, DeviceHandle texture, std::uint32_t first_row, std::uint32_t rows,
                            std::span<const std::byte> bytes) {
    const Impl& self = of(context);
    constexpr std::size_t kTexelBytes = 16;
    self.bind_for_upload(texture);
    self.gl.TexSubImage2D(gl::kTexture2d, 0, 0, static_cast<gl::Int>(first_row),
                          static_cast<gl::Size>(bytes.size() / rows / kTexelBytes), static_cast<gl::Size>(rows),
                          gl::kRgba, gl::kFloat, bytes.data());
  }

  static void destroy_texture(void* context, DeviceHandle texture) {
    const auto name = static_cast<gl::Uint>(texture);
    if (name != 0) of(context).gl.DeleteTextures(1, &name);
  }
};

GlDevice::GlDevice(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GlDevice::GlDevice(GlDevice&&) noexcept = default;
GlDevice& GlDevice::operator=(GlDevice&&) noexcept = default;
GlDevice::~GlDevice() = default;

Result<GlDevice> GlDevice::make(GlLoader loader, const GlDeviceOptions& options) {
  auto impl = std::make_unique<Impl>();
  if (!find(loader, "glGetString", impl->gl.GetString)) {
    return Error{ErrorCode::unsupported, "there is no OpenGL here: glGetString is missing", {}};
  }
  const auto* version = reinterpret_cast<const char*>(impl->gl.GetString(gl::kVersion));
  if (version == nullptr) {
    return Error{ErrorCode::unsupported, "no context of OpenGL is current on this thread", {}};
  }
  impl->version = version;
  const bool es = impl->version.starts_with(kEs);
  if (version_number(impl->version) < (es ? 30 : 33)) {
    return Error{
        ErrorCode::unsupported, "OpenGL ES 3.0, WebGL 2 or OpenGL 3.3 is needed, and this is " + impl->version, {}};
  }
  if (const char* missing = load(loader, impl->gl); missing != nullptr) {
    return Error{ErrorCode::unsupported, std::string(missing) + " is missing in " + impl->version, {}};
  }
  impl->unit = gl::kTexture0 + options.upload_unit;
  impl->device = {impl.get(),           limits_of(impl->gl),   Impl::make_buffer,
                  Impl::make_texture,   Impl::write_buffer,    Impl::write_texture,
                  Impl::destroy_buffer, Impl::destroy_texture, Impl::is_lost};
  return GlDevice(std::move(impl));
}

const Device& GlDevice::device() const { return impl_->device; }
const std::string& GlDevice::version() const { return impl_->version; }
bool GlDevice::is_es() const { return impl_->version.starts_with(kEs); }
bool GlDevice::is_lost() const { return Impl::is_lost(impl_.get()); }
const gl::Functions& GlDevice::functions() const { return impl_->gl; }
void GlDevice::drop_errors() const { impl_->drop_errors(); }
bool GlDevice::no_error() const { return impl_->no_error(); }

}  // namespace marrow
