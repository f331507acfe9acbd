// Builds glTF files for tests: JSON as nlohmann has it, and one buffer that accessors are added to.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "marrow/gltf/reader.h"

namespace marrow::test {

using Json = nlohmann::json;

// Numbers of glTF's component types.
template <typename T>
constexpr int kComponent = 0;
template <>
inline constexpr int kComponent<std::int8_t> = 5120;
template <>
inline constexpr int kComponent<std::uint8_t> = 5121;
template <>
inline constexpr int kComponent<std::int16_t> = 5122;
template <>
inline constexpr int kComponent<std::uint16_t> = 5123;
template <>
inline constexpr int kComponent<std::uint32_t> = 5125;
template <>
inline constexpr int kComponent<float> = 5126;

struct FileBuilder {
  Json json = {{"asset", {{"version", "2.0"}}}};
  std::vector<std::byte> buffer;

  // Adds bytes and a view of them; returns the view's number.
  template <typename T>
  std::size_t view(const std::vector<T>& values) {
    while (buffer.size() % 4 != 0) buffer.push_back({});
    const std::size_t at = buffer.size();
    buffer.resize(at + values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(buffer.data() + at, values.data(), values.size() * sizeof(T));
    json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", at}, {"byteLength", values.size() * sizeof(T)}});
    return json["bufferViews"].size() - 1;
  }

  // Adds an accessor of all the values; returns its number.
  template <typename T>
  std::size_t accessor(const std::vector<T>& values, const char* type, bool normalized = false) {
    const std::string name = type;
    const std::size_t components = name == "SCALAR" ? 1 : name == "MAT4" ? 16 : static_cast<std::size_t>(name[3] - '0');
    Json a = {{"bufferView", view(values)},
              {"componentType", kComponent<T>},
              {"count", values.size() / components},
              {"type", type}};
    if (normalized) a["normalized"] = true;
    json["accessors"].push_back(a);
    return json["accessors"].size() - 1;
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
    std::vector<std::byte> padded = buffer;
    while (padded.size() % 4 != 0) padded.push_back({});
    if (!whole.contains("buffers") && !buffer.empty())
      whole["buffers"] = Json::array({{{"byteLength", buffer.size()}}});
    std::string text = whole.dump();
    while (text.size() % 4 != 0) text.push_back(' ');
    std::vector<std::byte> out;
    const auto word = [&](std::size_t value) {
      for (unsigned i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
    };
    word(0x46546c67u);
    word(2);
    word(12 + 8 + text.size() + (padded.empty() ? 0 : 8 + padded.size()));
    word(text.size());
    word(0x4e4f534au);
    for (const char c : text) out.push_back(static_cast<std::byte>(c));
    if (!padded.empty()) {
      word(padded.size());
      word(0x004e4942u);
      out.insert(out.end(), padded.begin(), padded.end());
    }
    return out;
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
