// Whole vertex shaders in WGSL, which has no preprocessor. Internal.
#pragma once

#include <string>
#include <string_view>

#include "marrow/gpu/shaders.h"

namespace marrow {

// Returns the shader of these options over the text of its technique.
[[nodiscard]] std::string wgsl_shader(const VertexShaderOptions& options, std::string_view include);

}  // namespace marrow
