#include <array>
#include <string>

#include "marrow/core/assert.h"
#include "marrow/skin/vertex_formats.h"
#include "src/skin/imports.h"
#include "src/skin/octahedral.h"
#include "src/skin/packing.h"
#include "src/skin/vertex_bytes.h"

namespace marrow {
namespace {

Vec3 get_vec3(const std::byte* at) { return {get_at<float>(at, 0), get_at<float>(at, 1), get_at<float>(at, 2)}; }
Vec4 get_vec4(const std::byte* at) {
  return {get_at<float>(at, 0), get_at<float>(at, 1), get_at<float>(at, 2), get_at<float>(at, 3)};
}

// As GPUs read it: -32768 is -1, like -32767.
std::int32_t get_snorm(const std::byte* at, std::size_t index) {
  const std::int32_t bits = get_at<std::uint16_t>(at, index);
  const std::int32_t value = bits < 0x8000 ? bits : bits - 0x10000;
  return value < -32767 ? -32767 : value;
}

Result<void> unpack_position(const std::byte* at, VertexType type, std::size_t vertex, Vertices& out) {
  if (type == VertexType::f32x3) {
    out.positions[vertex] = get_vec3(at);
    return {};
  }
  std::uint16_t halves[4];
  for (std::size_t i = 0; i < 4; ++i) {
    halves[i] = get_at<std::uint16_t>(at, i);
    if (!is_finite_half(halves[i])) {
      return error_at(ErrorCode::not_finite, "a half float is not finite", "positions", vertex);
    }
  }
  if (halves[3] != kHalfOne) {
    return error_at(ErrorCode::malformed,
                    "the fourth number of a position is " + std::to_string(float_from_half(halves[3])) + ", not 1",
                    "positions", vertex);
  }
  out.positions[vertex] = {float_from_half(halves[0]), float_from_half(halves[1]), float_from_half(halves[2])};
  return {};
}

Vec2 unpack_uv(const std::byte* at, VertexType type) {
  if (type == VertexType::f32x2) return {get_at<float>(at, 0), get_at<float>(at, 1)};
  return {float_from_unorm(get_at<std::uint16_t>(at, 0), kSteps16),
          float_from_unorm(get_at<std::uint16_t>(at, 1), kSteps16)};
}

Vec4 unpack_color(const std::byte* at, VertexType type) {
  if (type == VertexType::f32x4) return get_vec4(at);
  const auto channel = [&](std::size_t i) { return float_from_unorm(get_at<std::uint8_t>(at, i), kSteps8); };
  return {channel(0), channel(1), channel(2), channel(3)};
}

Vec3 unpack_normal(const std::byte* at, VertexType type) {
  if (type == VertexType::f32x3) return get_vec3(at);
  return narrow(direction_from_octahedral({get_snorm(at, 0), get_snorm(at, 1)}, kNormalGrid));
}

Result<void> unpack_tangent(const std::byte* at, VertexType type, std::size_t vertex, Vertices& out) {
  if (type == VertexType::f32x4) {
    out.tangents[vertex] = get_vec4(at);
    return {};
  }
  const std::int32_t x = get_snorm(at, 0), y = get_snorm(at, 1);
  if (y == 0) return error_at(ErrorCode::malformed, "a tangent has no handedness", "tangents", vertex);
  const Vec3 t = narrow(direction_from_octahedral({x, without_handedness(y)}, kTangentGrid));
  out.tangents[vertex] = {t.x, t.y, t.z, y < 0 ? -1.0f : 1.0f};
  return {};
}

void unpack_joints(const std::byte* at, VertexType type, std::uint16_t* joints) {
  for (std::size_t i = 0; i < 4; ++i) {
    joints[i] = type == VertexType::u8x4 ? get_at<std::uint8_t>(at, i) : get_at<std::uint16_t>(at, i);
  }
}

Result<void> unpack_weights(const std::byte* at, VertexType type, std::size_t vertex, float* weights) {
  if (type == VertexType::f32x4) {
    for (std::size_t i = 0; i < 4; ++i) weights[i] = get_at<float>(at, i);
    return {};
  }
  const bool bytes = type == VertexType::unorm8x4;
  const std::uint32_t steps = bytes ? kSteps8 : kSteps16;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint16_t code = bytes ? get_at<std::uint8_t>(at, i) : get_at<std::uint16_t>(at, i);
    sum += code;
    weights[i] = float_from_unorm(code, steps);
  }
  if (sum != steps) {
    return error_at(ErrorCode::malformed,
                    "the weights of a vertex sum to " + std::to_string(sum) + ", not to " + std::to_string(steps),
                    "weights", vertex);
  }
  return {};
}

// Makes the weights of a vertex sum to `steps`. Returns whether they did not.
template <typename Code>
bool repair_weights(std::byte* at, std::uint32_t steps) {
  std::array<float, 4> weights{};
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto code = get_at<Code>(at, i);
    sum += code;
    weights[i] = code;
  }
  if (sum == steps) return false;
  if (sum == 0) weights[0] = 1;
  const std::array<std::uint16_t, 4> repaired = unorm_weights(weights, steps);
  for (std::size_t i = 0; i < 4; ++i) put_at(at, i, static_cast<Code>(repaired[i]));
  return true;
}

Result<void> unpack_attribute(const std::byte* at, const VertexAttribute& attribute, std::size_t vertex,
                              Vertices& out) {
  switch (attribute.semantic) {
    case VertexSemantic::position: return unpack_position(at, attribute.type, vertex, out);
    case VertexSemantic::uv: out.uvs[0][vertex] = unpack_uv(at, attribute.type); break;
    case VertexSemantic::color: out.colors[vertex] = unpack_color(at, attribute.type); break;
    case VertexSemantic::normal: out.normals[vertex] = unpack_normal(at, attribute.type); break;
    case VertexSemantic::tangent: return unpack_tangent(at, attribute.type, vertex, out);
    case VertexSemantic::joints: unpack_joints(at, attribute.type, out.joints.data() + vertex * 4); break;
    case VertexSemantic::weights: return unpack_weights(at, attribute.type, vertex, out.weights.data() + vertex * 4);
  }
  return {};
}

Vertices empty_vertices(std::size_t count, const VertexFormat& format) {
  Vertices v;
  v.positions.resize(count);
  if (format.uv != UvEncoding::none) v.uvs.emplace_back(count);
  if (format.color != ColorEncoding::none) v.colors.resize(count);
  if (format.normal != NormalEncoding::none) v.normals.resize(count);
  if (format.tangent != TangentEncoding::none) v.tangents.resize(count);
  if (format.joints != JointEncoding::none) {
    v.influences = 4;
    v.joints.resize(count * 4);
    v.weights.resize(count * 4);
  }
  return v;
}

}  // namespace

std::uint32_t repair_vertices(std::span<std::byte> bytes, const VertexFormat& format) {
  const VertexLayout layout = vertex_layout(format);
  MARROW_ASSERT(bytes.size() % layout.stride == 0, "the bytes must be a whole number of vertices");
  return exactly([&] {
    std::uint32_t repaired = 0;
    for (std::size_t vertex = 0; vertex + layout.stride <= bytes.size(); vertex += layout.stride) {
      for (const VertexAttribute& attribute : layout.attributes) {
        std::byte* const at = bytes.data() + vertex + attribute.offset;
        const bool is_weights = attribute.semantic == VertexSemantic::weights;
        if (attribute.type == VertexType::f16x4) put_at(at, 3, kHalfOne);
        if (is_weights && attribute.type == VertexType::unorm8x4) repaired += repair_weights<std::uint8_t>(at, kSteps8);
        if (is_weights && attribute.type == VertexType::unorm16x4) {
          repaired += repair_weights<std::uint16_t>(at, kSteps16);
        }
      }
    }
    return repaired;
  });
}

Result<Vertices> unpack_vertices(std::span<const std::byte> bytes, const VertexFormat& format) {
  const VertexLayout layout = vertex_layout(format);
  if (bytes.size() % layout.stride != 0) {
    return Error{ErrorCode::size_mismatch,
                 std::to_string(bytes.size()) + " bytes are no whole number of vertices of " +
                     std::to_string(layout.stride) + " bytes",
                 ""};
  }
  return exactly([&]() -> Result<Vertices> {
    const std::size_t count = bytes.size() / layout.stride;
    Vertices vertices = empty_vertices(count, format);
    for (std::size_t vertex = 0; vertex < count; ++vertex) {
      for (const VertexAttribute& attribute : layout.attributes) {
        const std::byte* at = bytes.data() + vertex * layout.stride + attribute.offset;
        if (Result<void> r = unpack_attribute(at, attribute, vertex, vertices); !r) return r.error();
      }
    }
    if (Result<void> checked = check_vertices(vertices); !checked) return checked.error();
    return vertices;
  });
}

}  // namespace marrow
