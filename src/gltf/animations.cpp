#include "src/gltf/animations.h"

#include <charconv>

#include "src/anim/clip_data.h"
#include "src/gltf/axes.h"
#include "src/gltf/uri.h"

namespace marrow {
namespace {

std::optional<Property> property_of(std::string_view path) {
  if (path == "translation") return Property::translation;
  if (path == "rotation") return Property::rotation;
  if (path == "scale") return Property::scale;
  if (path == "weights") return Property::morph;
  return std::nullopt;
}

// The parts of a pointer such as "/nodes/3/translation".
struct Target {
  std::string_view table;
  std::size_t index = 0;
  std::string_view property;
};
std::optional<Target> parse_pointer(std::string_view pointer) {
  Target target;
  if (!pointer.starts_with('/')) return std::nullopt;
  const std::size_t second = pointer.find('/', 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::size_t third = pointer.find('/', second + 1);
  if (third == std::string_view::npos) return std::nullopt;
  target.table = pointer.substr(1, second - 1);
  target.property = pointer.substr(third + 1);
  const char* const end = pointer.data() + third;
  const auto [stop, error] = std::from_chars(pointer.data() + second + 1, end, target.index);
  if (error != std::errc() || stop != end) return std::nullopt;
  return target;
}

// The keys of a channel, and where they are if they are not in a buffer as they should be.
struct Keys {
  std::span<const float> times, values;
  std::vector<float> time_storage, value_storage;
  Interpolation interpolation = Interpolation::linear;
};

// What a channel costs while the clips are made. A few letters can make many: one that moves the weights of a mesh
// moves those of every node that shows it.
constexpr std::size_t kChannelBytes = sizeof(GltfChannel) + sizeof(Keys) + sizeof(TrackDesc);

class ChannelReader {
 public:
  ChannelReader(const GltfDocument& document, const GltfNodes& nodes, Load& load, std::vector<bool>& moved)
      : document_(document), nodes_(nodes), load_(load), moved_(moved) {}

  bool read(JsonValue channel, const JsonPath& path, GltfChannel common, GltfAnimation& out) {
    JsonValue sampler, target, node, property, extensions;
    pick(channel, {{"sampler", &sampler}, {"target", &target}});
    pick(target, {{"node", &node}, {"path", &property}, {"extensions", &extensions}});
    std::int32_t number = kNone;
    if (!load_.read_index(sampler, out.samplers.size(), "sampler", number, path, "sampler")) return false;
    if (number == kNone) return load_.fail(ErrorCode::malformed, "no sampler is stated", path, "sampler");
    common.sampler = static_cast<std::uint32_t>(number);
    const JsonPath target_path(path, "target");
    if (!target.is(JsonKind::object)) return load_.fail(ErrorCode::malformed, "no target is stated", path, "target");
    if (const JsonValue by_pointer = extension(extensions, "KHR_animation_pointer"); by_pointer.present()) {
      return read_pointer(by_pointer["pointer"], target_path, common, out);
    }
    const std::optional<Property> moves = property_of(property.string());
    if (!moves) {
      load_.warn(in_quotes(property.string()) + " is nothing that a node has; the channel is left out", target_path,
                 "path");
      return true;
    }
    std::int32_t index = kNone;
    if (!load_.read_index(node, nodes_.nodes.size(), "node", index, target_path, "node")) return false;
    if (index == kNone) return true;  // for others to understand, says the standard
    common.property = *moves;
    return add(static_cast<std::size_t>(index), target_path, common, out);
  }

 private:
  bool read_pointer(JsonValue value, const JsonPath& path, GltfChannel common, GltfAnimation& out) {
    const JsonPath extensions_path(path, "extensions"), here(extensions_path, "KHR_animation_pointer");
    if (!value.is(JsonKind::string)) return load_.fail(ErrorCode::malformed, "no pointer is stated", here, "pointer");
    const std::optional<Target> target = parse_pointer(value.string());
    const std::optional<Property> moves = target ? property_of(target->property) : std::nullopt;
    if (moves && target->table == "nodes" && target->index < nodes_.nodes.size()) {
      common.property = *moves;
      return add(target->index, here, common, out);
    }
    if (moves == Property::morph && target->table == "meshes" && target->index < document_.meshes.size()) {
      common.property = Property::morph;
      for (const std::size_t node : nodes_of_mesh(target->index)) {
        if (!add(node, here, common, out)) return false;
      }
      return true;
    }
    load_.warn(
        in_quotes(value.string()) + " is nothing that nodes or morph weights can express; the channel is left out",
        here, "pointer");
    return true;
  }

  // The nodes that show a mesh with the mesh's own weights.
  const std::vector<std::uint32_t>& nodes_of_mesh(std::size_t mesh) {
    if (nodes_of_mesh_.empty()) {
      nodes_of_mesh_.resize(document_.meshes.size());
      for (std::uint32_t i = 0; i < nodes_.nodes.size(); ++i) {
        const std::int32_t shown = nodes_.nodes[i].mesh;
        if (shown == kNone || document_.nodes[i]["weights"].present()) continue;
        nodes_of_mesh_[static_cast<std::size_t>(shown)].push_back(i);
      }
    }
    return nodes_of_mesh_[mesh];
  }

  bool add(std::size_t node, const JsonPath& path, GltfChannel channel, GltfAnimation& out) {
    if (channel.property == Property::morph && nodes_.morph_weights[node].empty()) {
      load_.warn("node " + std::to_string(node) + " has no morph targets; the channel is left out", path);
      return true;
    }
    if (!load_.spend(kChannelBytes, path)) return false;
    channel.node = static_cast<std::uint32_t>(node);
    moved_[node] = true;
    out.channels.push_back(channel);
    return true;
  }

  const GltfDocument& document_;
  const GltfNodes& nodes_;
  Load& load_;
  std::vector<bool>& moved_;
  std::vector<std::vector<std::uint32_t>> nodes_of_mesh_;
};

// Turns values to axes with z up. Tangents are turned like values.
void turn_values(Property property, std::span<float> values) {
  if (property == Property::morph) return;
  const std::size_t size = property == Property::rotation ? 4 : 3;
  for (float* v = values.data(); v != values.data() + values.size(); v += size) {
    const Vec3 given = {v[0], v[1], v[2]};  // w of a quaternion stays as it is
    const Vec3 t = property == Property::scale ? turned_scale(given, Up::z) : turned(given, Up::z);
    v[1] = t.y, v[2] = t.z;
  }
}

class ClipMaker {
 public:
  ClipMaker(const GltfNodes& nodes, const Skeleton& skeleton, Accessors& accessors, Load& load, std::size_t clips)
      : nodes_(nodes), skeleton_(skeleton), accessors_(accessors), load_(load), pool_(clips) {}

  bool make(const GltfAnimation& animation, std::size_t index, std::vector<Clip>& out,
            std::vector<TrackSource>& sources) {
    const JsonPath path("animations", index);
    std::vector<Keys> keys(animation.channels.size());
    std::vector<TrackDesc> tracks;
    std::vector<std::uint32_t> channel_of_track;
    std::vector<std::uint8_t> seen(skeleton_.joint_count(), 0);
    std::uint64_t spent = 0;
    for (std::size_t c = 0; c < animation.channels.size(); ++c) {
      const GltfChannel& channel = animation.channels[c];
      const auto joint = static_cast<std::uint32_t>(nodes_.nodes[channel.node].joint);
      const unsigned bit = 1u << static_cast<unsigned>(channel.property);
      const JsonPath channel_path(path, "channels", channel.number);
      if ((seen[joint] & bit) != 0) {
        load_.warn("another channel moves the same property of the same node; this one is left out", channel_path);
        continue;
      }
      seen[joint] = static_cast<std::uint8_t>(seen[joint] | bit);
      if (!read_keys(animation, channel, path, keys[c])) return false;
      // Many channels may share one sampler, but each has keys of its own in the clip, and while it is made.
      const std::uint64_t bytes = keys[c].times.size_bytes() + 2 * keys[c].values.size_bytes();
      if (!load_.spend(bytes, channel_path)) return false;
      spent += bytes;
      if (load_.options().thorough) look_at_rotations(channel, channel_path, keys[c]);
      tracks.push_back({joint, channel.property, keys[c].interpolation, keys[c].times, keys[c].values});
      channel_of_track.push_back(channel.number);
      if (load_.options().thorough && !find_source(animation, channel, sources.emplace_back())) return false;
    }
    std::string name(animation.name);
    if (name.empty()) {
      name = "clip_" + std::to_string(index);
      if (load_.options().thorough) load_.warn("the animation has no name; it is called " + name, path);
    }
    const KeyChange change = load_.options().up == Up::y ? nullptr : &turn_values;
    Result<Clip> clip = create_clip(skeleton_, {name, tracks, {}}, change, pool_);
    if (!clip) return fail(clip.error(), path, channel_of_track);
    // Padding, and what a clip has for each joint of the skeleton.
    if (clip->memory_bytes() > spent && !load_.spend(clip->memory_bytes() - spent, path)) return false;
    out.push_back(*clip);
    return true;
  }

 private:
  // Clip::create speaks of tracks, "tracks/5/times/17"; the file has channels.
  bool fail(const Error& error, const JsonPath& path, const std::vector<std::uint32_t>& channel_of_track) {
    constexpr std::string_view kTracks = "tracks/";
    std::size_t track = 0;
    const std::string& place = error.place;
    if (place.starts_with(kTracks)) {
      std::from_chars(place.data() + kTracks.size(), place.data() + place.size(), track);
      if (track < channel_of_track.size()) {
        const JsonPath channel(path, "channels", channel_of_track[track]);
        return load_.fail(error.code, error.message, channel);
      }
    }
    return load_.fail(error.code, error.message, path);
  }

  bool read_keys(const GltfAnimation& animation, const GltfChannel& channel, const JsonPath& path, Keys& out) {
    const JsonPath sampler_path(path, "samplers", channel.sampler);
    JsonValue input, output, interpolation;
    pick(animation.samplers[channel.sampler],
         {{"input", &input}, {"output", &output}, {"interpolation", &interpolation}});
    const std::string_view how = interpolation.present() ? interpolation.string() : "LINEAR";
    if (how == "STEP") {
      out.interpolation = Interpolation::step;
    } else if (how == "CUBICSPLINE") {
      out.interpolation = Interpolation::cubic_spline;
    } else if (how != "LINEAR") {
      return load_.fail(ErrorCode::malformed, "there is no interpolation " + in_quotes(how), sampler_path,
                        "interpolation");
    }
    const std::uint32_t size = channel.property == Property::morph ? 1 : channel.property == Property::rotation ? 4 : 3;
    if (!read_floats(input, 1, sampler_path, "input", out.time_storage, out.times)) return false;
    if (!read_floats(output, size, sampler_path, "output", out.value_storage, out.values)) return false;
    const std::size_t value = channel.property == Property::morph ? nodes_.morph_weights[channel.node].size() : size;
    const std::size_t needed = out.times.size() * value * (out.interpolation == Interpolation::cubic_spline ? 3 : 1);
    if (out.times.empty()) return load_.fail(ErrorCode::malformed, "the sampler has no keys", sampler_path, "input");
    if (out.values.size() != needed) {
      return load_.fail(ErrorCode::size_mismatch,
                        std::to_string(out.times.size()) + " keys need " + std::to_string(needed / size) +
                            " elements, but there are " + std::to_string(out.values.size() / size),
                        sampler_path, "output");
    }
    return true;
  }

  bool read_floats(JsonValue number, std::uint32_t components, const JsonPath& path, std::string_view key,
                   std::vector<float>& storage, std::span<const float>& out) {
    std::int32_t index = kNone;
    if (!load_.read_index(number, accessors_.count(), "accessor", index, path, key)) return false;
    if (index == kNone) return load_.fail(ErrorCode::malformed, "no accessor is stated", path, key);
    Accessor accessor;
    if (!accessors_.find(static_cast<std::size_t>(index), accessor)) return false;
    if (accessor.components != components) {
      return load_.fail(ErrorCode::malformed,
                        "elements of " + std::to_string(components) + " numbers are wanted here, the accessor's have " +
                            std::to_string(accessor.components),
                        path, key);
    }
    return accessors_.floats(static_cast<std::size_t>(index), accessor, storage, out);
  }

  // Tells where the values are that read_keys has read.
  bool find_source(const GltfAnimation& animation, const GltfChannel& channel, TrackSource& out) {
    JsonValue output;
    pick(animation.samplers[channel.sampler], {{"output", &output}});
    out.channel = channel.number;
    out.output = static_cast<std::uint32_t>(output.number());
    Accessor accessor;
    if (!accessors_.find(out.output, accessor)) return false;
    out.output_bytes = std::uint64_t{accessor.count} * accessor.components * component_bytes(accessor.component);
    return true;
  }

  void look_at_rotations(const GltfChannel& channel, const JsonPath& path, const Keys& keys) {
    if (channel.property != Property::rotation || keys.interpolation == Interpolation::cubic_spline) return;
    std::size_t off = 0, flips = 0;
    double worst = 1;
    const float* before = nullptr;
    for (const float* q = keys.values.data(); q != keys.values.data() + keys.values.size(); q += 4) {
      double squared = 0, dot = 0;
      for (int i = 0; i < 4; ++i) {
        squared += double{q[i]} * q[i];
        if (before != nullptr) dot += double{q[i]} * before[i];
      }
      if (squared < 0.998 || squared > 1.002) ++off;
      const auto distance = [](double x) { return x > 1 ? x - 1 : 1 - x; };
      if (distance(squared) > distance(worst)) worst = squared;
      if (dot < 0) ++flips;
      before = q;
    }
    const std::string of = " of " + std::to_string(keys.times.size()) + " rotation keys ";
    if (off > 0) {
      load_.warn(std::to_string(off) + of + "are not of unit length (the worst squared: " + std::to_string(worst) +
                     "); they are normalised",
                 path);
    }
    if (flips > 0 && keys.interpolation == Interpolation::linear) {
      load_.warn(
          std::to_string(flips) + of + "are on the other side of the one before them (q and -q); they are turned",
          path);
    }
  }

  const GltfNodes& nodes_;
  const Skeleton& skeleton_;
  Accessors& accessors_;
  Load& load_;
  KeyPool pool_;
};

}  // namespace

bool read_animations(const GltfDocument& document, const GltfNodes& nodes, Load& load, std::vector<GltfAnimation>& out,
                     std::vector<bool>& moved) {
  ChannelReader reader(document, nodes, load, moved);
  out.resize(document.animations.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const JsonPath path("animations", i);
    JsonValue name, channels, samplers;
    pick(document.animations[i], {{"name", &name}, {"channels", &channels}, {"samplers", &samplers}});
    if (!load.expect(channels, JsonKind::array, path, "channels")) return false;
    if (!load.expect(samplers, JsonKind::array, path, "samplers")) return false;
    out[i].name = name.string();
    out[i].samplers.reserve(samplers.size());
    for (const JsonValue sampler : samplers.elements()) {
      const JsonPath at(path, "samplers", out[i].samplers.size());
      if (!load.expect_entry(sampler, at)) return false;
      out[i].samplers.push_back(sampler);
    }
    out[i].channels.reserve(channels.size());
    GltfChannel channel{};
    for (const JsonValue element : channels.elements()) {
      const JsonPath at(path, "channels", channel.number);
      if (!load.expect(element, JsonKind::object, at)) return false;
      if (!reader.read(element, at, channel, out[i])) return false;
      ++channel.number;
    }
    if (out[i].channels.empty()) load.warn("the animation moves nothing", path);
  }
  return true;
}

bool make_clips(const std::vector<GltfAnimation>& animations, const GltfNodes& nodes, const Skeleton& skeleton,
                Accessors& accessors, Load& load, std::vector<Clip>& out,
                std::vector<std::vector<TrackSource>>& sources) {
  ClipMaker maker(nodes, skeleton, accessors, load, animations.size());
  sources.resize(load.options().thorough ? animations.size() : 0);
  std::vector<TrackSource> none;
  for (std::size_t i = 0; i < animations.size(); ++i) {
    if (!maker.make(animations[i], i, out, sources.empty() ? none : sources[i])) return false;
  }
  return true;
}

}  // namespace marrow
