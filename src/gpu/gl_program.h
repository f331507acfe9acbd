// What a linked program of OpenGL has, and where it is put. Internal.
#pragma once

#include <cstdint>

#include "src/gpu/gl_functions.h"

namespace marrow {

// Puts a uniform block at a binding point. Returns its size in bytes; 0 if the program has none of that name.
std::uint32_t place_block(const gl::Functions& gl, unsigned int program, const char* name, unsigned int point);

// Gives a sampler its texture unit. Returns false if the program has none of that name. The program is in use.
bool place_texture(const gl::Functions& gl, unsigned int program, const char* name, unsigned int unit);

}  // namespace marrow
