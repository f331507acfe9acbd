// Materials and images: as much of a surface as a plain renderer needs.
//
// Plain data that owns its memory, or shares that of a file (array.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "marrow/core/array.h"
#include "marrow/math/types.h"

namespace marrow {

enum class Wrap : std::uint8_t { repeat, mirror, clamp };
enum class AlphaMode : std::uint8_t { opaque, mask, blend };

// An encoded picture: PNG, JPEG or whatever the file had.
struct Image {
  std::string name;
  std::string mime_type;   // empty if the file does not say
  std::string uri;         // of a picture in a file of its own, relative to the model's
  Array<std::byte> bytes;  // empty if it was not loaded
};

// A picture on a surface.
struct TextureUse {
  std::int32_t image = -1;  // in the model's images; -1 for none
  std::uint32_t uv_set = 0;
  Wrap wrap_u = Wrap::repeat, wrap_v = Wrap::repeat;
  bool nearest = false;  // pixels are to stay visible when enlarged

  // Where on the picture a texture coordinate lies: scaled, turned (counterclockwise, in radians), moved.
  Vec2 offset;
  float rotation = 0;
  Vec2 scale{1, 1};
};

struct Material {
  std::string name;
  Vec4 base_color{1, 1, 1, 1};  // linear
  TextureUse base_color_texture;
  Vec3 emissive;
  TextureUse emissive_texture;  // times `emissive`
  float metallic = 1, roughness = 1;
  AlphaMode alpha_mode = AlphaMode::opaque;
  float alpha_cutoff = 0.5f;  // of AlphaMode::mask
  bool double_sided = false;
  bool unlit = false;
};

}  // namespace marrow
