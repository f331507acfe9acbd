#include <cstring>
#include <map>
#include <type_traits>

#include "marrow/core/hash.h"
#include "marrow/model/model_file.h"
#include "src/model/imports.h"
#include "src/model/model_file_format.h"

namespace marrow {
namespace {

using namespace file;  // NOLINT(google-build-using-namespace): the records

class Writer {
 public:
  std::vector<std::byte> write(const Model& model) {
    Header header{};
    bytes_.resize(sizeof header);
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.byte_order = kByteOrder;
    header.version = kVersion;
    header.up = static_cast<std::uint32_t>(model.up());
    header.name = put(model.name());
    header.joints = put_joints(model.skeleton());
    header.skins = put_each<SkinRecord>(model.skins(), [&](const Skin& skin) {
      return SkinRecord{put(skin.name()), put(skin.joints()), put(skin.inverse_binds(), kModelFileAlignment)};
    });
    header.clips = put_each<ClipRecord>(model.clips(), [&](const Clip& clip) { return clip_record(clip.data()); });
    header.vertices = put_vertices(model);
    header.meshes = put_each<MeshRecord>(model.meshes(), [&](const Mesh& mesh) { return mesh_record(mesh); });
    header.materials = put_each<MaterialRecord>(model.materials(),
                                                [&](const Material& material) { return material_record(material); });
    header.images = put_each<ImageRecord>(model.images(), [&](const Image& image) {
      return ImageRecord{put(image.name), put(image.mime_type), put(image.uri),
                         put<std::byte>(image.bytes, kModelFileAlignment)};
    });
    header.nodes = put_each<NodeRecord>(model.nodes(), [&](const ModelNode& node) {
      NodeRecord record{put(node.name), {}, node.parent, node.joint, node.mesh, node.skin, node.shown ? 1u : 0u, 0};
      put_transform(node.rest, record.rest);
      return record;
    });
    align(kModelFileAlignment);
    header.size = bytes_.size();
    std::memcpy(bytes_.data(), &header, sizeof header);
    header.checksum = hash_bulk(std::span<const std::byte>(bytes_).subspan(kChecked));
    std::memcpy(bytes_.data(), &header, sizeof header);
    return std::move(bytes_);
  }

 private:
  void align(std::size_t alignment) { bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment); }

  template <typename T>
  Slice put(std::span<const T> elements, std::size_t alignment = alignof(T)) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (elements.empty()) return {};
    align(alignment);
    const Slice slice{bytes_.size(), elements.size()};
    const auto* const from = reinterpret_cast<const std::byte*>(elements.data());
    bytes_.insert(bytes_.end(), from, from + elements.size_bytes());
    return slice;
  }
  Slice put(std::string_view text) { return put(std::span<const char>(text)); }
  template <typename T>
  Slice put_bulk(const Array<T>& elements) {
    return put<T>(elements, kModelFileAlignment);
  }

  // Writes a record for each thing, after what the records refer to.
  template <typename Record, typename Things, typename ToRecord>
  Slice put_each(const Things& things, const ToRecord& to_record) {
    std::vector<Record> records;
    records.reserve(things.size());
    for (const auto& thing : things) records.push_back(to_record(thing));
    return put(std::span<const Record>(records));
  }

  static void put_transform(const Transform& t, float (&to)[10]) {
    const float values[10] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                              t.rotation.z,    t.rotation.w,    t.scale.x,       t.scale.y,    t.scale.z};
    std::memcpy(to, values, sizeof values);
  }

  Slice put_joints(const Skeleton& skeleton) {
    std::vector<JointRecord> records;
    for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
      JointRecord record{put(skeleton.name(j)), put(skeleton.rest_morph_weights(j)), {}, skeleton.parent(j), 0};
      put_transform(skeleton.rest(j), record.rest);
      records.push_back(record);
    }
    return put(std::span<const JointRecord>(records));
  }

  ClipRecord clip_record(const ClipData& clip) {
    ClipRecord record{};
    record.name = put(clip.name);
    record.tracks = put_each<TrackRecord>(clip.tracks, [](const TrackInfo& track) {
      return TrackRecord{track.joint,
                         static_cast<std::uint8_t>(track.property),
                         static_cast<std::uint8_t>(track.interpolation),
                         static_cast<std::uint8_t>(track.constant ? 1 : 0),
                         0,
                         track.key_count};
    });
    record.times = put_bulk(clip.times);
    record.values = put(std::span<const float>(clip.values.get(), clip.value_count), kModelFileAlignment);
    record.copies = put<CopyRange>(clip.copies);
    record.constants = put<ConstantSlot>(clip.constants);
    record.groups = put<Group>(clip.groups);
    record.runs = put<Run>(clip.runs);
    record.octets = put<Octet>(clip.octets);
    record.own_octets = put<OwnOctet>(clip.own_octets);
    record.duration = clip.duration;
    record.hash = clip.hash;
    return record;
  }

  // Vertices that parts share are written once.
  Slice put_vertices(const Model& model) {
    std::vector<VerticesRecord> records;
    for (const Mesh& mesh : model.meshes()) {
      for (const MeshPart& part : mesh.parts) {
        const auto number = static_cast<std::uint32_t>(records.size());
        if (numbers_.emplace(part.vertices.get(), number).second) records.push_back(vertices_record(*part.vertices));
      }
    }
    return put(std::span<const VerticesRecord>(records));
  }

  VerticesRecord vertices_record(const Vertices& v) {
    VerticesRecord record{};
    record.positions = put_bulk(v.positions);
    record.normals = put_bulk(v.normals);
    record.tangents = put_bulk(v.tangents);
    record.colors = put_bulk(v.colors);
    record.uvs = put_each<Slice>(v.uvs, [&](const Array<Vec2>& set) { return put_bulk(set); });
    record.joints = put_bulk(v.joints);
    record.weights = put_bulk(v.weights);
    record.targets = put_each<TargetRecord>(v.targets, [&](const MorphTarget& target) {
      return TargetRecord{put_bulk(target.positions), put_bulk(target.normals), put_bulk(target.tangents)};
    });
    record.influences = v.positions.empty() ? 0 : v.influences;  // of no vertex there is none
    return record;
  }

  MeshRecord mesh_record(const Mesh& mesh) {
    MeshRecord record{};
    record.name = put(mesh.name);
    record.parts = put_each<PartRecord>(mesh.parts, [&](const MeshPart& part) {
      return PartRecord{put_bulk(part.indices), numbers_.at(part.vertices.get()), part.material,
                        static_cast<std::uint32_t>(part.topology), 0};
    });
    record.morph_names = put_each<Slice>(mesh.morph_names, [&](const std::string& name) { return put(name); });
    return record;
  }

  static TextureRecord texture_record(const TextureUse& use) {
    return {use.image,
            use.uv_set,
            static_cast<std::uint8_t>(use.wrap_u),
            static_cast<std::uint8_t>(use.wrap_v),
            static_cast<std::uint8_t>(use.nearest ? 1 : 0),
            0,
            {use.offset.x, use.offset.y},
            use.rotation,
            {use.scale.x, use.scale.y}};
  }

  MaterialRecord material_record(const Material& m) {
    return {put(m.name),
            texture_record(m.base_color_texture),
            texture_record(m.emissive_texture),
            {m.base_color.x, m.base_color.y, m.base_color.z, m.base_color.w},
            {m.emissive.x, m.emissive.y, m.emissive.z},
            m.metallic,
            m.roughness,
            m.alpha_cutoff,
            static_cast<std::uint8_t>(m.alpha_mode),
            static_cast<std::uint8_t>(m.double_sided ? 1 : 0),
            static_cast<std::uint8_t>(m.unlit ? 1 : 0),
            0,
            0};
  }

  std::vector<std::byte> bytes_;
  std::map<const Vertices*, std::uint32_t> numbers_;
};

}  // namespace

std::vector<std::byte> write_model_file(const Model& model) { return Writer().write(model); }

}  // namespace marrow
