#include "maker/glb_writer.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "fixtures/gltf_file.h"
#include "maker/rig.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/math/quat.h"
#include "src/text/text.h"

namespace marrow::character {
namespace {

// The numbers that glTF has for what is in a file.
constexpr int kByte = 5121, kUnsignedShort = 5123, kSignedShort = 5122, kFloat = 5126;
constexpr int kVertexBuffer = 34962, kIndexBuffer = 34963;

struct BufferView {
  std::size_t offset = 0, size = 0;
  int target = 0;  // 0: none
};

struct Accessor {
  int view = -1;  // -1: zero, but for what is sparse
  int component = kFloat;
  const char* type = "SCALAR";
  std::size_t count = 0;
  bool normalized = false;
  std::vector<float> low, high;
  std::size_t sparse_count = 0;
  int sparse_indices = -1, sparse_values = -1;  // views
};

// The binary part of a file, and what is where in it.
class Buffer {
 public:
  template <typename T>
  int add_view(const std::vector<T>& values, int target = 0) {
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
    const std::size_t size = values.size() * sizeof(T);
    views_.push_back({bytes_.size(), size, target});
    bytes_.resize(bytes_.size() + size);
    if (size > 0) std::memcpy(bytes_.data() + bytes_.size() - size, values.data(), size);
    return static_cast<int>(views_.size() - 1);
  }

  int add(Accessor accessor) {
    accessors_.push_back(std::move(accessor));
    return static_cast<int>(accessors_.size() - 1);
  }

  template <typename T>
  int add(const std::vector<T>& values, int component, const char* type, int target, bool normalized = false) {
    Accessor a;
    a.view = add_view(values, target);
    a.component = component;
    a.type = type;
    a.count = values.size();
    a.normalized = normalized;
    return add(std::move(a));
  }

  int add_positions(const std::vector<Vec3>& positions) {
    const int number = add(positions, kFloat, "VEC3", kVertexBuffer);
    set_range(number, positions);
    return number;
  }

  // Few of many vectors are not zero.
  int add_sparse(std::size_t count, const std::vector<std::uint32_t>& points, const std::vector<Vec3>& values) {
    Accessor a;
    a.type = "VEC3";
    a.count = count;
    a.sparse_count = points.size();
    a.sparse_indices = add_view(std::vector<std::uint16_t>(points.begin(), points.end()));
    a.sparse_values = add_view(values);
    const int number = add(std::move(a));
    std::vector<Vec3> all = values;
    all.push_back({});
    set_range(number, all);
    return number;
  }

  // Tracks often have the same times.
  int add_times(const std::vector<float>& times) {
    const auto [found, is_new] = times_.try_emplace(times, 0);
    if (is_new) {
      found->second = add(times, kFloat, "SCALAR", 0);
      accessors_.back().low = {times.front()};
      accessors_.back().high = {times.back()};
    }
    return found->second;
  }

  void write(JsonWriter& json) const {
    json.key("accessors").array();
    for (const Accessor& a : accessors_) write(json, a);
    json.end().key("bufferViews").array();
    for (const BufferView& view : views_) {
      json.object().member("buffer", 0).member("byteOffset", view.offset).member("byteLength", view.size);
      if (view.target != 0) json.member("target", view.target);
      json.end();
    }
    json.end().key("buffers").array().object().member("byteLength", bytes_.size()).end().end();
  }

  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void set_range(int number, const std::vector<Vec3>& values) {
    Accessor& a = accessors_[static_cast<std::size_t>(number)];
    a.low = {values[0].x, values[0].y, values[0].z};
    a.high = a.low;
    for (const Vec3& v : values) {
      const float parts[] = {v.x, v.y, v.z};
      for (std::size_t i = 0; i < 3; ++i) {
        a.low[i] = std::min(a.low[i], parts[i]);
        a.high[i] = std::max(a.high[i], parts[i]);
      }
    }
  }

  static void write(JsonWriter& json, const Accessor& a) {
    json.object();
    if (a.view >= 0) json.member("bufferView", a.view);
    json.member("componentType", a.component).member("count", a.count).member("type", a.type);
    if (a.normalized) json.member("normalized", true);
    if (!a.low.empty()) {
      json.key("min").values(a.low);
      json.key("max").values(a.high);
    }
    if (a.sparse_count > 0) {
      json.key("sparse").object().member("count", a.sparse_count);
      json.key("indices").object().member("bufferView", a.sparse_indices).member("componentType", kUnsignedShort).end();
      json.key("values").object().member("bufferView", a.sparse_values).end().end();
    }
    json.end();
  }

  std::vector<std::byte> bytes_;
  std::vector<BufferView> views_;
  std::vector<Accessor> accessors_;
  std::map<std::vector<float>, int> times_;
};

void write_mesh(JsonWriter& json, Buffer& buffer, const MeshData& mesh) {
  std::vector<std::uint16_t> indices;
  for (const auto& t : mesh.triangles) indices.insert(indices.end(), t.begin(), t.end());
  std::vector<std::array<std::uint8_t, kInfluences>> joints, weights;
  for (const Influences& i : mesh.influences) {
    joints.push_back(i.joints);
    weights.push_back(i.weights);
  }
  json.key("meshes").array().object().member("name", mesh.name).key("primitives").array().object();
  json.key("attributes").object();
  json.member("POSITION", buffer.add_positions(mesh.positions));
  json.member("NORMAL", buffer.add(mesh.normals, kFloat, "VEC3", kVertexBuffer));
  json.member("COLOR_0", buffer.add(mesh.colours, kByte, "VEC4", kVertexBuffer, true));
  if (!joints.empty()) {
    json.member("JOINTS_0", buffer.add(joints, kByte, "VEC4", kVertexBuffer));
    json.member("WEIGHTS_0", buffer.add(weights, kByte, "VEC4", kVertexBuffer, true));
  }
  json.end().member("indices", buffer.add(indices, kUnsignedShort, "SCALAR", kIndexBuffer)).member("material", 0);
  if (!mesh.morphs.empty()) {
    json.key("targets").array();
    for (const MorphTarget& morph : mesh.morphs) {
      json.object();
      json.member("POSITION", buffer.add_sparse(mesh.positions.size(), morph.points, morph.positions));
      json.member("NORMAL", buffer.add_sparse(mesh.positions.size(), morph.points, morph.normals)).end();
    }
    json.end();
  }
  json.end().end();
  if (!mesh.morphs.empty()) {
    json.key("weights").array();
    for (std::size_t i = 0; i < mesh.morphs.size(); ++i) json.value(0);
    json.end().key("extras").object().key("targetNames").array();
    for (const MorphTarget& morph : mesh.morphs) json.value(morph.name);
    json.end().end();
  }
  json.end().end();
  json.key("materials").array().object().member("name", "paint").key("pbrMetallicRoughness").object();
  json.member("metallicFactor", 0).member("roughnessFactor", 0.5).end().end().end();
}

// The joints first, so that their numbers are the rig's; then the mesh.
void write_rig(JsonWriter& json, Buffer& buffer, const MeshData& mesh) {
  const auto& joints = rig().joints;
  json.key("nodes").array();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const RigJoint& joint = joints[i];
    Point offset = joint.place;
    Quat turn = joint.turn;
    if (joint.parent >= 0) {
      const RigJoint& parent = joints[static_cast<std::size_t>(joint.parent)];
      offset = joint.place - parent.place;  // no joint that has children is turned
      turn = multiply(conjugate(parent.turn), joint.turn);
    }
    json.object().member("name", joint.name);
    const Vec3 t = to_vec3(offset);
    if (t.x != 0 || t.y != 0 || t.z != 0) json.key("translation").values(std::array{t.x, t.y, t.z});
    if (turn.w != 1) json.key("rotation").values(std::array{turn.x, turn.y, turn.z, turn.w});
    std::vector<std::size_t> children;
    for (std::size_t c = 0; c < joints.size(); ++c) {
      if (joints[c].parent == static_cast<std::int32_t>(i)) children.push_back(c);
    }
    if (!children.empty()) {
      json.key("children").array();
      for (const std::size_t c : children) json.value(c);
      json.end();
    }
    json.end();
  }
  json.object().member("name", mesh.name).member("mesh", 0).member("skin", 0).end().end();

  std::vector<std::array<float, 16>> inverse_binds;
  for (const RigJoint& joint : joints) {
    const Quat back = conjugate(joint.turn);
    const Vec3 columns[] = {rotate(back, {1, 0, 0}), rotate(back, {0, 1, 0}), rotate(back, {0, 0, 1}),
                            rotate(back, to_vec3(joint.place * -1))};
    std::array<float, 16> matrix{};
    for (std::size_t c = 0; c < 4; ++c) {
      const float parts[] = {columns[c].x, columns[c].y, columns[c].z, c == 3 ? 1.0f : 0.0f};
      std::copy(parts, parts + 4, matrix.begin() + static_cast<std::ptrdiff_t>(c) * 4);
    }
    inverse_binds.push_back(matrix);
  }
  json.key("skins").array().object().member("name", mesh.name);
  json.member("inverseBindMatrices", buffer.add(inverse_binds, kFloat, "MAT4", 0)).member("skeleton", rig().root);
  json.key("joints").array();
  for (std::size_t i = 0; i < joints.size(); ++i) json.value(i);
  json.end().end().end();
}

// Rotations in 16 bits are off by 2e-5 at most.
std::vector<std::array<std::int16_t, 4>> packed_rotations(const std::vector<float>& values) {
  std::vector<std::array<std::int16_t, 4>> packed(values.size() / 4);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float scaled = values[i] * 32767.0f;
    packed[i / 4][i % 4] = static_cast<std::int16_t>(scaled + (scaled < 0 ? -0.5f : 0.5f));
  }
  return packed;
}

std::vector<Vec3> as_vectors(const std::vector<float>& values) {
  std::vector<Vec3> vectors;
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) vectors.push_back({values[i], values[i + 1], values[i + 2]});
  return vectors;
}

std::size_t node_of(const Skeleton& skeleton, const TrackKeys& track) {
  const auto& joints = rig().joints;
  if (track.property == Property::morph) return joints.size();
  const auto same_name = [&](const RigJoint& joint) { return joint.name == skeleton.name(track.joint); };
  return static_cast<std::size_t>(std::find_if(joints.begin(), joints.end(), same_name) - joints.begin());
}

void write_clips(JsonWriter& json, Buffer& buffer, const Skeleton& skeleton, std::span<const Clip> clips) {
  static constexpr const char* kPaths[] = {"translation", "rotation", "scale", "weights"};
  json.key("animations").array();
  for (const Clip& clip : clips) {
    const ClipKeys keys = clip_keys(skeleton, clip);
    json.object().member("name", keys.name).key("samplers").array();
    for (const TrackKeys& track : keys.tracks) {
      json.object().member("input", buffer.add_times(track.times));
      if (track.property == Property::rotation) {
        json.member("output", buffer.add(packed_rotations(track.values), kSignedShort, "VEC4", 0, true));
      } else if (track.property == Property::morph) {
        json.member("output", buffer.add(track.values, kFloat, "SCALAR", 0));
      } else {
        json.member("output", buffer.add(as_vectors(track.values), kFloat, "VEC3", 0));
      }
      json.end();
    }
    json.end().key("channels").array();
    for (std::size_t i = 0; i < keys.tracks.size(); ++i) {
      json.object().member("sampler", i).key("target").object().member("node", node_of(skeleton, keys.tracks[i]));
      json.member("path", kPaths[static_cast<std::size_t>(keys.tracks[i].property)]).end().end();
    }
    json.end().end();
  }
  json.end();
}

template <typename Write>
std::vector<std::byte> write_file(const MeshData& mesh, const Write& write_rest) {
  Buffer buffer;
  std::string text;
  {
    JsonWriter json(&text);
    json.object().key("asset").object().member("version", "2.0").member("generator", "marrow").end();
    write_mesh(json, buffer, mesh);
    write_rest(json, buffer);
    buffer.write(json);
    json.end();
  }
  return gltf_file::join_glb({text, buffer.bytes()});
}

void write_scene(JsonWriter& json, std::span<const std::size_t> roots) {
  json.member("scene", 0).key("scenes").array().object().key("nodes").array();
  for (const std::size_t root : roots) json.value(root);
  json.end().end().end();
}

}  // namespace

std::vector<std::byte> write_thing(const MeshData& mesh) {
  return write_file(mesh, [&](JsonWriter& json, Buffer&) {
    write_scene(json, std::array<std::size_t, 1>{0});
    json.key("nodes").array().object().member("name", mesh.name).member("mesh", 0).end().end();
  });
}

std::vector<std::byte> write_character(const MeshData& mesh, const Skeleton& skeleton, std::span<const Clip> clips) {
  return write_file(mesh, [&](JsonWriter& json, Buffer& buffer) {
    write_scene(json, std::array<std::size_t, 2>{rig().root, rig().joints.size()});
    write_rig(json, buffer, mesh);
    write_clips(json, buffer, skeleton, clips);
  });
}

}  // namespace marrow::character
