#include "marrow/gltf/draco_decoder.h"

#include <draco/compression/decode.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>

#include <exception>
#include <memory>

namespace marrow {
namespace {

Error broken(const std::string& why) {
  return {ErrorCode::malformed, "the compressed mesh cannot be decoded: " + why, ""};
}

Error too_large() {
  return {ErrorCode::limit_exceeded, "the compressed mesh is larger than a file of this size is allowed", ""};
}

// Checks the sizes that a stream claims before the library allocates them. Thirty bytes can claim a billion faces.
// Where memory is overcommitted, such an allocation succeeds and ends the process later.
class Limit {
 public:
  explicit Limit(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

  bool allows(std::uint64_t bytes) {
    exceeded_ = exceeded_ || bytes > max_bytes_;
    return !exceeded_;
  }
  [[nodiscard]] bool exceeded() const { return exceeded_; }

 private:
  std::uint64_t max_bytes_;
  bool exceeded_ = false;
};

// Reads how many faces a stream begins with claiming, and how many attributes have seams of their own. The library
// keeps a table of corners for each of these.
bool read_claims(draco::DecoderBuffer buffer, bool edgebreaker, std::uint64_t& faces, std::uint64_t& tables) {
  std::uint32_t vertices = 0, count = 0;
  std::uint8_t seams = 0;
  if (edgebreaker && !draco::DecodeVarint(&vertices, &buffer)) return false;
  if (!draco::DecodeVarint(&count, &buffer)) return false;
  if (edgebreaker && !buffer.Decode(&seams)) return false;
  faces = count;
  tables = std::uint64_t{1} + seams;
  return true;
}

// A decoder of the library's that stops where its results would be too large.
template <typename Decoder>
class LimitedDecoder : public Decoder {
 public:
  explicit LimitedDecoder(Limit& limit) : limit_(limit) {}

 protected:
  bool DecodeConnectivity() override {
    constexpr bool kEdgebreaker = std::is_same_v<Decoder, draco::MeshEdgebreakerDecoder>;
    constexpr std::uint64_t kFaceBytes = 3 * sizeof(std::uint32_t);
    std::uint64_t faces = 0, tables = 0;
    return read_claims(*this->buffer(), kEdgebreaker, faces, tables) &&
           limit_.allows(faces * (1 + tables) * kFaceBytes) && Decoder::DecodeConnectivity();
  }

  bool DecodeAllAttributes() override {
    const draco::PointCloud& points = *this->point_cloud();
    std::uint64_t floats = 0;
    for (int i = 0; i < points.num_attributes(); ++i) {
      floats += static_cast<std::uint64_t>(points.attribute(i)->num_components());
    }
    return limit_.allows(floats * points.num_points() * sizeof(float)) && Decoder::DecodeAllAttributes();
  }

 private:
  Limit& limit_;
};

draco::Status decode_mesh(draco::DecoderBuffer& buffer, Limit& limit, draco::Mesh& out) {
  draco::DecoderBuffer ahead = buffer;
  draco::DracoHeader header;
  if (draco::Status status = draco::PointCloudDecoder::DecodeHeader(&ahead, &header); !status.ok()) return status;
  // Streams of earlier versions are older than glTF's extension, and so are the parts of the library that read them.
  if (header.version_major != 2 || header.version_minor != 2) {
    return draco::Status(draco::Status::UNKNOWN_VERSION, "it is of another version than 2.2");
  }
  const draco::DecoderOptions options;
  if (header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING) {
    return LimitedDecoder<draco::MeshEdgebreakerDecoder>(limit).Decode(options, &buffer, &out);
  }
  if (header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING) {
    return LimitedDecoder<draco::MeshSequentialDecoder>(limit).Decode(options, &buffer, &out);
  }
  return draco::Status(draco::Status::DRACO_ERROR, "it is coded in a way that is not known");
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
  Limit limit(stream.max_bytes);
  draco::Mesh mesh;
  const draco::Status status = decode_mesh(buffer, limit, mesh);
  if (limit.exceeded()) return too_large();
  if (!status.ok()) return broken(status.error_msg_string());
  DracoMesh out;
  out.vertex_count = mesh.num_points();
  std::uint64_t bytes = std::uint64_t{mesh.num_faces()} * 3 * sizeof(std::uint32_t);
  for (const std::uint32_t id : stream.attributes) {
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(id);
    if (attribute == nullptr) return broken("it has no attribute " + std::to_string(id));
    bytes += std::uint64_t{mesh.num_points()} * static_cast<std::uint64_t>(attribute->num_components()) * sizeof(float);
    if (bytes > stream.max_bytes) return too_large();
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
    // The library still asks for memory without looking.
    try {
      return decode(stream);
    } catch (const std::exception& error) {
      return broken(error.what());
    }
  };
}

}  // namespace marrow
