#include "picture.h"

#include <GLES3/gl3.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

namespace example {

bool write_picture(const std::string& path, int width, int height) {
  const auto columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(height);
  std::vector<unsigned char> pixels(columns * rows * 4);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << width << " " << height << "\n255\n";
  std::size_t drawn = 0;
  for (std::size_t y = rows; y-- > 0;) {  // from the top
    for (std::size_t x = 0; x < columns; ++x) {
      const unsigned char* pixel = &pixels[(y * columns + x) * 4];
      file.write(reinterpret_cast<const char*>(pixel), 3);
      drawn += std::memcmp(pixel, pixels.data(), 3) != 0 ? 1 : 0;
    }
  }
  std::printf("%s: %zu of %zu pixels drawn\n", path.c_str(), drawn, columns * rows);
  const bool good = file.good() && drawn > 0 && glGetError() == GL_NO_ERROR;
  if (!good) std::fprintf(stderr, "nothing was drawn or written, or OpenGL has an error\n");
  return good;
}

}  // namespace example
