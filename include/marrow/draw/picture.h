// Picture: pixels in memory.
#pragma once

#include <cstdint>
#include <vector>

namespace marrow {

// Red, green, blue and alpha of one byte each, row after row from the top. Colours are sRGB, alpha is straight: colours
// are not multiplied by it.
struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

}  // namespace marrow
