#include "src/export/frame_error.h"

#include <algorithm>
#include <cmath>

#include "marrow/anim/hierarchy.h"
#include "marrow/math/affine.h"
#include "marrow/skin/skinning.h"
#include "src/export/exported_frame.h"

namespace marrow {
namespace {

constexpr int kLooks = 8;         // between two frames or keys
constexpr double kJump = 2.5e-6;  // seconds, or parts of the time, that a jump and keys at one time may take

// Adds the vertices that joints of a skin move.
void add_bent(const Skin& skin, const BoneList& list, const Vertices& v, std::vector<Box>& boxes) {
  for (std::size_t i = 0; i < v.weights.size(); ++i) {
    if (!(v.weights[i] > 0)) continue;
    const std::int32_t bone = list.bone_of_joint[skin.joints()[v.joints[i]]];
    const Vec3 point = transform_point(skin.inverse_binds()[v.joints[i]], v.positions[i / v.influences]);
    Box& box = boxes[static_cast<std::size_t>(bone)];
    box = join(box, point);
  }
}

// Adds those of a mesh that hangs on a bone. Returns false if it hangs on none.
bool add_rigid(const Model& model, const BoneList& list, std::size_t n, const Vertices& v, std::vector<Box>& boxes) {
  const std::int32_t joint = carrier_of(model, list, n);
  if (joint == kNone) return false;
  Affine from_node;
  for (std::size_t at = n; model.nodes()[at].joint != joint; at = static_cast<std::size_t>(model.nodes()[at].parent))
    from_node = multiply(to_affine(model.nodes()[at].rest), from_node);
  Box& box = boxes[static_cast<std::size_t>(list.bone_of_joint[static_cast<std::size_t>(joint)])];
  for (const Vec3& p : v.positions) box = join(box, transform_point(from_node, p));
  return true;
}

double diagonal(const Box& box) {
  const Vec3 sides = size_of(box);
  return std::hypot(static_cast<double>(sides.x), static_cast<double>(sides.y), static_cast<double>(sides.z));
}

Vec3 origin_of(const Affine& a) { return {a.m[0][3], a.m[1][3], a.m[2][3]}; }

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

}  // namespace

BonePoints bone_points(const Model& model, const BoneList& list, const ExportBones& options) {
  BonePoints points;
  points.boxes.assign(list.bones.size(), join(Box{}, Vec3{}));
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
        add_bent(skin, list, v, points.boxes);
        matrices.resize(skin.size());
        palette(skin, joints, matrices);
        skin_vertices(v, {}, matrices, {positions, {}, {}});
      } else {
        if (!add_rigid(model, list, n, v, points.boxes)) continue;
        skin_rigidly(v, {}, nodes[n], {positions, {}, {}});
      }
      for (const Vec3& p : positions) whole = join(whole, p);
    }
  }
  if (is_empty(whole)) {
    for (const ExportedBone& bone : list.bones) whole = join(whole, origin_of(joints[bone.joint]));
  }
  const double size = diagonal(whole);
  if (size > 0) points.size = size;
  return points;
}

std::vector<double> frame_errors(const ExportedAnimation& animation, const BonePoints& points, BoneFrames& clip,
                                 const BoneKeys& keys) {
  const std::size_t bones = animation.bones.size(), frames = animation.times.size();
  std::vector<double> errors(frames - 1, 0.0);
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
      errors[frame] = std::max(errors[frame], distance_over(points.boxes[i], seen[i], meant[i]));
    }
  };
  for (std::size_t f = 0; f + 1 < frames; ++f) {
    const float from = animation.times[f], to = animation.times[f + 1];
    for (std::size_t i = 0; i < bones; ++i) {
      a[i] = exported_transform(animation, f, i);
      b[i] = exported_transform(animation, f + 1, i);
    }
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
