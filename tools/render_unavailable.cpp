// In place of render_command.cpp where the program is built without OpenGL.
#include <cstdio>

#include "commands.h"

namespace marrow::tool {

int render(const RenderOptions&) {
  std::fprintf(stderr, "marrow: render: this program was built without marrow::offscreen, so it cannot draw\n");
  return 1;
}

}  // namespace marrow::tool
