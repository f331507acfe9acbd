// Renderer: draws the instances of a scene (scene.h), well enough to judge animation by eye. OpenGL ES 3.0, WebGL 2 or
// OpenGL 3.3.
//
//   Result<Renderer> renderer = Renderer::create(device, {.decode = decode_png_or_jpeg});
//   ...
//   scene.update(dt);
//   renderer->draw(scene, {.camera = camera}, {.framebuffer = 0, .width = 640, .height = 480});
//
// Skinned and unskinned meshes, morph targets, base colours, pictures, vertex colours; a key light with a soft shadow
// and light from the sky; a ground with a grid before a bright backdrop. Blending by dual quaternions is drawn as
// linear. The same input gives the same picture on the same driver: there is no time and no chance in it.
//
// What a model needs on the GPU is brought there when it is first drawn, and stays until `forget`. One thread: that on
// which the context is current. Drawing sets all state of OpenGL that it needs, and leaves it so: programs, buffers,
// textures of the units 0 to 2 and 8 to 10, vertex arrays, depth, blending, culling, scissor and viewport, framebuffer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "marrow/core/result.h"
#include "marrow/draw/camera.h"
#include "marrow/draw/gl_mesh.h"
#include "marrow/draw/picture.h"
#include "marrow/draw/sketch.h"
#include "marrow/gpu/gl_device.h"
#include "marrow/gpu/palette_buffer.h"
#include "marrow/model/material.h"
#include "marrow/scene/scene.h"

namespace marrow {

// Makes pixels of an encoded picture (material.h). An error leaves the surface without it.
using ImageDecoder = std::function<Result<Picture>(const Image& image)>;

struct RendererOptions {
  ImageDecoder decode;              // without it surfaces have no pictures
  std::uint32_t shadow_size = 512;  // of a side of the shadow's depth map; at least 64. The smaller, the softer
};

// The light. Colours are linear; a white surface that faces a light of 1 is white.
struct Lighting {
  Vec3 to_key{-0.45f, -0.6f, 0.75f};  // a direction, toward the key light
  Vec3 key{0.72f, 0.69f, 0.65f};
  Vec3 sky{0.50f, 0.52f, 0.55f};    // on what faces upward
  Vec3 earth{0.27f, 0.26f, 0.25f};  // on what faces downward
};

// What surrounds the models: ground, shadow and backdrop, scaled to the size of the models.
struct Environment {
  Vec3 middle{0, 0, 1};  // of a sphere around everything that is drawn
  float radius = 1.5f;
  float ground_height = 0;
  bool ground = true;    // with the shadow on it
  bool grid = true;      // lines on the ground, the tenth stronger, about two radii apart
  bool shadow = true;    // of the key light
  bool backdrop = true;  // false: transparent; the ground is a shadow alone
};

// Returns the environment for the contents of the boxes, for example one box per frame. The ground is at z = 0 if
// their lowest point is at most a twentieth of their size below it and at most their size above it. Otherwise the
// ground is at the lowest point.
[[nodiscard]] Environment environment_of(std::span<const Box> boxes);

// Returns light from above and from the left of a camera, so that the side that it sees is lit.
[[nodiscard]] Lighting lighting_for(const Camera& camera);

struct DrawOptions {
  Camera camera;
  Environment environment;
  Lighting light;
  const Sketch* sketch = nullptr;  // over everything; null for none
};

// What is drawn into: a part of a framebuffer that has depth. OpenGL counts y from below.
struct DrawArea {
  unsigned int framebuffer = 0;
  std::int32_t x = 0, y = 0;
  std::uint32_t width = 0, height = 0;
};

// A mesh and matrices of the caller's: for what is in no scene. It is white, or as its vertices' colours say, and has
// two sides.
struct MeshDraw {
  const GlMesh* mesh = nullptr;  // normals, if it has any, are f32x3
  Affine world;                  // from model space

  // For a mesh with joints: its bones, of MeshList::bones. With inverse binds they are bones in model space, which the
  // shader multiplies by these; without, they are used as they are.
  std::optional<PaletteRef> bones;
  std::optional<PaletteRef> inverse_binds;
  bool bones_mirror = false;  // most of them: then front faces are seen from behind
};

// Meshes to draw, and the buffers that their bones are in: of uniform_3x4, made for kMaxBoundBones, and uploaded.
struct MeshList {
  std::span<const MeshDraw> draws;
  const PaletteBuffer* bones = nullptr;
  const PaletteBuffer* inverse_binds = nullptr;
};

class Renderer {
 public:
  // Fails if the context was lost, its memory is full, or its driver refuses a shader.
  [[nodiscard]] static Result<Renderer> create(const GlDevice& device, const RendererOptions& options = {});
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;
  ~Renderer();

  // Draws everything in the scene that is shown, as last updated. Colours are written in sRGB, multiplied by alpha.
  // Fails if the context was lost, or its memory is full.
  [[nodiscard]] Result<void> draw(const Scene& scene, const DrawOptions& options, const DrawArea& area);

  // Draws meshes instead of a scene, in any order. Fails if the context was lost, and as GlSkinning::bind does.
  [[nodiscard]] Result<void> draw(const MeshList& meshes, const DrawOptions& options, const DrawArea& area);

  // Brings to the GPU what a model needs, ahead of its first drawing. Fails as `draw` does.
  [[nodiscard]] Result<void> prepare(const Model& model);

  // Frees what was brought to the GPU for models that were not drawn since the last call.
  void forget_unused();

  // The parts of models that are drawn differently from their file, such as images that cannot be decoded. Each is
  // listed once.
  [[nodiscard]] std::span<const Warning> warnings() const;

 private:
  struct Impl;
  explicit Renderer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace marrow
