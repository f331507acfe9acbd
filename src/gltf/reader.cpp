#include "marrow/gltf/reader.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "marrow/model/model_file.h"
#include "src/gltf/animations.h"
#include "src/gltf/file.h"
#include "src/gltf/glb.h"
#include "src/gltf/imports.h"
#include "src/gltf/materials.h"
#include "src/gltf/meshes.h"

namespace marrow {
namespace {

// Where things of the model are in the file.
struct Sources {
  std::vector<std::vector<TrackSource>> tracks;
  std::vector<std::vector<std::uint32_t>> primitives;  // of the parts of each mesh
};

bool read_parts(const GltfDocument& document, Buffers& buffers, Load& load, ModelParts& parts, Sources& sources) {
  Accessors accessors(document, buffers, load);
  GltfNodes nodes;
  std::vector<GltfAnimation> animations;
  std::vector<bool> moved(document.nodes.size(), false);
  if (!read_nodes(document, load, nodes)) return false;
  if (!mark_skin_joints(document, load, moved)) return false;
  if (!read_animations(document, nodes, load, animations, moved)) return false;
  if (!make_skeleton(std::move(moved), load, nodes, parts.skeleton)) return false;
  if (!read_skins(document, nodes, parts.skeleton, accessors, load, parts.skins)) return false;
  if (!make_clips(animations, nodes, parts.skeleton, accessors, load, parts.clips, sources.tracks)) return false;
  parts.nodes = std::move(nodes.nodes);
  if (!load.options().meshes) {
    for (ModelNode& node : parts.nodes) node.mesh = node.skin = kNone;
    return true;
  }
  return read_materials(document, load, parts.materials) && read_images(document, buffers, load, parts.images) &&
         read_meshes(document, buffers, accessors, load, parts.meshes, sources.primitives);
}

// Nodes whose mesh cannot follow a skin, or could but has none.
void look_at_skins(const ModelParts& parts, Load& load) {
  struct Found {
    bool with = false, without = false;
  };
  std::vector<Found> found(parts.meshes.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const MeshPart& part : parts.meshes[i].parts) {
      (part.vertices->influences > 0 ? found[i].with : found[i].without) = true;
    }
  }
  for (std::size_t i = 0; i < parts.nodes.size(); ++i) {
    const ModelNode& node = parts.nodes[i];
    if (node.mesh == kNone) continue;
    const PlacePath path("nodes", i);
    const auto [with, without] = found[static_cast<std::size_t>(node.mesh)];
    if (node.skin != kNone && without) {
      load.warn("the node has a skin, but vertices of its mesh have no joints; they follow the node", path, "skin");
    }
    if (node.skin == kNone && with) {
      load.warn("the mesh of the node has joints and weights, but the node has no skin; it is not deformed", path,
                "mesh");
    }
  }
}

// Returns the place in the file of a place in the model: /meshes/0/primitives/2 for meshes/0/parts/1.
Place place_in_file(const Place& place, const Sources& sources) {
  const std::optional<std::size_t> mesh = place.index_in(0, "meshes"), part = place.index_in(1, "parts");
  if (!mesh || !part) return place.within(Place::document());
  const std::uint32_t primitive = sources.primitives[*mesh][*part];
  return place.without_first(2).within(Place::document() / "meshes" / *mesh / "primitives" / primitive);
}

Result<LoadedModel> read(std::span<const std::byte> bytes, const Resolver& resolver, const LoadOptions& options,
                         const std::string& name) {
  Load load(options);
  if (options.memory_limit == 0) load.allow(kLeastAllowance + kAllowancePerByte * bytes.size());
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::optional<std::span<const std::byte>> binary;
  if (bytes.empty()) return Error{ErrorCode::malformed, "not a glTF file: it is empty", ""};
  if (is_glb(bytes)) {
    const Result<GlbParts> parts = read_glb(bytes);
    if (!parts) return parts.error();
    text = parts->json;
    if (parts->has_binary) binary = parts->binary;
  }
  GltfDocument document;
  if (!GltfDocument::read(text, load, document)) return load.error();
  Buffers buffers(document, binary, resolver, load);
  ModelParts parts;
  parts.name = name;
  parts.up = options.up;
  Sources sources;
  if (!read_parts(document, buffers, load, parts, sources)) return load.error();
  look_at_skins(parts, load);
  Result<Model> model = Model::create(std::move(parts));
  if (!model) {
    return Error{model.error().code, model.error().message, place_in_file(model.error().place, sources)};
  }
  if (!options.thorough) sources = {};
  return LoadedModel{*model, load.take_warnings(), std::move(sources.tracks), std::move(sources.primitives)};
}

// Returns the model without the parts that the options leave out. It needs no check: the rest of a valid model is
// valid.
Result<Model> stripped_model(const Model& model, const LoadOptions& options) {
  const std::span<const Image> images = model.images();
  const bool has_bytes = std::any_of(images.begin(), images.end(), [](const Image& i) { return !i.bytes.empty(); });
  if (options.meshes && (options.images || !has_bytes)) return model;
  ModelParts parts = model.parts();
  for (Image& image : parts.images) image.bytes = {};
  if (!options.meshes) {
    for (ModelNode& node : parts.nodes) node.mesh = node.skin = kNone;
    parts.meshes.clear();
    parts.materials.clear();
    parts.images.clear();
  }
  return restore_model(std::move(parts));
}

// Reads a model file, without the parts that the options leave out.
Result<LoadedModel> from_model_file(const SharedBytes& file, const LoadOptions& options) {
  const Result<Model> whole = read_model_file(file, {options.verify, options.memory_limit, options.up});
  if (!whole) return whole.error();
  const Result<Model> model = stripped_model(*whole, options);
  if (!model) return model.error();
  return LoadedModel{*model, {}};
}

// Reads the bytes of a file at a path, and the files beside it.
Result<LoadedModel> from_gltf_file(const std::string& path, const SharedBytes& file, const LoadOptions& options) {
  const Resolver resolver = files_beside(path, options.outside);
  const std::string name = model_name(path);
  return exactly([&] { return read(file.bytes, resolver, options, name); });
}

}  // namespace

Result<LoadedModel> load_gltf(const std::string& path, const LoadOptions& options) {
  const Result<SharedBytes> file = read_file(path);
  if (!file) return file.error();
  return from_gltf_file(path, *file, options);
}

Result<LoadedModel> load_model(const std::string& path, const LoadOptions& options) {
  const Result<SharedBytes> file = read_file(path);
  if (!file) return file.error();
  return is_model_file(file->bytes) ? from_model_file(*file, options) : from_gltf_file(path, *file, options);
}

Result<LoadedModel> read_model(const SharedBytes& file, const Resolver& resolver, const LoadOptions& options) {
  return is_model_file(file.bytes) ? from_model_file(file, options) : read_gltf(file.bytes, resolver, options);
}

Result<LoadedModel> read_gltf(std::span<const std::byte> bytes, const Resolver& resolver, const LoadOptions& options) {
  return exactly([&] { return read(bytes, resolver, options, ""); });
}

}  // namespace marrow
