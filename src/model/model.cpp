#include "marrow/model/model.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "marrow/core/names.h"
#include "marrow/math/affine.h"
#include "src/model/imports.h"
#include "src/model/reading.h"

namespace marrow {

struct ModelData {
  ModelParts parts;
  std::vector<std::uint32_t> order;
};

namespace {

// What was found out about vertices, which parts may share, and meshes, which nodes may share.
struct Checked {
  // The part of a mesh with the largest joint index of all that have influences.
  struct Reach {
    std::size_t part = 0;
    std::uint32_t joints = 0;  // one more than that index; 0 without influences
  };
  std::unordered_map<const Vertices*, std::uint32_t> largest_joint;
  std::vector<Reach> reach_of_mesh;
  std::vector<std::int32_t> node_of_joint;
};

// Fails unless `index` is kNone or inside an array of `count` things.
Result<void> check_index(std::int32_t index, std::size_t count, const char* what, const PlacePath& path,
                         const char* member) {
  if (index == kNone || (index >= 0 && static_cast<std::size_t>(index) < count)) return {};
  return Error{
      ErrorCode::invalid_argument,
      "there is no " + std::string(what) + " " + std::to_string(index) + "; the model has " + std::to_string(count),
      path.place() / member};
}

Result<void> check_part(const ModelParts& parts, const Mesh& mesh, const MeshPart& part, const PlacePath& path,
                        Checked& checked) {
  if (part.vertices == nullptr) return Error{ErrorCode::invalid_argument, "the part has no vertices", path.place()};
  const Vertices& vertices = *part.vertices;
  if (!checked.largest_joint.contains(&vertices)) {
    if (Result<void> r = check_vertices(vertices); !r) {
      return Error{r.error().code, r.error().message, r.error().place.within(path.place() / "vertices")};
    }
    checked.largest_joint.emplace(&vertices, largest_joint(vertices));
  }
  if (!vertices.targets.empty() && vertices.targets.size() != mesh.morph_names.size()) {
    return Error{ErrorCode::size_mismatch,
                 "the mesh has " + std::to_string(mesh.morph_names.size()) + " morph targets but this part " +
                     std::to_string(vertices.targets.size()),
                 path.place() / "vertices" / "targets"};
  }
  const std::size_t corners = part.topology == Topology::triangles ? 3 : part.topology == Topology::lines ? 2 : 1;
  if (part.indices.size() % corners != 0) {
    return Error{ErrorCode::size_mismatch,
                 std::to_string(part.indices.size()) + " indices do not make whole triangles or lines",
                 path.place() / "indices"};
  }
  for (std::size_t i = 0; i < part.indices.size(); ++i) {
    if (part.indices[i] >= vertices.positions.size()) {
      return Error{ErrorCode::invalid_argument,
                   "index " + std::to_string(part.indices[i]) + " is beyond the " +
                       std::to_string(vertices.positions.size()) + " vertices",
                   path.place() / "indices" / i};
    }
  }
  return check_index(part.material, parts.materials.size(), "material", path, "material");
}

// Puts the nodes in an order with parents first; fails if there is none.
Result<std::vector<std::uint32_t>> parents_first(const std::vector<ModelNode>& nodes) {
  std::vector<std::uint32_t> order;
  order.reserve(nodes.size());
  std::vector<bool> placed(nodes.size(), false);
  std::vector<std::uint32_t> path;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    // Up to the first ancestor that has its place, then back down.
    path.clear();
    for (std::int32_t at = static_cast<std::int32_t>(i); at != kNone && !placed[static_cast<std::size_t>(at)];
         at = nodes[static_cast<std::size_t>(at)].parent) {
      if (path.size() == nodes.size()) {
        return Error{ErrorCode::cycle, "the node is its own ancestor", {"nodes", static_cast<std::size_t>(at)}};
      }
      path.push_back(static_cast<std::uint32_t>(at));
    }
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      placed[*it] = true;
      order.push_back(*it);
    }
  }
  return order;
}

bool has_usable_values(const Transform& t) {
  const float values[] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                          t.rotation.z,    t.rotation.w,    t.scale.x,       t.scale.y,    t.scale.z};
  return std::all_of(std::begin(values), std::end(values), is_usable);
}

// The weights of a node that is no joint, or of a joint that has none, are 0.
Result<void> check_morphs(const ModelParts& parts, const ModelNode& node, const PlacePath& path) {
  if (node.joint == kNone) return {};
  const std::size_t targets = parts.meshes[static_cast<std::size_t>(node.mesh)].morph_names.size();
  const std::size_t weights = parts.skeleton.morph_count(static_cast<std::uint32_t>(node.joint));
  if (weights == targets || weights == 0) return {};
  return Error{ErrorCode::size_mismatch,
               "the mesh has " + std::to_string(targets) + " morph targets, but the joint of the node " +
                   std::to_string(weights) + " morph weights",
               path.place() / "mesh"};
}

Result<void> check_node(const ModelParts& parts, std::size_t index, Checked& checked) {
  const ModelNode& node = parts.nodes[index];
  const PlacePath path("nodes", index);
  if (Result<void> r = check_index(node.parent, parts.nodes.size(), "node", path, "parent"); !r) return r;
  if (Result<void> r = check_index(node.mesh, parts.meshes.size(), "mesh", path, "mesh"); !r) return r;
  if (Result<void> r = check_index(node.skin, parts.skins.size(), "skin", path, "skin"); !r) return r;
  if (Result<void> r = check_index(node.joint, parts.skeleton.joint_count(), "joint", path, "joint"); !r) return r;
  if (node.joint != kNone) {
    std::int32_t& claimed = checked.node_of_joint[static_cast<std::size_t>(node.joint)];
    if (claimed != kNone) {
      return Error{ErrorCode::duplicate, "two nodes are joint " + std::to_string(node.joint), path.place() / "joint"};
    }
    claimed = static_cast<std::int32_t>(index);
  }
  if (!has_usable_values(node.rest)) {
    return Error{ErrorCode::not_finite, "the rest transform has a value that is not finite or beyond 1e18",
                 path.place() / "rest"};
  }
  if (node.mesh == kNone) return {};
  if (Result<void> r = check_morphs(parts, node, path); !r || node.skin == kNone) return r;
  const Skin& skin = parts.skins[static_cast<std::size_t>(node.skin)];
  const Checked::Reach& reach = checked.reach_of_mesh[static_cast<std::size_t>(node.mesh)];
  if (reach.joints <= skin.size()) return {};
  return Error{ErrorCode::invalid_argument,
               "a vertex refers to joint " + std::to_string(reach.joints - 1) + ", but the skin of node " +
                   std::to_string(index) + " has " + std::to_string(skin.size()) + " joints",
               Place("meshes", static_cast<std::size_t>(node.mesh)) / "parts" / reach.part};
}

Result<void> check_joints(const ModelParts& parts, const std::vector<std::int32_t>& node_of_joint) {
  for (std::size_t i = 0; i < parts.nodes.size(); ++i) {
    const ModelNode& node = parts.nodes[i];
    if (node.joint == kNone) continue;
    const std::int32_t parent_joint = parts.skeleton.parent(static_cast<std::uint32_t>(node.joint));
    const std::int32_t parent =
        parent_joint == kNoParent ? kNone : node_of_joint[static_cast<std::size_t>(parent_joint)];
    if (parent != node.parent) {
      return Error{ErrorCode::invalid_argument, "the parent of the node is not that of its joint",
                   Place("nodes", i) / "parent"};
    }
  }
  return {};
}

Result<void> check_parts(const ModelParts& parts) {
  Checked checked;
  for (std::size_t i = 0; i < parts.skins.size(); ++i) {
    if (parts.skins[i].skeleton_joint_count() != parts.skeleton.joint_count()) {
      return Error{ErrorCode::size_mismatch, "the skin is for another skeleton", {"skins", i}};
    }
  }
  for (std::size_t i = 0; i < parts.clips.size(); ++i) {
    if (!parts.clips[i].fits(parts.skeleton)) {
      return Error{ErrorCode::size_mismatch, "the clip is for another skeleton", {"clips", i}};
    }
  }
  for (std::size_t i = 0; i < parts.materials.size(); ++i) {
    const PlacePath path("materials", i);
    const Material& material = parts.materials[i];
    if (Result<void> r =
            check_index(material.base_color_texture.image, parts.images.size(), "image", path, "base_color_texture");
        !r) {
      return r;
    }
    if (Result<void> r =
            check_index(material.emissive_texture.image, parts.images.size(), "image", path, "emissive_texture");
        !r) {
      return r;
    }
  }
  checked.reach_of_mesh.resize(parts.meshes.size());
  for (std::size_t i = 0; i < parts.meshes.size(); ++i) {
    const PlacePath mesh_path("meshes", i);
    for (std::size_t p = 0; p < parts.meshes[i].parts.size(); ++p) {
      const PlacePath path(mesh_path, "parts", p);
      if (Result<void> r = check_part(parts, parts.meshes[i], parts.meshes[i].parts[p], path, checked); !r) return r;
      const Vertices& vertices = *parts.meshes[i].parts[p].vertices;
      if (vertices.influences == 0 || vertices.positions.empty()) continue;
      const std::uint32_t joints = checked.largest_joint.at(&vertices) + 1;
      if (joints > checked.reach_of_mesh[i].joints) checked.reach_of_mesh[i] = {p, joints};
    }
  }
  checked.node_of_joint.assign(parts.skeleton.joint_count(), kNone);
  for (std::size_t i = 0; i < parts.nodes.size(); ++i) {
    if (Result<void> r = check_node(parts, i, checked); !r) return r;
  }
  return check_joints(parts, checked.node_of_joint);
}

}  // namespace

Model::Model() : data_(std::make_shared<ModelData>()) {}

Result<Model> Model::create(ModelParts parts) {
  if (Result<void> r = check_parts(parts); !r) return r.error();
  return restore_model(std::move(parts));
}

Result<Model> restore_model(ModelParts parts) {
  Result<std::vector<std::uint32_t>> order = parents_first(parts.nodes);
  if (!order) return order.error();
  return Model(std::make_shared<ModelData>(ModelData{std::move(parts), std::move(*order)}));
}

const std::string& Model::name() const { return data_->parts.name; }
Up Model::up() const { return data_->parts.up; }
const Skeleton& Model::skeleton() const { return data_->parts.skeleton; }
std::span<const Skin> Model::skins() const { return data_->parts.skins; }
std::span<const Clip> Model::clips() const { return data_->parts.clips; }
std::span<const Mesh> Model::meshes() const { return data_->parts.meshes; }
std::span<const Material> Model::materials() const { return data_->parts.materials; }
std::span<const Image> Model::images() const { return data_->parts.images; }
std::span<const ModelNode> Model::nodes() const { return data_->parts.nodes; }
const ModelParts& Model::parts() const { return data_->parts; }
std::span<const std::uint32_t> Model::nodes_in_order() const { return data_->order; }

const Clip* Model::find_clip(std::string_view name) const {
  for (const Clip& clip : clips()) {
    if (clip.name() == name) return &clip;
  }
  return nullptr;
}

Result<std::uint32_t> Model::node(std::string_view name) const {
  const std::span<const ModelNode> all = nodes();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return i;
  }
  return unknown_name("node", name, all, [](const ModelNode& node) { return std::string_view(node.name); });
}

Error unknown_bone(const Model& model, std::string_view name) {
  std::vector<std::string_view> names;
  for (std::uint32_t j = 0; j < model.skeleton().joint_count(); ++j) names.push_back(model.skeleton().name(j));
  for (const ModelNode& node : model.nodes()) names.emplace_back(node.name);
  return unknown_name("bone", name, std::span<const std::string_view>(names));
}

void node_matrices(const Model& model, std::span<const Affine> model_from_joint, std::span<Affine> model_from_node) {
  MARROW_ASSERT(model_from_joint.size() == model.skeleton().joint_count(), "there must be a matrix for each joint");
  MARROW_ASSERT(model_from_node.size() == model.nodes().size(), "the output must have one matrix for each node");
  for (const std::uint32_t i : model.nodes_in_order()) {
    const ModelNode& node = model.nodes()[i];
    if (node.joint != kNone) {
      model_from_node[i] = model_from_joint[static_cast<std::size_t>(node.joint)];
      continue;
    }
    const Affine local = to_affine(node.rest);
    model_from_node[i] =
        node.parent == kNone ? local : multiply(model_from_node[static_cast<std::size_t>(node.parent)], local);
  }
}

}  // namespace marrow
