#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "check.h"
#include "marrow/math/affine.h"
#include "marrow/math/vec3.h"
#include "marrow/skin/skinning.h"
#include "text.h"

namespace marrow::tool {
namespace {

constexpr std::uint32_t kInfluences = 4, kByteJoints = 256, kUniformJoints = 341;
constexpr float kLostWeight = 1e-3f;  // that nobody sees missing
constexpr double kOffBind = 1e-3;     // of the model's size
constexpr double kOffScale = 0.1;     // of a size
constexpr std::size_t kNamesShown = 3;
constexpr std::size_t kCandidates = 64;  // joints that are tried as the one that all others agree with best

// Calls f(node, mesh) for the nodes that wear a skin.
template <typename F>
void for_nodes_of_skin(const Subject& subject, std::size_t skin, const F& f) {
  for (const std::uint32_t n : subject.nodes_of_skin[skin]) {
    f(n, subject.model.meshes()[static_cast<std::size_t>(subject.model.nodes()[n].mesh)]);
  }
}

// The same for the first node of each mesh alone: where vertices are bound does not depend on the node.
template <typename F>
void for_meshes_of_skin(const Subject& subject, std::size_t skin, const F& f) {
  std::unordered_set<const Mesh*> seen;
  for_nodes_of_skin(subject, skin, [&](std::uint32_t n, const Mesh& mesh) {
    if (seen.insert(&mesh).second) f(n, mesh);
  });
}

// What the vertices say of a joint of a skin.
struct Use {
  double weight = 0;
  double center[3] = {};  // of its vertices, where they were bound; the sum until it is divided
};

std::vector<Use> find_uses(const Subject& subject, std::size_t skin) {
  std::vector<Use> uses(subject.model.skins()[skin].size());
  for_meshes_of_skin(subject, skin, [&](std::uint32_t, const Mesh& mesh) {
    for (const MeshPart& part : mesh.parts) {
      const Vertices& vertices = *part.vertices;
      for (std::size_t i = 0; i < vertices.weights.size(); ++i) {
        const auto weight = static_cast<double>(vertices.weights[i]);
        if (!(weight > 0)) continue;
        const Vec3& position = vertices.positions[i / vertices.influences];
        Use& use = uses[vertices.joints[i]];
        use.weight += weight;
        use.center[0] += weight * static_cast<double>(position.x);
        use.center[1] += weight * static_cast<double>(position.y);
        use.center[2] += weight * static_cast<double>(position.z);
      }
    }
  });
  for (Use& use : uses) {
    for (double& sum : use.center) sum = use.weight > 0 ? sum / use.weight : 0;
  }
  return uses;
}

void check_joints(const Subject& subject, std::size_t index, const std::vector<Use>& uses, Findings& out) {
  const Skin& skin = subject.model.skins()[index];
  if (skin.size() > kUniformJoints) {
    out.push_back({Rule::too_many_joints, place_of("skins", index), count_of(skin.size(), "joint")});
  } else if (skin.size() > kByteJoints) {
    out.push_back({Rule::many_joints, place_of("skins", index), count_of(skin.size(), "joint")});
  }
  std::size_t unused = 0;
  std::string names;
  for (std::uint32_t k = 0; k < skin.size(); ++k) {
    const std::string name = in_quotes(subject.model.skeleton().name(skin.joints()[k]));
    if (!(uses[k].weight > 0)) {
      if (++unused <= kNamesShown) names += (unused == 1 ? "" : ", ") + name;
    } else if (determinant(subject.rest.palettes()[index][k]) < 0) {
      out.push_back({Rule::mirrored_skin, place_of("skins", index) / "joints" / k, name});
    }
  }
  // A mesh without any weights is told elsewhere.
  if (unused == 0 || unused == skin.size()) return;
  if (unused > kNamesShown) names += " and " + grouped(unused - kNamesShown) + " more";
  out.push_back({Rule::unused_joint, place_of("skins", index),
                 grouped(unused) + " of " + count_of(skin.size(), "joint") + ": " + names});
}

// The matrix that takes the mesh from where it was bound to the model: that of the joint that leaves the parts of all
// others nearest to where they are. Where the rest pose is the bind pose, all joints have the same.
Affine bind_space(const std::vector<Affine>& palette, const std::vector<Use>& uses) {
  Affine best;
  double least = -1;
  std::size_t tried = 0;
  for (std::size_t i = 0; i < palette.size() && tried < kCandidates; ++i) {
    if (!(uses[i].weight > 0)) continue;
    ++tried;
    double sum = 0;
    for (std::size_t j = 0; j < palette.size(); ++j) {
      if (!(uses[j].weight > 0)) continue;
      const Vec3 center = {static_cast<float>(uses[j].center[0]), static_cast<float>(uses[j].center[1]),
                           static_cast<float>(uses[j].center[2])};
      sum += uses[j].weight * distance(transform_point(palette[i], center), transform_point(palette[j], center));
    }
    if (least < 0 || sum < least) least = sum, best = palette[i];
  }
  return best;
}

// Returns whether the mesh was bound in the rest pose, which `bind` then puts it to.
bool check_bind_pose(const Subject& subject, std::size_t index, const Affine& bind, Findings& out) {
  const Model& model = subject.model;
  const std::vector<Affine>& palette = subject.rest.palettes()[index];
  double farthest = 0;
  std::size_t node = 0;
  std::vector<Vec3> points;
  for_meshes_of_skin(subject, index, [&](std::uint32_t n, const Mesh& mesh) {
    for (const MeshPart& part : mesh.parts) {
      const Vertices& vertices = *part.vertices;
      if (vertices.influences == 0) continue;
      points.resize(vertices.positions.size());
      skin_vertices(vertices, {}, palette, {points, {}, {}});
      for (std::size_t v = 0; v < points.size(); ++v) {
        const double off = distance(points[v], transform_point(bind, vertices.positions[v]));
        if (off > farthest) farthest = off, node = n;
      }
    }
  });
  if (farthest <= kOffBind * subject.size) return true;
  out.push_back({Rule::bind_pose, place_of("skins", index),
                 "vertices are up to " + short_number(farthest) + " units away, " +
                     percent_text(farthest / subject.size) + " of the model's size (" +
                     in_quotes(model.nodes()[node].name) + ")"});
  return false;
}

// The largest sum of weights that goes if a vertex keeps four influences; how many vertices have more.
struct Excess {
  std::size_t vertices = 0;
  std::uint32_t most = 0;
  float lost = 0;
};

Excess find_excess(const Vertices& vertices) {
  Excess excess;
  std::vector<float> weights(vertices.influences);
  for (std::size_t at = 0; at < vertices.weights.size(); at += vertices.influences) {
    std::copy_n(vertices.weights.begin() + static_cast<std::ptrdiff_t>(at), vertices.influences, weights.begin());
    std::sort(weights.begin(), weights.end(), std::greater<>());
    float lost = 0;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < vertices.influences && weights[i] > 0; ++i) {
      ++count;
      if (i >= kInfluences) lost += weights[i];
    }
    excess.most = std::max(excess.most, count);
    excess.lost = std::max(excess.lost, lost);
    if (lost > kLostWeight) ++excess.vertices;
  }
  return excess;
}

void check_influences(const Subject& subject, Findings& out) {
  for (std::size_t m = 0; m < subject.model.meshes().size(); ++m) {
    const Mesh& mesh = subject.model.meshes()[m];
    for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
      const Vertices& vertices = *mesh.parts[p].vertices;
      if (vertices.influences <= kInfluences) continue;
      const Excess excess = find_excess(vertices);
      const Place place = subject.part_place(m, p);
      if (excess.vertices > 0) {
        out.push_back({Rule::many_influences, place,
                       grouped(excess.vertices) + " of " + grouped(vertices.positions.size()) +
                           " vertices have up to " + std::to_string(excess.most) +
                           "; dropping the smallest loses up to " + percent_text(static_cast<double>(excess.lost)) +
                           " of the weight"});
      } else if (excess.most <= kInfluences) {
        out.push_back({Rule::empty_influences, place,
                       "each vertex has " + std::to_string(vertices.influences) +
                           " influences; no vertex uses more than " + std::to_string(excess.most)});
      }
    }
  }
}

// How far the corners of a box are apart where two maps put them.
double corners_apart(const Box& box, const Affine& a, const Affine& b) {
  double farthest = 0;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner = {i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                         i & 4 ? box.high.z : box.low.z};
    const float apart = distance(transform_point(a, corner), transform_point(b, corner));
    farthest = std::max(farthest, static_cast<double>(apart));
  }
  return farthest;
}

Box box_of(const Mesh& mesh) {
  Box box;
  for (const MeshPart& part : mesh.parts) {
    for (const Vec3& point : part.vertices->positions) box = enclose(box, point);
  }
  return box;
}

// For each node that wears a skin, the nearest node above it that is a joint of that skin; kNone for the others. One
// walk down the nodes for all skins, which keeps for each skin the joints that it is below.
std::vector<std::int32_t> find_joints_above(const Subject& subject) {
  const Model& model = subject.model;
  const std::span<const ModelNode> nodes = model.nodes();
  std::vector<std::vector<std::uint32_t>> skins_of_joint(model.skeleton().joint_count());
  for (std::uint32_t s = 0; s < model.skins().size(); ++s) {
    if (subject.nodes_of_skin[s].empty()) continue;
    for (const std::uint32_t joint : model.skins()[s].joints()) skins_of_joint[joint].push_back(s);
  }
  std::vector<std::vector<std::uint32_t>> children(nodes.size());
  struct Visit {
    std::uint32_t node;
    bool leaves;
  };
  std::vector<Visit> visits;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].parent == kNone) {
      visits.push_back({n, false});
    } else {
      children[static_cast<std::size_t>(nodes[n].parent)].push_back(n);
    }
  }
  std::vector<std::int32_t> above(nodes.size(), kNone);
  std::vector<std::vector<std::uint32_t>> joints_of_skin(model.skins().size());  // the nearest last
  while (!visits.empty()) {
    const auto [n, leaves] = visits.back();
    visits.pop_back();
    const ModelNode& node = nodes[n];
    std::span<const std::uint32_t> skins;
    if (node.joint != kNone) skins = skins_of_joint[static_cast<std::size_t>(node.joint)];
    if (leaves) {
      for (const std::uint32_t s : skins) joints_of_skin[s].pop_back();
      continue;
    }
    if (node.skin != kNone) {
      const std::vector<std::uint32_t>& joints = joints_of_skin[static_cast<std::size_t>(node.skin)];
      if (!joints.empty()) above[n] = static_cast<std::int32_t>(joints.back());
    }
    for (const std::uint32_t s : skins) joints_of_skin[s].push_back(n);
    visits.push_back({n, true});
    for (const std::uint32_t child : children[n]) visits.push_back({child, false});
  }
  return above;
}

// A transform of the node itself matters if the mesh is then not where the node is. Many exporters write it both there
// and into the inverse bind matrices, which agrees; one above the node places skeleton and mesh alike. Where the mesh
// was not bound at rest only sizes can be compared.
void check_nodes(const Subject& subject, std::size_t index, const Affine& bind, bool bound_at_rest,
                 const std::vector<std::int32_t>& joints_above, Findings& out) {
  const Model& model = subject.model;
  std::unordered_map<const Mesh*, Box> boxes;
  for_meshes_of_skin(subject, index, [&](std::uint32_t, const Mesh& mesh) { boxes.emplace(&mesh, box_of(mesh)); });
  for_nodes_of_skin(subject, index, [&](std::uint32_t n, const Mesh& mesh) {
    const ModelNode& node = model.nodes()[n];
    const Place place = place_of("nodes", n);
    const Box& box = boxes.at(&mesh);
    if (is_empty(box)) return;
    const Affine& placed = subject.rest.nodes()[n];
    const double own = corners_apart(box, to_affine(node.rest), {});
    const double off = corners_apart(box, placed, bind);
    const auto scale_of = [](const Affine& m) { return std::cbrt(std::fabs(static_cast<double>(determinant(m)))); };
    const double before = scale_of(bind), after = scale_of(placed);
    const bool agrees =
        bound_at_rest ? off <= kOffBind * subject.size : before == 0 || std::fabs(after - before) <= kOffScale * before;
    if (node.joint != kNone && subject.moved[static_cast<std::size_t>(node.joint)]) {
      out.push_back({Rule::skinned_node_moved, place, in_quotes(node.name) + " is moved by a clip"});
    } else if (own > kOffBind * diagonal_of(box) && !agrees) {
      out.push_back(
          {Rule::skinned_node_moved, place,
           in_quotes(node.name) + (bound_at_rest ? " would be " + short_number(off) + " units away"
                                                 : " would be " + short_number(after / before) + " times as large")});
    }
    if (joints_above[n] != kNone) {
      const ModelNode& above = model.nodes()[static_cast<std::size_t>(joints_above[n])];
      out.push_back({Rule::skinned_node_below_joint, place, in_quotes(node.name) + " below " + in_quotes(above.name)});
    }
  });
}

}  // namespace

Findings check_skins(const Subject& subject) {
  Findings out;
  check_influences(subject, out);
  const Model& model = subject.model;
  struct Worn {
    std::size_t index;
    Affine bind;
    bool several_joints;
  };
  std::vector<Worn> worn;
  bool bound_at_rest = true;
  for (std::size_t i = 0; i < model.skins().size(); ++i) {
    const Skin& skin = model.skins()[i];
    if (subject.nodes_of_skin[i].empty()) {
      if (!model.meshes().empty()) {
        out.push_back({Rule::unused_skin, place_of("skins", i), count_of(skin.size(), "joint")});
      }
      continue;
    }
    const std::vector<Use> uses = find_uses(subject, i);
    const Affine bind = bind_space(subject.rest.palettes()[i], uses);
    check_joints(subject, i, uses, out);
    bound_at_rest = check_bind_pose(subject, i, bind, out) && bound_at_rest;
    // A lone joint cannot tell whether it is at rest.
    const auto used = std::count_if(uses.begin(), uses.end(), [](const Use& use) { return use.weight > 0; });
    worn.push_back({i, bind, used > 1});
  }
  if (worn.empty()) return out;
  const std::vector<std::int32_t> joints_above = find_joints_above(subject);
  for (const Worn& skin : worn) {
    check_nodes(subject, skin.index, skin.bind, bound_at_rest && skin.several_joints, joints_above, out);
  }
  return out;
}

}  // namespace marrow::tool
