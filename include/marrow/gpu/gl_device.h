// GlDevice: a Device over OpenGL ES 3.0, WebGL 2 or OpenGL 3.3, in a context of the engine.
//
//   Result<GlDevice> device = GlDevice::create([](const char* name) { return (void*)eglGetProcAddress(name); });
//
// The functions of OpenGL are looked up by the given one; nothing is linked. Everything is made, used and destroyed on
// the thread on which the context is current.
//
// Uploads leave the engine's state alone but for GL_COPY_WRITE_BUFFER, and for textures the active unit and what is
// bound to it. They expect pixel storage to be as OpenGL begins (no GL_PIXEL_UNPACK_BUFFER, no flipping in WebGL).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "marrow/core/result.h"
#include "marrow/gpu/device.h"

namespace marrow {

namespace gl {
struct Context;
}

// Returns the function of that name, or null.
using GlLoader = void* (*)(const char* name);

struct GlDeviceOptions {
  unsigned int upload_unit = 15;  // the texture unit that uploads use
};

// A small handle; copies are the same device.
class GlDevice {
 public:
  // Fails if the context is none of these versions, lacks a function, or has no such texture unit.
  [[nodiscard]] static Result<GlDevice> create(GlLoader loader, const GlDeviceOptions& options = {});

  // For PaletteBuffer and MorphBuffer.
  [[nodiscard]] Device device() const;

  // As the context names itself, e.g. "OpenGL ES 3.2 Mesa 22.3.6".
  [[nodiscard]] const std::string& version() const;
  [[nodiscard]] bool is_es() const;  // or WebGL

  // True once the context was lost. Then all that was made with it must be made again, in a new context, with a new
  // device. What is left of the old may be destroyed at any time: it no longer calls OpenGL.
  [[nodiscard]] bool is_lost() const;

  // For what else is made with it.
  [[nodiscard]] const std::shared_ptr<gl::Context>& context() const { return context_; }

 private:
  explicit GlDevice(std::shared_ptr<gl::Context> context) : context_(std::move(context)) {}
  std::shared_ptr<gl::Context> context_;
};

}  // namespace marrow
