// In place of render_command.cpp and demo_command.cpp where the program is built without OpenGL.
#include <cstdio>

#include "commands.h"

namespace marrow::tool {

namespace {

int cannot_draw(const char* command) {
  std::fprintf(stderr, "marrow: %s: this program was built without marrow::offscreen, so it cannot draw\n", command);
  return 1;
}

}  // namespace

int render(const RenderOptions&) { return cannot_draw("render"); }
int demo(const DemoOptions&) { return cannot_draw("demo"); }

}  // namespace marrow::tool
