// The least that an engine needs to draw what marrow moves: an OpenGL ES program of its own, with one of marrow's texts
// pasted into its vertex shader, and marrow's palettes.
#pragma once

#include <optional>

#include "marrow/draw/gl_mesh.h"
#include "marrow/gpu/gl_device.h"
#include "marrow/gpu/gl_skinning.h"
#include "marrow/scene/scene.h"

namespace example {

class Engine {
 public:
  // In the context that is current. Ends the program with a message where something fails.
  explicit Engine(marrow::GlLoader loader);

  // Draws everything in the scene into what is bound, after dt_s more seconds.
  void draw(double dt_s, int width, int height);

 private:
  marrow::GlDevice device_;
  marrow::Scene scene_;
  marrow::Instance tube_;
  marrow::PaletteBuffer palettes_;
  marrow::GlMesh mesh_;
  unsigned int program_;
  marrow::GlSkinning skinning_;
};

}  // namespace example
