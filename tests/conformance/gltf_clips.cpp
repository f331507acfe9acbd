#include "conformance/gltf_clips.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "marrow/anim/clip_keys.h"

namespace marrow::test {
namespace {

using Json = nlohmann::json;

std::vector<char> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<float> read_floats(const Json& gltf, const std::vector<char>& buffer, std::size_t accessor_index) {
  const Json& accessor = gltf.at("accessors").at(accessor_index);
  const Json& view = gltf.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
  const std::string type = accessor.at("type");
  if (accessor.at("componentType") != 5126 || view.contains("byteStride") || accessor.contains("sparse")) {
    throw std::runtime_error("accessor " + std::to_string(accessor_index) + " is not one of plain floats");
  }
  const std::size_t parts = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 16;
  std::vector<float> floats(accessor.at("count").get<std::size_t>() * parts);
  const std::size_t offset = view.value("byteOffset", std::size_t{0}) + accessor.value("byteOffset", std::size_t{0});
  if (offset + floats.size() * sizeof(float) > buffer.size()) throw std::runtime_error("the buffer is too short");
  std::memcpy(floats.data(), buffer.data() + offset, floats.size() * sizeof(float));
  return floats;
}

Vec3 to_vec3(const Json& v) { return {v[0].get<float>(), v[1].get<float>(), v[2].get<float>()}; }

}  // namespace

GltfClips read_gltf_clips(const std::string& path) {
  const std::vector<char> text = read_file(path);
  const Json gltf = Json::parse(text.begin(), text.end());
  const std::string folder = path.substr(0, path.find_last_of('/') + 1);
  const std::vector<char> buffer = read_file(folder + gltf.at("buffers").at(0).at("uri").get<std::string>());

  const Json& nodes = gltf.at("nodes");
  std::vector<std::string> names(nodes.size());
  std::vector<std::vector<std::uint32_t>> children(nodes.size());
  std::vector<JointDesc> joints(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Json& node = nodes[i];
    names[i] = node.value("name", "");
    joints[i].name = names[i];
    if (node.contains("children")) children[i] = node["children"].get<std::vector<std::uint32_t>>();
    joints[i].children = children[i];
    if (node.contains("translation")) joints[i].rest.translation = to_vec3(node["translation"]);
    if (node.contains("scale")) joints[i].rest.scale = to_vec3(node["scale"]);
    if (node.contains("rotation")) {
      const Json& r = node["rotation"];
      joints[i].rest.rotation = {r[0].get<float>(), r[1].get<float>(), r[2].get<float>(), r[3].get<float>()};
    }
  }
  const SkeletonBuild build = Skeleton::create(joints).value();

  GltfClips result{build.skeleton, {}};
  for (const Json& animation : gltf.at("animations")) {
    ClipKeys keys{animation.value("name", ""), 0, {}};
    for (const Json& channel : animation.at("channels")) {
      const Json& sampler = animation.at("samplers").at(channel.at("sampler").get<std::size_t>());
      const std::string target = channel.at("target").at("path");
      const std::string how = sampler.value("interpolation", "LINEAR");
      TrackKeys track;
      track.joint = build.joint_of_input[channel.at("target").at("node").get<std::size_t>()];
      track.property = target == "translation" ? Property::translation
                       : target == "rotation"  ? Property::rotation
                                               : Property::scale;
      track.interpolation = how == "STEP"     ? Interpolation::step
                            : how == "LINEAR" ? Interpolation::linear
                                              : Interpolation::cubic_spline;
      track.times = read_floats(gltf, buffer, sampler.at("input").get<std::size_t>());
      track.values = read_floats(gltf, buffer, sampler.at("output").get<std::size_t>());
      keys.duration = std::max(keys.duration, static_cast<double>(track.times.back()));
      keys.tracks.push_back(std::move(track));
    }
    result.clips.push_back(make_clip(build.skeleton, keys).value());
  }
  return result;
}

}  // namespace marrow::test
