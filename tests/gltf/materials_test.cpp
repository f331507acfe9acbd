#include "src/gltf/materials.h"

#include <doctest/doctest.h>

#include "gltf/file_builder.h"

namespace marrow {
namespace {

using test::FileBuilder;
using test::Json;

TEST_CASE("materials have what a plain renderer needs") {
  FileBuilder file;
  const std::size_t picture = file.view<std::uint8_t>({1, 2, 3});
  file.json["images"] = Json::array({{{"bufferView", picture}, {"mimeType", "image/png"}, {"name", "skin"}},
                                     {{"uri", "data:image/jpeg;base64,AQID"}}});
  file.json["samplers"] = Json::array({{{"wrapS", 33071}, {"wrapT", 33648}, {"magFilter", 9728}}});
  file.json["textures"] = Json::array({{{"source", 0}, {"sampler", 0}}, {{"source", 1}}});
  file.json["materials"] =
      Json::array({{{"name", "cloth"},
                    {"alphaMode", "MASK"},
                    {"alphaCutoff", 0.25},
                    {"doubleSided", true},
                    {"extensions", {{"KHR_materials_unlit", Json::object()}}},
                    {"pbrMetallicRoughness",
                     {{"baseColorFactor", {0.5, 0.25, 1, 0.75}},
                      {"metallicFactor", 0},
                      {"baseColorTexture",
                       {{"index", 0},
                        {"texCoord", 1},
                        {"extensions",
                         {{"KHR_texture_transform",
                           {{"offset", {0.5, 0}}, {"rotation", 1.5}, {"scale", {2, 3}}, {"texCoord", 2}}}}}}}}}},
                   {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 1}}}}}}});
  const Model model = file.model();
  const Material& cloth = model.materials()[0];
  CHECK(cloth.name == "cloth");
  CHECK(cloth.base_color.y == 0.25f);
  CHECK(cloth.base_color.w == 0.75f);
  CHECK(cloth.metallic == 0);
  CHECK(cloth.roughness == 1);
  CHECK(cloth.alpha_mode == AlphaMode::mask);
  CHECK(cloth.alpha_cutoff == 0.25f);
  CHECK(cloth.double_sided);
  CHECK(cloth.unlit);
  const TextureUse& texture = cloth.base_color_texture;
  CHECK(texture.image == 0);
  CHECK(texture.uv_set == 2);
  CHECK(texture.wrap_u == Wrap::clamp);
  CHECK(texture.wrap_v == Wrap::mirror);
  CHECK(texture.nearest);
  CHECK(texture.offset.x == 0.5f);
  CHECK(texture.rotation == 1.5f);
  CHECK(texture.scale.y == 3);
  CHECK(model.materials()[1].base_color_texture.image == 1);
  CHECK(model.materials()[1].base_color_texture.scale.x == 1);
  CHECK(model.images()[0].bytes.size() == 3);
  CHECK(model.images()[0].name == "skin");
  CHECK(model.images()[1].mime_type == "image/jpeg");
  CHECK(model.images()[1].bytes == std::vector<std::byte>{std::byte{1}, std::byte{2}, std::byte{3}});
  LoadOptions without;
  without.images = false;
  CHECK(file.model(without).images()[0].bytes.empty());
}

TEST_CASE("an image that cannot be had is a warning, a number out of range an error") {
  FileBuilder file;
  file.json["images"] = Json::array({{{"uri", "skin.png"}}, {{"uri", "../skin.png"}}, Json::object()});
  const std::string warnings = file.warnings();
  CHECK(warnings.find("/images/0/uri: the image is left out: \"skin.png\" is outside the file") != std::string::npos);
  CHECK(warnings.find("/images/1/uri: the image is left out: \"../skin.png\" is not inside the folder") !=
        std::string::npos);
  CHECK(warnings.find("/images/2: the image has neither a uri nor a buffer view") != std::string::npos);
  CHECK(file.model().images()[0].uri == "skin.png");
  file.json["materials"] = Json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}});
  CHECK(file.error() ==
        "/materials/0/pbrMetallicRoughness/baseColorTexture/index: there is no texture 0; the file has 0");
  file.json["textures"] = Json::array({{{"source", 3}}});
  CHECK(file.error() == "/textures/0/source: there is no image 3; the file has 3");
}

}  // namespace
}  // namespace marrow
