// The texts of the shaders, made by cmake/EmbedShaders.cmake. Internal.
#pragma once

#include <cstddef>

#include "marrow/gpu/shaders.h"

namespace marrow {

extern const ShaderFile kShaderFiles[];
extern const std::size_t kShaderFileCount;

}  // namespace marrow
