// Meshes, materials, and the ways in which their numbers are stored.
#include "seeds.h"

namespace marrow::fuzz {
namespace {

std::string primitive(const std::string& attributes, const std::string& more = "") {
  return R"({"attributes":{)" + attributes + "}" + more + "}";
}

SeedModel with_mesh(SeedModel m, const std::string& primitives, const std::string& more = "") {
  m.add("meshes", R"({"primitives":[)" + primitives + "]" + more + "}");
  m.add("nodes", R"({"mesh":0})");
  return m;
}

SeedModel morph() {
  SeedModel m;
  const std::string corners = m.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const std::string up = m.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1});
  const std::string along = m.floats("VEC4", {1, 0, 0, 1, 1, 0, 0, -1, 0, 1, 0, 1});
  const std::string times = m.floats("SCALAR", {0, 1}), shapes = m.floats("SCALAR", {0, 1, 1, 0});
  const std::string splines = m.floats("SCALAR", {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0});
  const auto animation = [&](const std::string& sampler) {
    m.add("animations", R"({"channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}],"samplers":[{"input":)" +
                            times + sampler + "}]}");
  };
  animation(R"(,"output":)" + shapes);
  animation(R"(,"interpolation":"CUBICSPLINE","output":)" + splines);
  return with_mesh(std::move(m),
                   primitive(R"("POSITION":)" + corners + R"(,"NORMAL":)" + up + R"(,"TANGENT":)" + along,
                             R"(,"targets":[{"POSITION":)" + up + R"(,"NORMAL":)" + corners + R"(,"TANGENT":)" + up +
                                 R"(},{"POSITION":)" + corners + "}]"),
                   R"(,"weights":[0.5,0.25],"extras":{"targetNames":["smile"]})");
}

// Exceptions over values, over zeros, and zeros alone.
SeedModel sparse() {
  SeedModel m;
  const std::uint8_t where[] = {1, 3};
  const float values[] = {5, 5, 5, 6, 6, 6};
  const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  const std::string exceptions = R"(,"sparse":{"count":2,"indices":{"componentType":5121,"bufferView":)" +
                                 m.view(std::as_bytes(std::span(where))) + R"(},"values":{"bufferView":)" +
                                 m.view(std::as_bytes(std::span(values))) + "}}";
  const std::string view = m.view(std::as_bytes(std::span(corners)));
  const std::string over_values = m.accessor(view, 5126, "VEC3", 4, exceptions);
  const std::string over_zeros = m.accessor("", 5126, "VEC3", 4, exceptions), zeros = m.accessor("", 5126, "VEC3", 4);
  return with_mesh(std::move(m), primitive(R"("POSITION":)" + over_values + R"(,"NORMAL":)" + over_zeros) + "," +
                                     primitive(R"("POSITION":)" + zeros));
}

// KHR_mesh_quantization: small integers, normalised or not, interleaved.
SeedModel quantized() {
  SeedModel m;
  m.set("extensionsUsed", R"(["KHR_mesh_quantization"])");
  m.set("extensionsRequired", R"(["KHR_mesh_quantization"])");
  // Three vertices of 24 bytes: position 3 x i16, normal 3 x i8, uv 2 x u16, joints 4 x u8, weights 4 x u8.
  std::vector<std::uint8_t> rows(72);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint8_t>(37 * i);
  for (std::size_t v = 0; v < 3; ++v) {
    for (std::size_t i = 16; i < 24; ++i) rows[24 * v + i] = i == 20 ? 255 : 0;
  }
  const std::string view = m.view(std::as_bytes(std::span(rows)), R"(,"byteStride":24)");
  const auto part = [&](int component, const char* type, int offset, bool normalized) {
    return m.accessor(view, component, type, 3,
                      R"(,"byteOffset":)" + std::to_string(offset) + (normalized ? R"(,"normalized":true)" : ""));
  };
  const std::string attributes = R"("POSITION":)" + part(5122, "VEC3", 0, true) + R"(,"NORMAL":)" +
                                 part(5120, "VEC3", 8, true) + R"(,"TEXCOORD_0":)" + part(5123, "VEC2", 12, true) +
                                 R"(,"JOINTS_0":)" + part(5121, "VEC4", 16, false) + R"(,"WEIGHTS_0":)" +
                                 part(5121, "VEC4", 20, true);
  const std::string times = m.floats("SCALAR", {0, 1});
  const std::string turns = m.shorts("VEC4", {0, 0, 0, 65535, 65535, 0, 0, 0}, R"(,"normalized":true)");
  m.add("animations", R"({"channels":[{"sampler":0,"target":{"node":0,"path":"rotation"}}],"samplers":[{"input":)" +
                          times + R"(,"output":)" + turns + "}]}");
  m.add("skins", R"({"joints":[0]})");
  m.add("meshes", R"({"primitives":[)" + primitive(attributes) + "]}");
  m.add("nodes", R"({"mesh":0,"skin":0})");
  return m;
}

// Every mode, with and without indices, of one set of vertices.
SeedModel topologies() {
  SeedModel m;
  const std::string positions = m.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 0, 0});
  const std::string few = m.bytes("SCALAR", {0, 1, 2, 3, 4});
  std::string primitives;
  for (int mode = 0; mode < 7; ++mode) {
    primitives +=
        (mode == 0 ? "" : ",") + primitive(R"("POSITION":)" + positions, R"(,"mode":)" + std::to_string(mode)) + "," +
        primitive(R"("POSITION":)" + positions, R"(,"indices":)" + few + R"(,"mode":)" + std::to_string(mode));
  }
  return with_mesh(std::move(m), primitives);
}

SeedModel materials() {
  SeedModel m;
  m.set("extensionsUsed", R"(["KHR_texture_transform","KHR_materials_unlit","EXT_texture_webp"])");
  const std::uint8_t picture[] = {0x89, 'P', 'N', 'G', 1, 2, 3, 4, 5};
  m.add("images", R"({"mimeType":"image/png","bufferView":)" + m.view(std::as_bytes(std::span(picture))) + "}");
  m.add("images", R"({"uri":"data:image/jpeg;base64,/9j/2Q==","name":"inside"})");
  m.add("images", R"({"uri":"missing"})");
  m.add("images", R"({"uri":"../outside.png"})");
  m.add("images", R"({})");
  m.add("samplers", R"({"wrapS":33071,"wrapT":33648,"magFilter":9728})");
  m.add("textures", R"({"source":0,"sampler":0})");
  m.add("textures", R"({"extensions":{"EXT_texture_webp":{"source":1}}})");
  m.add("materials", R"({"name":"skin","pbrMetallicRoughness":{"baseColorFactor":[1,0.5,0.25,1],"baseColorTexture":
      {"index":0,"texCoord":1,"extensions":{"KHR_texture_transform":
      {"offset":[0.5,0],"rotation":1.5,"scale":[2,2],"texCoord":0}}},
      "metallicFactor":0,"roughnessFactor":0.9},"emissiveFactor":[0,0,1],"alphaMode":"MASK","alphaCutoff":0.3,
      "doubleSided":true,"extensions":{"KHR_materials_unlit":{}}})");
  m.add("materials", R"({"pbrMetallicRoughness":{"baseColorTexture":{"index":1}},"alphaMode":"BLEND"})");
  const std::string positions = m.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const std::string uvs = m.floats("VEC2", {0, 0, 1, 0, 0, 1});
  const std::string opaque = m.bytes("VEC3", {255, 0, 0, 0, 255, 0, 0, 0, 255}, R"(,"normalized":true)");
  const std::string colors = m.floats("VEC4", {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0});
  const std::string uv_sets = R"("POSITION":)" + positions + R"(,"TEXCOORD_0":)" + uvs + R"(,"TEXCOORD_1":)" + uvs;
  return with_mesh(std::move(m), primitive(uv_sets + R"(,"COLOR_0":)" + opaque, R"(,"material":0)") + "," +
                                     primitive(uv_sets + R"(,"COLOR_0":)" + colors, R"(,"material":1)") + "," +
                                     primitive(R"("TEXCOORD_0":)" + uvs));
}

}  // namespace

void add_mesh_seeds(std::vector<Seed>& out) {
  out.push_back({"morph", morph()});
  out.push_back({"sparse", sparse()});
  out.push_back({"quantized", quantized()});
  out.push_back({"topologies", topologies()});
  out.push_back({"materials", materials()});
}

}  // namespace marrow::fuzz
