#include <algorithm>
#include <cstring>
#include <deque>
#include <new>

#include "marrow/core/hash.h"
#include "marrow/model/axes.h"
#include "marrow/model/model_file.h"
#include "src/model/imports.h"
#include "src/model/model_file_format.h"
#include "src/model/reading.h"

namespace marrow {
namespace {

using namespace file;  // NOLINT(google-build-using-namespace): the records

Error malformed(std::string message, Place place = {}) {
  return {ErrorCode::malformed, std::move(message), std::move(place)};
}

// What may be spent for each byte of a file, without a limit of the caller's.
constexpr std::uint64_t kAllowancePerByte = 16;

constexpr std::uint64_t kWeightsBytes = 128;

// Whether the bytes are at an address that is a multiple of kModelFileAlignment, and have an owner.
bool is_in_place(const SharedBytes& file) {
  return file.owner != nullptr && reinterpret_cast<std::uintptr_t>(file.bytes.data()) % kModelFileAlignment == 0;
}

// Returns a copy that is.
SharedBytes put_in_place(const SharedBytes& file) {
  constexpr std::align_val_t kAlignment{kModelFileAlignment};
  auto* const copy = static_cast<std::byte*>(::operator new(file.bytes.size(), kAlignment));
  const std::shared_ptr<const void> owner(copy,
                                          [](const void* p) { ::operator delete(const_cast<void*>(p), kAlignment); });
  std::memcpy(copy, file.bytes.data(), file.bytes.size());
  return {{copy, file.bytes.size()}, owner};
}

// Reads the records of a file whose header was found good. What fails leaves a note, and goes on with nothing.
class Reader {
 public:
  Reader(const SharedBytes& file, const ModelFileOptions& options, const Allowance& allowance)
      : file_(file), options_(options), allowance_(allowance), left_(file.bytes.size()) {}

  Result<Model> read(const Header& header) {
    ModelParts parts;
    parts.name = text(header.name, PlacePath("name"));
    if (header.up > static_cast<std::uint32_t>(Up::y)) fail(malformed("there is no such axis up", "up"));
    parts.up = static_cast<Up>(header.up);
    read_skeleton(header.joints, parts.skeleton);
    each<SkinRecord>(header.skins, "skins", [&](const SkinRecord& record, const PlacePath& path) {
      const std::string name = text(record.name, path);
      const std::span<const std::uint32_t> joints = view<std::uint32_t>(record.joints, path);
      const std::span<const Affine> binds = view<Affine>(record.inverse_binds, path);
      if (!spend(joints.size() * (sizeof(std::uint32_t) + sizeof(Affine)), path)) return;
      Result<Skin> skin = Skin::create(parts.skeleton, joints, binds, name);
      skin ? parts.skins.push_back(*skin) : fail({skin.error().code, skin.error().message, path.place()});
    });
    spend_each(header.clips.count, present_bytes(parts.skeleton), PlacePath("clips"));
    each<ClipRecord>(header.clips, "clips",
                     [&](const ClipRecord& record, const PlacePath& path) { read_clip(record, path, parts); });
    std::vector<std::shared_ptr<const Vertices>> vertices;
    each<VerticesRecord>(header.vertices, "vertices", [&](const VerticesRecord& record, const PlacePath& path) {
      vertices.push_back(std::make_shared<Vertices>(read_vertices(record, path)));
    });
    each<MeshRecord>(header.meshes, "meshes", [&](const MeshRecord& record, const PlacePath& path) {
      parts.meshes.push_back(read_mesh(record, path, vertices));
    });
    each<MaterialRecord>(header.materials, "materials", [&](const MaterialRecord& record, const PlacePath& path) {
      parts.materials.push_back(read_material(record, path));
    });
    each<ImageRecord>(header.images, "images", [&](const ImageRecord& record, const PlacePath& path) {
      // What names a file is no text but bytes.
      parts.images.push_back({text(record.name, path), text(record.mime_type, path), bytes_of(record.uri, path),
                              array<std::byte>(record.bytes, path)});
    });
    each<NodeRecord>(header.nodes, "nodes", [&](const NodeRecord& record, const PlacePath& path) {
      if (record.shown > 1) fail(malformed("the node is neither shown nor not", path.place()));
      parts.nodes.push_back({text(record.name, path), record.parent, transform(record.rest), record.joint, record.mesh,
                             record.skin, record.shown != 0});
    });
    if (error_) return std::move(*error_);
    return with_axes(options_.verify ? Model::create(std::move(parts)) : restore_model(std::move(parts)));
  }

 private:
  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }

  // The model with the axes that are wanted.
  Result<Model> with_axes(Result<Model> model) {
    if (!model || !options_.up || *options_.up == model->up()) return model;
    // Keys are copied out, put into one place and laid out anew; the rest is copied once.
    spend(3 * std::uint64_t{file_.bytes.size()}, PlacePath("up"));
    spend_each(model->clips().size(), present_bytes(model->skeleton()), PlacePath("up"));
    if (error_) return std::move(*error_);
    return with_up(*model, *options_.up);
  }

  // Takes from what may be spent; false, and a note, if that is not enough.
  bool spend(std::uint64_t bytes, const PlacePath& path) {
    if (std::optional<std::string> why_not = allowance_.spend(bytes)) {
      fail({ErrorCode::limit_exceeded, std::move(*why_not), path.place()});
      return false;
    }
    return true;
  }

  void spend_each(std::uint64_t count, std::uint64_t bytes, const PlacePath& path) {
    spend(count > ~std::uint64_t{0} / (bytes + 1) ? ~std::uint64_t{0} : count * bytes, path);
  }

  // What a clip has for the joints of a skeleton, whichever of them it moves.
  static std::uint64_t present_bytes(const Skeleton& skeleton) {
    return skeleton.data().block_count() * sizeof(PresentBits);
  }

  // The elements of a slice. Nothing in a file is in two slices, so that all of them together are no longer than it.
  template <typename T>
  std::span<const T> view(const Slice& slice, const PlacePath& path, std::size_t alignment = alignof(T)) {
    if (slice.count == 0 || error_) return {};
    const std::uint64_t size = file_.bytes.size();
    if (slice.offset < sizeof(Header) || slice.offset > size || slice.count > (size - slice.offset) / sizeof(T) ||
        slice.offset % alignment != 0) {
      fail(malformed("what is here is said to be outside of the file", path.place()));
      return {};
    }
    const std::uint64_t bytes = slice.count * sizeof(T);
    if (bytes > left_) {
      fail(malformed("what is here is said to be where other things are", path.place()));
      return {};
    }
    left_ -= bytes;
    return {reinterpret_cast<const T*>(file_.bytes.data() + slice.offset), static_cast<std::size_t>(slice.count)};
  }

  // Records, of which things are made that are larger; none if there is no memory for those.
  template <typename Record>
  std::span<const Record> records(const Slice& slice, const PlacePath& path) {
    constexpr std::uint64_t kGrowth = 8;
    const std::span<const Record> elements = view<Record>(slice, path);
    return spend(kGrowth * elements.size_bytes(), path) ? elements : std::span<const Record>();
  }

  template <typename T>
  Array<T> array(const Slice& slice, const PlacePath& path) {
    const std::span<const T> elements = view<T>(slice, path);
    return elements.empty() ? Array<T>() : Array<T>(elements, file_.owner);
  }

  std::string bytes_of(const Slice& slice, const PlacePath& path) {
    const std::span<const char> chars = view<char>(slice, path);
    if (!spend(chars.size(), path)) return {};
    return {chars.begin(), chars.end()};
  }

  // What is not UTF-8 is mended, as in other files.
  std::string text(const Slice& slice, const PlacePath& path) { return valid_utf8(bytes_of(slice, path)); }

  template <typename Record, typename Read>
  void each(const Slice& slice, const char* name, const Read& read) {
    const std::span<const Record> all = records<Record>(slice, PlacePath(name));
    for (std::size_t i = 0; i < all.size() && !error_; ++i) read(all[i], PlacePath(name, i));
  }

  static Transform transform(const float (&v)[10]) {
    return {{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}, {v[7], v[8], v[9]}};
  }

  void read_skeleton(const Slice& slice, Skeleton& out) {
    std::vector<JointDesc> joints;
    std::deque<std::string> names;
    each<JointRecord>(slice, "joints", [&](const JointRecord& record, const PlacePath& path) {
      const std::string& name = names.emplace_back(text(record.name, path));
      const std::span<const float> weights = view<float>(record.morph_weights, path);
      if (name.empty()) fail(malformed("the joint has no name", path.place()));
      // Weights come in eights, in the rest pose and in the notes of a ClipChecker.
      if (!spend((weights.size() + 7) / 8 * kWeightsBytes, path)) return;
      joints.push_back({name, record.parent, {}, transform(record.rest), weights});
    });
    if (error_) return;
    Result<Skeleton> skeleton = restore_skeleton(joints);
    skeleton ? void(out = *skeleton) : fail(skeleton.error());
  }

  void read_clip(const ClipRecord& record, const PlacePath& path, ModelParts& parts) {
    ClipData data;
    data.name = text(record.name, path);
    data.duration = record.duration;
    data.hash = record.hash;
    for (const TrackRecord& track : records<TrackRecord>(record.tracks, path)) {
      if (track.joint >= parts.skeleton.joint_count() || track.property > static_cast<std::uint8_t>(Property::morph) ||
          track.interpolation > static_cast<std::uint8_t>(Interpolation::cubic_spline) || track.constant > 1) {
        return fail(malformed("the clip has a track for nothing that there is", path.place()));
      }
      data.tracks.push_back({track.joint, static_cast<Property>(track.property),
                             static_cast<Interpolation>(track.interpolation), track.key_count, track.constant != 0});
    }
    data.times = array<float>(record.times, path);
    const std::span<const float> values = view<float>(record.values, path, kModelFileAlignment);
    data.values = std::shared_ptr<const float>(file_.owner, values.data());
    data.value_count = values.size();
    data.copies = array<CopyRange>(record.copies, path);
    data.constants = array<ConstantSlot>(record.constants, path);
    data.groups = array<Group>(record.groups, path);
    data.runs = array<Run>(record.runs, path);
    data.octets = array<Octet>(record.octets, path);
    data.own_octets = array<OwnOctet>(record.own_octets, path);
    if (error_) return;
    if (options_.verify) {
      if (!checker_) checker_.emplace(parts.skeleton);
      if (Result<void> r = checker_->check(data); !r) return fail({r.error().code, r.error().message, path.place()});
    }
    parts.clips.push_back(restore_clip(parts.skeleton, std::move(data)));
  }

  Vertices read_vertices(const VerticesRecord& record, const PlacePath& path) {
    Vertices out;
    out.positions = array<Vec3>(record.positions, path);
    out.normals = array<Vec3>(record.normals, path);
    out.tangents = array<Vec4>(record.tangents, path);
    out.colors = array<Vec4>(record.colors, path);
    for (const Slice& set : records<Slice>(record.uvs, path)) out.uvs.push_back(array<Vec2>(set, path));
    out.joints = array<std::uint16_t>(record.joints, path);
    out.weights = array<float>(record.weights, path);
    for (const TargetRecord& target : records<TargetRecord>(record.targets, path)) {
      out.targets.push_back(
          {array<Vec3>(target.positions, path), array<Vec3>(target.normals, path), array<Vec3>(target.tangents, path)});
    }
    // So that a count of vertices times this fits any machine.
    if (record.influences > out.joints.size()) {
      fail(malformed("the vertices have fewer joints than each of them is said to have", path.place()));
    } else {
      out.influences = record.influences;
    }
    return out;
  }

  Mesh read_mesh(const MeshRecord& record, const PlacePath& path,
                 std::span<const std::shared_ptr<const Vertices>> vertices) {
    Mesh out;
    out.name = text(record.name, path);
    for (const PartRecord& part : records<PartRecord>(record.parts, path)) {
      if (part.vertices >= vertices.size() || part.topology > static_cast<std::uint32_t>(Topology::points)) {
        fail(malformed("a part of the mesh has vertices or a topology that there are not", path.place()));
        return out;
      }
      out.parts.push_back({vertices[part.vertices], array<std::uint32_t>(part.indices, path),
                           static_cast<Topology>(part.topology), part.material});
    }
    for (const Slice& name : records<Slice>(record.morph_names, path)) out.morph_names.push_back(text(name, path));
    return out;
  }

  TextureUse read_texture(const TextureRecord& record, const PlacePath& path) {
    const float values[] = {record.offset[0], record.offset[1], record.rotation, record.scale[0], record.scale[1]};
    if (record.wrap_u > static_cast<std::uint8_t>(Wrap::clamp) ||
        record.wrap_v > static_cast<std::uint8_t>(Wrap::clamp) || record.nearest > 1 ||
        !std::all_of(std::begin(values), std::end(values), is_usable)) {
      fail(malformed("a texture is used in a way that there is not", path.place()));
      return {};
    }
    return {record.image,
            record.uv_set,
            static_cast<Wrap>(record.wrap_u),
            static_cast<Wrap>(record.wrap_v),
            record.nearest != 0,
            {record.offset[0], record.offset[1]},
            record.rotation,
            {record.scale[0], record.scale[1]}};
  }

  Material read_material(const MaterialRecord& r, const PlacePath& path) {
    const float values[] = {r.base_color[0], r.base_color[1], r.base_color[2], r.base_color[3], r.emissive[0],
                            r.emissive[1],   r.emissive[2],   r.metallic,      r.roughness,     r.alpha_cutoff};
    if (r.alpha_mode > static_cast<std::uint8_t>(AlphaMode::blend) || r.double_sided > 1 || r.unlit > 1 ||
        !std::all_of(std::begin(values), std::end(values), is_usable)) {
      fail(malformed("the material has values that there are not", path.place()));
      return {};
    }
    Material out;
    out.name = text(r.name, path);
    out.base_color = {r.base_color[0], r.base_color[1], r.base_color[2], r.base_color[3]};
    out.base_color_texture = read_texture(r.base_color_texture, path);
    out.emissive = {r.emissive[0], r.emissive[1], r.emissive[2]};
    out.emissive_texture = read_texture(r.emissive_texture, path);
    out.metallic = r.metallic;
    out.roughness = r.roughness;
    out.alpha_mode = static_cast<AlphaMode>(r.alpha_mode);
    out.alpha_cutoff = r.alpha_cutoff;
    out.double_sided = r.double_sided != 0;
    out.unlit = r.unlit != 0;
    return out;
  }

  const SharedBytes& file_;
  const ModelFileOptions& options_;
  Allowance allowance_;
  std::uint64_t left_;  // bytes that no slice has had
  std::optional<ClipChecker> checker_;
  std::optional<Error> error_;
};

// Fails unless the file is one of ours and whole.
Result<void> check_header(const Header& header, std::span<const std::byte> bytes, bool verify) {
  if (header.byte_order != kByteOrder) {
    const bool swapped = header.byte_order == 0x04030201;
    return Error{ErrorCode::unsupported,
                 swapped
                     ? "the model file was written for machines of the other byte order; convert its source anew here"
                     : "the model file has a byte order that no machine has",
                 Place::numbered("byte", 8)};
  }
  if (header.version != kVersion) {
    return Error{ErrorCode::unsupported,
                 "the model file is of version " + std::to_string(header.version) +
                     ", and this library reads version " + std::to_string(kVersion) + "; convert its source anew",
                 Place::numbered("byte", 12)};
  }
  if (header.size != bytes.size()) {
    const std::string sizes = std::to_string(bytes.size()) + " of " + std::to_string(header.size) + " bytes";
    return malformed(bytes.size() < header.size ? "the model file was cut off: there are " + sizes
                                                : "something was added to the model file: there are " + sizes);
  }
  if (verify && header.checksum != hash_bulk(bytes.subspan(kChecked))) {
    return malformed("the model file was changed or damaged: its checksum is not that of its contents",
                     Place::numbered("byte", 24));
  }
  return {};
}

}  // namespace

bool is_model_file(std::span<const std::byte> bytes) {
  return bytes.size() >= sizeof kMagic && std::memcmp(bytes.data(), kMagic, sizeof kMagic) == 0;
}

Result<Model> read_model_file(const SharedBytes& file, const ModelFileOptions& options) {
  if (!is_model_file(file.bytes)) return malformed("this is no model file", Place::numbered("byte", 0));
  Header header{};
  if (file.bytes.size() < sizeof header) {
    return malformed("the model file was cut off: there are " + std::to_string(file.bytes.size()) + " bytes");
  }
  std::memcpy(&header, file.bytes.data(), sizeof header);
  if (Result<void> r = check_header(header, file.bytes, options.verify); !r) return r.error();
  Allowance allowance(options.memory_limit, kLeastAllowance + kAllowancePerByte * file.bytes.size());
  const bool placed = is_in_place(file);
  if (std::optional<std::string> why_not = allowance.spend(placed ? 0 : file.bytes.size())) {
    return Error{ErrorCode::limit_exceeded, std::move(*why_not), ""};
  }
  const SharedBytes own = placed ? file : put_in_place(file);
  return exactly([&] { return Reader(own, options, allowance).read(header); });
}

Result<Model> load_model_file(const std::string& path, const ModelFileOptions& options) {
  Result<SharedBytes> file = read_file(path);
  if (!file) return file.error();
  return read_model_file(*file, options);
}

}  // namespace marrow
