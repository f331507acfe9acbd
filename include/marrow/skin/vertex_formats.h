// Vertex formats: vertices as the bytes that a GPU reads, one vertex after the other, in as few as 24 bytes each.
//
// A VertexFormat says which attributes there are and how each is written. They stand in the order position, uv, color,
// normal, tangent, joints, weights, each at a multiple of four bytes with nothing between them, all numbers little
// endian. `vertex_layout` has the offsets. Morph targets are no part of it.
//
// The encodings, and how far what is read back can be from what was packed, rounding to float included:
//
//   f32        the number itself
//   f16        half floats, to the nearest, ties to even: off by 2^-11 of the number, or by 2^-25 below 2^-14. That is
//              half a millimetre between one and two metres. The largest is 65504. The fourth number of a position is 1
//   unorm16    0 to 1 in 65535 steps: off by half a step, 7.7e-6. As weights: by 3/4 of a step, 1.2e-5
//   unorm8     0 to 1 in 255 steps: off by half a step, 0.002. As weights: by 3/4 of a step, 0.003
//   oct32      a direction, of which the length is lost, as two snorm16: off by 4.33e-5 radians (0.0025 degrees), and
//              as a tangent by 7.49e-5 radians (0.0043 degrees)
//
// Weights of unorm16 and unorm8 are divided by their sum, and then sum to exactly 65535 or 255 steps: each is rounded
// down, and those that lost most are given one more, of equal ones the first. That is why one can be off by more than
// half a step. A joint whose weight is packed as 0 is packed as 0 too.
//
// oct32 folds the octahedron |x| + |y| + |z| = 1 into a square (Cigolle et al., "A Survey of Efficient Representations
// for Independent Unit Vectors", 2014) and takes the best of the codes around the exact point. A shader reads it so,
// from p, the two numbers that a GPU makes of snorm16x2:
//
//   vec3 n = vec3(p.x, p.y, 1.0 - abs(p.x) - abs(p.y));
//   float t = max(-n.z, 0.0);
//   n = normalize(vec3(n.x + (n.x >= 0.0 ? -t : t), n.y + (n.y >= 0.0 ? -t : t), n.z));
//
// In a tangent the sign of the second number is w, and its size holds y: 1 to 32767 for -1 to 1. So first comes
//
//   float w = sign(p.y);
//   p.y = (abs(p.y) * 32767.0 - 16384.0) / 16383.0;
//
// The axes are exact in both. All functions here give the same bits on every platform and may run on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/skin/vertices.h"

namespace marrow {

enum class PositionEncoding : std::uint8_t { f32x3, f16x4 };
enum class UvEncoding : std::uint8_t { none, f32x2, unorm16x2 };
enum class ColorEncoding : std::uint8_t { none, f32x4, unorm8x4 };
enum class NormalEncoding : std::uint8_t { none, f32x3, oct32 };
enum class TangentEncoding : std::uint8_t { none, f32x4, oct32 };
enum class JointEncoding : std::uint8_t { none, u8x4, u16x4 };
enum class WeightEncoding : std::uint8_t { f32x4, unorm8x4, unorm16x4 };

// How each attribute is written; `none` where it is not there. The uvs are those of the first set.
struct VertexFormat {
  PositionEncoding position = PositionEncoding::f32x3;
  UvEncoding uv = UvEncoding::none;
  ColorEncoding color = ColorEncoding::none;
  NormalEncoding normal = NormalEncoding::none;
  TangentEncoding tangent = TangentEncoding::none;
  JointEncoding joints = JointEncoding::none;
  WeightEncoding weights = WeightEncoding::f32x4;  // there where joints are
};

// Emberware's skinned vertex, 24 bytes: f16x4, unorm16x2, oct32, u8x4, unorm8x4. For up to 256 joints.
inline constexpr VertexFormat kPackedVertex = {PositionEncoding::f16x4, UvEncoding::unorm16x2, ColorEncoding::none,
                                               NormalEncoding::oct32,   TangentEncoding::none, JointEncoding::u8x4,
                                               WeightEncoding::unorm8x4};

// The same for any number of joints, 28 bytes: joints are u16x4.
inline constexpr VertexFormat kPackedVertexManyJoints = {
    PositionEncoding::f16x4, UvEncoding::unorm16x2, ColorEncoding::none,     NormalEncoding::oct32,
    TangentEncoding::none,   JointEncoding::u16x4,  WeightEncoding::unorm8x4};

// The same attributes with nothing lost, 56 bytes: floats, and joints as u16x4.
inline constexpr VertexFormat kFloatVertex = {PositionEncoding::f32x3, UvEncoding::f32x2,     ColorEncoding::none,
                                              NormalEncoding::f32x3,   TangentEncoding::none, JointEncoding::u16x4,
                                              WeightEncoding::f32x4};

enum class VertexSemantic : std::uint8_t { position, uv, color, normal, tangent, joints, weights };

// What a graphics API is told about an attribute. WebGPU's names are float32x2 for f32x2 and uint8x4 for u8x4, and so
// on; in OpenGL unorm and snorm are integers with `normalized` set, u8 and u16 are read as integers.
enum class VertexType : std::uint8_t {
  f32x2,
  f32x3,
  f32x4,
  f16x4,
  unorm16x2,
  unorm16x4,
  unorm8x4,
  snorm16x2,
  u8x4,
  u16x4,
};

struct VertexAttribute {
  VertexSemantic semantic = VertexSemantic::position;
  VertexType type = VertexType::f32x3;
  std::uint32_t offset = 0;  // in bytes from the beginning of the vertex
  std::uint32_t size = 0;    // in bytes
};

struct VertexLayout {
  std::vector<VertexAttribute> attributes;  // in the order that they stand in
  std::uint32_t stride = 0;                 // bytes of one vertex
};

// Returns where the attributes of a vertex are.
[[nodiscard]] VertexLayout vertex_layout(const VertexFormat& format);

// Returns the vertices as bytes, `stride` for each. Attributes that the format does not have are left out.
//
// Fails, naming the vertex, on vertices that `check_vertices` refuses, and on what does not fit into the format: an
// attribute that is missing; more than four influences (fewer are filled up with weights of 0); f16 positions that
// round beyond 65504; unorm uvs and colors that are outside 0 to 1 by half a step or more; u8 joints above 255; oct32
// normals and tangents without length; oct32 tangents whose w is not 1 or -1.
[[nodiscard]] Result<std::vector<std::byte>> pack_vertices(const Vertices& vertices, const VertexFormat& format);

// The same into memory of the caller, which must be exactly as large as the bytes are; nothing is written on failure.
[[nodiscard]] Result<void> pack_vertices(const Vertices& vertices, const VertexFormat& format,
                                         std::span<std::byte> out);

// Returns the vertices that bytes from anywhere hold, with four influences where the format has joints. oct32 normals
// and tangents come back with length 1. As on GPUs a snorm of -32768 is -1.
//
// Fails if the size is not a whole number of vertices; and, naming the vertex, on numbers that are not finite or beyond
// 1e18, on positions whose fourth number is not 1, on tangents whose handedness is 0, on weights whose sum is not
// exactly 1 (for f32: 1 to 1e-3). Joints may be beyond those of a skin: see `largest_joint`.
[[nodiscard]] Result<Vertices> unpack_vertices(std::span<const std::byte> bytes, const VertexFormat& format);

// Repairs bytes from anywhere in place, which are a whole number of vertices: sets the fourth number of f16 positions
// to 1, and divides unorm weights by their sum where it is not exactly 1; where all are 0, the first joint gets all
// weight. Returns the number of vertices whose weights changed.
std::uint32_t repair_vertices(std::span<std::byte> bytes, const VertexFormat& format);

// How far packed vertices are from those they were made of: for each attribute the worst, and where it is.
struct PackingError {
  struct Worst {
    double error = 0;
    std::size_t vertex = 0;  // the first that is so far off
  };
  Worst position;  // distance, in the unit of the positions
  Worst uv;        // of one coordinate
  Worst color;     // of one channel
  Worst normal;    // radians; 0 for f32
  Worst tangent;   // radians; 0 for f32
  Worst weight;    // of one weight, after dividing by their sum; 0 for f32
};

// Returns what packing these vertices would lose. Fails as pack_vertices does.
[[nodiscard]] Result<PackingError> packing_error(const Vertices& vertices, const VertexFormat& format);

}  // namespace marrow
