// Reads the meshes of guests (guest_host.h). Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "marrow/core/result.h"
#include "marrow/guest/guest_host.h"
#include "marrow/skin/vertex_formats.h"

namespace marrow {

// Returns the format of a guest's vertices; none for unknown flags.
[[nodiscard]] std::optional<VertexFormat> guest_format(std::uint32_t flags, bool packed);

struct GuestMeshBytes {
  std::uint32_t flags = 0;
  VertexFormat format;
  std::span<const std::byte> vertices;
  std::optional<std::span<const std::byte>> indices;  // of 16 bits; none: the vertices are triangles in their order
};

// Returns the bytes that a mesh takes in the host.
[[nodiscard]] std::uint64_t guest_mesh_size(const VertexFormat& format, std::uint64_t vertices, std::uint64_t indices);

struct ReadGuestMesh {
  GuestMesh mesh;
  std::uint32_t repaired_weights = 0;  // vertices whose weights did not sum to 255
};

// Fails if the corners do not make whole triangles or an index is out of range, and as unpack_vertices does, but not
// because of weights.
[[nodiscard]] Result<ReadGuestMesh> read_guest_mesh(const GuestMeshBytes& bytes);

}  // namespace marrow
