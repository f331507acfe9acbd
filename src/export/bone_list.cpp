#include "src/export/bone_list.h"

#include <algorithm>
#include <cmath>

#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/core/hash.h"
#include "marrow/math/affine.h"
#include "src/export/imports.h"

namespace marrow {
namespace {

constexpr float kSameBind = 1e-6f;     // of the largest number, for matrices that were meant to be the same
constexpr float kSameProduct = 1e-5f;  // the same for products
constexpr float kKeepsAngles = 1e-5f;

bool are_near(const Affine& a, const Affine& b, float tolerance) {
  float largest = 0, off = 0;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      largest = std::max({largest, std::fabs(a.m[row][column]), std::fabs(b.m[row][column])});
      off = std::max(off, std::fabs(a.m[row][column] - b.m[row][column]));
    }
  }
  return off <= tolerance * largest;
}

bool can_be_undone(const Affine& a) { return determinant(a) != 0; }

// True if a map is a rotation, a mirror or both, and a scale that is the same for all axes: before transforms of
// translation, rotation and scale it makes others of them, and no shear.
bool keeps_angles(const Affine& a) {
  const auto product = [&](int i, int j) {
    double sum = 0;
    for (const auto& row : a.m) sum += static_cast<double>(row[i]) * static_cast<double>(row[j]);
    return sum;
  };
  const double size = product(0, 0);
  if (!(size > 0)) return false;
  const double limit = static_cast<double>(kKeepsAngles) * size;
  return std::fabs(product(1, 1) - size) <= 2 * limit && std::fabs(product(2, 2) - size) <= 2 * limit &&
         std::fabs(product(0, 1)) <= limit && std::fabs(product(0, 2)) <= limit && std::fabs(product(1, 2)) <= limit;
}

bool is_same(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
bool is_same(Quat a, Quat b) {
  return (a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w) ||
         (a.x == -b.x && a.y == -b.y && a.z == -b.z && a.w == -b.w);
}

// The joints that a clip moves, or holds elsewhere than at rest.
std::vector<bool> moved_joints(const Model& model) {
  const Skeleton& skeleton = model.skeleton();
  std::vector<bool> moved(skeleton.joint_count(), false);
  Pose pose(skeleton);
  for (const Clip& clip : model.clips()) {
    sample(clip, 0, pose);
    for (const TrackInfo& track : clip.tracks()) {
      if (track.property == Property::morph || moved[track.joint]) continue;
      const Transform at = pose.transform(track.joint), rest = skeleton.rest(track.joint);
      const bool rests = track.property == Property::translation ? is_same(at.translation, rest.translation)
                         : track.property == Property::rotation  ? is_same(at.rotation, rest.rotation)
                                                                 : is_same(at.scale, rest.scale);
      moved[track.joint] = !track.constant || !rests;
    }
  }
  return moved;
}

bool is_shown(const ModelNode& node) { return node.shown && node.mesh != kNone; }

const Mesh& mesh_of(const Model& model, const ModelNode& node) {
  return model.meshes()[static_cast<std::size_t>(node.mesh)];
}

class Lister {
 public:
  Lister(const Model& model, const ExportBones& options)
      : model_(model),
        skeleton_(model.skeleton()),
        options_(options),
        moved_(moved_joints(model)),
        needed_(skeleton_.joint_count(), false) {
    list_.skins.resize(model.skins().size());
    list_.bone_of_joint.assign(skeleton_.joint_count(), kNone);
    list_.rigid_bone_of_joint.assign(skeleton_.joint_count(), kNone);
  }

  Result<BoneList> list() {
    if (Result<void> chosen = choose_skins(); !chosen) return chosen.error();
    need_joints();
    if (Result<void> added = add_bones(); !added) return added.error();
    for (std::size_t s = 0; s < list_.skins.size(); ++s) {
      if (list_.skins[s].used) bind_skin(s);
      if (list_.bones.size() > kMaxExportBones) return too_many(list_.bones.size(), " or more");
    }
    for (std::size_t b = 0; b < bound_.size(); ++b) {
      if (!bound_[b]) list_.bones[b].inverse_bind = inverse(model_from_joint_[list_.bones[b].joint]);
    }
    bind_rigid_nodes();
    std::vector<std::int32_t> node_of_joint(skeleton_.joint_count(), kNone);
    for (std::size_t n = 0; n < model_.nodes().size(); ++n) {
      const std::int32_t joint = model_.nodes()[n].joint;
      if (joint != kNone) node_of_joint[static_cast<std::size_t>(joint)] = static_cast<std::int32_t>(n);
    }
    for (ExportedBone& bone : list_.bones) {
      bone.node = node_of_joint[bone.joint];
      if (is_finite(bone.rest) && is_finite(bone.inverse_bind)) continue;
      return Error{ErrorCode::not_finite,
                   "the matrices of \"" + bone.name + "\" are beyond all numbers",
                   {"joints", bone.joint}};
    }
    if (list_.bones.size() > kMaxExportBones) return too_many(list_.bones.size());
    return std::move(list_);
  }

 private:
  Error too_many(std::size_t bones, const char* or_more = "") const {
    const std::size_t skins = model_.skins().size();
    return {ErrorCode::limit_exceeded,
            "the model has " + std::to_string(bones) + " bones" + or_more + ", more than the 256 that a byte counts: " +
                (skins > 1 ? "export one skin alone (--skin 0 to " + std::to_string(skins - 1) + "), or " : "") +
                "take joints that no vertex needs out of the skins",
            "skins"};
  }

  Result<void> choose_skins() {
    if (options_.skin) {
      if (*options_.skin >= list_.skins.size()) {
        return Error{ErrorCode::invalid_argument,
                     "there is no skin " + std::to_string(*options_.skin) + "; the model has " +
                         std::to_string(list_.skins.size()),
                     "skins"};
      }
      list_.skins[*options_.skin].used = true;
      return {};
    }
    bool any = false;
    for (const ModelNode& node : model_.nodes()) {
      if (!is_shown(node) || node.skin == kNone) continue;
      for (const MeshPart& part : mesh_of(model_, node).parts) {
        if (is_bent(node, part)) any = list_.skins[static_cast<std::size_t>(node.skin)].used = true;
      }
    }
    for (BoneList::SkinUse& use : list_.skins) use.used = use.used || !any;
    return {};
  }

  void need_joints() {
    for (std::size_t s = 0; s < list_.skins.size(); ++s) {
      if (!list_.skins[s].used) continue;
      for (const std::uint32_t joint : model_.skins()[s].joints()) needed_[joint] = true;
    }
    if (list_.skins.empty() && !options_.rigid) return;
    bool any_mesh = false;
    std::vector<std::int32_t> carriers;
    for (std::size_t n = 0; n < model_.nodes().size(); ++n) {
      const ModelNode& node = model_.nodes()[n];
      if (!takes_part(list_, options_, node)) continue;
      any_mesh = true;
      const auto& parts = mesh_of(model_, node).parts;
      const bool rigid = std::any_of(parts.begin(), parts.end(), [&](const MeshPart& p) { return !is_bent(node, p); });
      if (rigid) carriers.push_back(carrier(n));
    }
    for (const std::int32_t joint : carriers) {
      if (joint != kNone) needed_[static_cast<std::size_t>(joint)] = true;
    }
    // Nothing but motion: all that moves.
    if (any_mesh || !list_.skins.empty()) return;
    for (std::size_t j = 0; j < needed_.size(); ++j) needed_[j] = moved_[j];
  }

  std::int32_t carrier(std::size_t node) const {
    for (std::int32_t n = static_cast<std::int32_t>(node); n != kNone;
         n = model_.nodes()[static_cast<std::size_t>(n)].parent) {
      const std::int32_t joint = model_.nodes()[static_cast<std::size_t>(n)].joint;
      if (joint == kNone) continue;
      if (needed_[static_cast<std::size_t>(joint)] || moved_[static_cast<std::size_t>(joint)]) return joint;
    }
    return kNone;
  }

  // Calls visit(j) for the joints above one, from the next up to the root.
  template <typename Visit>
  void for_each_above(std::uint32_t joint, const Visit& visit) const {
    for (std::int32_t j = skeleton_.parent(joint); j != kNoParent; j = skeleton_.parent(static_cast<std::uint32_t>(j)))
      visit(static_cast<std::uint32_t>(j));
  }

  // What is needed, and what lies above it up to the topmost joint that is needed or moves. Parents come first.
  std::vector<bool> joints_between() const {
    std::vector<bool> carries = needed_, follows(needed_.size());
    for (std::uint32_t joint = static_cast<std::uint32_t>(carries.size()); joint-- > 0;) {
      const std::int32_t parent = skeleton_.parent(joint);
      if (carries[joint] && parent != kNoParent) carries[static_cast<std::size_t>(parent)] = true;
    }
    for (std::uint32_t joint = 0; joint < follows.size(); ++joint) {
      const std::int32_t parent = skeleton_.parent(joint);
      follows[joint] =
          needed_[joint] || moved_[joint] || (parent != kNoParent && follows[static_cast<std::size_t>(parent)]);
      carries[joint] = carries[joint] && follows[joint];
    }
    return carries;
  }

  Result<void> add_bones() {
    std::vector<bool> is_bone = joints_between();
    const auto count = [&] { return static_cast<std::size_t>(std::count(is_bone.begin(), is_bone.end(), true)); };
    // Before anything is done that takes longer the more there are.
    if (count() > kMaxExportBones) return too_many(count());
    for (std::uint32_t joint = 0; joint < is_bone.size(); ++joint) {
      if (!is_bone[joint]) continue;
      const std::int32_t parent = skeleton_.parent(joint);
      if (parent == kNoParent || is_bone[static_cast<std::size_t>(parent)] || keeps_angles(above(joint))) continue;
      for_each_above(joint, [&](std::uint32_t j) { is_bone[j] = true; });
    }
    if (count() > kMaxExportBones) return too_many(count());

    const Pose rest(skeleton_);
    model_from_joint_.resize(skeleton_.joint_count());
    local_to_model(rest, model_from_joint_);
    for (std::uint32_t joint = 0; joint < is_bone.size(); ++joint) {
      if (!is_bone[joint]) continue;
      ExportedBone bone;
      bone.name = skeleton_.name(joint);
      bone.joint = joint;
      bone.rest = to_affine(skeleton_.rest(joint));
      const std::int32_t parent = skeleton_.parent(joint);
      if (parent != kNoParent) bone.parent = list_.bone_of_joint[static_cast<std::size_t>(parent)];
      list_.above.push_back(bone.parent == kNoParent ? above(joint) : Affine{});
      if (bone.parent == kNoParent && parent != kNoParent) bone.rest = multiply(list_.above.back(), bone.rest);
      list_.bone_of_joint[joint] = static_cast<std::int32_t>(list_.bones.size());
      list_.bones.push_back(std::move(bone));
    }
    bound_.assign(list_.bones.size(), false);
    return {};
  }

  // What the joints above one make of it at rest.
  Affine above(std::uint32_t joint) const {
    Affine product;
    for_each_above(joint, [&](std::uint32_t j) { product = multiply(to_affine(skeleton_.rest(j)), product); });
    return product;
  }

  // The joints of a skin that bend something.
  std::vector<bool> used_slots(std::size_t skin) const {
    std::vector<bool> used(model_.skins()[skin].size(), false);
    for (const ModelNode& node : model_.nodes()) {
      if (!is_shown(node) || node.skin != static_cast<std::int32_t>(skin)) continue;
      for (const MeshPart& part : mesh_of(model_, node).parts) {
        const Vertices& v = *part.vertices;
        for (std::size_t i = 0; i < v.weights.size(); ++i) {
          if (v.weights[i] > 0) used[v.joints[i]] = true;
        }
      }
    }
    return used;
  }

  // Gives the joints of a skin their bones. Where the skin binds all that it shares with those before it in the same
  // other way, its vertices are moved to fit; where it binds some differently, these get bones of their own.
  void bind_skin(std::size_t s) {
    const Skin& skin = model_.skins()[s];
    BoneList::SkinUse& use = list_.skins[s];
    const std::vector<bool> used = used_slots(s);
    const auto bone_at = [&](std::size_t i) {
      return static_cast<std::uint32_t>(list_.bone_of_joint[skin.joints()[i]]);
    };
    bool same = true, fits = true, known = false;
    for (std::size_t i = 0; i < skin.size(); ++i) {
      const std::uint32_t bone = bone_at(i);
      if (!used[i] || !bound_[bone]) continue;
      const Affine &theirs = list_.bones[bone].inverse_bind, &mine = skin.inverse_binds()[i];
      if (are_near(theirs, mine, kSameBind)) {
        fits = fits && (!known || are_near(use.bind, Affine{}, kSameProduct));
        if (!known) use.bind = {};
        known = true;
        continue;
      }
      same = false;
      if (!known) use.bind = multiply(inverse(theirs), mine);
      fits = fits && can_be_undone(theirs) && can_be_undone(use.bind) &&
             are_near(multiply(theirs, use.bind), mine, kSameProduct);
      known = true;
    }
    use.moved = !same && fits;
    const Affine unbind = use.moved ? inverse(use.bind) : Affine{};
    for (std::size_t i = 0; i < skin.size() && list_.bones.size() <= kMaxExportBones; ++i) {
      const std::uint32_t bone = bone_at(i);
      if (!bound_[bone]) {
        list_.bones[bone].inverse_bind =
            use.moved ? multiply(skin.inverse_binds()[i], unbind) : skin.inverse_binds()[i];
        bound_[bone] = true;
        use.bones.push_back(bone);
      } else if (use.moved || !used[i]) {
        use.bones.push_back(bone);
      } else {
        use.bones.push_back(bone_with(bone, skin.inverse_binds()[i]));
      }
    }
  }

  // The bone, or a copy of it, with an inverse bind.
  std::uint32_t bone_with(std::uint32_t bone, const Affine& inverse_bind) {
    if (are_near(list_.bones[bone].inverse_bind, inverse_bind, kSameBind)) return bone;
    std::size_t copies = 1;
    for (std::uint32_t b = 0; b < list_.bones.size(); ++b) {
      if (!list_.bones[b].copy || list_.bones[b].joint != list_.bones[bone].joint) continue;
      if (are_near(list_.bones[b].inverse_bind, inverse_bind, kSameBind)) return b;
      ++copies;
    }
    ExportedBone copy;
    copy.name = list_.bones[bone].name + " (" + std::to_string(copies + 1) + ")";
    copy.parent = static_cast<std::int32_t>(bone);
    copy.joint = list_.bones[bone].joint;
    copy.copy = true;
    copy.inverse_bind = inverse_bind;
    list_.bones.push_back(std::move(copy));
    list_.above.emplace_back();
    bound_.push_back(true);
    return static_cast<std::uint32_t>(list_.bones.size() - 1);
  }

  // What hangs on a bone is put where the bone's bind takes it back from: a bind that loses something cannot.
  void bind_rigid_nodes() {
    for (std::size_t n = 0; n < model_.nodes().size(); ++n) {
      const ModelNode& node = model_.nodes()[n];
      if (!takes_part(list_, options_, node)) continue;
      const auto& parts = mesh_of(model_, node).parts;
      if (std::all_of(parts.begin(), parts.end(), [&](const MeshPart& p) { return is_bent(node, p); })) continue;
      const std::int32_t joint = carrier(n);
      if (joint == kNone || list_.bone_of_joint[static_cast<std::size_t>(joint)] == kNone) continue;
      const auto bone = static_cast<std::uint32_t>(list_.bone_of_joint[static_cast<std::size_t>(joint)]);
      list_.rigid_bone_of_joint[static_cast<std::size_t>(joint)] =
          static_cast<std::int32_t>(can_be_undone(list_.bones[bone].inverse_bind) ? bone : bone_with(bone, Affine{}));
    }
  }

  const Model& model_;
  const Skeleton& skeleton_;
  const ExportBones& options_;
  std::vector<bool> moved_, needed_;
  std::vector<bool> bound_;  // bones that a skin has bound
  std::vector<Affine> model_from_joint_;
  BoneList list_;
};

}  // namespace

bool is_bent(const ModelNode& node, const MeshPart& part) {
  return node.skin != kNone && part.vertices->influences > 0;
}

bool takes_part(const BoneList& list, const ExportBones& options, const ModelNode& node) {
  if (!is_shown(node)) return false;
  if (!options.skin) return true;
  return node.skin != kNone && list.skins[static_cast<std::size_t>(node.skin)].used;
}

std::int32_t carrier_of(const Model& model, const BoneList& list, std::size_t node) {
  for (std::int32_t n = static_cast<std::int32_t>(node); n != kNone;
       n = model.nodes()[static_cast<std::size_t>(n)].parent) {
    const std::int32_t joint = model.nodes()[static_cast<std::size_t>(n)].joint;
    if (joint != kNone && list.rigid_bone_of_joint[static_cast<std::size_t>(joint)] != kNone) return joint;
  }
  return kNone;
}

std::uint64_t skeleton_id(const std::vector<ExportedBone>& bones) {
  Hasher hasher;
  for (const ExportedBone& bone : bones) {
    hasher.add(static_cast<std::uint64_t>(bone.name.size()));
    hasher.add(std::string_view(bone.name));
    hasher.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(bone.parent)));
    hasher.add(std::span<const float>(&bone.rest.m[0][0], 12));
  }
  return hasher.finish();
}

Result<BoneList> list_bones(const Model& model, const ExportBones& options) {
  return exactly([&] { return Lister(model, options).list(); });
}

Result<ExportedBones> export_bones(const Model& model, const ExportBones& options) {
  Result<BoneList> list = list_bones(model, options);
  if (!list) return list.error();
  ExportedBones out;
  out.id = skeleton_id(list->bones);
  out.bones = std::move(list->bones);
  return out;
}

}  // namespace marrow
