#include "src/gltf/document.h"

#include <algorithm>

namespace marrow {
namespace {

// The most things of one kind. Files made by people have thousands.
constexpr std::uint32_t kMaxElements = 1u << 20;

// Extensions that change what is read, all of them read.
constexpr std::string_view kRead[] = {
    "EXT_meshopt_compression", "KHR_animation_pointer",   "KHR_draco_mesh_compression", "KHR_materials_unlit",
    "KHR_mesh_quantization",   "KHR_meshopt_compression", "KHR_texture_transform",
};

// Extensions that change the looks alone, and lights, sounds and notes: a file that requires them still moves right.
// Names that end with _ stand for all that begin so.
constexpr std::string_view kLooksOnly[] = {
    "EXT_lights_",  "EXT_texture_",   "KHR_audio_emitter",     "KHR_environment_map",    "KHR_interactivity",
    "KHR_lights_",  "KHR_materials_", "KHR_node_hoverability", "KHR_node_selectability", "KHR_node_visibility",
    "KHR_texture_", "KHR_xmp",        "KHR_xmp_json_ld",       "MSFT_texture_dds",       "VRM",
    "VRMC_",
};

bool is_listed(std::string_view name, std::span<const std::string_view> list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view entry) {
    return entry.ends_with('_') ? name.starts_with(entry) : name == entry;
  });
}

bool check_version(JsonValue asset, Load& load) {
  const PlacePath path("asset");
  if (!asset.is(JsonKind::object)) return load.fail(ErrorCode::malformed, "not a glTF file: there is no asset", path);
  const JsonValue version = asset["version"], least = asset["minVersion"];
  if (!version.is(JsonKind::string)) {
    return load.fail(ErrorCode::malformed, "not a glTF file: it states no version", path, "version");
  }
  if (!version.string().starts_with("2.")) {
    return load.fail(ErrorCode::unsupported,
                     "glTF of version " + std::string(version.string()) + "; only 2 can be read", path, "version");
  }
  if (least.is(JsonKind::string) && least.string() != "2.0") {
    return load.fail(ErrorCode::unsupported,
                     "the file needs a reader of glTF " + std::string(least.string()) + "; this one reads 2.0", path,
                     "minVersion");
  }
  return true;
}

bool check_extensions(JsonValue used, JsonValue required, Load& load) {
  const PlacePath used_path("extensionsUsed"), required_path("extensionsRequired");
  if (!load.expect(used, JsonKind::array, used_path) || !load.expect(required, JsonKind::array, required_path)) {
    return false;
  }
  std::vector<std::string_view> warned;
  std::size_t i = 0;
  for (const JsonValue name : required.elements()) {
    const PlacePath path("extensionsRequired", i++);
    if (!load.expect(name, JsonKind::string, path)) return false;
    if (is_listed(name.string(), kRead)) continue;
    if (!is_listed(name.string(), kLooksOnly)) {
      return load.fail(
          ErrorCode::unsupported,
          "the file cannot be read without the extension " + std::string(name.string()) + ", which is not known", path);
    }
    load.warn("the extension " + std::string(name.string()) + " is required but not read; it changes the looks alone",
              path);
    warned.push_back(name.string());
  }
  i = 0;
  for (const JsonValue name : used.elements()) {
    const PlacePath path("extensionsUsed", i++);
    if (!load.expect(name, JsonKind::string, path)) return false;
    if (is_listed(name.string(), kRead) || is_listed(name.string(), kLooksOnly)) continue;
    load.warn("the extension " + std::string(name.string()) + " is not known and was passed over", path);
  }
  return true;
}

bool read_table(JsonValue array, std::string_view key, Load& load, std::vector<JsonValue>& out) {
  const PlacePath path(key);
  if (!load.expect(array, JsonKind::array, path)) return false;
  if (array.size() > kMaxElements) {
    return load.fail(
        ErrorCode::limit_exceeded,
        std::to_string(array.size()) + " are more than the " + std::to_string(kMaxElements) + " that can be read",
        path);
  }
  out.reserve(array.size());
  for (const JsonValue element : array.elements()) {
    const PlacePath at(key, out.size());
    if (!load.expect_entry(element, at)) return false;
    out.push_back(element);
  }
  return true;
}

}  // namespace

bool GltfDocument::read(std::string_view text, Load& load, GltfDocument& out) {
  Result<JsonDocument> json = JsonDocument::parse(text);
  if (!json) return load.fail(json.error());
  out.json = std::move(*json);
  const JsonValue root = out.json.root();
  if (!root.is(JsonKind::object)) return load.fail({ErrorCode::malformed, "not a glTF file: no JSON object", ""});
  if (!check_version(root["asset"], load)) return false;
  if (!check_extensions(root["extensionsUsed"], root["extensionsRequired"], load)) return false;
  out.scene = root["scene"];
  const struct {
    std::string_view key;
    std::vector<JsonValue>& table;
  } tables[] = {{"accessors", out.accessors},
                {"animations", out.animations},
                {"buffers", out.buffers},
                {"images", out.images},
                {"bufferViews", out.buffer_views},
                {"materials", out.materials},
                {"meshes", out.meshes},
                {"nodes", out.nodes},
                {"samplers", out.samplers},
                {"scenes", out.scenes},
                {"skins", out.skins},
                {"textures", out.textures}};
  for (const auto& [key, table] : tables) {
    if (!read_table(root[key], key, load, table)) return false;
  }
  return true;
}

}  // namespace marrow
