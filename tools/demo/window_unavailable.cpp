#include <cstdio>

#include "demo/window.h"

namespace marrow::tool {

bool has_display() { return false; }

int show_window(const HeroModels&, const std::string&) {
  std::fputs("marrow: demo: this build has no windows: it was made without SDL2 (Debian and Ubuntu: libsdl2-dev)\n",
             stderr);
  return 1;
}

}  // namespace marrow::tool
