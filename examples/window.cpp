// The same in a window: window [FRAMES OUT.ppm]. With a number of frames it ends after them, and keeps the last.
#include <SDL.h>

#include <cstdio>
#include <cstdlib>

#include "engine.h"
#include "picture.h"

int main(int argc, char** argv) {
  constexpr int kWidth = 640, kHeight = 480;
  SDL_SetHint(SDL_HINT_OPENGL_ES_DRIVER, "1");
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return std::fprintf(stderr, "%s\n", SDL_GetError()), 1;
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
  SDL_Window* window =
      SDL_CreateWindow("marrow", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, kWidth, kHeight, SDL_WINDOW_OPENGL);
  if (window == nullptr || SDL_GL_CreateContext(window) == nullptr) {
    return std::fprintf(stderr, "%s\n", SDL_GetError()), 1;
  }

  example::Engine engine(SDL_GL_GetProcAddress);
  const int frames = argc == 3 ? static_cast<int>(std::strtol(argv[1], nullptr, 10)) : 0;
  for (int frame = 1;; ++frame) {
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
      if (event.type == SDL_QUIT) return 0;
    }
    engine.draw(1.0 / 60, kWidth, kHeight);
    if (frame == frames) return example::write_picture(argv[2], kWidth, kHeight) ? 0 : 1;
    SDL_GL_SwapWindow(window);
  }
}
