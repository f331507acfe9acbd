#include "src/export/frame_error.h"

#include <algorithm>
#include <cmath>

#include "marrow/anim/hierarchy.h"
#include "marrow/math/affine.h"
#include "marrow/skin/skinning.h"
#include "src/export/exported_frame.h"
#include "src/export/imports.h"

namespace marrow {
namespace {

constexpr int kLooks = 8;         // between two frames or keys
constexpr double kJump = 2.5e-6;  // seconds, or parts of the time, that a jump and keys at one time may take

double largest_scale(const Transform& t) {
  return std::max({std::fabs(static_cast<double>(t.scale.x)), std::fabs(static_cast<double>(t.scale.y)),
                   std::fabs(static_cast<double>(t.scale.z))});
}

// Of a bone that goes from one transform to another.
BoneRounding between_frames(const BoneRounding& parent, const Transform& a, const Transform& b) {
  return rounding_below(parent, std::max(length_of(a.translation), length_of(b.translation)),
                        std::max(largest_scale(a), largest_scale(b)));
}

// Adds a vertex that a bone takes from a position by a matrix.
void add_point(std::size_t bone, Vec3 position, const Affine& from_position, Vec3 point, BonePoints& points) {
  points.boxes[bone] = enclose(points.boxes[bone], point);
  const double reach = stretch_of(from_position) * length_of(position) + length_of(translation_of(from_position));
  points.binds[bone] = std::max(points.binds[bone], reach);
}

// Adds the vertices that joints of a skin move.
void add_bent(const Skin& skin, const BoneList& list, const BoneList::SkinUse& use, const Vertices& v,
              BonePoints& points) {
  for (std::size_t i = 0; i < v.weights.size(); ++i) {
    if (!(v.weights[i] > 0)) continue;
    const std::uint16_t slot = v.joints[i];
    const auto bone = static_cast<std::size_t>(list.bone_of_joint[skin.joints()[slot]]);
    const Vec3 position = v.positions[i / v.influences];
    const Vec3 point = transform_point(skin.inverse_binds()[slot], position);
    add_point(bone, position, skin.inverse_binds()[slot], point, points);
    const Affine& bind = list.bones[use.bones[slot]].inverse_bind;
    const Vec3 placed = use.moved ? transform_point(use.bind, position) : position;
    const Vec3 there = transform_point(bind, placed);
    add_point(bone, placed, bind, there, points);
    const double apart = length_of({there.x - point.x, there.y - point.y, there.z - point.z});
    points.apart[bone] = std::max(points.apart[bone], apart);
  }
}

// Adds those of a mesh that hangs on a bone. Returns false if it hangs on none.
bool add_rigid(const Model& model, const BoneList& list, std::size_t n, const Vertices& v, BonePoints& points) {
  const std::int32_t joint = carrier_of(model, list, n);
  if (joint == kNone) return false;
  Affine from_node;
  for (std::size_t at = n; model.nodes()[at].joint != joint; at = static_cast<std::size_t>(model.nodes()[at].parent))
    from_node = multiply(to_affine(model.nodes()[at].rest), from_node);
  const auto bone = static_cast<std::size_t>(list.bone_of_joint[static_cast<std::size_t>(joint)]);
  const auto bound = static_cast<std::size_t>(list.rigid_bone_of_joint[static_cast<std::size_t>(joint)]);
  const Affine& bind = list.bones[bound].inverse_bind;
  const Affine unbind = inverse(bind);
  for (const Vec3& p : v.positions) {
    const Vec3 point = transform_point(from_node, p);
    add_point(bone, p, from_node, point, points);
    add_point(bone, transform_point(unbind, point), bind, point, points);
  }
  return true;
}

// What the joints above the roots of a list, which stand still, add to the rounding of all below them.
void add_above(const Model& model, const BoneList& list, BonePoints& points) {
  const Skeleton& skeleton = model.skeleton();
  for (std::size_t b = 0; b < list.bones.size(); ++b) {
    if (list.bones[b].parent != kNoParent) continue;
    std::vector<std::uint32_t> path;
    for (std::int32_t j = skeleton.parent(list.bones[b].joint); j != kNoParent;
         j = skeleton.parent(static_cast<std::uint32_t>(j)))
      path.push_back(static_cast<std::uint32_t>(j));
    BoneRounding above;
    for (auto j = path.rbegin(); j != path.rend(); ++j)
      above = between_frames(above, skeleton.rest(*j), skeleton.rest(*j));
    // The frames of a root have what is above it in them: their numbers are of the model's space.
    points.above[b] = {1, above.path, above.stretch > 0 ? above.turn / above.stretch : 0, above.shift};
  }
}

double diagonal(const Box& box) { return length(widen(size_of(box))); }

// The largest distance that two maps take the same point of a box apart: at one of the corners, since it is convex.
double distance_over(const Box& box, const Affine& a, const Affine& b) {
  double largest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const double x = static_cast<double>((corner & 1) != 0 ? box.high.x : box.low.x);
    const double y = static_cast<double>((corner & 2) != 0 ? box.high.y : box.low.y);
    const double z = static_cast<double>((corner & 4) != 0 ? box.high.z : box.low.z);
    double squares = 0;
    for (int row = 0; row < 3; ++row) {
      const auto off = [&](int column) {
        return static_cast<double>(a.m[row][column]) - static_cast<double>(b.m[row][column]);
      };
      const double d = off(0) * x + off(1) * y + off(2) * z + off(3);
      squares += d * d;
    }
    largest = std::max(largest, squares);
  }
  return std::sqrt(largest);
}

// What rounding can do between two frames.
double largest_rounding(const ExportedAnimation& animation, const BonePoints& points, std::span<const Transform> from,
                        std::span<const Transform> to, std::vector<BoneRounding>& bones) {
  double largest = 0;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const std::int32_t parent = animation.bones[i].parent;
    const BoneRounding& above = parent == kNoParent ? points.above[i] : bones[static_cast<std::size_t>(parent)];
    bones[i] = between_frames(above, from[i], to[i]);
    const Box& box = points.boxes[i];
    const auto farthest = [](float low, float high) { return std::max(std::fabs(low), std::fabs(high)); };
    const double distance =
        length_of({farthest(box.low.x, box.high.x), farthest(box.low.y, box.high.y), farthest(box.low.z, box.high.z)});
    largest = std::max(largest, rounding_at(bones[i], distance, points.binds[i]) + bones[i].stretch * points.apart[i]);
  }
  return largest;
}

}  // namespace

BonePoints bone_points(const Model& model, const BoneList& list, const ExportBones& options) {
  BonePoints points;
  points.boxes.assign(list.bones.size(), enclose(Box{}, Vec3{}));
  points.binds.assign(list.bones.size(), 0.0);
  points.apart.assign(list.bones.size(), 0.0);
  points.above.resize(list.bones.size());
  add_above(model, list, points);
  const Pose rest(model.skeleton());
  std::vector<Affine> joints(model.skeleton().joint_count()), nodes(model.nodes().size()), matrices;
  local_to_model(rest, joints);
  node_matrices(model, joints, nodes);
  Box whole;
  std::vector<Vec3> positions;
  for (std::size_t n = 0; n < model.nodes().size(); ++n) {
    const ModelNode& node = model.nodes()[n];
    if (!takes_part(list, options, node)) continue;
    for (const MeshPart& part : model.meshes()[static_cast<std::size_t>(node.mesh)].parts) {
      const Vertices& v = *part.vertices;
      positions.resize(v.positions.size());
      if (is_bent(node, part)) {
        const Skin& skin = model.skins()[static_cast<std::size_t>(node.skin)];
        add_bent(skin, list, list.skins[static_cast<std::size_t>(node.skin)], v, points);
        matrices.resize(skin.size());
        palette(skin, joints, matrices);
        skin_vertices(v, {}, matrices, {positions, {}, {}});
      } else {
        if (!add_rigid(model, list, n, v, points)) continue;
        skin_rigidly(v, {}, nodes[n], {positions, {}, {}});
      }
      for (const Vec3& p : positions) whole = enclose(whole, p);
    }
  }
  if (is_empty(whole)) {
    for (const ExportedBone& bone : list.bones) whole = enclose(whole, translation_of(joints[bone.joint]));
  }
  const double size = diagonal(whole);
  if (size > 0) points.size = size;
  return points;
}

FrameErrors frame_errors(const ExportedAnimation& animation, const BonePoints& points, BoneFrames& clip,
                         const BoneKeys& keys) {
  const std::size_t bones = animation.bones.size(), frames = animation.times.size();
  FrameErrors errors;
  errors.between.assign(frames - 1, 0.0);
  std::vector<BoneRounding> rounding(bones);
  std::vector<Affine> local(bones), seen(bones), meant(bones);
  std::vector<Transform> a(bones), b(bones);
  // Just before a jump is where what comes late, or is smeared, is farthest off.
  std::vector<float> marks = keys.keys;
  for (const float step : keys.steps) marks.push_back(std::nextafter(step, 0.0f));
  std::sort(marks.begin(), marks.end());

  const auto look = [&](std::size_t frame, double time) {
    const auto from = static_cast<double>(animation.times[frame]), to = static_cast<double>(animation.times[frame + 1]);
    const auto u = static_cast<float>((time - from) / (to - from));
    for (std::size_t i = 0; i < bones; ++i) {
      const bool steps = animation.interpolation[i] == ExportedInterpolation::step;
      local[i] = time == from || steps ? exported_matrix(animation, frame, i) : to_affine(between(a[i], b[i], u));
    }
    exported_to_model(animation.bones, local, seen);
    clip.at(time, local);
    exported_to_model(animation.bones, local, meant);
    for (std::size_t i = 0; i < bones; ++i) {
      double& error = errors.between[frame];
      error = std::max(error, distance_over(points.boxes[i], seen[i], meant[i]));
    }
  };
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t next = std::min(f + 1, frames - 1);
    const float from = animation.times[f], to = animation.times[next];
    for (std::size_t i = 0; i < bones; ++i) {
      a[i] = exported_transform(animation, f, i);
      b[i] = exported_transform(animation, next, i);
    }
    errors.rounding = std::max(errors.rounding, largest_rounding(animation, points, a, b, rounding));
    if (next == f) break;
    std::vector<double> stops = {static_cast<double>(from)};
    for (auto mark = std::upper_bound(marks.begin(), marks.end(), from); mark != marks.end() && *mark < to; ++mark)
      stops.push_back(static_cast<double>(*mark));
    stops.push_back(static_cast<double>(to));
    for (std::size_t s = 0; s + 1 < stops.size(); ++s) {
      const double length = stops[s + 1] - stops[s];
      if (s > 0) look(f, stops[s]);
      if (length <= kJump * std::max(1.0, stops[s])) continue;
      for (int k = s > 0 ? 1 : 0; k < kLooks; ++k) look(f, stops[s] + length * k / kLooks);
    }
  }
  return errors;
}

}  // namespace marrow
