#include "src/gltf/nodes.h"

#include <algorithm>
#include <cmath>

#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "src/gltf/imports.h"

namespace marrow {
namespace {

// How much of a matrix may be lost when it is taken apart, relative to its largest number.
constexpr float kShearTolerance = 1e-4f;

float magnitude(float x) { return x < 0 ? -x : x; }

// Takes a matrix apart, with a warning if it does not come back together.
bool read_matrix(const float (&m)[16], const PlacePath& path, Load& load, Transform& out) {
  if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) {
    load.warn("the last row of the matrix is not 0 0 0 1; it is taken to be", path, "matrix");
  }
  const Affine affine = from_column_major(m);
  out = to_transform(affine);
  if (!is_usable(out.scale.x) || !is_usable(out.scale.y) || !is_usable(out.scale.z)) {
    return load.fail(ErrorCode::not_finite, "the matrix has a scale beyond 1e18", path, "matrix");
  }
  const Affine again = to_affine(out);
  float largest = 0, off = 0;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      largest = std::max(largest, magnitude(affine.m[r][c]));
      off = std::max(off, magnitude(affine.m[r][c] - again.m[r][c]));
    }
  }
  if (off > kShearTolerance * largest) {
    load.warn(
        "the matrix has shear, which translation, rotation and scale cannot express; the nearest without it is used",
        path, "matrix");
  }
  return true;
}

bool read_transform(JsonValue matrix, JsonValue translation, JsonValue rotation, JsonValue scale, const PlacePath& path,
                    Load& load, Transform& out) {
  if (matrix.present()) {
    float m[16];
    return load.read_floats(matrix, 16, m, path, "matrix") && read_matrix(m, path, load, out);
  }
  if (!load.read_floats(translation, 3, &out.translation.x, path, "translation")) return false;
  if (!load.read_floats(rotation, 4, &out.rotation.x, path, "rotation")) return false;
  if (!load.read_floats(scale, 3, &out.scale.x, path, "scale")) return false;
  const Quat q = out.rotation;
  if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) {
    load.warn("the rotation has no length; none is used instead", path, "rotation");
    out.rotation = {};
    return true;
  }
  const double squared = double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w;
  if (squared < 0.998 || squared > 1.002)
    load.warn("the rotation is not of unit length; it is normalised", path, "rotation");
  out.rotation = normalize(q);
  return true;
}

bool read_children(JsonValue children, std::size_t parent, const PlacePath& path, Load& load, GltfNodes& out) {
  if (!load.expect(children, JsonKind::array, path, "children")) return false;
  std::vector<std::uint32_t>& list = out.children[parent];
  list.reserve(children.size());
  for (const JsonValue element : children.elements()) {
    const PlacePath at(path, "children", list.size());
    std::int32_t child = kNone;
    if (!load.read_index(element, out.nodes.size(), "node", child, at, {})) return false;
    ModelNode& node = out.nodes[static_cast<std::size_t>(child)];
    if (node.parent != kNone) {
      return load.fail(
          ErrorCode::two_parents,
          "node " + std::to_string(child) + " is a child of node " + std::to_string(node.parent) + " already", at);
    }
    node.parent = static_cast<std::int32_t>(parent);
    list.push_back(static_cast<std::uint32_t>(child));
  }
  return true;
}

// What nodes want to know of a mesh.
struct MorphInfo {
  std::size_t count = 0;
  JsonValue weights;
};

std::vector<MorphInfo> read_morph_infos(const GltfDocument& document) {
  std::vector<MorphInfo> infos;
  for (const JsonValue mesh : document.meshes) infos.push_back({morph_count(mesh), mesh["weights"]});
  return infos;
}

// The weights of a node: its own, or those of its mesh, or zeros.
bool read_weights(JsonValue own, const MorphInfo& mesh, const PlacePath& path, Load& load, std::vector<float>& out) {
  const std::size_t count = mesh.count;
  if (count == 0) return true;
  const JsonValue given = own.present() ? own : mesh.weights;
  if (!load.spend((count + given.size()) * sizeof(float), path)) return false;
  out.assign(count, 0.0f);
  if (!given.present()) return true;
  if (!load.expect(given, JsonKind::array, path, "weights")) return false;
  std::vector<float> values(given.size());
  if (!load.read_floats(given, values.size(), values.data(), path, "weights")) return false;
  if (values.size() != count) {
    load.warn("there are " + std::to_string(values.size()) + " weights for " + std::to_string(count) +
                  " morph targets; what is missing is 0, what is too much is left out",
              path, "weights");
  }
  std::copy_n(values.begin(), std::min(count, values.size()), out.begin());
  return true;
}

bool read_node(const GltfDocument& document, const std::vector<MorphInfo>& morphs, std::size_t index, Load& load,
               GltfNodes& out) {
  const PlacePath path("nodes", index);
  ModelNode& node = out.nodes[index];
  JsonValue name, children, matrix, translation, rotation, scale, mesh, skin, weights;
  pick(document.nodes[index], {{"name", &name},
                               {"children", &children},
                               {"matrix", &matrix},
                               {"translation", &translation},
                               {"rotation", &rotation},
                               {"scale", &scale},
                               {"mesh", &mesh},
                               {"skin", &skin},
                               {"weights", &weights}});
  node.name = name.string();
  if (!read_transform(matrix, translation, rotation, scale, path, load, node.rest)) return false;
  const Up up = load.options().up;
  node.rest = {turned(node.rest.translation, up), turned(node.rest.rotation, up), turned_scale(node.rest.scale, up)};
  if (!read_children(children, index, path, load, out)) return false;
  if (!load.read_index(mesh, document.meshes.size(), "mesh", node.mesh, path, "mesh")) return false;
  if (!load.read_index(skin, document.skins.size(), "skin", node.skin, path, "skin")) return false;
  if (node.skin != kNone && node.mesh == kNone) {
    load.warn("the node has a skin but no mesh; the skin is left out", path, "skin");
    node.skin = kNone;
  }
  if (node.mesh == kNone) return true;
  return read_weights(weights, morphs[static_cast<std::size_t>(node.mesh)], path, load, out.morph_weights[index]);
}

// Fails if some nodes cannot be reached from a root, for then they go round in a circle.
bool check_cycles(const GltfNodes& nodes, Load& load) {
  std::vector<std::uint32_t> reached;
  reached.reserve(nodes.nodes.size());
  std::vector<bool> seen(nodes.nodes.size(), false);
  for (std::uint32_t i = 0; i < nodes.nodes.size(); ++i) {
    if (nodes.nodes[i].parent == kNone) reached.push_back(i);
  }
  for (std::size_t at = 0; at < reached.size(); ++at) {
    seen[reached[at]] = true;
    for (const std::uint32_t child : nodes.children[reached[at]]) reached.push_back(child);
  }
  if (reached.size() == nodes.nodes.size()) return true;
  auto node = static_cast<std::size_t>(std::find(seen.begin(), seen.end(), false) - seen.begin());
  for (std::size_t step = 0; step < nodes.nodes.size(); ++step) {
    node = static_cast<std::size_t>(nodes.nodes[node].parent);
  }
  const PlacePath path("nodes", node);
  return load.fail(ErrorCode::cycle, "the node is its own ancestor", path, "children");
}

// Marks what the default scene shows; without any scene everything is shown.
bool mark_shown(const GltfDocument& document, Load& load, GltfNodes& nodes) {
  std::int32_t scene = kNone;
  const PlacePath scene_path("scene");
  if (!load.read_index(document.scene, document.scenes.size(), "scene", scene, scene_path, {})) return false;
  if (document.scenes.empty()) return true;
  if (scene == kNone) scene = 0;
  for (ModelNode& node : nodes.nodes) node.shown = false;
  const JsonValue roots = document.scenes[static_cast<std::size_t>(scene)]["nodes"];
  const PlacePath path("scenes", static_cast<std::size_t>(scene));
  if (!load.expect(roots, JsonKind::array, path, "nodes")) return false;
  std::vector<std::uint32_t> list;
  for (const JsonValue root : roots.elements()) {
    std::int32_t node = kNone;
    if (!load.read_index(root, nodes.nodes.size(), "node", node, path, "nodes")) return false;
    list.push_back(static_cast<std::uint32_t>(node));
  }
  while (!list.empty()) {
    const std::uint32_t node = list.back();
    list.pop_back();
    if (nodes.nodes[node].shown) continue;
    nodes.nodes[node].shown = true;
    list.insert(list.end(), nodes.children[node].begin(), nodes.children[node].end());
  }
  return true;
}

}  // namespace

std::size_t morph_count(JsonValue mesh) {
  std::size_t count = 0;
  for (const JsonValue primitive : mesh["primitives"].elements()) {
    count = std::max(count, std::size_t{primitive["targets"].size()});
  }
  return count;
}

bool read_nodes(const GltfDocument& document, Load& load, GltfNodes& out) {
  const std::size_t count = document.nodes.size();
  out.nodes.resize(count);
  out.children.resize(count);
  out.morph_weights.resize(count);
  const std::vector<MorphInfo> morphs = read_morph_infos(document);
  for (std::size_t i = 0; i < count; ++i) {
    if (!read_node(document, morphs, i, load, out)) return false;
  }
  return check_cycles(out, load) && mark_shown(document, load, out);
}

bool make_skeleton(std::vector<bool> wanted, Load& load, GltfNodes& nodes, Skeleton& out) {
  const std::size_t count = nodes.nodes.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!wanted[i] && nodes.morph_weights[i].empty()) continue;
    wanted[i] = true;
    for (std::int32_t at = nodes.nodes[i].parent; at != kNone && !wanted[static_cast<std::size_t>(at)];
         at = nodes.nodes[static_cast<std::size_t>(at)].parent) {
      wanted[static_cast<std::size_t>(at)] = true;
    }
  }
  std::vector<std::uint32_t> input_of_node(count, 0), node_of_input;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!wanted[i]) continue;
    input_of_node[i] = static_cast<std::uint32_t>(node_of_input.size());
    node_of_input.push_back(i);
  }
  std::size_t unnamed = 0, first_unnamed = 0;
  std::vector<JointDesc> joints(node_of_input.size());
  std::vector<std::vector<std::uint32_t>> children(node_of_input.size());
  for (std::size_t k = 0; k < joints.size(); ++k) {
    ModelNode& node = nodes.nodes[node_of_input[k]];
    if (node.name.empty()) {
      if (unnamed++ == 0) first_unnamed = node_of_input[k];
      node.name = "bone_" + std::to_string(node_of_input[k]);
    }
    for (const std::uint32_t child : nodes.children[node_of_input[k]]) {
      if (wanted[child]) children[k].push_back(input_of_node[child]);
    }
    joints[k].name = node.name;
    joints[k].children = children[k];
    joints[k].rest = node.rest;
    joints[k].morph_weights = nodes.morph_weights[node_of_input[k]];
  }
  if (unnamed > 0) {
    const PlacePath path("nodes", first_unnamed);
    load.note(std::to_string(unnamed) + " of " + std::to_string(joints.size()) +
                  " joints have no names, this is the first; they are called bone_<i>",
              path);
  }
  Result<SkeletonBuild> build = Skeleton::create(joints);
  if (!build) return load.fail(build.error().code, build.error().message, PlacePath("nodes"));
  out = build->skeleton;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    nodes.nodes[node_of_input[k]].joint = static_cast<std::int32_t>(build->joint_of_input[k]);
  }
  return true;
}

}  // namespace marrow
