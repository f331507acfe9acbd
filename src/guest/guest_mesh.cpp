#include "src/guest/guest_mesh.h"

#include <string>
#include <utility>
#include <vector>

#include "marrow/core/hash.h"

namespace marrow {
namespace {

std::uint32_t index_at(std::span<const std::byte> bytes, std::size_t i) {
  return std::to_integer<std::uint32_t>(bytes[2 * i]) | std::to_integer<std::uint32_t>(bytes[2 * i + 1]) << 8;
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
    indices[i] = bytes.indices ? index_at(*bytes.indices, i) : i;
    if (indices[i] >= vertices) {
      return Error{
          ErrorCode::invalid_argument,
          "there is no vertex " + std::to_string(indices[i]) + "; the vertex count is " + std::to_string(vertices),
          {"indices", i}};
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

VertexFormat guest_vertex_format(const GuestMesh& mesh) { return *guest_format(mesh.flags, false); }

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
  const std::uint32_t repaired = repair_vertices(own, bytes.format);
  Result<Vertices> vertices = unpack_vertices(own, bytes.format);
  if (!vertices) return vertices.error();
  return ReadGuestMesh{{bytes.flags, std::move(*vertices), std::move(*indices), content_hash(bytes), 0}, repaired};
}

}  // namespace marrow
