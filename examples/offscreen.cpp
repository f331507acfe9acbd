// Draws without a window, a display or a GPU: offscreen OUT.ppm
#include "marrow/gpu/offscreen.h"

#include <GLES3/gl3.h>

#include <cstdio>

#include "engine.h"
#include "picture.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "offscreen OUT.ppm\n");
    return 2;
  }
  const auto context = marrow::OffscreenContext::create();
  if (!context) {
    std::fprintf(stderr, "%s\n", to_string(context.error()).c_str());
    return 1;
  }
  constexpr int kWidth = 640, kHeight = 480;
  GLuint framebuffer, images[2];
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glGenRenderbuffers(2, images);
  glBindRenderbuffer(GL_RENDERBUFFER, images[0]);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, kWidth, kHeight);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, images[0]);
  glBindRenderbuffer(GL_RENDERBUFFER, images[1]);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, kWidth, kHeight);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, images[1]);

  example::Engine engine(marrow::OffscreenContext::get_proc);
  for (int frame = 0; frame < 20; ++frame) engine.draw(1.0 / 60, kWidth, kHeight);
  return example::write_picture(argv[1], kWidth, kHeight) ? 0 : 1;
}
