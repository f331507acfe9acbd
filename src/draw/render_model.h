// What the renderer keeps of a model on the GPU. Internal.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "marrow/draw/gl_mesh.h"
#include "marrow/draw/renderer.h"
#include "marrow/gpu/morph_buffer.h"
#include "marrow/model/model.h"

namespace marrow {

// A picture on the GPU, with smaller ones for the distance.
class RenderTexture {
 public:
  // Fails if the picture is larger than the device takes, or the device has not enough memory. Leaves it bound to the
  // unit of uploads.
  [[nodiscard]] static Result<RenderTexture> create(const GlDevice& device, const Picture& picture);
  RenderTexture(RenderTexture&& other) noexcept;
  RenderTexture& operator=(RenderTexture&& other) noexcept;
  ~RenderTexture();

  // Binds it to a unit, to be read as the use says.
  void bind(unsigned int unit, const TextureUse& use) const;

 private:
  RenderTexture() = default;
  std::shared_ptr<gl::Context> context_;
  unsigned int name_ = 0;
};

struct RenderPart {
  GlMesh mesh;
  std::optional<MorphTargets> morphs;
  Topology topology = Topology::triangles;
  std::int32_t material = kNone;
  bool influences = false;
  Vec3 middle;  // of its vertices as they are in the file
};

struct RenderModel {
  Model model;                                         // kept, so that its address stays its own
  std::vector<std::vector<RenderPart>> meshes;         // parts of each mesh
  std::vector<std::optional<RenderTexture>> textures;  // of each image; none if it could not be decoded or is not used
  bool used = false;                                   // since the last forget_unused
};

// Uploads a model to the GPU. `warnings` names the images that cannot be read or uploaded.
[[nodiscard]] Result<RenderModel> make_render_model(const GlDevice& device, const Model& model,
                                                    const ImageDecoder& decode, std::vector<Warning>& warnings);

}  // namespace marrow
