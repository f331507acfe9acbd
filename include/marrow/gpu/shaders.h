// Shaders: the sources in shaders/, inside the library.
//
// For each way to read a palette there is one text to paste into an engine's own vertex shader; its first lines say
// how. There are also whole vertex shaders, made of the same texts. GLSL is that of OpenGL ES 3.00, and also valid as
// GLSL 3.30.
//
// Vertex attributes are at the locations of attribute_location; joints are integers of any size. Blocks and samplers of
// GLSL are found by their names (gl_skinning.h does that):
//
//   MarrowBones, MarrowInverseBinds, MarrowMorphs                           uniform blocks
//   marrow_bone_texture, marrow_inverse_bind_texture, marrow_morph_deltas   samplers
//   marrow_first_bone, marrow_first_inverse_bind, marrow_skinning_mode      integers
//   MarrowFrame, MarrowObject                                               uniform blocks of the whole shaders
//
// In WGSL bones of uniform_3x4 and uniform_4x4 are at group 3, binding 0, with the frame at group 0, binding 0 and the
// object at group 2, binding 0; those of storage_3x4 are at group 0, binding 5, inverse binds at 6 and the mode at 7.
// Morph deltas and weights are at group 2, bindings 1 and 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "marrow/core/result.h"
#include "marrow/gpu/palette_storage.h"
#include "marrow/skin/vertex_formats.h"

namespace marrow {

struct ShaderFile {
  std::string_view path;  // e.g. "glsl/skin_uniform.glsl"
  std::string_view text;  // with everything that it includes
};

// All of them.
[[nodiscard]] std::span<const ShaderFile> shader_files();

// Returns the text of a file; empty if there is none of that name.
[[nodiscard]] std::string_view shader_file(std::string_view path);

enum class ShaderLanguage : std::uint8_t { glsl_es_300, glsl_330, wgsl };

// Returns the location of a vertex attribute: 0 position, 1 normal, 2 uv, 3 joints, 4 weights, 5 tangent, 6 color.
[[nodiscard]] std::uint32_t attribute_location(VertexSemantic semantic);

// A way to read palettes: where they are; and whether the shader can be told to multiply bones by inverse binds, which
// is called bound, draw by draw. In WGSL shaders with storage_3x4 always can, and no others.
struct SkinTechnique {
  PaletteStorage storage = PaletteStorage::uniform_3x4;
  bool bound = false;
};

// Returns the text to paste for a technique. Fails if the language has none: WGSL reads no textures, GLSL no storage
// buffers, and uniform_4x4 cannot be bound. `bones` above 256 matter for storage_3x4 alone, whose arrays then have no
// fixed size.
[[nodiscard]] Result<std::string_view> skin_include(SkinTechnique technique, ShaderLanguage language,
                                                    std::uint32_t bones = 0);

struct VertexShaderOptions {
  SkinTechnique technique;
  std::uint32_t max_bones = 0;      // that the shader declares; 0: as many as the technique has
  std::uint32_t max_morphs = 0;     // targets; 0: no morphing
  bool octahedral_normals = false;  // normals are packed as oct32 (vertex_formats.h)
};

// Returns a whole vertex shader, with the entry point `main` in GLSL and `vertex_main` in WGSL. Fails as skin_include
// does.
[[nodiscard]] Result<std::string> vertex_shader(const VertexShaderOptions& options, ShaderLanguage language);

}  // namespace marrow
