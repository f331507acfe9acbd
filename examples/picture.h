// What was drawn, as a file that any viewer opens.
#pragma once

#include <string>

namespace example {

// Writes what is in the framebuffer that is bound as a PPM. Returns false, having said why, if that fails or everything
// has the same color.
[[nodiscard]] bool write_picture(const std::string& path, int width, int height);

}  // namespace example
