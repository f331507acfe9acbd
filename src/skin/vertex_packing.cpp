// What does not fit is found before the first byte is written, so that the writing cannot fail.
#include <algorithm>
#include <array>
#include <string>

#include "marrow/skin/vertex_formats.h"
#include "src/skin/imports.h"
#include "src/skin/octahedral.h"
#include "src/skin/packing.h"
#include "src/skin/vertex_bytes.h"

namespace marrow {
namespace {

std::array<float, 2> numbers(Vec2 v) { return {v.x, v.y}; }
std::array<float, 3> numbers(Vec3 v) { return {v.x, v.y, v.z}; }
std::array<float, 4> numbers(const Vec4& v) { return {v.x, v.y, v.z, v.w}; }

Error missing(const char* name, Place array) {
  return {ErrorCode::invalid_argument,
          std::string("the format has ") + name + " but the vertices have none: leave them out of the format",
          std::move(array)};
}

// The four influences of a vertex as they are packed: weights in steps, or as floats for the type f32x4.
struct PackedInfluences {
  std::array<std::uint16_t, 4> joints{}, steps{};
  std::array<float, 4> weights{};
};

PackedInfluences packed_influences(const Vertices& v, std::size_t vertex, WeightEncoding encoding) {
  PackedInfluences packed;
  const std::size_t first = vertex * v.influences;
  if (encoding == WeightEncoding::f32x4) {
    std::copy_n(v.weights.data() + first, v.influences, packed.weights.data());
  } else {
    packed.steps = unorm_weights(std::span(v.weights).subspan(first, v.influences),
                                 encoding == WeightEncoding::unorm8x4 ? kSteps8 : kSteps16);
  }
  for (std::size_t i = 0; i < v.influences; ++i) {
    if (packed.weights[i] > 0 || packed.steps[i] > 0) packed.joints[i] = v.joints[first + i];
  }
  return packed;
}

Result<void> check_positions(const Vertices& v, const VertexFormat& format) {
  if (format.position != PositionEncoding::f16x4) return {};
  for (std::size_t i = 0; i < v.positions.size(); ++i) {
    for (const float x : numbers(v.positions[i])) {
      if (is_finite_half(half_from_float(x))) continue;
      return error_at(ErrorCode::limit_exceeded,
                      "a coordinate of " + std::to_string(x) +
                          " is beyond 65504, the largest half float: scale the model down or use f32 positions",
                      "positions", i);
    }
  }
  return {};
}

Result<void> check_uvs(const Vertices& v, const VertexFormat& format) {
  if (format.uv == UvEncoding::none) return {};
  if (v.uvs.empty() || v.uvs[0].empty()) return missing("uvs", {"uvs", 0});
  if (format.uv != UvEncoding::unorm16x2) return {};
  for (std::size_t i = 0; i < v.uvs[0].size(); ++i) {
    for (const float x : numbers(v.uvs[0][i])) {
      if (fits_unorm(x, kSteps16)) continue;
      return error_at(
          ErrorCode::invalid_argument,
          "a texture coordinate of " + std::to_string(x) + " is outside 0 to 1: wrap the coordinates or use f32 uvs",
          "uvs/0", i);
    }
  }
  return {};
}

Result<void> check_colors(const Vertices& v, const VertexFormat& format) {
  if (format.color == ColorEncoding::none) return {};
  if (v.colors.empty()) return missing("colors", "colors");
  if (format.color != ColorEncoding::unorm8x4) return {};
  for (std::size_t i = 0; i < v.colors.size(); ++i) {
    for (const float x : numbers(v.colors[i])) {
      if (fits_unorm(x, kSteps8)) continue;
      return error_at(ErrorCode::invalid_argument,
                      "a color of " + std::to_string(x) + " is outside 0 to 1: clamp the colors or use f32 colors",
                      "colors", i);
    }
  }
  return {};
}

Result<void> check_normals(const Vertices& v, const VertexFormat& format) {
  if (format.normal == NormalEncoding::none) return {};
  if (v.normals.empty()) return missing("normals", "normals");
  if (format.normal != NormalEncoding::oct32) return {};
  for (std::size_t i = 0; i < v.normals.size(); ++i) {
    const Vec3& n = v.normals[i];
    if (n.x != 0 || n.y != 0 || n.z != 0) continue;
    return error_at(ErrorCode::invalid_argument,
                    "a normal is zero and so has no direction: make the normals anew or use f32 normals", "normals", i);
  }
  return {};
}

Result<void> check_tangents(const Vertices& v, const VertexFormat& format) {
  if (format.tangent == TangentEncoding::none) return {};
  if (v.tangents.empty()) return missing("tangents", "tangents");
  if (format.tangent != TangentEncoding::oct32) return {};
  for (std::size_t i = 0; i < v.tangents.size(); ++i) {
    const Vec4& t = v.tangents[i];
    if (t.x == 0 && t.y == 0 && t.z == 0) {
      return error_at(ErrorCode::invalid_argument,
                      "a tangent is zero and so has no direction: make the tangents anew or use f32 tangents",
                      "tangents", i);
    }
    if (t.w != 1 && t.w != -1) {
      return error_at(
          ErrorCode::invalid_argument,
          "the w of a tangent is " + std::to_string(t.w) + ", not 1 or -1: make it one of them or use f32 tangents",
          "tangents", i);
    }
  }
  return {};
}

Result<void> check_influences(const Vertices& v, const VertexFormat& format) {
  if (format.joints == JointEncoding::none || v.positions.empty()) return {};
  if (v.influences == 0) return missing("joints", "joints");
  if (v.influences > 4) {
    return Error{ErrorCode::limit_exceeded,
                 "the vertices have " + std::to_string(v.influences) +
                     " influences each, packed ones have four: call reduce_influences first",
                 "joints"};
  }
  const auto fits = [](std::uint16_t joint) { return joint <= 255; };
  if (format.joints != JointEncoding::u8x4 || std::all_of(v.joints.begin(), v.joints.end(), fits)) return {};
  for (std::size_t i = 0; i < v.positions.size(); ++i) {
    for (const std::uint16_t joint : packed_influences(v, i, format.weights).joints) {
      if (fits(joint)) continue;
      return error_at(ErrorCode::limit_exceeded,
                      "joint " + std::to_string(joint) + " is beyond 255: use u16 joints, or split the mesh", "joints",
                      i);
    }
  }
  return {};
}

Result<void> check_fits(const Vertices& v, const VertexFormat& format) {
  if (Result<void> r = check_vertices(v); !r || v.positions.empty()) return r;
  if (Result<void> r = check_positions(v, format); !r) return r;
  if (Result<void> r = check_uvs(v, format); !r) return r;
  if (Result<void> r = check_colors(v, format); !r) return r;
  if (Result<void> r = check_normals(v, format); !r) return r;
  if (Result<void> r = check_tangents(v, format); !r) return r;
  return check_influences(v, format);
}

template <std::size_t kCount>
void put_floats(std::byte* at, const std::array<float, kCount>& values) {
  for (std::size_t i = 0; i < kCount; ++i) put_at(at, i, values[i]);
}

void put_snorms(std::byte* at, std::int32_t x, std::int32_t y) {
  put_at(at, 0, static_cast<std::uint16_t>(x & 0xffff));
  put_at(at, 1, static_cast<std::uint16_t>(y & 0xffff));
}

void pack_position(Vec3 position, VertexType type, std::byte* at) {
  if (type == VertexType::f32x3) return put_floats(at, numbers(position));
  const std::array<float, 3> xyz = numbers(position);
  for (std::size_t i = 0; i < 3; ++i) put_at(at, i, half_from_float(xyz[i]));
  put_at(at, 3, kHalfOne);
}

void pack_uv(Vec2 uv, VertexType type, std::byte* at) {
  if (type == VertexType::f32x2) return put_floats(at, numbers(uv));
  put_at(at, 0, unorm_from_float(uv.x, kSteps16));
  put_at(at, 1, unorm_from_float(uv.y, kSteps16));
}

void pack_color(const Vec4& color, VertexType type, std::byte* at) {
  if (type == VertexType::f32x4) return put_floats(at, numbers(color));
  const std::array<float, 4> channels = numbers(color);
  for (std::size_t i = 0; i < 4; ++i) {
    put_at(at, i, static_cast<std::uint8_t>(unorm_from_float(channels[i], kSteps8)));
  }
}

void pack_normal(Vec3 normal, VertexType type, std::byte* at) {
  if (type == VertexType::f32x3) return put_floats(at, numbers(normal));
  const OctahedralCode code = octahedral_from_direction(widen(normal), kNormalGrid);
  put_snorms(at, code.x, code.y);
}

void pack_tangent(const Vec4& tangent, VertexType type, std::byte* at) {
  if (type == VertexType::f32x4) return put_floats(at, numbers(tangent));
  const OctahedralCode code = octahedral_from_direction({tangent.x, tangent.y, tangent.z}, kTangentGrid);
  put_snorms(at, code.x, with_handedness(code.y, tangent.w < 0));
}

void pack_joints(const PackedInfluences& influences, VertexType type, std::byte* at) {
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint16_t joint = influences.joints[i];
    if (type == VertexType::u8x4) {
      put_at(at, i, static_cast<std::uint8_t>(joint));
    } else {
      put_at(at, i, joint);
    }
  }
}

void pack_weights(const PackedInfluences& influences, VertexType type, std::byte* at) {
  if (type == VertexType::f32x4) return put_floats(at, influences.weights);
  for (std::size_t i = 0; i < 4; ++i) {
    if (type == VertexType::unorm8x4) {
      put_at(at, i, static_cast<std::uint8_t>(influences.steps[i]));
    } else {
      put_at(at, i, influences.steps[i]);
    }
  }
}

void pack_attribute(const Vertices& v, std::size_t vertex, const VertexFormat& format, VertexSemantic semantic,
                    VertexType type, std::byte* at) {
  switch (semantic) {
    case VertexSemantic::position: return pack_position(v.positions[vertex], type, at);
    case VertexSemantic::uv: return pack_uv(v.uvs[0][vertex], type, at);
    case VertexSemantic::color: return pack_color(v.colors[vertex], type, at);
    case VertexSemantic::normal: return pack_normal(v.normals[vertex], type, at);
    case VertexSemantic::tangent: return pack_tangent(v.tangents[vertex], type, at);
    case VertexSemantic::joints: return pack_joints(packed_influences(v, vertex, format.weights), type, at);
    case VertexSemantic::weights: return pack_weights(packed_influences(v, vertex, format.weights), type, at);
  }
}

void write(const Vertices& v, const VertexFormat& format, const VertexLayout& layout, std::byte* out) {
  for (std::size_t vertex = 0; vertex < v.positions.size(); ++vertex, out += layout.stride) {
    for (const VertexAttribute& attribute : layout.attributes) {
      pack_attribute(v, vertex, format, attribute.semantic, attribute.type, out + attribute.offset);
    }
  }
}

}  // namespace

Result<void> pack_vertices(const Vertices& vertices, const VertexFormat& format, std::span<std::byte> out) {
  const VertexLayout layout = vertex_layout(format);
  MARROW_ASSERT(out.size() == vertices.positions.size() * layout.stride,
                "the memory must be as large as the packed vertices: their number times the stride of the format");
  return exactly([&]() -> Result<void> {
    if (Result<void> fits = check_fits(vertices, format); !fits) return fits;
    write(vertices, format, layout, out.data());
    return {};
  });
}

Result<std::vector<std::byte>> pack_vertices(const Vertices& vertices, const VertexFormat& format) {
  std::vector<std::byte> bytes(vertices.positions.size() * vertex_layout(format).stride);
  if (Result<void> packed = pack_vertices(vertices, format, bytes); !packed) return packed.error();
  return bytes;
}

}  // namespace marrow
