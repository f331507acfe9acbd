#include "src/gltf/materials.h"

#include "src/gltf/uri.h"

namespace marrow {
namespace {

constexpr std::uint32_t kClamp = 33071, kMirror = 33648, kNearest = 9728;

Wrap wrap_of(JsonValue value) {
  const double number = value.number();
  return number == kClamp ? Wrap::clamp : number == kMirror ? Wrap::mirror : Wrap::repeat;
}

// An image that cannot be had is a warning: the model moves without it.
bool read_image(JsonValue object, std::size_t index, const GltfDocument& document, Buffers& buffers, Load& load,
                Image& out) {
  const PlacePath path("images", index);
  JsonValue name, mime, uri, view;
  pick(object, {{"name", &name}, {"mimeType", &mime}, {"uri", &uri}, {"bufferView", &view}});
  out.name = name.string();
  out.mime_type = mime.string();
  if (uri.is(JsonKind::string)) {
    if (is_data_uri(uri.string())) {
      const std::string_view type = uri.string().substr(5, uri.string().find_first_of(";,") - 5);
      if (out.mime_type.empty()) out.mime_type = type;
    } else {
      out.uri = percent_decoded(uri.string());
    }
    if (!load.options().images) return true;
    Result<SharedBytes> bytes = buffers.resolve(uri.string());
    if (!bytes) {
      load.warn("the image is left out: " + bytes.error().message, path, "uri");
      return true;
    }
    if (!buffers.is_new(uri.string()) && !load.spend(bytes->bytes.size(), path)) return false;
    out.bytes.assign(bytes->bytes.begin(), bytes->bytes.end());
    return true;
  }
  std::int32_t number = kNone;
  if (!load.read_index(view, document.buffer_views.size(), "buffer view", number, path, "bufferView")) return false;
  if (number == kNone) {
    load.warn("the image has neither a uri nor a buffer view", path);
    return true;
  }
  if (!load.options().images) return true;
  BufferView found;
  if (!buffers.view(static_cast<std::size_t>(number), found)) return false;
  if (!load.spend(found.bytes.size(), path)) return false;
  out.bytes.assign(found.bytes.begin(), found.bytes.end());
  return true;
}

// The image of a texture: the plain one or, if there is none, that of an extension.
bool read_source(JsonValue texture, const GltfDocument& document, const PlacePath& path, Load& load,
                 std::int32_t& out) {
  JsonValue source = texture["source"];
  if (!source.present()) {
    const JsonValue extensions = texture["extensions"];
    const PlacePath extensions_path(path, "extensions");
    if (!load.expect_entry(extensions, extensions_path)) return false;
    for (const std::string_view name :
         {"KHR_texture_basisu", "EXT_texture_webp", "EXT_texture_avif", "MSFT_texture_dds"}) {
      if (source = extension(extensions, name)["source"]; source.present()) break;
    }
  }
  return load.read_index(source, document.images.size(), "image", out, path, "source");
}

bool read_texture(JsonValue info, const GltfDocument& document, const PlacePath& path, Load& load, TextureUse& out) {
  JsonValue index, uv_set, extensions;
  pick(info, {{"index", &index}, {"texCoord", &uv_set}, {"extensions", &extensions}});
  std::int32_t number = kNone;
  if (!load.read_index(index, document.textures.size(), "texture", number, path, "index")) return false;
  if (number == kNone) return true;
  if (!load.read(uv_set, 256, out.uv_set, path, "texCoord")) return false;
  const PlacePath texture_path("textures", static_cast<std::size_t>(number));
  const JsonValue texture = document.textures[static_cast<std::size_t>(number)];
  if (!read_source(texture, document, texture_path, load, out.image)) return false;
  std::int32_t sampler = kNone;
  if (!load.read_index(texture["sampler"], document.samplers.size(), "sampler", sampler, texture_path, "sampler")) {
    return false;
  }
  if (sampler != kNone) {
    JsonValue wrap_u, wrap_v, enlarged;
    pick(document.samplers[static_cast<std::size_t>(sampler)],
         {{"wrapS", &wrap_u}, {"wrapT", &wrap_v}, {"magFilter", &enlarged}});
    out.wrap_u = wrap_of(wrap_u);
    out.wrap_v = wrap_of(wrap_v);
    out.nearest = enlarged.number() == kNearest;
  }
  const PlacePath extensions_path(path, "extensions"), transform_path(extensions_path, "KHR_texture_transform");
  JsonValue offset, rotation, scale, other_set;
  pick(extension(extensions, "KHR_texture_transform"),
       {{"offset", &offset}, {"rotation", &rotation}, {"scale", &scale}, {"texCoord", &other_set}});
  return load.read_float(rotation, out.rotation, transform_path, "rotation") &&
         load.read_floats(offset, 2, &out.offset.x, transform_path, "offset") &&
         load.read_floats(scale, 2, &out.scale.x, transform_path, "scale") &&
         load.read(other_set, 256, out.uv_set, transform_path, "texCoord");
}

bool read_material(JsonValue object, const GltfDocument& document, const PlacePath& path, Load& load, Material& out) {
  JsonValue name, pbr, emissive, emissive_texture, alpha_mode, cutoff, double_sided, extensions;
  pick(object, {{"name", &name},
                {"pbrMetallicRoughness", &pbr},
                {"emissiveFactor", &emissive},
                {"emissiveTexture", &emissive_texture},
                {"alphaMode", &alpha_mode},
                {"alphaCutoff", &cutoff},
                {"doubleSided", &double_sided},
                {"extensions", &extensions}});
  JsonValue color, texture, metallic, roughness;
  pick(pbr, {{"baseColorFactor", &color},
             {"baseColorTexture", &texture},
             {"metallicFactor", &metallic},
             {"roughnessFactor", &roughness}});
  const PlacePath pbr_path(path, "pbrMetallicRoughness"), texture_path(pbr_path, "baseColorTexture");
  out.name = name.string();
  out.alpha_mode = alpha_mode.string() == "MASK"    ? AlphaMode::mask
                   : alpha_mode.string() == "BLEND" ? AlphaMode::blend
                                                    : AlphaMode::opaque;
  out.double_sided = double_sided.boolean();
  out.unlit = extension(extensions, "KHR_materials_unlit").present();
  return load.read_float(metallic, out.metallic, pbr_path, "metallicFactor") &&
         load.read_float(roughness, out.roughness, pbr_path, "roughnessFactor") &&
         load.read_float(cutoff, out.alpha_cutoff, path, "alphaCutoff") &&
         load.read_floats(color, 4, &out.base_color.x, pbr_path, "baseColorFactor") &&
         load.read_floats(emissive, 3, &out.emissive.x, path, "emissiveFactor") &&
         read_texture(texture, document, texture_path, load, out.base_color_texture) &&
         read_texture(emissive_texture, document, PlacePath(path, "emissiveTexture"), load, out.emissive_texture);
}

}  // namespace

bool read_images(const GltfDocument& document, Buffers& buffers, Load& load, std::vector<Image>& out) {
  out.resize(document.images.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!read_image(document.images[i], i, document, buffers, load, out[i])) return false;
  }
  return true;
}

bool read_materials(const GltfDocument& document, Load& load, std::vector<Material>& out) {
  out.resize(document.materials.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const PlacePath path("materials", i);
    if (!read_material(document.materials[i], document, path, load, out[i])) return false;
  }
  return true;
}

}  // namespace marrow
