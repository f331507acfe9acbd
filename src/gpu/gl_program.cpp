#include "src/gpu/gl_program.h"

namespace marrow {

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
