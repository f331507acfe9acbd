// What is known of a context of OpenGL, kept as long as anything that was made in it. Internal.
#pragma once

#include <string>

#include "marrow/gpu/device.h"
#include "src/gpu/gl_functions.h"

namespace marrow::gl {

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
