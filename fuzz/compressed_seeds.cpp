// Files that need a decoder, made with the encoders of the same libraries.
#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>
#include <meshoptimizer.h>

#include "seeds.h"

namespace marrow::fuzz {
namespace {

constexpr float kCorners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
constexpr std::uint32_t kIndices[] = {0, 1, 2, 2, 1, 3};

// A view whose bytes are compressed: how the extension states it.
std::string compressed_view(SeedModel& m, std::span<const unsigned char> stream, std::size_t count, std::size_t stride,
                            const std::string& mode, const std::string& filter) {
  const std::string place = m.place(std::as_bytes(stream));
  return m.add("bufferViews", R"({"buffer":0,"byteLength":)" + std::to_string(count * stride) +
                                  R"(,"extensions":{"EXT_meshopt_compression":{)" + place + R"(,"byteStride":)" +
                                  std::to_string(stride) + R"(,"count":)" + std::to_string(count) + R"(,"mode":")" +
                                  mode + R"(","filter":")" + filter + R"("}}})");
}

std::string attributes(SeedModel& m, const void* data, std::size_t count, std::size_t stride,
                       const std::string& filter = "NONE") {
  meshopt_encodeVertexVersion(0);
  std::vector<unsigned char> stream(meshopt_encodeVertexBufferBound(count, stride));
  stream.resize(meshopt_encodeVertexBuffer(stream.data(), stream.size(), data, count, stride));
  return compressed_view(m, stream, count, stride, "ATTRIBUTES", filter);
}

SeedModel meshopt() {
  SeedModel m;
  m.set("extensionsUsed", R"(["EXT_meshopt_compression"])");
  m.set("extensionsRequired", R"(["EXT_meshopt_compression"])");
  // A number of the exponential filter is mantissa * 2^exponent; the exponent is its highest byte.
  const std::uint32_t exponential[] = {1, 2, 3, 0xff000001u, 0, 0x01000003u, 5, 6, 0xffffffffu, 0, 1, 0};
  const float up[] = {0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.6f, 0, 0.8f, 0};
  const float turns[] = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 1, 0, 0, 0};
  signed char octahedral[16];
  short quaternions[12];
  meshopt_encodeFilterOct(octahedral, 4, 4, 8, up);
  meshopt_encodeFilterQuat(quaternions, 3, 8, 16, turns);
  const std::string positions = m.accessor(attributes(m, kCorners, 4, 12), 5126, "VEC3", 4);
  const std::string others = m.accessor(attributes(m, exponential, 4, 12, "EXPONENTIAL"), 5126, "VEC3", 4);
  const std::string normals =
      m.accessor(attributes(m, octahedral, 4, 4, "OCTAHEDRAL"), 5120, "VEC3", 4, R"(,"normalized":true)");
  const std::string rotations =
      m.accessor(attributes(m, quaternions, 3, 8, "QUATERNION"), 5122, "VEC4", 3, R"(,"normalized":true)");
  std::vector<unsigned char> stream(meshopt_encodeIndexBufferBound(6, 4));
  stream.resize(meshopt_encodeIndexBuffer(stream.data(), stream.size(), kIndices, 6));
  const std::string triangles = m.accessor(compressed_view(m, stream, 6, 2, "TRIANGLES", "NONE"), 5123, "SCALAR", 6);
  stream.resize(meshopt_encodeIndexSequenceBound(6, 4));
  stream.resize(meshopt_encodeIndexSequence(stream.data(), stream.size(), kIndices, 6));
  const std::string sequence = m.accessor(compressed_view(m, stream, 6, 4, "INDICES", "NONE"), 5125, "SCALAR", 6);
  const std::string times = m.floats("SCALAR", {0, 1, 2});
  const std::string attribute_list = R"({"attributes":{"POSITION":)";
  m.add("meshes", R"({"primitives":[)" + attribute_list + positions + R"(,"NORMAL":)" + normals + R"(},"indices":)" +
                      triangles + "}," + attribute_list + others + R"(},"indices":)" + sequence + R"(,"mode":1}]})");
  m.add("nodes", R"({"mesh":0})");
  m.add("animations", R"({"channels":[{"sampler":0,"target":{"node":0,"path":"rotation"}}],"samplers":[{"input":)" +
                          times + R"(,"output":)" + rotations + "}]}");
  return m;
}

template <typename T, std::size_t size>
int add_attribute(draco::Mesh& mesh, draco::GeometryAttribute::Type kind, draco::DataType type, std::int8_t components,
                  const T (&values)[size]) {
  draco::GeometryAttribute attribute;
  attribute.Init(kind, nullptr, static_cast<std::uint8_t>(components), type, false,
                 static_cast<std::int64_t>(sizeof(T)) * components, 0);
  const int id = mesh.AddAttribute(attribute, true, 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i),
                                          values + i * static_cast<std::size_t>(components));
  }
  return id;
}

SeedModel draco_mesh(int method) {
  constexpr std::uint8_t kJoints[] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
  constexpr float kWeights[] = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0.25f, 0.75f, 0, 0, 1, 0, 0, 0};
  draco::Mesh mesh;
  mesh.set_num_points(4);
  mesh.SetNumFaces(2);
  for (std::uint32_t face = 0; face < 2; ++face) {
    mesh.SetFace(draco::FaceIndex(face),
                 {draco::PointIndex(kIndices[3 * face]), draco::PointIndex(kIndices[3 * face + 1]),
                  draco::PointIndex(kIndices[3 * face + 2])});
  }
  const int positions = add_attribute(mesh, draco::GeometryAttribute::POSITION, draco::DT_FLOAT32, 3, kCorners);
  const int joints = add_attribute(mesh, draco::GeometryAttribute::GENERIC, draco::DT_UINT8, 4, kJoints);
  const int weights = add_attribute(mesh, draco::GeometryAttribute::GENERIC, draco::DT_FLOAT32, 4, kWeights);
  draco::Encoder encoder;
  encoder.SetEncodingMethod(method);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 11);
  draco::EncoderBuffer stream;
  const auto id_of = [&](int attribute) { return std::to_string(mesh.attribute(attribute)->unique_id()); };
  SeedModel m;
  if (!encoder.EncodeMeshToBuffer(mesh, &stream).ok()) return m;
  m.set("extensionsUsed", R"(["KHR_draco_mesh_compression"])");
  const std::string view = m.view(std::as_bytes(std::span(stream.data(), stream.size())));
  m.add("meshes", R"({"primitives":[{"attributes":{"POSITION":)" + m.accessor("", 5126, "VEC3", 4) + R"(,"JOINTS_0":)" +
                      m.accessor("", 5121, "VEC4", 4) + R"(,"WEIGHTS_0":)" + m.accessor("", 5126, "VEC4", 4) +
                      R"(},"indices":)" + m.accessor("", 5125, "SCALAR", 6) +
                      R"(,"extensions":{"KHR_draco_mesh_compression":{"bufferView":)" + view +
                      R"(,"attributes":{"POSITION":)" + id_of(positions) + R"(,"JOINTS_0":)" + id_of(joints) +
                      R"(,"WEIGHTS_0":)" + id_of(weights) + "}}}}]}");
  m.add("nodes", R"({"mesh":0,"skin":0})");
  m.add("nodes", "{}");
  m.add("skins", R"({"joints":[0,1]})");
  return m;
}

}  // namespace

void add_compressed_seeds(std::vector<Seed>& out) {
  out.push_back({"meshopt", meshopt()});
  out.push_back({"draco_edgebreaker", draco_mesh(draco::MESH_EDGEBREAKER_ENCODING)});
  out.push_back({"draco_sequential", draco_mesh(draco::MESH_SEQUENTIAL_ENCODING)});
}

}  // namespace marrow::fuzz
