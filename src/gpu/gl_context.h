// OpenGL as the library uses it: its functions, what is known of a context, programs, and errors. Internal.
#pragma once

#include <cstdint>
#include <string>

#include "marrow/gpu/device.h"
#include "src/gpu/device_errors.h"
#include "src/gpu/gl_functions.h"

namespace marrow::gl {

// Kept as long as anything that was made in the context.
struct Context {
  Functions functions;
  DeviceLimits limits;
  std::string version;
  Enum upload_unit = 0;
  std::uint32_t block_points = 0, texture_units = 0;  // that there are
  std::uint32_t max_picture_side = 0;                 // of textures and renderbuffers
  bool lost = false;

  // Once gone it stays so, whatever the driver says next.
  bool is_lost();

  // Errors are read where something is made, since in a browser that waits for the GPU. Those of the engine before are
  // dropped.
  void drop_errors() const;
  bool no_error();
};

}  // namespace marrow::gl

namespace marrow {

// Puts a uniform block at a binding point. Returns its size in bytes; 0 if the program has none of that name.
std::uint32_t place_block(const gl::Functions& gl, unsigned int program, const char* name, unsigned int point);

// Gives a sampler its texture unit. Returns false if the program has none of that name. The program is in use.
bool place_texture(const gl::Functions& gl, unsigned int program, const char* name, unsigned int unit);

}  // namespace marrow
