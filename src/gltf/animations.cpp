#include "src/gltf/animations.h"

#include <algorithm>
#include <map>

#include "src/gltf/imports.h"
#include "src/gltf/uri.h"
#include "src/gltf/weight_tracks.h"

namespace marrow {
namespace {

std::optional<Property> property_of(std::string_view path) {
  if (path == "translation") return Property::translation;
  if (path == "rotation") return Property::rotation;
  if (path == "scale") return Property::scale;
  if (path == "weights") return Property::morph;
  return std::nullopt;
}

// The parts of a pointer such as "/nodes/3/translation" or "/meshes/0/weights/2".
struct Target {
  std::string_view table;
  std::size_t index = 0;
  std::string_view property;
  std::int32_t weight = kNone;
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
  const std::optional<std::size_t> index = parse_number<std::size_t>(pointer.substr(second + 1, third - second - 1));
  if (!index) return std::nullopt;
  target.index = *index;
  constexpr std::string_view kOneWeight = "weights/";
  if (target.property.starts_with(kOneWeight)) {
    const std::optional<std::size_t> weight = parse_number<std::size_t>(target.property.substr(kOneWeight.size()));
    if (!weight || *weight > INT32_MAX) return std::nullopt;
    target.weight = static_cast<std::int32_t>(*weight);
    target.property = target.property.substr(0, kOneWeight.size() - 1);
  }
  return target;
}

// The keys of a channel, and where they are if they are not in a buffer as they should be.
struct Keys {
  std::span<const float> times, values;
  std::vector<float> time_storage, value_storage;
  Interpolation interpolation = Interpolation::linear;
  Component component = Component::f32;  // of the values in the file
};

// What a channel costs while the clips are made. A few letters can make many: one that moves the weights of a mesh
// moves those of every node that shows it.
constexpr std::size_t kChannelBytes = sizeof(GltfChannel) + sizeof(Keys) + sizeof(TrackDesc);

class ChannelReader {
 public:
  ChannelReader(const GltfDocument& document, const GltfNodes& nodes, Load& load, std::vector<bool>& moved)
      : document_(document), nodes_(nodes), load_(load), moved_(moved) {}

  bool read(JsonValue channel, const PlacePath& path, GltfChannel common, GltfAnimation& out) {
    JsonValue sampler, target, node, property, extensions;
    pick(channel, {{"sampler", &sampler}, {"target", &target}});
    pick(target, {{"node", &node}, {"path", &property}, {"extensions", &extensions}});
    std::int32_t number = kNone;
    if (!load_.read_index(sampler, out.samplers.size(), "sampler", number, path, "sampler")) return false;
    if (number == kNone) return load_.fail(ErrorCode::malformed, "no sampler is stated", path, "sampler");
    common.sampler = static_cast<std::uint32_t>(number);
    const PlacePath target_path(path, "target");
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
  bool read_pointer(JsonValue value, const PlacePath& path, GltfChannel common, GltfAnimation& out) {
    const PlacePath extensions_path(path, "extensions"), here(extensions_path, "KHR_animation_pointer");
    if (!value.is(JsonKind::string)) return load_.fail(ErrorCode::malformed, "no pointer is stated", here, "pointer");
    const std::optional<Target> target = parse_pointer(value.string());
    const std::optional<Property> moves = target ? property_of(target->property) : std::nullopt;
    const bool of_node = moves && target->table == "nodes";
    const bool of_mesh = moves == Property::morph && target->table == "meshes";
    if ((of_node && target->index >= nodes_.nodes.size()) || (of_mesh && target->index >= document_.meshes.size())) {
      load_.warn("there is no " + std::string(of_node ? "node " : "mesh ") + std::to_string(target->index) +
                     "; the channel is left out",
                 here, "pointer");
      return true;
    }
    if (moves) common.property = *moves;
    if (target) common.weight = target->weight;
    if (of_node) return add(target->index, here, common, out);
    if (of_mesh) {
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

  bool add(std::size_t node, const PlacePath& path, GltfChannel channel, GltfAnimation& out) {
    const std::size_t weights = nodes_.morph_weights[node].size();
    if (channel.property == Property::morph && weights == 0) {
      load_.warn("node " + std::to_string(node) + " has no morph targets; the channel is left out", path);
      return true;
    }
    if (channel.weight != kNone && static_cast<std::size_t>(channel.weight) >= weights) {
      load_.warn("node " + std::to_string(node) + " has only " + std::to_string(weights) +
                     " morph targets; the channel is left out",
                 path);
      return true;
    }
    if (channel.property != Property::morph) look_at_matrix(node);
    if (!load_.spend(kChannelBytes, path)) return false;
    channel.node = static_cast<std::uint32_t>(node);
    moved_[node] = true;
    out.channels.push_back(channel);
    return true;
  }

  // The standard forbids it, and readers make different things of it.
  void look_at_matrix(std::size_t node) {
    if (looked_at_[node]) return;
    looked_at_[node] = true;
    if (!document_.nodes[node]["matrix"].present()) return;
    const PlacePath path("nodes", node);
    load_.warn("the node is animated but has a matrix; that is taken apart, and what has no channel stays as it was",
               path, "matrix");
  }

  const GltfDocument& document_;
  const GltfNodes& nodes_;
  Load& load_;
  std::vector<bool>& moved_;
  std::vector<bool> looked_at_ = std::vector<bool>(nodes_.nodes.size(), false);
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
    const PlacePath path("animations", index);
    std::vector<Keys> keys(animation.channels.size());
    std::vector<TrackDesc> tracks;
    std::vector<std::uint32_t> channel_of_track;
    std::vector<std::uint8_t> seen(skeleton_.joint_count(), 0);
    std::map<std::uint32_t, SingleWeights> singles;  // by node
    std::uint64_t spent = 0;
    for (std::size_t c = 0; c < animation.channels.size(); ++c) {
      const GltfChannel& channel = animation.channels[c];
      const auto joint = static_cast<std::uint32_t>(nodes_.nodes[channel.node].joint);
      const unsigned bit = 1u << static_cast<unsigned>(channel.property);
      const PlacePath channel_path(path, "channels", channel.number);
      const bool single = channel.weight != kNone;
      const auto of_node = channel.property == Property::morph ? singles.find(channel.node) : singles.end();
      const bool taken =
          of_node != singles.end() ? !single || of_node->second.has(channel.weight) : (seen[joint] & bit) != 0;
      if (taken) {
        load_.warn("another channel moves the same property of the same node; this one is left out", channel_path);
        continue;
      }
      seen[joint] = static_cast<std::uint8_t>(seen[joint] | bit);
      if (!read_keys(animation, channel, path, keys[c])) return false;
      // Many channels may share one sampler, but each has keys of its own in the clip, and while it is made.
      const std::uint64_t bytes = keys[c].times.size_bytes() + 2 * keys[c].values.size_bytes();
      if (!load_.spend(bytes, channel_path)) return false;
      spent += bytes;
      if (single) {
        if (!add_single(channel, channel_path, keys[c], singles[channel.node])) return false;
        continue;
      }
      if (load_.options().thorough) look_at_rotations(channel, channel_path, keys[c]);
      tracks.push_back({joint, channel.property, keys[c].interpolation, keys[c].times, keys[c].values});
      channel_of_track.push_back(channel.number);
      if (load_.options().thorough && !find_source(animation, channel, sources.emplace_back())) return false;
    }
    std::vector<TrackKeys> gathered;
    gathered.reserve(singles.size());
    for (auto& [node, weights] : singles) {
      const PlacePath channel_path(path, "channels", weights.first.number);
      if (!gather(node, weights, channel_path, gathered.emplace_back())) return false;
      const TrackKeys& track = gathered.back();
      tracks.push_back({track.joint, track.property, track.interpolation, track.times, track.values});
      channel_of_track.push_back(weights.first.number);
      if (load_.options().thorough && !find_source(animation, weights.first, sources.emplace_back())) return false;
    }
    std::string name(animation.name);
    if (name.empty()) {
      name = "clip_" + std::to_string(index);
      load_.note("the animation has no name; it is called " + name, path);
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
  // Channels that move one weight each, of one node and animation.
  struct SingleWeights {
    GltfChannel first;
    std::vector<WeightKeys> keys;
    std::vector<bool> seen;

    [[nodiscard]] bool has(std::int32_t weight) const { return seen[static_cast<std::size_t>(weight)]; }
  };

  bool add_single(const GltfChannel& channel, const PlacePath& path, const Keys& keys, SingleWeights& out) {
    if (out.keys.empty()) {
      out.first = channel;
      out.seen.resize(nodes_.morph_weights[channel.node].size());
    }
    out.seen[static_cast<std::size_t>(channel.weight)] = true;
    // Keys are put among others by their times, so these must be good already.
    const std::span<const float> times = keys.times;
    const bool finite = std::all_of(times.begin(), times.end(), [](float t) { return t - t == 0; });
    if (!finite || !std::is_sorted(times.begin(), times.end())) {
      return load_.fail(finite ? ErrorCode::not_sorted : ErrorCode::not_finite,
                        "the times of the keys are not ascending numbers", path);
    }
    out.keys.push_back({static_cast<std::uint32_t>(channel.weight),
                        {0,
                         Property::morph,
                         keys.interpolation,
                         {times.begin(), times.end()},
                         {keys.values.begin(), keys.values.end()}}});
    return true;
  }

  bool gather(std::uint32_t node, SingleWeights& weights, const PlacePath& path, TrackKeys& out) {
    const std::vector<float>& rest = nodes_.morph_weights[node];
    std::vector<float> times = align_weights(weights.keys);
    constexpr std::uint64_t kMostBytes = 3 * 2 * sizeof(float);  // with tangents; here and in the clip
    if (!load_.spend(std::uint64_t{times.size()} * rest.size() * kMostBytes, path)) return false;
    out = gather_weights(weights.keys, rest, std::move(times));
    out.joint = static_cast<std::uint32_t>(nodes_.nodes[node].joint);
    return true;
  }

  // Clip::create speaks of tracks, tracks/5/times/17; the file has channels.
  bool fail(const Error& error, const PlacePath& path, const std::vector<std::uint32_t>& channel_of_track) {
    const std::optional<std::size_t> track = error.place.index_in(0, "tracks");
    if (!track) return load_.fail(error.code, error.message, path);
    const PlacePath channel(path, "channels", channel_of_track[*track]);
    return load_.fail(error.code, error.message, channel);
  }

  bool read_keys(const GltfAnimation& animation, const GltfChannel& channel, const PlacePath& path, Keys& out) {
    const PlacePath sampler_path(path, "samplers", channel.sampler);
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
    Component of_times{};
    if (!read_floats(input, 1, sampler_path, "input", out.time_storage, out.times, of_times)) return false;
    if (!read_floats(output, size, sampler_path, "output", out.value_storage, out.values, out.component)) return false;
    const bool all_weights = channel.property == Property::morph && channel.weight == kNone;
    const std::size_t value = all_weights ? nodes_.morph_weights[channel.node].size() : size;
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

  bool read_floats(JsonValue number, std::uint32_t components, const PlacePath& path, std::string_view key,
                   std::vector<float>& storage, std::span<const float>& out, Component& component) {
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
    component = accessor.component;
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

  void look_at_rotations(const GltfChannel& channel, const PlacePath& path, const Keys& keys) {
    if (channel.property != Property::rotation || keys.interpolation == Interpolation::cubic_spline) return;
    // What rounding to small integers does to the squared length of a unit quaternion is no mistake of the file's.
    const std::size_t bytes = component_bytes(keys.component);
    const double tolerance = 0.002 + (bytes == 1 ? 2.0 / 127 : bytes == 2 ? 2.0 / 32767 : 0.0);
    std::size_t off = 0, flips = 0;
    double worst = 1;
    const float* before = nullptr;
    for (const float* q = keys.values.data(); q != keys.values.data() + keys.values.size(); q += 4) {
      double squared = 0, dot = 0;
      for (int i = 0; i < 4; ++i) {
        squared += double{q[i]} * q[i];
        if (before != nullptr) dot += double{q[i]} * before[i];
      }
      const auto distance = [](double x) { return x > 1 ? x - 1 : 1 - x; };
      if (distance(squared) > tolerance) ++off;
      if (distance(squared) > distance(worst)) worst = squared;
      if (dot < 0) ++flips;
      before = q;
    }
    const std::string of = " of " + std::to_string(keys.times.size()) + " rotation keys ";
    if (off > 0) {
      load_.note(std::to_string(off) + of + "are not of unit length (the worst squared: " + std::to_string(worst) +
                     "); they are normalised",
                 path);
    }
    if (flips > 0 && keys.interpolation == Interpolation::linear) {
      load_.note(
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
    const PlacePath path("animations", i);
    JsonValue name, channels, samplers;
    pick(document.animations[i], {{"name", &name}, {"channels", &channels}, {"samplers", &samplers}});
    if (!load.expect(channels, JsonKind::array, path, "channels")) return false;
    if (!load.expect(samplers, JsonKind::array, path, "samplers")) return false;
    out[i].name = name.string();
    out[i].samplers.reserve(samplers.size());
    for (const JsonValue sampler : samplers.elements()) {
      const PlacePath at(path, "samplers", out[i].samplers.size());
      if (!load.expect_entry(sampler, at)) return false;
      out[i].samplers.push_back(sampler);
    }
    out[i].channels.reserve(channels.size());
    GltfChannel channel{};
    for (const JsonValue element : channels.elements()) {
      const PlacePath at(path, "channels", channel.number);
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
