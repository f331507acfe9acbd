#include "marrow/gltf/draco_decoder.h"

#include <draco/compression/decode.h>

#include <exception>

namespace marrow {
namespace {

Error broken(const std::string& why) {
  return {ErrorCode::malformed, "the compressed mesh cannot be decoded: " + why, ""};
}

bool read_attribute(const draco::Mesh& mesh, const draco::PointAttribute& attribute, DracoMesh::Attribute& out) {
  const auto components = static_cast<std::uint32_t>(attribute.num_components());
  if (components == 0 || components > 16) return false;
  out.components = components;
  out.values.resize(std::size_t{mesh.num_points()} * components);
  for (draco::PointIndex point(0); point < mesh.num_points(); ++point) {
    const draco::AttributeValueIndex value = attribute.mapped_index(point);
    if (value.value() >= attribute.size()) return false;
    float* const to = out.values.data() + std::size_t{point.value()} * components;
    if (!attribute.ConvertValue<float>(value, static_cast<std::int8_t>(components), to)) return false;
  }
  return true;
}

Result<DracoMesh> decode(const DracoStream& stream) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(stream.bytes.data()), stream.bytes.size());
  draco::Decoder decoder;
  draco::StatusOr<std::unique_ptr<draco::Mesh>> decoded = decoder.DecodeMeshFromBuffer(&buffer);
  if (!decoded.ok()) return broken(decoded.status().error_msg_string());
  const draco::Mesh& mesh = *decoded.value();
  DracoMesh out;
  out.vertex_count = mesh.num_points();
  std::uint64_t bytes = std::uint64_t{mesh.num_faces()} * 3 * sizeof(std::uint32_t);
  for (const std::uint32_t id : stream.attributes) {
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(id);
    if (attribute == nullptr) return broken("it has no attribute " + std::to_string(id));
    bytes += std::uint64_t{mesh.num_points()} * static_cast<std::uint64_t>(attribute->num_components()) * sizeof(float);
    if (bytes > stream.max_bytes) {
      return Error{ErrorCode::limit_exceeded, "the compressed mesh is larger than a file of this size is allowed", ""};
    }
    if (!read_attribute(mesh, *attribute, out.attributes.emplace_back())) return broken("an attribute is broken");
  }
  out.indices.reserve(std::size_t{mesh.num_faces()} * 3);
  for (draco::FaceIndex face(0); face < mesh.num_faces(); ++face) {
    for (const draco::PointIndex& corner : mesh.face(face)) out.indices.push_back(corner.value());
  }
  return out;
}

}  // namespace

DracoDecoder draco_decoder() {
  return [](const DracoStream& stream) -> Result<DracoMesh> {
    // The library asks for as much memory as the stream claims.
    try {
      return decode(stream);
    } catch (const std::exception& error) {
      return broken(error.what());
    }
  };
}

}  // namespace marrow
