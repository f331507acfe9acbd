#include "render/motion.h"

#include <algorithm>
#include <cmath>

#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/affine.h"
#include "marrow/math/vec3.h"

namespace marrow::tool {
namespace {

// So many vertices are moved to find out how far a motion reaches, and so many poses looked at.
constexpr std::size_t kVertices = 4'000'000, kFewestPoses = 8, kMostPoses = 64;

std::size_t vertex_count(const Model& model) {
  std::size_t count = 0;
  for (const ModelNode& node : model.nodes()) {
    if (node.mesh == kNone || !node.shown) continue;
    for (const MeshPart& part : model.meshes()[static_cast<std::size_t>(node.mesh)].parts) {
      count += part.vertices->positions.size();
    }
  }
  return count;
}

// The box of one pose, and what is farthest in some directions.
class Extent {
 public:
  explicit Extent(std::span<const Vec3> directions)
      : directions_(directions), far_(directions.size(), -3e38f), places_(directions.size()) {}

  void add(Vec3 place) {
    box_ = enclose(box_, place);
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      const float reach = dot(directions_[i], place);
      if (!(reach > far_[i])) continue;
      far_[i] = reach;
      places_[i] = place;
    }
  }

  [[nodiscard]] bool empty() const { return is_empty(box_); }

  void add_to(Reach& out) const {
    if (empty()) return;
    out.boxes.push_back(box_);
    for (const Vec3& place : places_) out.points.push_back({place, place});
  }

 private:
  std::span<const Vec3> directions_;
  std::vector<float> far_;
  std::vector<Vec3> places_;
  Box box_;
};

}  // namespace

std::optional<std::uint32_t> root_joint(const Model& model, const Clip& clip) {
  const Skeleton& skeleton = model.skeleton();
  Pose first(skeleton), last(skeleton);
  sample(clip, 0, first);
  sample(clip, clip.duration(), last);
  std::vector<Affine> before(skeleton.joint_count()), after(skeleton.joint_count());
  local_to_model(first, before);
  local_to_model(last, after);
  Box all;
  for (const Affine& joint : before) all = enclose(all, translation_of(joint));
  const Vec3 size = size_of(all);
  const float enough = 0.02f * std::hypot(size.x, size.y, size.z);
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    if (!first.has(j, Property::translation)) continue;
    const Vec3 a = translation_of(before[j]), b = translation_of(after[j]);
    if (std::hypot(b.x - a.x, b.y - a.y) > enough) return j;
  }
  return std::nullopt;
}

Motion::Motion(const Model& model, const MotionPlan& plan) : plan_(plan), instance_(scene_.instantiate(model)) {
  if (plan_.clip != nullptr && plan_.follow) {
    std::optional<std::uint32_t> joint = root_joint(model, *plan_.clip);
    if (!joint && plan_.fade_to != nullptr) joint = root_joint(model, *plan_.fade_to);
    RootMotionOptions root;
    root.vertical = false;
    root.yaw = false;
    if (joint) root.joint = *joint;
    if (!joint || !instance_.mixer().set_root_motion(root)) plan_.follow = false;
  }
  rewind();
}

void Motion::rewind() {
  now_s_ = 0;
  started_ = false;
  instance_.node().set_local({});
  if (plan_.clip != nullptr) {
    Mixer& mixer = instance_.mixer();
    mixer.stop_all();
    PlayOptions options;
    options.loop = plan_.repeat ? Loop::repeat : Loop::once;
    mixer.play(*plan_.clip, options);
  }
  scene_.update(0.0);
}

void Motion::go_to(double time_s) {
  if (time_s < now_s_) rewind();
  if (plan_.clip == nullptr) return;
  const auto advance = [&](double to) {
    const Transform before = instance_.node().local();
    scene_.update(to - now_s_);
    now_s_ = to;
    if (!plan_.follow) return;
    const RootMotion& delta = instance_.mixer().root_motion();
    Transform after = before;
    after.translation.x += delta.translation.x;
    after.translation.y += delta.translation.y;
    instance_.node().set_local(after);
    scene_.refresh();
  };
  if (plan_.fade_to != nullptr && !started_ && time_s >= plan_.fade_at_s) {
    advance(plan_.fade_at_s);
    instance_.mixer().cross_fade_to(*plan_.fade_to, plan_.fade_s);
    started_ = true;
  }
  advance(time_s);
}

Vec3 Motion::way() const { return instance_.node().local().translation; }

namespace {

void add_pose(const Motion& motion, bool with_joints, Extent& out) {
  const Instance& instance = motion.instance();
  const Model& model = instance.model();
  Affine world = instance.node().world();
  const Vec3 way = motion.way();
  world.m[0][3] -= way.x;
  world.m[1][3] -= way.y;
  std::vector<Vec3> positions;
  for (std::uint32_t n = 0; n < model.nodes().size(); ++n) {
    const ModelNode& node = model.nodes()[n];
    if (node.mesh == kNone || !instance.model_node(n).shown()) continue;
    const std::vector<MeshPart>& parts = model.meshes()[static_cast<std::size_t>(node.mesh)].parts;
    for (std::uint32_t p = 0; p < parts.size(); ++p) {
      positions.resize(parts[p].vertices->positions.size());
      instance.skin(n, p, {positions, {}, {}});
      for (const Vec3& position : positions) out.add(transform_point(world, position));
    }
  }
  if (!out.empty() && !with_joints) return;
  const std::vector<bool> drawn = drawn_joints(model);
  for (std::uint32_t j = 0; j < drawn.size(); ++j) {
    if (drawn[j]) out.add(transform_point(world, translation_of(instance.model_from_joint()[j])));
  }
}

}  // namespace

Reach reach_of(Motion& motion, double until_s, bool with_joints, std::span<const Vec3> directions) {
  Reach out;
  const std::size_t each = std::max<std::size_t>(vertex_count(motion.instance().model()), 1);
  const std::size_t poses = until_s > 0 ? std::clamp(kVertices / each, kFewestPoses, kMostPoses) : 1;
  for (std::size_t i = 0; i < poses; ++i) {
    motion.go_to(poses == 1 ? 0 : until_s * static_cast<double>(i) / static_cast<double>(poses - 1));
    Extent extent(directions);
    add_pose(motion, with_joints, extent);
    extent.add_to(out);
  }
  return out;
}

}  // namespace marrow::tool
