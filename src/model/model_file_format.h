// What lies where in a model file. Internal.
//
// A header, then records and arrays in any order, each at a multiple of its alignment. What refers to others has their
// slices. Numbers are little-endian, floats are IEEE; all gaps are zero. Whatever changes here, in clip_layout.h, or in
// what a Model holds, is another version.
#pragma once

#include <bit>
#include <cstdint>

#include "marrow/math/types.h"

namespace marrow::file {

static_assert(std::endian::native == std::endian::little, "model files are little-endian, and are used in place");

inline constexpr std::uint32_t kVersion = 1;

// Not text: a transfer that changes ends of lines breaks it, and the first byte no text begins with.
inline constexpr std::uint8_t kMagic[8] = {0x89, 'M', 'R', 'W', '\r', '\n', 0x1a, '\n'};
inline constexpr std::uint32_t kByteOrder = 0x01020304;

// `count` elements, of a type that whoever has the slice knows, from byte `offset` of the file on.
struct Slice {
  std::uint64_t offset = 0, count = 0;
};

struct Header {
  std::uint8_t magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint64_t size;      // of the file
  std::uint64_t checksum;  // hash_bulk of everything behind it
  std::uint32_t up;
  std::uint32_t unused;
  Slice name;  // chars
  Slice joints, skins, clips, vertices, meshes, materials, images, nodes;
};
inline constexpr std::uint64_t kChecked = 32;  // where what the checksum covers begins

struct JointRecord {
  Slice name;           // chars
  Slice morph_weights;  // float
  float rest[10];       // translation, rotation, scale
  std::int32_t parent;
  std::uint32_t unused;
};

struct SkinRecord {
  Slice name;
  Slice joints;         // std::uint32_t
  Slice inverse_binds;  // Affine
};

struct TrackRecord {
  std::uint32_t joint;
  std::uint8_t property, interpolation, constant, unused;
  std::uint32_t key_count;
};

struct ClipRecord {
  Slice name;
  Slice tracks;                                               // TrackRecord
  Slice times;                                                // float
  Slice values;                                               // float, at a multiple of 64
  Slice copies, constants, groups, runs, octets, own_octets;  // as in clip_layout.h
  double duration;
  std::uint64_t hash;
};

struct TargetRecord {
  Slice positions, normals, tangents;  // Vec3
};

struct VerticesRecord {
  Slice positions, normals;  // Vec3
  Slice tangents, colors;    // Vec4
  Slice uvs;                 // Slice, of Vec2 each
  Slice joints;              // std::uint16_t
  Slice weights;             // float
  Slice targets;             // TargetRecord
  std::uint32_t influences;
  std::uint32_t unused;
};

struct PartRecord {
  Slice indices;           // std::uint32_t
  std::uint32_t vertices;  // in the file's
  std::int32_t material;
  std::uint32_t topology;
  std::uint32_t unused;
};

struct MeshRecord {
  Slice name;
  Slice parts;        // PartRecord
  Slice morph_names;  // Slice, of chars each
};

struct TextureRecord {
  std::int32_t image;
  std::uint32_t uv_set;
  std::uint8_t wrap_u, wrap_v, nearest, unused;
  float offset[2], rotation, scale[2];
};

struct MaterialRecord {
  Slice name;
  TextureRecord base_color_texture, emissive_texture;
  float base_color[4], emissive[3], metallic, roughness, alpha_cutoff;
  std::uint8_t alpha_mode, double_sided, unlit, unused_byte;
  std::uint32_t unused_word;
};

struct ImageRecord {
  Slice name, mime_type, uri, bytes;
};

struct NodeRecord {
  Slice name;
  float rest[10];
  std::int32_t parent, joint, mesh, skin;
  std::uint32_t shown;
  std::uint32_t unused;
};

// So that the layout is the same for all compilers.
static_assert(sizeof(Header) == 184 && sizeof(JointRecord) == 80 && sizeof(SkinRecord) == 48 &&
              sizeof(TrackRecord) == 12 && sizeof(ClipRecord) == 176 && sizeof(TargetRecord) == 48 &&
              sizeof(VerticesRecord) == 136 && sizeof(PartRecord) == 32 && sizeof(MeshRecord) == 48 &&
              sizeof(TextureRecord) == 32 && sizeof(MaterialRecord) == 128 && sizeof(ImageRecord) == 64 &&
              sizeof(NodeRecord) == 80);
static_assert(sizeof(Vec2) == 8 && sizeof(Vec3) == 12 && sizeof(Vec4) == 16 && sizeof(Affine) == 48);

}  // namespace marrow::file
