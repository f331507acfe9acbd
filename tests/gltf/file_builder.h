// Builds glTF files for tests: JSON as nlohmann has it, and one buffer that accessors are added to.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "fixtures/gltf_file.h"
#include "marrow/gltf/reader.h"

namespace marrow::test {

using Json = nlohmann::json;

struct FileBuilder {
  Json json = {{"asset", {{"version", "2.0"}}}};
  std::vector<std::byte> buffer;

  // Adds bytes and a view of them; returns the view's number.
  template <typename T>
  std::size_t view(const std::vector<T>& values) {
    return add("bufferViews", "{" + gltf_file::place(buffer, std::as_bytes(std::span(values))) + "}");
  }

  // Adds an accessor of all the values; returns its number.
  template <typename T>
  std::size_t accessor(const std::vector<T>& values, const char* type, bool normalized = false) {
    return add("accessors", gltf_file::accessor(std::to_string(view(values)), gltf_file::kComponentType<T>, type,
                                                values.size() / gltf_file::component_count(type),
                                                normalized ? R"(,"normalized":true)" : ""));
  }

  // Adds a node; returns its number.
  std::size_t node(const Json& object) {
    json["nodes"].push_back(object.is_null() ? Json::object() : object);
    return json["nodes"].size() - 1;
  }

  // Adds a mesh of one primitive; returns its number.
  std::size_t mesh(const Json& attributes, const Json& more = Json::object()) {
    Json primitive = more;
    primitive["attributes"] = attributes;
    json["meshes"].push_back({{"primitives", Json::array({primitive})}});
    return json["meshes"].size() - 1;
  }

  // Adds a channel to the last animation, which is made if there is none.
  void channel(std::size_t node, const char* path, std::size_t input, std::size_t output, const char* how = "LINEAR") {
    if (!json.contains("animations"))
      json["animations"].push_back({{"channels", Json::array()}, {"samplers", Json::array()}});
    Json& animation = json["animations"].back();
    animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", how}});
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  // The file as a .glb.
  [[nodiscard]] std::vector<std::byte> glb() const {
    Json whole = json;
    if (!whole.contains("buffers") && !buffer.empty())
      whole["buffers"] = Json::array({{{"byteLength", buffer.size()}}});
    return gltf_file::join_glb({whole.dump(), buffer, !buffer.empty()});
  }

  [[nodiscard]] Result<LoadedModel> read(const LoadOptions& options = {}) const {
    return read_gltf(glb(), {}, options);
  }

  // The model; a test that asks for one that cannot be read has failed.
  [[nodiscard]] Model model(const LoadOptions& options = {}) const {
    const Result<LoadedModel> loaded = read(options);
    if (!loaded) throw std::runtime_error(to_string(loaded.error()));
    return loaded->model;
  }

  // The error as text; empty if there is none.
  [[nodiscard]] std::string error(const LoadOptions& options = {}) const {
    const Result<LoadedModel> loaded = read(options);
    return loaded ? "" : to_string(loaded.error());
  }

  // The warnings as lines of text.
  [[nodiscard]] std::string warnings(const LoadOptions& options = {}) const {
    const Result<LoadedModel> loaded = read(options);
    if (!loaded) return "error: " + to_string(loaded.error());
    std::string out;
    for (const Warning& warning : loaded->warnings) out += to_string(warning) + "\n";
    return out;
  }

 private:
  std::size_t add(const char* table, const std::string& text) {
    json[table].push_back(Json::parse(text));
    return json[table].size() - 1;
  }
};

inline LoadOptions y_up() {
  LoadOptions options;
  options.up = Up::y;
  return options;
}

// A triangle of two joints with a clip that bends it: what most tests begin with. Nodes: 0 root, 1 tip, 2 the mesh.
inline FileBuilder skinned_triangle() {
  FileBuilder file;
  file.node({{"name", "root"}, {"children", {1}}, {"translation", {0, 1, 0}}});
  file.node({{"name", "tip"}, {"translation", {0, 2, 0}}});
  const std::size_t positions = file.accessor<float>({0, 1, 0, 1, 1, 0, 0, 3, 0}, "VEC3");
  const std::size_t joints = file.accessor<std::uint8_t>({0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  const std::size_t weights = file.accessor<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  const std::size_t binds = file.accessor<float>(
      {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -3, 0, 1}, "MAT4");
  file.mesh({{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}});
  file.json["skins"] = Json::array({{{"joints", {0, 1}}, {"inverseBindMatrices", binds}}});
  file.node({{"name", "body"}, {"mesh", 0}, {"skin", 0}});
  const std::size_t times = file.accessor<float>({0, 1}, "SCALAR");
  const std::size_t turns = file.accessor<float>({0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f}, "VEC4");
  file.channel(0, "rotation", times, turns);
  return file;
}

}  // namespace marrow::test
