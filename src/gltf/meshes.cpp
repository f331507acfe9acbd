#include "src/gltf/meshes.h"

#include <algorithm>
#include <map>

#include "marrow/skin/influences.h"
#include "src/gltf/imports.h"
#include "src/gltf/nodes.h"

namespace marrow {
namespace {

constexpr std::uint32_t kPoints = 0, kLines = 1, kLineLoop = 2, kLineStrip = 3, kTriangles = 4, kTriangleStrip = 5,
                        kTriangleFan = 6;

// The most sets of texture coordinates, and of joints. Each is looked for by name among all attributes.
constexpr std::size_t kMaxSets = 64;

// "TEXCOORD_" and 1 make "TEXCOORD_1".
std::string numbered(std::string_view name, std::size_t number) {
  return std::string(name).append(std::to_string(number));
}

// What one primitive says, looked up.
struct Primitive {
  JsonValue attributes, targets;
  JsonValue draco;  // its ids of attributes
  DracoMesh decoded;
  std::vector<std::uint32_t> decoded_ids;  // those that were decoded, in order
};

class MeshReader {
 public:
  MeshReader(const GltfDocument& document, Buffers& buffers, Accessors& accessors, Load& load)
      : document_(document), buffers_(buffers), accessors_(accessors), load_(load) {}

  bool read(std::size_t index, Mesh& out, std::vector<std::uint32_t>& numbers) {
    const PlacePath path("meshes", index);
    JsonValue name, primitives, extras;
    pick(document_.meshes[index], {{"name", &name}, {"primitives", &primitives}, {"extras", &extras}});
    if (!load_.expect(primitives, JsonKind::array, path, "primitives")) return false;
    out.name = name.string();
    const std::size_t targets = morph_count(document_.meshes[index]);
    read_morph_names(extras["targetNames"], targets, out);
    std::uint32_t i = 0;
    for (const JsonValue primitive : primitives.elements()) {
      const PlacePath at(path, "primitives", i);
      if (!load_.expect(primitive, JsonKind::object, at)) return false;
      if (!read_primitive(primitive, targets, at, out)) return false;
      if (out.parts.size() > numbers.size()) numbers.push_back(i);
      ++i;
    }
    return true;
  }

 private:
  static void read_morph_names(JsonValue names, std::size_t count, Mesh& out) {
    for (const JsonValue name : names.elements()) {
      if (out.morph_names.size() < count) out.morph_names.emplace_back(name.string());
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= out.morph_names.size()) out.morph_names.emplace_back();
      if (out.morph_names[i].empty()) out.morph_names[i] = "morph_" + std::to_string(i);
    }
  }

  bool read_primitive(JsonValue object, std::size_t targets, const PlacePath& path, Mesh& out) {
    JsonValue indices, material, mode, extensions;
    Primitive primitive;
    pick(object, {{"attributes", &primitive.attributes},
                  {"targets", &primitive.targets},
                  {"indices", &indices},
                  {"material", &material},
                  {"mode", &mode},
                  {"extensions", &extensions}});
    if (!primitive.attributes["POSITION"].present()) {
      load_.warn("the primitive has no positions and is left out", path, "attributes");
      return true;
    }
    if (!load_.expect(primitive.targets, JsonKind::array, path, "targets")) return false;
    MeshPart part;
    if (!load_.read_index(material, document_.materials.size(), "material", part.material, path, "material")) {
      return false;
    }
    std::uint32_t number = kTriangles;
    if (!load_.read(mode, 7, number, path, "mode")) return false;
    const JsonValue draco = extension(extensions, "KHR_draco_mesh_compression");
    if (draco.present() && !decode_draco(draco, path, primitive)) return false;
    if (!read_shared_vertices(primitive, draco, targets, path, part)) return false;
    if (!read_indices(indices, number, primitive, path, part)) return false;
    out.parts.push_back(std::move(part));
    return true;
  }

  bool decode_draco(JsonValue draco, const PlacePath& path, Primitive& out) {
    const PlacePath extensions_path(path, "extensions"), here(extensions_path, "KHR_draco_mesh_compression");
    if (!load_.options().draco) {
      // Some files have the plain data too.
      std::int32_t index = kNone;
      if (!load_.read_index(out.attributes["POSITION"], accessors_.count(), "accessor", index, path, "attributes")) {
        return false;
      }
      if (document_.accessors[static_cast<std::size_t>(index)]["bufferView"].present()) return true;
      return load_.fail(ErrorCode::unsupported, "the mesh is compressed with Draco, and LoadOptions::draco is not set",
                        here);
    }
    std::int32_t view_index = kNone;
    if (!load_.read_index(draco["bufferView"], document_.buffer_views.size(), "buffer view", view_index, here,
                          "bufferView")) {
      return false;
    }
    if (view_index == kNone) return load_.fail(ErrorCode::malformed, "no buffer view is stated", here, "bufferView");
    out.draco = draco["attributes"];
    if (!load_.expect(out.draco, JsonKind::object, here, "attributes")) return false;
    for (const JsonValue::Member member : out.draco.members()) {
      std::uint32_t id = 0;
      if (!load_.read(member.value, std::uint64_t{1} << 32, id, here, "attributes")) return false;
      out.decoded_ids.push_back(id);
    }
    BufferView view;
    if (!buffers_.view(static_cast<std::size_t>(view_index), view)) return false;
    Result<DracoMesh> decoded = load_.options().draco({view.bytes, out.decoded_ids, load_.allowance()});
    if (!decoded) return load_.fail(decoded.error().code, decoded.error().message, here);
    if (decoded->attributes.size() != out.decoded_ids.size()) {
      return load_.fail(ErrorCode::malformed, "the decoder returned another number of attributes", here);
    }
    out.decoded = std::move(*decoded);
    std::uint64_t bytes = std::uint64_t{out.decoded.indices.size()} * sizeof(std::uint32_t);
    for (const DracoMesh::Attribute& attribute : out.decoded.attributes)
      bytes += attribute.values.size() * sizeof(float);
    return load_.spend(bytes, here);
  }

  // Parts of the same accessors share their vertices.
  bool read_shared_vertices(const Primitive& primitive, JsonValue draco, std::size_t targets, const PlacePath& path,
                            MeshPart& out) {
    std::string key = std::to_string(targets);
    const auto add = [&](JsonValue attributes) {
      for (const JsonValue::Member member : attributes.members()) {
        key.append("/").append(member.key).append("=").append(std::to_string(member.value.number()));
      }
      key.push_back(';');
    };
    add(primitive.attributes);
    if (draco.present()) {
      key.append("draco ").append(std::to_string(draco["bufferView"].number()));
      add(draco["attributes"]);
    }
    for (const JsonValue target : primitive.targets.elements()) add(target);
    std::shared_ptr<const Vertices>& shared = shared_[key];
    if (shared == nullptr) {
      auto vertices = std::make_shared<Vertices>();
      if (!read_vertices(primitive, targets, path, *vertices)) return false;
      shared = std::move(vertices);
    }
    out.vertices = shared;
    return true;
  }

  bool read_vertices(const Primitive& primitive, std::size_t targets, const PlacePath& path, Vertices& out) {
    const PlacePath here(path, "attributes");
    const Up up = load_.options().up;
    if (!read_attribute(primitive, primitive.attributes, "POSITION", 0, here, out.positions)) return false;
    const std::size_t count = out.positions.size();
    if (!read_attribute(primitive, primitive.attributes, "NORMAL", count, here, out.normals)) return false;
    if (!read_attribute(primitive, primitive.attributes, "TANGENT", count, here, out.tangents)) return false;
    for (Vec3& v : out.positions) v = turned(v, up);
    for (Vec3& v : out.normals) v = turned(v, up);
    for (Vec4& v : out.tangents) v = turned(v, up);
    for (std::size_t set = 0; set < kMaxSets; ++set) {
      const std::string name = numbered("TEXCOORD_", set);
      if (!primitive.attributes[name].present()) break;
      if (!read_attribute(primitive, primitive.attributes, name, count, here, out.uvs.emplace_back())) return false;
    }
    look_for_more_sets(primitive.attributes, "TEXCOORD_", here);
    if (!read_colors(primitive, count, here, out)) return false;
    return read_influences(primitive, count, here, out) && read_targets(primitive, targets, count, path, out);
  }

  void look_for_more_sets(JsonValue attributes, std::string_view name, const PlacePath& path) {
    const std::string next = numbered(name, kMaxSets);
    if (attributes[next].present()) load_.warn("there are more than 64 sets; the others are left out", path, next);
  }

  // Finds the accessor of an attribute; `index` stays kNone if there is none.
  bool find(JsonValue attributes, std::string_view name, const PlacePath& path, std::int32_t& index, Accessor& out) {
    if (!load_.read_index(attributes[name], accessors_.count(), "accessor", index, path, name)) return false;
    return index == kNone || accessors_.find(static_cast<std::size_t>(index), out);
  }

  bool check_count(std::size_t found, std::size_t count, const PlacePath& path, std::string_view name) {
    if (found == count) return true;
    return load_.fail(ErrorCode::size_mismatch,
                      "there are " + std::to_string(count) + " positions but " + std::to_string(found) + " of these",
                      path, name);
  }

  // Reads an attribute of one type of vector; leaves `out` empty if there is none. A count of 0 is that of the
  // accessor.
  template <typename Vec>
  bool read_attribute(const Primitive& primitive, JsonValue attributes, std::string_view name, std::size_t count,
                      const PlacePath& path, Array<Vec>& out) {
    std::int32_t index = kNone;
    Accessor accessor;
    if (!find(attributes, name, path, index, accessor)) return false;
    if (index == kNone) return true;
    constexpr std::uint32_t kSize = sizeof(Vec) / sizeof(float);
    return read_numbers(primitive, name, static_cast<std::size_t>(index), accessor, kSize, count, path,
                        [&](std::size_t elements) {
                          out.resize(elements);
                          return reinterpret_cast<float*>(out.data());
                        });
  }

  // Reads the numbers of an attribute, from Draco's mesh or the buffers, to the memory that `allocate(elements)`
  // returns.
  template <typename Allocate>
  bool read_numbers(const Primitive& primitive, std::string_view name, std::size_t index, Accessor accessor,
                    std::uint32_t components, std::size_t count, const PlacePath& path, const Allocate& allocate) {
    if (accessor.components != components) {
      return load_.fail(ErrorCode::malformed,
                        "elements of " + std::to_string(components) + " numbers are wanted here, the accessor's have " +
                            std::to_string(accessor.components),
                        path, name);
    }
    const DracoMesh::Attribute* decoded = find_decoded(primitive, name);
    const std::size_t elements = decoded != nullptr ? primitive.decoded.vertex_count : accessor.count;
    if (count != 0 && !check_count(elements, count, path, name)) return false;
    if (!load_.spend(std::uint64_t{elements} * components * sizeof(float), path)) return false;
    float* const out = allocate(elements);
    const std::size_t size = elements * components;
    if (decoded == nullptr) {
      if (!accessors_.floats(index, accessor, std::span<float>(out, size))) return false;
    } else if (decoded->components != components || decoded->values.size() != size) {
      return load_.fail(ErrorCode::malformed, "the compressed mesh has another number of components", path, name);
    } else {
      for (std::size_t i = 0; i < size; ++i) {
        out[i] = accessor.normalized ? normalized_value(decoded->values[i], accessor.component) : decoded->values[i];
      }
    }
    mend(std::span<float>(out, size), path, name);
    return true;
  }

  static const DracoMesh::Attribute* find_decoded(const Primitive& primitive, std::string_view name) {
    std::size_t i = 0;
    for (const JsonValue::Member member : primitive.draco.members()) {
      if (member.key == name) return &primitive.decoded.attributes[i];
      ++i;
    }
    return nullptr;
  }

  // Puts 0 for what cannot be computed with.
  void mend(std::span<float> values, const PlacePath& path, std::string_view name) {
    std::size_t bad = 0;
    for (float& value : values) {
      if (is_usable(value)) continue;
      value = 0;
      ++bad;
    }
    if (bad > 0) {
      load_.warn(std::to_string(bad) + " numbers are not finite or beyond 1e18; 0 is used instead", path, name);
    }
  }

  bool read_colors(const Primitive& primitive, std::size_t count, const PlacePath& path, Vertices& out) {
    std::int32_t index = kNone;
    Accessor accessor;
    if (!find(primitive.attributes, "COLOR_0", path, index, accessor)) return false;
    if (index == kNone) return true;
    if (accessor.components == 4) {
      return read_attribute(primitive, primitive.attributes, "COLOR_0", count, path, out.colors);
    }
    Array<Vec3> opaque;
    if (!read_attribute(primitive, primitive.attributes, "COLOR_0", count, path, opaque)) return false;
    if (!load_.spend(opaque.size() * sizeof(Vec4), path)) return false;
    for (const Vec3& c : opaque) out.colors.push_back({c.x, c.y, c.z, 1});
    return true;
  }

  bool read_influences(const Primitive& primitive, std::size_t count, const PlacePath& path, Vertices& out) {
    std::size_t sets = 0;
    while (sets < kMaxSets && primitive.attributes[numbered("JOINTS_", sets)].present() &&
           primitive.attributes[numbered("WEIGHTS_", sets)].present()) {
      ++sets;
    }
    if (primitive.attributes[numbered("JOINTS_", sets)].present() !=
        primitive.attributes[numbered("WEIGHTS_", sets)].present()) {
      load_.warn("there are joints without weights or weights without joints; they are left out", path,
                 numbered("JOINTS_", sets));
    }
    look_for_more_sets(primitive.attributes, "JOINTS_", path);
    if (sets == 0) return true;
    out.influences = static_cast<std::uint32_t>(4 * sets);
    if (!load_.spend(std::uint64_t{count} * out.influences * (sizeof(float) + sizeof(std::uint16_t)), path))
      return false;
    out.joints.resize(count * out.influences);
    out.weights.resize(count * out.influences);
    Array<Vec4> values;
    for (std::size_t set = 0; set < sets; ++set) {
      const std::string joints = numbered("JOINTS_", set), weights = numbered("WEIGHTS_", set);
      std::int32_t index = kNone;
      Accessor accessor;
      if (!find(primitive.attributes, joints, path, index, accessor)) return false;
      if (accessor.component != Component::u8 && accessor.component != Component::u16) {
        return load_.fail(ErrorCode::malformed, "joints are unsigned bytes or shorts", path, joints);
      }
      accessor.normalized = false;
      const auto allocate = [&](std::size_t elements) {
        values.resize(elements);
        return reinterpret_cast<float*>(values.data());
      };
      if (!read_numbers(primitive, joints, static_cast<std::size_t>(index), accessor, 4, count, path, allocate))
        return false;
      for (std::size_t v = 0; v < count; ++v) {
        std::uint16_t* to = out.joints.data() + v * out.influences + 4 * set;
        const float* from = &values[v].x;
        // Draco's numbers may be anything.
        for (int i = 0; i < 4; ++i) to[i] = static_cast<std::uint16_t>(from[i] >= 0 && from[i] <= 65535 ? from[i] : 0);
      }
      if (!read_attribute(primitive, primitive.attributes, weights, count, path, values)) return false;
      for (std::size_t v = 0; v < count; ++v) {
        std::copy_n(&values[v].x, 4, out.weights.data() + v * out.influences + 4 * set);
      }
    }
    tell(normalize_weights(out.weights, out.influences), count, path);
    // What has no weight need not name a joint that there is.
    for (std::size_t i = 0; i < out.joints.size(); ++i) {
      if (out.weights[i] == 0) out.joints[i] = 0;
    }
    return true;
  }

  void tell(const WeightReport& report, std::size_t count, const PlacePath& path) {
    const std::string of = " of " + std::to_string(count) + " vertices ";
    if (report.off > 0) {
      load_.warn("the weights of " + std::to_string(report.off) + of +
                     "do not sum to 1 (farthest: " + std::to_string(report.worst_sum) + "); they are normalised",
                 path, "WEIGHTS_0");
    }
    if (report.zero > 0) {
      load_.warn(std::to_string(report.zero) + of + "have no weights; they follow their first joint", path,
                 "WEIGHTS_0");
    }
    if (report.negative > 0) {
      load_.warn(std::to_string(report.negative) + of + "have weights below zero; they count as zero", path,
                 "WEIGHTS_0");
    }
  }

  bool read_targets(const Primitive& primitive, std::size_t targets, std::size_t count, const PlacePath& path,
                    Vertices& out) {
    if (primitive.targets.size() == 0) return true;
    if (primitive.targets.size() != targets) {
      load_.warn("the primitives of a mesh have different numbers of morph targets", path, "targets");
    }
    if (!load_.spend(targets * sizeof(MorphTarget), path)) return false;
    out.targets.resize(targets);
    std::size_t i = 0;
    for (const JsonValue element : primitive.targets.elements()) {
      const PlacePath at(path, "targets", i);
      MorphTarget& target = out.targets[i++];
      if (!load_.expect(element, JsonKind::object, at)) return false;
      // Draco does not compress morph targets.
      const Primitive plain;
      if (!read_attribute(plain, element, "POSITION", count, at, target.positions)) return false;
      if (!read_attribute(plain, element, "NORMAL", count, at, target.normals)) return false;
      if (!read_attribute(plain, element, "TANGENT", count, at, target.tangents)) return false;
      const Up up = load_.options().up;
      for (Vec3& v : target.positions) v = turned(v, up);
      for (Vec3& v : target.normals) v = turned(v, up);
      for (Vec3& v : target.tangents) v = turned(v, up);
    }
    return true;
  }

  bool read_indices(JsonValue number, std::uint32_t mode, Primitive& primitive, const PlacePath& path, MeshPart& out) {
    const std::size_t vertices = out.vertices->positions.size();
    std::vector<std::uint32_t> indices;
    std::int32_t index = kNone;
    if (!load_.read_index(number, accessors_.count(), "accessor", index, path, "indices")) return false;
    if (primitive.draco.present()) {
      indices = std::move(primitive.decoded.indices);
      mode = kTriangles;
    } else if (index != kNone) {
      Accessor accessor;
      if (!accessors_.find(static_cast<std::size_t>(index), accessor)) return false;
      if (accessor.components != 1) return load_.fail(ErrorCode::malformed, "indices are scalars", path, "indices");
      if (!load_.spend(std::uint64_t{accessor.count} * sizeof(std::uint32_t) * 3, path)) return false;
      indices.resize(accessor.count);
      if (!accessors_.integers(static_cast<std::size_t>(index), accessor, indices)) return false;
    } else {
      if (!load_.spend(std::uint64_t{vertices} * sizeof(std::uint32_t) * 3, path)) return false;
      indices.resize(vertices);
      for (std::uint32_t i = 0; i < indices.size(); ++i) indices[i] = i;
    }
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] >= vertices) {
        return load_.fail(ErrorCode::malformed,
                          "index " + std::to_string(i) + " is for vertex " + std::to_string(indices[i]) +
                              ", but there are " + std::to_string(vertices),
                          path, "indices");
      }
    }
    make_list(std::move(indices), mode, path, out);
    return true;
  }

  // Makes strips, fans and loops into plain lists; what does not make a whole is left out.
  void make_list(std::vector<std::uint32_t> in, std::uint32_t mode, const PlacePath& path, MeshPart& out) {
    std::vector<std::uint32_t>& list = out.indices.own();
    const std::size_t count = in.size();
    out.topology = mode == kPoints ? Topology::points : mode < kTriangles ? Topology::lines : Topology::triangles;
    const std::size_t corners = mode == kTriangles ? 3 : mode == kLines ? 2 : 1;
    if (corners > 1 && count % corners != 0) {
      load_.warn(std::to_string(count) + " indices do not make whole triangles or lines; the last are left out", path,
                 "indices");
    }
    if (mode == kPoints || mode == kTriangles || mode == kLines) {
      in.resize(count - count % corners);
      list = std::move(in);
      return;
    }
    for (std::size_t i = 1; (mode == kLineStrip || mode == kLineLoop) && i < count; ++i) {
      list.insert(list.end(), {in[i - 1], in[i]});
    }
    if (mode == kLineLoop && count > 1) list.insert(list.end(), {in[count - 1], in[0]});
    for (std::size_t i = 2; mode == kTriangleStrip && i < count; ++i) {
      const bool odd = i % 2 != 0;
      list.insert(list.end(), {in[i - 2], in[odd ? i : i - 1], in[odd ? i - 1 : i]});
    }
    for (std::size_t i = 2; mode == kTriangleFan && i < count; ++i) {
      list.insert(list.end(), {in[0], in[i - 1], in[i]});
    }
  }

  const GltfDocument& document_;
  Buffers& buffers_;
  Accessors& accessors_;
  Load& load_;
  std::map<std::string, std::shared_ptr<const Vertices>> shared_;
};

}  // namespace

bool read_meshes(const GltfDocument& document, Buffers& buffers, Accessors& accessors, Load& load,
                 std::vector<Mesh>& out, std::vector<std::vector<std::uint32_t>>& primitives) {
  MeshReader reader(document, buffers, accessors, load);
  out.resize(document.meshes.size());
  primitives.resize(out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!reader.read(i, out[i], primitives[i])) return false;
  }
  return true;
}

}  // namespace marrow
