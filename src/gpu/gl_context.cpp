#include "src/gpu/gl_context.h"

#include "src/gpu/webgl_loss.h"

namespace marrow {

bool gl::Context::is_lost() {
  if (functions.GetGraphicsResetStatus != nullptr) lost = lost || functions.GetGraphicsResetStatus() != 0;
  lost = lost || is_webgl_context_lost();
  return lost;
}

// A lost context may report its loss for ever.
void gl::Context::drop_errors() const {
  constexpr int kMost = 16;
  for (int i = 0; i < kMost && functions.GetError() != kNoError; ++i) {
  }
}

bool gl::Context::no_error() {
  const Enum error = functions.GetError();
  lost = lost || error == kContextLost || error == kContextLostWebGl;
  return error == kNoError;
}

std::uint32_t place_block(const gl::Functions& gl, unsigned int program, const char* name, unsigned int point) {
  const gl::Uint index = gl.GetUniformBlockIndex(program, name);
  if (index == gl::kInvalidIndex) return 0;
  gl.UniformBlockBinding(program, index, point);
  gl::Int bytes = 0;
  gl.GetActiveUniformBlockiv(program, index, gl::kUniformBlockDataSize, &bytes);
  return static_cast<std::uint32_t>(bytes);
}

bool place_texture(const gl::Functions& gl, unsigned int program, const char* name, unsigned int unit) {
  const gl::Int location = gl.GetUniformLocation(program, name);
  if (location < 0) return false;
  gl.Uniform1i(location, static_cast<gl::Int>(unit));
  return true;
}

}  // namespace marrow
