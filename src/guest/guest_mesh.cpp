#include "src/guest/guest_mesh.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "marrow/core/hash.h"
#include "src/math/arithmetic.h"
#include "src/skin/packing.h"
#include "src/skin/vertex_bytes.h"

namespace marrow {
namespace {

const VertexAttribute* attribute_of(const VertexLayout& layout, VertexSemantic semantic) {
  for (const VertexAttribute& attribute : layout.attributes) {
    if (attribute.semantic == semantic) return &attribute;
  }
  return nullptr;
}

// Makes the weights of a vertex sum to 255. If all are 0, the first bone gets 255. Returns whether anything changed.
bool repair_weights(std::byte* at) {
  std::array<float, 4> weights{};
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto code = get_at<std::uint8_t>(at, i);
    sum += code;
    weights[i] = code;
  }
  if (sum == kSteps8) return false;
  if (sum == 0) weights[0] = 1;
  const std::array<std::uint16_t, 4> steps = unorm_weights(weights, kSteps8);
  for (std::size_t i = 0; i < 4; ++i) put_at(at, i, static_cast<std::uint8_t>(steps[i]));
  return true;
}

// Repairs the weights, and sets the fourth number of each position to 1. Returns the count of repaired weights.
std::uint32_t repair_vertices(std::span<std::byte> bytes, const VertexFormat& format) {
  const VertexLayout layout = vertex_layout(format);
  const VertexAttribute* weights = attribute_of(layout, VertexSemantic::weights);
  std::uint32_t repaired = 0;
  for (std::size_t at = 0; at < bytes.size(); at += layout.stride) {
    if (format.position == PositionEncoding::f16x4) put_at(bytes.data() + at, 3, kHalfOne);
    if (weights != nullptr && repair_weights(bytes.data() + at + weights->offset)) ++repaired;
  }
  return repaired;
}

Result<std::vector<std::uint32_t>> read_indices(const GuestMeshBytes& bytes, std::uint32_t vertices) {
  std::vector<std::uint32_t> indices(bytes.indices ? bytes.indices->size() / 2 : vertices);
  if (indices.empty() || indices.size() % 3 != 0) {
    return Error{ErrorCode::malformed,
                 std::string(bytes.indices ? "the index" : "the vertex") + " count " + std::to_string(indices.size()) +
                     (indices.empty() ? " makes no triangle" : " is not a multiple of 3"),
                 {}};
  }
  for (std::uint32_t i = 0; i < indices.size(); ++i) {
    indices[i] = bytes.indices ? get_at<std::uint16_t>(bytes.indices->data(), i) : i;
    if (indices[i] >= vertices) {
      return error_at(
          ErrorCode::invalid_argument,
          "there is no vertex " + std::to_string(indices[i]) + "; the vertex count is " + std::to_string(vertices),
          "indices", i);
    }
  }
  return indices;
}

std::uint64_t content_hash(const GuestMeshBytes& bytes) {
  Hasher hasher;
  hasher.add(std::uint64_t{bytes.flags});
  hasher.add(std::uint64_t{bytes.format.position == PositionEncoding::f16x4});
  hasher.add(std::uint64_t{bytes.vertices.size()});
  hasher.add(bytes.vertices);
  if (bytes.indices) hasher.add(*bytes.indices);
  return hasher.finish();
}

}  // namespace

std::optional<VertexFormat> guest_format(std::uint32_t flags, bool packed) {
  if (flags > (kGuestUv | kGuestColor | kGuestNormal | kGuestSkinned)) return std::nullopt;
  VertexFormat format;
  if (packed) format.position = PositionEncoding::f16x4;
  if ((flags & kGuestUv) != 0) format.uv = packed ? UvEncoding::unorm16x2 : UvEncoding::f32x2;
  if ((flags & kGuestColor) != 0) format.color = packed ? ColorEncoding::unorm8x4 : ColorEncoding::f32x4;
  if ((flags & kGuestNormal) != 0) format.normal = packed ? NormalEncoding::oct32 : NormalEncoding::f32x3;
  if ((flags & kGuestSkinned) != 0) {
    format.joints = JointEncoding::u8x4;
    format.weights = WeightEncoding::unorm8x4;
  }
  return format;
}

std::uint64_t guest_mesh_size(const VertexFormat& format, std::uint64_t vertices, std::uint64_t indices) {
  std::uint64_t vertex = sizeof(Vec3);
  if (format.uv != UvEncoding::none) vertex += sizeof(Vec2);
  if (format.color != ColorEncoding::none) vertex += sizeof(Vec4);
  if (format.normal != NormalEncoding::none) vertex += sizeof(Vec3);
  if (format.joints != JointEncoding::none) vertex += 4 * (sizeof(std::uint16_t) + sizeof(float));
  return vertex * vertices + sizeof(std::uint32_t) * indices;
}

Result<ReadGuestMesh> read_guest_mesh(const GuestMeshBytes& bytes) {
  const auto count = static_cast<std::uint32_t>(bytes.vertices.size() / vertex_layout(bytes.format).stride);
  Result<std::vector<std::uint32_t>> indices = read_indices(bytes, count);
  if (!indices) return indices.error();
  std::vector<std::byte> own(bytes.vertices.begin(), bytes.vertices.end());
  const std::uint32_t repaired = exactly([&] { return repair_vertices(own, bytes.format); });
  Result<Vertices> vertices = unpack_vertices(own, bytes.format);
  if (!vertices) return vertices.error();
  return ReadGuestMesh{{bytes.flags, std::move(*vertices), std::move(*indices), content_hash(bytes), 0}, repaired};
}

}  // namespace marrow
