#include "marrow/clip/mirror.h"

#include <optional>
#include <string>
#include <utility>

#include "marrow/anim/clip_keys.h"
#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "marrow/math/vec3.h"
#include "src/clip/imports.h"

namespace marrow {
namespace {

// The plane through the origin at right angles to n, which is unit.
struct Plane {
  Vec3 n;

  [[nodiscard]] Vec3 mirrored(Vec3 v) const { return v - 2 * dot(n, v) * n; }
  // The rotation that looks in the mirror as q does outside: its axis turns the other way. Linear, so that it does for
  // tangents as well.
  [[nodiscard]] Quat mirrored(Quat q) const {
    const Vec3 v = mirrored(Vec3{q.x, q.y, q.z});
    return {-v.x, -v.y, -v.z, q.w};
  }
};

// How keys of a joint become keys of its partner.
//
// Let G be the rotations of the rest pose in model space and Q those of a pose, and let a bar mean the mirror. The
// partner's rotation is to be bar(Q) * C with a constant C that takes rest to rest: C = bar(G)^-1 * G_partner. Relative
// to the parents, whose constant is D, that is D^-1 * bar(q) * C for the joint's local rotation q.
struct Mapping {
  Plane plane;
  Quat before, after;   // D^-1 and C
  Affine moves_before;  // D^-1 for translations: with the scales that the parents have at rest
  Transform rest, partner_rest;
  float spread[3][3];  // how the scale along each axis of the joint is seen along those of its partner

  void translate(float* v, bool tangent) const {
    const Vec3 from = tangent ? Vec3{} : rest.translation, to = tangent ? Vec3{} : partner_rest.translation;
    const Vec3 moved =
        transform_vector(moves_before, plane.mirrored(Vec3{v[0] - from.x, v[1] - from.y, v[2] - from.z}));
    v[0] = to.x + moved.x;
    v[1] = to.y + moved.y;
    v[2] = to.z + moved.z;
  }
  void turn(float* v) const { store_quat(multiply(multiply(before, plane.mirrored(to_quat(v))), after), v); }
  void scale(float* v) const {
    const auto ratio = [](float s, float at_rest) { return at_rest != 0 ? s / at_rest : s; };
    const float r[3] = {ratio(v[0], rest.scale.x), ratio(v[1], rest.scale.y), ratio(v[2], rest.scale.z)};
    const float to[3] = {partner_rest.scale.x, partner_rest.scale.y, partner_rest.scale.z};
    for (int i = 0; i < 3; ++i) {
      const float along = (r[0] * spread[i][0] + r[1] * spread[i][1]) + r[2] * spread[i][2];
      v[i] = to[i] != 0 ? to[i] * along : along;
    }
  }
};

class Mirror {
 public:
  // The map must lead back from every partner.
  Mirror(const Skeleton& skeleton, Vec3 normal, const JointMap& pairs, MirroredClip& report)
      : skeleton_(skeleton), plane_{normal} {
    const std::uint32_t count = skeleton.joint_count();
    partners_.resize(count);
    rest_.resize(count);
    rest_model_.resize(count);
    for (std::uint32_t joint = 0; joint < count; ++joint) {
      partners_[joint] = pairs.target(joint).value_or(joint);
      if (!pairs.target(joint)) report.unpaired.push_back(joint);
      const std::int32_t parent = skeleton.parent(joint);
      const Quat local = skeleton.rest(joint).rotation;
      const Affine matrix = to_affine(skeleton.rest(joint));
      rest_model_[joint] =
          parent == kNoParent ? matrix : multiply(rest_model_[static_cast<std::uint32_t>(parent)], matrix);
      rest_[joint] =
          parent == kNoParent ? local : normalize(multiply(rest_[static_cast<std::uint32_t>(parent)], local));
    }
    for (std::uint32_t joint = 0; joint < count; ++joint) {
      if (!is_even(joint)) report.uneven.push_back(joint);
    }
  }

  [[nodiscard]] std::uint32_t partner(std::uint32_t joint) const { return partners_[joint]; }

  [[nodiscard]] bool same_morphs(std::uint32_t joint) const {
    return skeleton_.morph_count(joint) == skeleton_.morph_count(partners_[joint]);
  }

  [[nodiscard]] Mapping mapping(std::uint32_t joint) const {
    const std::uint32_t other = partners_[joint];
    Mapping mapping{plane_,
                    conjugate(constant(skeleton_.parent(joint), skeleton_.parent(other))),
                    constant(static_cast<std::int32_t>(joint), static_cast<std::int32_t>(other)),
                    linear_constant(skeleton_.parent(joint), skeleton_.parent(other)),
                    skeleton_.rest(joint),
                    skeleton_.rest(other),
                    {}};
    // Mirrored in the plane, the axes of the joint and those of its partner: the square of each cosine.
    const Affine turned = to_affine({{}, mapping.after, {1, 1, 1}});
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) mapping.spread[i][k] = turned.m[k][i] * turned.m[k][i];
    }
    return mapping;
  }

 private:
  // What takes the mirrored rest rotation of one joint to that of another; -1 is the model.
  [[nodiscard]] Quat constant(std::int32_t joint, std::int32_t other) const {
    const Quat from = joint < 0 ? Quat{} : rest_[static_cast<std::uint32_t>(joint)];
    const Quat to = other < 0 ? Quat{} : rest_[static_cast<std::uint32_t>(other)];
    return normalize(multiply(conjugate(plane_.mirrored(from)), to));
  }

  // What takes vectors in the frame of another joint from their mirror images in the frame of a joint, both at rest.
  [[nodiscard]] Affine linear_constant(std::int32_t joint, std::int32_t other) const {
    const Affine from = joint < 0 ? Affine{} : rest_model_[static_cast<std::uint32_t>(joint)];
    const Affine to = other < 0 ? Affine{} : rest_model_[static_cast<std::uint32_t>(other)];
    const Vec3 x = plane_.mirrored(Vec3{1, 0, 0}), y = plane_.mirrored(Vec3{0, 1, 0}),
               z = plane_.mirrored(Vec3{0, 0, 1});
    const Affine mirror = {{{x.x, y.x, z.x, 0}, {x.y, y.y, z.y, 0}, {x.z, y.z, z.z, 0}}};
    return multiply(inverse(to), multiply(mirror, multiply(from, mirror)));
  }

  // True if the map is a rotation and one scale for all axes, to a thousandth.
  static bool is_similarity(const Affine& a) {
    const auto product = [&](int i, int k) {
      double sum = 0;
      for (const auto& row : a.m) sum += static_cast<double>(row[i]) * static_cast<double>(row[k]);
      return sum;
    };
    const double size = product(0, 0), least = 1e-3 * size;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        const double off = product(i, k) - (i == k ? size : 0);
        if (!(off >= -least && off <= least)) return false;
      }
    }
    return determinant(a) > 0;
  }

  [[nodiscard]] bool is_even(std::uint32_t joint) const {
    const std::int32_t parent = skeleton_.parent(joint), other = skeleton_.parent(partners_[joint]);
    const bool roots = parent == kNoParent && other == kNoParent;
    const bool branches = parent != kNoParent && other != kNoParent &&
                          partners_[static_cast<std::uint32_t>(parent)] == static_cast<std::uint32_t>(other);
    return (roots || branches) && is_similarity(linear_constant(parent, other)) && same_morphs(joint);
  }

  const Skeleton& skeleton_;
  Plane plane_;
  std::vector<std::uint32_t> partners_;
  std::vector<Quat> rest_;  // in model space
  std::vector<Affine> rest_model_;
};

Result<void> check_pairs(const Skeleton& skeleton, const JointMap& pairs) {
  if (Result<void> checked = pairs.check(skeleton, skeleton); !checked) return checked;
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const std::optional<std::uint32_t> partner = pairs.target(joint);
    if (!partner || pairs.target(*partner) == joint) continue;
    return Error{ErrorCode::invalid_argument,
                 "joint \"" + std::string(skeleton.name(joint)) + "\" has the partner \"" +
                     std::string(skeleton.name(*partner)) + "\", which does not lead back to it",
                 "map"};
  }
  return {};
}

Result<MirroredClip> mirror_keys(const Skeleton& skeleton, const Clip& clip, const JointMap& pairs,
                                 const MirrorOptions& options) {
  if (const Result<void> checked = check_pairs(skeleton, pairs); !checked) return checked.error();
  const double size = length(widen(options.normal));
  if (!(size > 0) || !is_finite(size)) {
    return Error{ErrorCode::invalid_argument, "the normal of the plane to mirror in is zero or not finite", "normal"};
  }
  const Vec3 normal = narrow(divided(widen(options.normal), size));

  MirroredClip result;
  const Mirror mirror(skeleton, normal, pairs, result);
  ClipKeys keys = clip_keys(skeleton, clip);
  std::erase_if(keys.tracks, [&](const TrackKeys& track) {
    return track.property == Property::morph && !mirror.same_morphs(track.joint);
  });
  for (TrackKeys& track : keys.tracks) {
    const Mapping mapping = mirror.mapping(track.joint);
    for_each_part(track, [&](float* v, bool tangent) {
      switch (track.property) {
        case Property::translation: return mapping.translate(v, tangent);
        case Property::rotation: return mapping.turn(v);
        case Property::scale: return mapping.scale(v);
        case Property::morph: return;
      }
    });
    track.joint = mirror.partner(track.joint);
  }
  Result<Clip> made = create_clip(skeleton, keys);
  if (!made) return made.error();
  result.clip = *made;
  return result;
}

}  // namespace

Result<MirroredClip> mirror(const Skeleton& skeleton, const Clip& clip, const JointMap& pairs,
                            const MirrorOptions& options) {
  return exactly([&] { return mirror_keys(skeleton, clip, pairs, options); });
}

Result<MirroredClip> mirror(const Skeleton& skeleton, const Clip& clip, const MirrorOptions& options) {
  return mirror(skeleton, clip, JointMap::mirror_pairs(skeleton), options);
}

}  // namespace marrow
