#include "clip_facts.h"
#include "image_size.h"
#include "info.h"
#include "model_facts.h"
#include "src/text/text.h"

namespace marrow::tool {
namespace {

void write_index(JsonWriter& json, const char* key, std::int32_t index) {
  json.key(key);
  if (index == kNone) {
    json.null();
  } else {
    json.value(index);
  }
}

void write_name(JsonWriter& json, std::string_view name) { json.member("name", name); }

void write_nodes(JsonWriter& json, const Model& model) {
  json.key("nodes").array();
  for (std::size_t n = 0; n < model.nodes().size(); ++n) {
    const ModelNode& node = model.nodes()[n];
    json.object().member("node", n);
    write_name(json, node.name);
    write_index(json, "parent", node.parent);
    write_index(json, "joint", node.joint);
    write_index(json, "mesh", node.mesh);
    write_index(json, "skin", node.skin);
    const std::uint32_t morphs =
        node.joint == kNone ? 0 : model.skeleton().morph_count(static_cast<std::uint32_t>(node.joint));
    json.member("morphs", morphs).member("shown", node.shown).end();
  }
  json.end();
}

void write_skins(JsonWriter& json, const Model& model, const ModelFacts& facts) {
  json.key("skins").array();
  for (std::size_t s = 0; s < model.skins().size(); ++s) {
    json.object().member("skin", s);
    write_name(json, model.skins()[s].name());
    json.key("joints").array();
    for (const std::uint32_t joint : model.skins()[s].joints()) json.value(facts.node_of_joint[joint]);
    json.end().key("nodes").array();
    for (const std::uint32_t node : facts.nodes_of_skin[s]) json.value(node);
    json.end().end();
  }
  json.end();
}

void write_clips(JsonWriter& json, const Model& model) {
  json.key("clips").array();
  for (std::size_t i = 0; i < model.clips().size(); ++i) {
    const ClipFacts facts = clip_facts(model.skeleton(), model.clips()[i]);
    json.object().member("clip", i);
    write_name(json, model.clips()[i].name());
    json.member("seconds", facts.seconds).key("keys_per_second");
    if (facts.keys_per_second) {
      json.value(*facts.keys_per_second);
    } else {
      json.null();
    }
    json.member("tracks", facts.tracks).member("morph_tracks", facts.morph_tracks);
    json.member("constant_tracks", facts.constant_tracks).member("keys", facts.keys);
    json.member("moved_joints", facts.moved_joints).member("memory_bytes", facts.bytes).end();
  }
  json.end();
}

const char* to_string(Topology topology) {
  switch (topology) {
    case Topology::triangles: return "triangles";
    case Topology::lines: return "lines";
    case Topology::points: return "points";
  }
  return "";
}

void write_meshes(JsonWriter& json, const Model& model) {
  json.key("meshes").array();
  for (std::size_t i = 0; i < model.meshes().size(); ++i) {
    const Mesh& mesh = model.meshes()[i];
    json.object().member("mesh", i);
    write_name(json, mesh.name);
    json.key("parts").array();
    for (const MeshPart& part : mesh.parts) {
      const Vertices& vertices = *part.vertices;
      json.object().member("topology", to_string(part.topology)).member("vertices", vertices.positions.size());
      json.member("indices", part.indices.size()).member("influences", vertices.influences);
      json.member("uv_sets", vertices.uvs.size()).member("normals", !vertices.normals.empty());
      json.member("tangents", !vertices.tangents.empty()).member("colors", !vertices.colors.empty());
      write_index(json, "material", part.material);
      json.end();
    }
    json.end().key("morphs").array();
    for (const std::string& name : mesh.morph_names) json.value(std::string_view(name));
    json.end().end();
  }
  json.end();
}

void write_materials(JsonWriter& json, const Model& model) {
  json.key("materials").array();
  for (std::size_t i = 0; i < model.materials().size(); ++i) {
    const Material& material = model.materials()[i];
    json.object().member("material", i);
    write_name(json, material.name);
    json.key("base_color").values({&material.base_color.x, 4});
    write_index(json, "image", material.base_color_texture.image);
    const char* const alpha = material.alpha_mode == AlphaMode::mask    ? "mask"
                              : material.alpha_mode == AlphaMode::blend ? "blend"
                                                                        : "opaque";
    json.member("alpha", alpha).member("alpha_cutoff", material.alpha_cutoff);
    json.member("double_sided", material.double_sided).member("unlit", material.unlit).end();
  }
  json.end();
}

void write_images(JsonWriter& json, const Model& model) {
  json.key("images").array();
  for (std::size_t i = 0; i < model.images().size(); ++i) {
    const Image& image = model.images()[i];
    const std::optional<ImageSize> size = image_size(image.bytes);
    json.object().member("image", i);
    write_name(json, image.name);
    json.member("mime_type", std::string_view(image.mime_type)).member("uri", std::string_view(image.uri));
    json.member("bytes", image.bytes.size());
    json.member("width", size ? size->width : 0).member("height", size ? size->height : 0).end();
  }
  json.end();
}

}  // namespace

void write_info_json(const FileFacts& file, const LoadedModel& loaded) {
  const Model& model = loaded.model;
  const ModelFacts facts(model);
  JsonWriter json;
  json.object().member("file", std::string_view(file.path)).member("bytes", file.bytes);
  write_name(json, model.name());
  json.member("up", model.up() == Up::z ? "z" : "y").key("bounds");
  if (is_empty(facts.box)) {
    json.null();
  } else {
    json.object().key("min").values({&facts.box.low.x, 3}).key("max").values({&facts.box.high.x, 3}).end();
  }
  json.member("joints", model.skeleton().joint_count());
  json.member("vertices", facts.vertices).member("triangles", facts.triangles);
  write_nodes(json, model);
  write_skins(json, model, facts);
  write_clips(json, model);
  write_meshes(json, model);
  write_materials(json, model);
  write_images(json, model);
  json.key("warnings").array();
  for (const Warning& warning : loaded.warnings) {
    json.object().member("place", std::string_view(to_string(warning.place)));
    json.member("message", std::string_view(warning.message)).end();
  }
  json.end().end();
}

}  // namespace marrow::tool
