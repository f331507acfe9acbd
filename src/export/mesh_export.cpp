#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "marrow/anim/hierarchy.h"
#include "marrow/math/affine.h"
#include "marrow/skin/influences.h"
#include "marrow/skin/skinning.h"
#include "src/export/bone_list.h"
#include "src/export/imports.h"
#include "src/export/surface.h"

namespace marrow {
namespace {

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

// Where the vertices of a part come from and what is done to them on the way: parts for which it is the same share
// them.
struct Origin {
  std::size_t node = 0;
  const Vertices* vertices = nullptr;
  UvMap uv;
};

bool operator<(const Origin& a, const Origin& b) {
  return std::tie(a.node, a.vertices, a.uv) < std::tie(b.node, b.vertices, b.uv);
}

// What becomes of the vertices of a node's part.
struct Placing {
  const std::vector<std::uint32_t>* bones = nullptr;  // of the skin's joints; null for what follows one bone or none
  std::uint32_t bone = 0;
  bool moved = true;
  Affine matrix;
};

class Joiner {
 public:
  Joiner(const Model& model, const MeshExportOptions& options, BoneList list)
      : model_(model), options_(options), list_(std::move(list)), node_rest_(model.nodes().size()) {
    const Pose rest(model.skeleton());
    std::vector<Affine> joints(model.skeleton().joint_count());
    local_to_model(rest, joints);
    node_matrices(model, joints, node_rest_);
  }

  Result<ExportedMesh> join() {
    choose_attributes();
    for (std::size_t n = 0; n < model_.nodes().size(); ++n) {
      if (!is_wanted(model_.nodes()[n])) continue;
      const Mesh& mesh = model_.meshes()[static_cast<std::size_t>(model_.nodes()[n].mesh)];
      for (std::size_t p = 0; p < mesh.parts.size(); ++p) add_part(n, p);
    }
    for (const auto& [what, names] : left_out_) {
      std::string note = what;
      out_.notes.push_back(note.append(" left out: ").append(names));
    }
    if (vertex_count_ == 0) {
      std::string why = "there are no triangles to export";
      for (const std::string& note : out_.notes) why += "; " + note;
      return Error{ErrorCode::invalid_argument, why, "meshes"};
    }
    if (vertex_count_ > kMaxExportVertices) {
      return Error{
          ErrorCode::limit_exceeded,
          "the meshes have " + std::to_string(vertex_count_) +
              " vertices, more than the 65,535 that 16-bit indices reach: export them one by one (--mesh), one "
              "skin alone (--skin), or make them simpler",
          "meshes"};
    }
    return pack();
  }

 private:
  bool is_wanted(const ModelNode& node) const {
    if (!takes_part(list_, options_.bones, node)) return false;
    return options_.meshes.empty() || std::find(options_.meshes.begin(), options_.meshes.end(),
                                                static_cast<std::uint32_t>(node.mesh)) != options_.meshes.end();
  }

  void choose_attributes() {
    if (!list_.bones.empty()) out_.flags |= kExportSkinned;
    for (const ModelNode& node : model_.nodes()) {
      if (!is_wanted(node)) continue;
      for (const MeshPart& part : model_.meshes()[static_cast<std::size_t>(node.mesh)].parts) {
        const Vertices& v = *part.vertices;
        if (part.topology != Topology::triangles) continue;
        if (options_.uvs && !v.uvs.empty() && !v.uvs[0].empty()) out_.flags |= kExportUv;
        if (options_.colors && !v.colors.empty()) out_.flags |= kExportColor;
        if (options_.normals && !v.normals.empty()) out_.flags |= kExportNormal;
      }
    }
  }

  void leave_out(const std::string& what, const std::string& name) {
    std::string& names = left_out_[what];
    names += (names.empty() ? "" : ", ") + in_quotes(name);
  }

  std::string name_of(std::size_t n) const {
    const ModelNode& node = model_.nodes()[n];
    const std::string& mesh = model_.meshes()[static_cast<std::size_t>(node.mesh)].name;
    return !node.name.empty() ? node.name : !mesh.empty() ? mesh : "node_" + std::to_string(n);
  }

  // Where a part goes; nothing, with a note, if it cannot take part.
  std::optional<Placing> place(std::size_t n, const MeshPart& part) {
    const ModelNode& node = model_.nodes()[n];
    Placing placing;
    if (is_bent(node, part) && !list_.bones.empty()) {
      const BoneList::SkinUse& use = list_.skins[static_cast<std::size_t>(node.skin)];
      placing.bones = &use.bones;
      placing.moved = use.moved;
      placing.matrix = use.bind;
      return placing;
    }
    if (list_.bones.empty()) {
      placing.matrix = node_rest_[n];
      return placing;
    }
    const std::int32_t joint = carrier_of(model_, list_, n);
    if (joint == kNone) {
      leave_out("Meshes that hang on no bone are", name_of(n));
      return std::nullopt;
    }
    Affine from_node;
    for (std::size_t at = n; model_.nodes()[at].joint != joint;
         at = static_cast<std::size_t>(model_.nodes()[at].parent)) {
      from_node = multiply(to_affine(model_.nodes()[at].rest), from_node);
    }
    placing.bone = static_cast<std::uint32_t>(list_.rigid_bone_of_joint[static_cast<std::size_t>(joint)]);
    placing.matrix = multiply(inverse(list_.bones[placing.bone].inverse_bind), from_node);
    return placing;
  }

  void add_part(std::size_t n, std::size_t p) {
    const ModelNode& node = model_.nodes()[n];
    const MeshPart& part = model_.meshes()[static_cast<std::size_t>(node.mesh)].parts[p];
    if (part.topology != Topology::triangles) return leave_out("Lines and points are", name_of(n));
    if (part.indices.empty()) return;
    const std::optional<Placing> placing = place(n, part);
    if (!placing) return;
    const Material* material =
        part.material == kNone ? nullptr : &model_.materials()[static_cast<std::size_t>(part.material)];
    const auto [uv, is_first] = uv_maps_.try_emplace({material, part.vertices.get()});
    if (is_first) uv->second = uv_map(material, *part.vertices);
    const Origin origin{n, part.vertices.get(), uv->second};
    auto [found, is_new] = first_vertex_.try_emplace(origin, static_cast<std::uint32_t>(vertex_count_));
    if (is_new) vertex_count_ += part.vertices->positions.size();
    if (vertex_count_ > kMaxExportVertices) return;  // they are counted, and refused in the end
    if (is_new) add_vertices(n, *part.vertices, *placing, origin.uv);

    ExportedPart out;
    out.node = name_of(n);
    if (material != nullptr) {
      out.material = material->name;
      out.color = material->base_color;
    }
    out.first_index = static_cast<std::uint32_t>(indices_.size());
    out.index_count = static_cast<std::uint32_t>(part.indices.size());
    out.first_vertex = found->second;
    out.vertex_count = static_cast<std::uint32_t>(part.vertices->positions.size());
    out.node_index = static_cast<std::uint32_t>(n);
    out.part_index = static_cast<std::uint32_t>(p);
    out.rigid = placing->bones == nullptr;
    for (const std::uint32_t index : part.indices) indices_.push_back(found->second + index);
    if (placing->moved && determinant(placing->matrix) < 0) {
      // What is mirrored shows its other side, unless its corners go the other way round.
      for (std::size_t i = out.first_index; i < indices_.size(); i += 3) std::swap(indices_[i + 1], indices_[i + 2]);
    }
    out_.parts.push_back(std::move(out));
  }

  void add_vertices(std::size_t n, const Vertices& v, const Placing& placing, const UvMap& uv) {
    const std::size_t first = joined_.positions.size(), count = v.positions.size();
    const std::int32_t joint = model_.nodes()[n].joint;
    std::span<const float> weights;
    if (joint != kNone) weights = model_.skeleton().rest_morph_weights(static_cast<std::uint32_t>(joint));
    if (!v.targets.empty()) morphs_ = true;

    const bool normals = (out_.flags & kExportNormal) != 0;
    joined_.positions.resize(first + count);
    if (normals) joined_.normals.resize(first + count);
    const std::span<Vec3> positions = std::span(joined_.positions).subspan(first);
    std::span<Vec3> out_normals;
    if (normals && !v.normals.empty()) out_normals = std::span(joined_.normals).subspan(first);
    if (placing.moved) {
      skin_rigidly(v, weights, placing.matrix, {positions, out_normals, {}});
    } else {
      morph_vertices(v, weights, {positions, out_normals, {}});
    }
    if (normals) {
      const bool mirrored = placing.moved && determinant(placing.matrix) < 0;
      const Mesh& mesh = model_.meshes()[static_cast<std::size_t>(model_.nodes()[n].mesh)];
      made_normals_ += fill_normals(mesh, v, positions, mirrored, std::span(joined_.normals).subspan(first));
    }
    if ((out_.flags & kExportUv) != 0) {
      if (joined_.uvs.empty()) joined_.uvs.resize(1);
      append_uvs(v, uv, joined_.uvs[0]);
    }
    if ((out_.flags & kExportColor) != 0) clamped_colors_ += append_colors(v, !options_.floats, joined_.colors);
    if ((out_.flags & kExportSkinned) != 0) add_influences(v, placing);
  }

  void add_influences(const Vertices& v, const Placing& placing) {
    joined_.influences = 4;
    if (placing.bones == nullptr) {
      for (std::size_t i = 0; i < v.positions.size(); ++i) {
        joined_.joints.append({static_cast<std::uint16_t>(placing.bone), 0, 0, 0});
        joined_.weights.append({1, 0, 0, 0});
      }
      return;
    }
    Influences given{v.influences, {v.joints.begin(), v.joints.end()}, {v.weights.begin(), v.weights.end()}};
    if (v.influences > 4) {
      given = reduce_influences(v.joints, v.weights, v.influences);
      reduced_ = true;
    }
    for (std::size_t i = 0; i < v.positions.size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t at = i * given.per_vertex + k;
        const float weight = k < given.per_vertex ? given.weights[at] : 0;
        const std::uint32_t bone = weight > 0 ? (*placing.bones)[given.joints[at]] : 0;
        joined_.joints.push_back(static_cast<std::uint16_t>(bone));
        joined_.weights.push_back(weight);
      }
    }
  }

  // Which part of the export a vertex is of.
  std::string part_name(std::size_t vertex) const {
    for (const ExportedPart& part : out_.parts) {
      if (vertex >= part.first_vertex && vertex < part.first_vertex + part.vertex_count) return in_quotes(part.node);
    }
    return "";
  }

  // What to do about the vertices of the model, in the words of this module.
  Result<void> check_ranges() const {
    if (options_.floats) return {};
    if ((out_.flags & kExportUv) != 0) {
      const UvRange range = uv_range(joined_.uvs[0]);
      if (!fits_packed(range)) {
        return Error{
            ErrorCode::invalid_argument,
            "the texture coordinates of " + part_name(range.vertex) + " run from " + std::to_string(range.low) +
                " to " + std::to_string(range.high) +
                ", but packed ones go from 0 to 1: write floats (--float), leave them out (--no-uv), or lay out "
                "the mesh so that its picture does not repeat",
            {"uvs", range.vertex}};
      }
    }
    for (std::size_t i = 0; i < joined_.positions.size(); ++i) {
      const Vec3& p = joined_.positions[i];
      const float largest = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
      constexpr float kFirstTooLarge = 65520;  // rounds to infinity
      if (largest < kFirstTooLarge) continue;
      return Error{
          ErrorCode::limit_exceeded,
          "a vertex of " + part_name(i) + " is " + std::to_string(largest) +
              " from the origin, and half floats end at 65504: write floats (--float), or scale the model down",
          {"positions", i}};
    }
    return {};
  }

  Result<ExportedMesh> pack() {
    out_.format.position = options_.floats ? PositionEncoding::f32x3 : PositionEncoding::f16x4;
    if ((out_.flags & kExportUv) != 0) out_.format.uv = options_.floats ? UvEncoding::f32x2 : UvEncoding::unorm16x2;
    if ((out_.flags & kExportColor) != 0)
      out_.format.color = options_.floats ? ColorEncoding::f32x4 : ColorEncoding::unorm8x4;
    if ((out_.flags & kExportNormal) != 0)
      out_.format.normal = options_.floats ? NormalEncoding::f32x3 : NormalEncoding::oct32;
    if ((out_.flags & kExportSkinned) != 0) {
      out_.format.joints = JointEncoding::u8x4;
      out_.format.weights = WeightEncoding::unorm8x4;
    }
    if (Result<void> fits = check_ranges(); !fits) return fits.error();
    Result<std::vector<std::byte>> bytes = pack_vertices(joined_, out_.format);
    if (!bytes) return bytes.error();
    Result<PackingError> error = packing_error(joined_, out_.format);
    if (!error) return error.error();
    out_.error = *error;
    out_.vertices = std::move(*bytes);
    out_.vertex_count = static_cast<std::uint32_t>(joined_.positions.size());
    out_.stride = vertex_layout(out_.format).stride;
    out_.indices.assign(indices_.begin(), indices_.end());
    out_.up = model_.up();
    out_.skeleton.id = skeleton_id(list_.bones);
    out_.skeleton.bones = std::move(list_.bones);
    add_notes();
    return std::move(out_);
  }

  void add_notes() {
    const bool moves = std::any_of(model_.clips().begin(), model_.clips().end(),
                                   [](const Clip& clip) { return !clip.tracks().empty(); });
    if (out_.skeleton.bones.empty() && moves) {
      out_.notes.emplace_back("Clips move nodes of this file: --rigid makes bones of them");
    }
    if (morphs_) out_.notes.emplace_back("Morph targets are left out; the vertices have their weights at rest");
    if (reduced_) out_.notes.emplace_back("Vertices with more than four joints keep the four with the largest weights");
    if (clamped_colors_ > 0) {
      out_.notes.push_back("Colors outside 0 to 1 are clamped, of " + std::to_string(clamped_colors_) + " vertices");
    }
    if (made_normals_ > 0) {
      out_.notes.push_back("Normals that are missing are made from the triangles, of " + std::to_string(made_normals_) +
                           " vertices");
    }
  }

  const Model& model_;
  const MeshExportOptions& options_;
  BoneList list_;
  std::vector<Affine> node_rest_;
  Vertices joined_;
  std::vector<std::uint32_t> indices_;
  std::map<std::pair<const Material*, const Vertices*>, UvMap> uv_maps_;
  std::map<Origin, std::uint32_t> first_vertex_;
  std::map<std::string, std::string> left_out_;
  std::size_t vertex_count_ = 0;
  std::size_t clamped_colors_ = 0, made_normals_ = 0;
  bool morphs_ = false, reduced_ = false;
  ExportedMesh out_;
};

}  // namespace

Result<ExportedMesh> export_mesh(const Model& model, const MeshExportOptions& options) {
  for (const std::uint32_t mesh : options.meshes) {
    if (mesh < model.meshes().size()) continue;
    return Error{
        ErrorCode::invalid_argument,
        "there is no mesh " + std::to_string(mesh) + "; the model has " + std::to_string(model.meshes().size()),
        "meshes"};
  }
  Result<BoneList> list = list_bones(model, options.bones);
  if (!list) return list.error();
  return exactly([&] { return Joiner(model, options, std::move(*list)).join(); });
}

}  // namespace marrow
