#include "large_file.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "fixtures/gltf_file.h"
#include "fixtures/humanoid.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/math/affine.h"

namespace marrow::bench {
namespace {

constexpr std::size_t kAccessors = 14400;

enum Target { kNoTarget = 0, kVertices = 34962, kIndices = 34963 };

void write_one(std::string& out, std::string_view part) { out += part; }

template <typename Number>
requires std::is_arithmetic_v<Number>
void write_one(std::string& out, Number number) {
  using Written = std::conditional_t<std::is_same_v<Number, float>, double, Number>;
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, Written{number}).ptr);
}

// Writes texts and numbers one after another; floats as the doubles they are.
template <typename... Parts>
void write(std::string& out, const Parts&... parts) {
  (write_one(out, parts), ...);
}

template <typename... Parts>
std::string text(const Parts&... parts) {
  std::string out;
  write(out, parts...);
  return out;
}

// Writes one more element of an array.
template <typename... Parts>
void write_element(std::string& out, const Parts&... parts) {
  write(out, out.empty() ? "" : ",", parts...);
}

// x,y,z
std::string list(Vec3 v) { return text(v.x, ",", v.y, ",", v.z); }

// The tables of a glTF file and its buffer, as they grow.
class Tables {
 public:
  std::string nodes, animations, accessors, views;
  std::vector<std::byte> binary;

  [[nodiscard]] std::size_t count() const { return count_; }

  // Adds data with a view and an accessor of its own; returns the accessor's number. `limits` is its "max" and "min".
  template <typename Element>
  std::size_t add(std::span<const Element> data, std::string_view type, std::size_t count,
                  const std::string& limits = {}, Target target = kNoTarget) {
    write_element(views, "{", gltf_file::place(binary, std::as_bytes(data)));
    if (target != kNoTarget) write(views, R"(,"target":)", int{target});
    write(views, "}");
    write_element(accessors,
                  gltf_file::accessor(text(count_), gltf_file::kComponentType<Element>, type, count, limits));
    return count_++;
  }

 private:
  std::size_t count_ = 0;
};

// From the humanoid's axes, z up, to those of glTF, y up. A difference from 0 keeps -0 out.
void turn_up(Property property, std::span<float> values) {
  const std::size_t size = property == Property::rotation ? 4 : 3;
  for (std::size_t i = 0; i < values.size(); i += size) {
    const float y = values[i + 1];
    values[i + 1] = values[i + 2];
    values[i + 2] = property == Property::scale ? y : 0.0f - y;
  }
}

Vec3 up_turned(Vec3 v) { return {v.x, v.z, 0.0f - v.y}; }

const char* name_of(Property property) {
  switch (property) {
    case Property::translation: return "translation";
    case Property::rotation: return "rotation";
    case Property::scale: return "scale";
    default: return "weights";
  }
}

// Children come before their parents.
std::size_t node_of(const Skeleton& skeleton, std::uint32_t joint) { return skeleton.joint_count() - 1 - joint; }

void add_nodes(const Skeleton& skeleton, Tables& tables) {
  const std::uint32_t joints = skeleton.joint_count();
  for (std::uint32_t joint = joints; joint-- > 0;) {
    std::string children;
    for (std::uint32_t child = joint + 1; child < joints; ++child) {
      if (skeleton.parent(child) == static_cast<std::int32_t>(joint)) {
        write_element(children, node_of(skeleton, child));
      }
    }
    write_element(tables.nodes, "{");
    if (!children.empty()) write(tables.nodes, R"("children":[)", children, "],");
    write(tables.nodes, R"("name":")", skeleton.name(joint), R"(","translation":[)",
          list(up_turned(skeleton.rest(joint).translation)), "]}");
  }
  write_element(tables.nodes, R"({"mesh":0,"name":"Body","skin":0})");
}

// A box around each joint. Returns the JSON of the mesh.
std::string add_mesh(std::span<const Vec3> joints, Tables& tables) {
  constexpr float kHalf = 0.03f;
  constexpr std::uint16_t kCorners[] = {0, 1, 2, 2, 1, 3};
  std::vector<Vec3> positions, normals;
  std::vector<std::uint8_t> influences;
  std::vector<float> weights;
  std::vector<std::uint16_t> indices;
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    for (int face = 0; face < 6; ++face) {
      const int axis = face / 2;
      const float side = face % 2 == 0 ? 1.0f : -1.0f;
      for (const std::uint16_t corner : kCorners)
        indices.push_back(static_cast<std::uint16_t>(positions.size() + corner));
      for (int corner = 0; corner < 4; ++corner) {
        float offset[3], normal[3] = {};
        offset[axis] = kHalf * side;
        offset[(axis + 1) % 3] = (corner % 2 == 0 ? -kHalf : kHalf) * side;
        offset[(axis + 2) % 3] = corner / 2 == 0 ? -kHalf : kHalf;
        normal[axis] = side;
        const Vec3& at = joints[joint];
        positions.push_back({at.x + offset[0], at.y + offset[1], at.z + offset[2]});
        normals.push_back({normal[0], normal[1], normal[2]});
        influences.insert(influences.end(), {static_cast<std::uint8_t>(joint), 0, 0, 0});
        weights.insert(weights.end(), {1, 0, 0, 0});
      }
    }
  }
  Vec3 least = positions[0], most = positions[0];
  for (const Vec3& p : positions) {
    least = {std::min(least.x, p.x), std::min(least.y, p.y), std::min(least.z, p.z)};
    most = {std::max(most.x, p.x), std::max(most.y, p.y), std::max(most.z, p.z)};
  }
  const std::string limits = text(R"(,"max":[)", list(most), R"(],"min":[)", list(least), "]");
  const std::size_t count = positions.size();
  const std::size_t position = tables.add<Vec3>(positions, "VEC3", count, limits, kVertices);
  const std::size_t normal = tables.add<Vec3>(normals, "VEC3", count, {}, kVertices);
  const std::size_t joint = tables.add<std::uint8_t>(influences, "VEC4", count, {}, kVertices);
  const std::size_t weight = tables.add<float>(weights, "VEC4", count, {}, kVertices);
  const std::size_t index = tables.add<std::uint16_t>(indices, "SCALAR", indices.size(), {}, kIndices);
  return text(R"({"name":"Body","primitives":[{"attributes":{"POSITION":)", position, R"(,"NORMAL":)", normal,
              R"(,"JOINTS_0":)", joint, R"(,"WEIGHTS_0":)", weight, R"(},"indices":)", index, R"(,"material":0}]})");
}

// Joints are bound where they rest, with axes like the model's. Returns the JSON of the skin.
std::string add_skin(const Skeleton& skeleton, std::span<const Vec3> joints, Tables& tables) {
  std::vector<float> inverse_binds;
  std::string nodes;
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const Vec3& at = joints[joint];
    inverse_binds.insert(inverse_binds.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
    inverse_binds.insert(inverse_binds.end(), {0.0f - at.x, 0.0f - at.y, 0.0f - at.z, 1});
    write_element(nodes, node_of(skeleton, joint));
  }
  const std::size_t accessor = tables.add<float>(inverse_binds, "MAT4", joints.size());
  return text(R"({"inverseBindMatrices":)", accessor, R"(,"joints":[)", nodes, R"(],"name":"Armature"})");
}

// Adds a clip; all channels have the times of the first if `share_times`.
void add_clip(const Skeleton& skeleton, std::string_view name, std::vector<TrackKeys> tracks, bool share_times,
              Tables& tables) {
  std::string channels, samplers;
  std::size_t input = 0;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    TrackKeys& track = tracks[i];
    turn_up(track.property, track.values);
    const std::vector<float>& times = track.times;
    if (i == 0 || !share_times) {
      const std::string limits = text(R"(,"max":[)", times.back(), R"(],"min":[)", times.front(), "]");
      input = tables.add<float>(times, "SCALAR", times.size(), limits);
    }
    const char* const type = track.property == Property::rotation ? "VEC4" : "VEC3";
    const std::size_t output = tables.add<float>(track.values, type, times.size());
    write_element(channels, R"({"sampler":)", i, R"(,"target":{"node":)", node_of(skeleton, track.joint),
                  R"(,"path":")", name_of(track.property), "\"}}");
    write_element(samplers, R"({"input":)", input, R"(,"interpolation":"LINEAR","output":)", output, "}");
  }
  write_element(tables.animations, R"({"channels":[)", channels, R"(],"name":")", name, R"(","samplers":[)", samplers,
                "]}");
}

void add_clips(const Skeleton& skeleton, Tables& tables) {
  constexpr const char* kNames[] = {"Idle", "Walk", "Run", "Jump", "Attack", "Climb", "Swim", "Dance"};
  constexpr std::uint32_t kWhole = 39;  // clips that move everything
  for (std::uint32_t i = 0; i < kWhole; ++i) {
    const std::string name = text(kNames[i % 8], ".00", i / 8);
    humanoid::Motion motion;
    motion.duration = (66 + 26 * (i % 9)) / 30.0;
    motion.stride = 0.3 + 0.1 * (i % 8);
    motion.seed = i + 1;
    const bool reduced = i % 6 == 4, share_times = i % 6 == 5 || i == 0;
    if (reduced) motion.keys = humanoid::Keys::own;
    add_clip(skeleton, name, humanoid::make_keys(skeleton, motion), share_times, tables);
  }
  // A gesture of rotations alone, as many as there are accessors left for.
  std::vector<TrackKeys> tracks =
      humanoid::make_keys(skeleton, {"", 2.0, 0.4, humanoid::Keys::dense, Interpolation::linear, 99});
  std::erase_if(tracks, [](const TrackKeys& track) { return track.property != Property::rotation; });
  tracks.resize((kAccessors - tables.count()) / 2);
  add_clip(skeleton, "Wave", std::move(tracks), false, tables);
}

std::string json_of(const Tables& tables, const std::string& mesh, const std::string& skin, std::size_t joints) {
  return text(R"({"asset":{"generator":"marrow benchmarks","version":"2.0"},"scene":0,"scenes":[{"name":"Scene",)",
              R"("nodes":[)", joints, ",", joints - 1, R"(]}],"nodes":[)", tables.nodes, R"(],"animations":[)",
              tables.animations, R"(],"materials":[{"name":"Skin","pbrMetallicRoughness":{"metallicFactor":0,)",
              R"("roughnessFactor":0.5}}],"meshes":[)", mesh, R"(],"skins":[)", skin, R"(],"accessors":[)",
              tables.accessors, R"(],"bufferViews":[)", tables.views, R"(],"buffers":[{"byteLength":)",
              tables.binary.size(), "}]}");
}

}  // namespace

std::vector<std::byte> make_large_file() {
  const Skeleton skeleton = humanoid::make_skeleton();
  std::vector<Affine> model(skeleton.joint_count());
  local_to_model(Pose(skeleton), model);
  std::vector<Vec3> joints;
  joints.reserve(model.size());
  for (const Affine& joint : model) joints.push_back(up_turned(translation_of(joint)));

  Tables tables;
  add_nodes(skeleton, tables);
  const std::string mesh = add_mesh(joints, tables);
  const std::string skin = add_skin(skeleton, joints, tables);
  add_clips(skeleton, tables);
  const std::string json = json_of(tables, mesh, skin, joints.size());

  return gltf_file::join_glb({json, std::move(tables.binary)});
}

}  // namespace marrow::bench
