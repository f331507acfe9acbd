// GlSkinning: gives palettes to a program of OpenGL that has one of marrow's techniques in its vertex shader.
//
//   Result<GlSkinning> skinning = GlSkinning::create(device, program);
//   ...
//   glUseProgram(program);
//   skinning->bind(palettes, hero, largest_joint);   // then draw
//
// The program, its attributes and everything else about it are the engine's. Nothing that a mesh or a palette of the
// wrong size would make a driver read past its end is passed on: `bind` says what is wrong instead, and changes
// nothing. Joints of weight 0 are read too: they must be 0, as pack_vertices writes them, or others of the palette.
// Binding changes GL_UNIFORM_BUFFER, or the active texture unit.
#pragma once

#include <cstdint>
#include <memory>

#include "marrow/core/result.h"
#include "marrow/gpu/gl_device.h"
#include "marrow/gpu/morph_buffer.h"
#include "marrow/gpu/palette_buffer.h"
#include "marrow/gpu/shaders.h"

namespace marrow {

// The binding points of uniform buffers and the texture units that a program's bones are at. Frame and object of the
// whole shaders are at 0 and 1.
struct GlBindings {
  unsigned int frame_block = 0;
  unsigned int object_block = 1;
  unsigned int bones_block = 2;
  unsigned int inverse_binds_block = 3;
  unsigned int morphs_block = 4;
  unsigned int bone_unit = 8;
  unsigned int inverse_bind_unit = 9;
  unsigned int morph_unit = 10;
};

class GlSkinning {
 public:
  // Finds the names of marrow's shaders in a program that is linked, and puts them at their binding points. Fails if
  // there are none, or no such binding points. The program is in use afterwards. One that has morph targets and no
  // bones will do, for meshes that follow a node; only bind_morphs is for it.
  [[nodiscard]] static Result<GlSkinning> create(const GlDevice& device, unsigned int program,
                                                 const GlBindings& bindings = {});

  // What the program reads; texture_3x4 stands for both kinds of textures, which it tells apart itself.
  [[nodiscard]] SkinTechnique technique() const;

  // Gives the program a palette, to be used as it is; in a program that can be bound to a skeleton, raw. It must be in
  // use. `largest_joint` is the largest that the mesh has (vertices.h). Fails if the mesh has none (kNoJoints), if the
  // palette or the program has fewer bones, or the palette is of another frame, not uploaded, or not where the program
  // looks for it.
  [[nodiscard]] Result<void> bind(const PaletteBuffer& palettes, PaletteRef palette, std::uint32_t largest_joint) const;

  // The same, bound to a skeleton: the palette has the bones in model space, and the shader multiplies each by the
  // inverse bind. Fails also if there are fewer inverse binds than bones in the mesh.
  [[nodiscard]] Result<void> bind(const PaletteBuffer& palettes, PaletteRef bones, const PaletteBuffer& inverse_binds,
                                  PaletteRef skeleton, std::uint32_t largest_joint) const;

  // Gives a program with morph targets the deltas of a mesh, and its weights in this frame. `vertices` is how many the
  // mesh has. Fails if the targets have fewer, if the weights are for other targets, of another frame or not uploaded,
  // or if the program has no morph targets, or fewer.
  [[nodiscard]] Result<void> bind_morphs(const MorphTargets& targets, const MorphBuffer& weights, MorphRef ref,
                                         std::uint32_t vertices) const;

 private:
  GlSkinning() = default;

  // One array of matrices of the program: a block, or a texture.
  struct Matrices {
    std::uint32_t block_bytes = 0;  // 0: a texture
    int first_location = -1;        // of the uniform that says where they begin in the texture
    unsigned int point = 0;         // binding point or unit
  };
  [[nodiscard]] Result<BufferBinding> check(const Matrices& matrices, const PaletteBuffer& palettes, PaletteRef ref,
                                            std::uint32_t largest_joint, const char* what) const;
  void set(const Matrices& matrices, const BufferBinding& binding) const;

  std::shared_ptr<gl::Context> context_;
  PaletteStorage storage_ = PaletteStorage::uniform_3x4;
  bool has_bones_ = false;
  int mode_location_ = -1;
  Matrices bones_, inverse_binds_;
  std::uint32_t morph_block_bytes_ = 0;
  unsigned int morphs_block_ = 0, morph_unit_ = 0;
};

}  // namespace marrow
