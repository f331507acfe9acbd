#include "marrow/model/axes.h"

#include <map>

#include "marrow/anim/clip_keys.h"
#include "src/model/imports.h"
#include "src/model/reading.h"

namespace marrow {
namespace {

// Everything of a model, turned.
class Turner {
 public:
  Turner(const Model& model, Up to) : model_(model), to_(to), from_(model.up()) {}

  Result<Model> turn() {
    ModelParts parts = model_.parts();
    parts.up = to_;
    Result<Skeleton> skeleton = turn_skeleton();
    if (!skeleton) return skeleton.error();
    parts.skeleton = *skeleton;
    for (Skin& skin : parts.skins) {
      std::vector<Affine> binds(skin.inverse_binds().begin(), skin.inverse_binds().end());
      for (Affine& bind : binds) bind = turned(bind, to_, from_);
      Result<Skin> made = Skin::create(parts.skeleton, skin.joints(), binds, skin.name());
      if (!made) return made.error();
      skin = *made;
    }
    for (Clip& clip : parts.clips) {
      Result<Clip> made = turn_clip(clip, parts.skeleton);
      if (!made) return made.error();
      clip = *made;
    }
    for (Mesh& mesh : parts.meshes) {
      for (MeshPart& part : mesh.parts) part.vertices = turn_vertices(part.vertices);
    }
    for (ModelNode& node : parts.nodes) node.rest = turned(node.rest, to_, from_);
    return Model::create(std::move(parts));
  }

 private:
  [[nodiscard]] Result<Skeleton> turn_skeleton() const {
    const Skeleton& skeleton = model_.skeleton();
    std::vector<JointDesc> joints;
    for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
      joints.push_back({skeleton.name(j),
                        skeleton.parent(j),
                        {},
                        turned(skeleton.rest(j), to_, from_),
                        skeleton.rest_morph_weights(j)});
    }
    return restore_skeleton(joints);
  }

  [[nodiscard]] Result<Clip> turn_clip(const Clip& clip, const Skeleton& skeleton) const {
    ClipKeys keys = clip_keys(model_.skeleton(), clip);
    for (TrackKeys& track : keys.tracks) {
      if (track.property == Property::morph) continue;
      const std::size_t size = track.property == Property::rotation ? 4 : 3;
      for (std::size_t at = 0; at < track.values.size(); at += size) {
        float* const v = track.values.data() + at;
        const Vec3 given{v[0], v[1], v[2]};
        const Vec3 t = track.property == Property::scale ? turned_scale(given, to_, from_) : turned(given, to_, from_);
        v[0] = t.x, v[1] = t.y, v[2] = t.z;
      }
    }
    return create_clip(skeleton, keys);
  }

  // Parts that share vertices go on sharing them.
  std::shared_ptr<const Vertices> turn_vertices(const std::shared_ptr<const Vertices>& given) {
    std::shared_ptr<const Vertices>& made = vertices_[given.get()];
    if (made != nullptr) return made;
    Vertices v = *given;
    for (Vec3& p : v.positions) p = turned(p, to_, from_);
    for (Vec3& n : v.normals) n = turned(n, to_, from_);
    for (Vec4& t : v.tangents) t = turned(t, to_, from_);
    for (MorphTarget& target : v.targets) {
      for (Vec3& p : target.positions) p = turned(p, to_, from_);
      for (Vec3& n : target.normals) n = turned(n, to_, from_);
      for (Vec3& t : target.tangents) t = turned(t, to_, from_);
    }
    made = std::make_shared<Vertices>(std::move(v));
    return made;
  }

  const Model& model_;
  Up to_, from_;
  std::map<const Vertices*, std::shared_ptr<const Vertices>> vertices_;
};

}  // namespace

Result<Model> with_up(const Model& model, Up up) {
  if (model.up() == up) return model;
  return Turner(model, up).turn();
}

}  // namespace marrow
