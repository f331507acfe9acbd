#include "humanoid.h"

#include <string>

#include "marrow/anim/hierarchy.h"
#include "marrow/anim/pose.h"
#include "marrow/math/affine.h"
#include "marrow/math/functions.h"
#include "marrow/math/quat.h"

namespace marrow::humanoid {
namespace {

struct Part {
  std::string name;
  std::int32_t parent;
  Vec3 offset;
};

class Body {
 public:
  std::int32_t add(std::string name, std::int32_t parent, Vec3 offset) {
    parts.push_back({std::move(name), parent, offset});
    return static_cast<std::int32_t>(parts.size()) - 1;
  }

  // Adds joints one below another and returns the last.
  std::int32_t chain(std::initializer_list<const char*> names, std::int32_t parent, Vec3 offset) {
    for (const char* name : names) parent = add(name, parent, offset);
    return parent;
  }

  std::vector<Part> parts;
};

Body make_body() {
  Body body;
  const std::int32_t root = body.add("root", kNoParent, {});
  const std::int32_t pelvis = body.add("pelvis", root, {0, 0, 0.95f});
  const std::int32_t chest = body.chain({"spine_1", "spine_2", "spine_3", "chest"}, pelvis, {0, 0.01f, 0.12f});
  body.chain({"neck", "head", "head_end"}, chest, {0, 0.01f, 0.11f});
  for (const bool left : {true, false}) {
    const float side = left ? 1.0f : -1.0f;
    const std::string suffix = left ? "_L" : "_R";
    const std::int32_t clavicle = body.add("clavicle" + suffix, chest, {0.06f * side, 0, 0.06f});
    const std::int32_t upper_arm = body.add("upper_arm" + suffix, clavicle, {0.12f * side, 0, 0});
    const std::int32_t forearm = body.add("forearm" + suffix, upper_arm, {0.28f * side, 0, 0});
    const std::int32_t hand = body.add("hand" + suffix, forearm, {0.25f * side, 0, 0});
    float across = 0.04f;
    for (const char* finger : {"thumb", "index", "middle", "ring", "little"}) {
      std::int32_t at = body.add(finger + ("_1" + suffix), hand, {0.08f * side, across, 0});
      for (const char* number : {"_2", "_3", "_end"}) {
        at = body.add(finger + (number + suffix), at, {0.03f * side, 0, 0});
      }
      across -= 0.02f;
    }
  }
  for (const bool left : {true, false}) {
    const float side = left ? 1.0f : -1.0f;
    const std::string suffix = left ? "_L" : "_R";
    const std::int32_t thigh = body.add("thigh" + suffix, pelvis, {0.1f * side, 0, -0.05f});
    const std::int32_t calf = body.add("calf" + suffix, thigh, {0, 0.02f, -0.42f});
    const std::int32_t foot = body.add("foot" + suffix, calf, {0, -0.02f, -0.4f});
    const std::int32_t toe = body.add("toe" + suffix, foot, {0, -0.14f, -0.06f});
    body.add("toe_end" + suffix, toe, {0, -0.06f, 0});
  }
  return body;
}

// xorshift32: the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}
  std::uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  float unit() { return static_cast<float>(next() >> 8) / 16777216.0f; }
  float range(float low, float high) { return low + (high - low) * unit(); }

 private:
  std::uint32_t state_;
};

constexpr float kTurn = 6.2831853f;

// A periodic curve: a swing and its overtone.
struct Wave {
  float size, phase, overtone;
  [[nodiscard]] float at(float cycle) const {
    return size * (det::sin(kTurn * cycle + phase) + overtone * det::sin(2 * kTurn * cycle + 2 * phase));
  }
};

}  // namespace

Skeleton make_skeleton(std::uint32_t morph_weights) {
  const Body body = make_body();
  const std::vector<float> weights(morph_weights, 0.25f);
  std::vector<JointDesc> joints;
  for (const Part& part : body.parts) {
    JointDesc joint;
    joint.name = part.name;
    joint.parent = part.parent;
    joint.rest.translation = part.offset;
    if (part.name == "head") joint.morph_weights = weights;
    joints.push_back(joint);
  }
  return Skeleton::create(joints).value().skeleton;
}

Skin make_skin(const Skeleton& skeleton) {
  const Pose rest(skeleton);
  std::vector<Affine> model(skeleton.joint_count());
  local_to_model(rest, model);
  std::vector<std::uint32_t> joints;
  std::vector<Affine> inverse_binds;
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    joints.push_back(j);
    inverse_binds.push_back(inverse(model[j]));
  }
  return Skin::create(skeleton, joints, inverse_binds, "body").value();
}

std::vector<TrackKeys> make_keys(const Skeleton& skeleton, const Motion& motion) {
  Random random(motion.seed);
  const auto key_count = static_cast<std::uint32_t>(motion.duration * 30.0 + 0.25) + 1;
  const bool cubic = motion.interpolation == Interpolation::cubic_spline;

  std::vector<TrackKeys> tracks;
  const auto add_track = [&](std::uint32_t joint, Property property, std::uint32_t size, auto&& value_at) {
    TrackKeys keys{joint, property, {}, {}};
    for (std::uint32_t k = 0; k < key_count; ++k) {
      const bool end = k == 0 || k == key_count - 1;
      if (motion.keys == Keys::own && !end && random.next() % 3 != 0) continue;
      keys.times.push_back(static_cast<float>(static_cast<double>(k) / 30.0));
      const float cycle = static_cast<float>(k) / static_cast<float>(key_count - 1);
      float value[64];
      value_at(cycle, value);
      if (cubic) {
        for (std::uint32_t i = 0; i < size; ++i) keys.values.push_back(random.range(-0.5f, 0.5f));
      }
      keys.values.insert(keys.values.end(), value, value + size);
      if (cubic) {
        for (std::uint32_t i = 0; i < size; ++i) keys.values.push_back(random.range(-0.5f, 0.5f));
      }
    }
    tracks.push_back(std::move(keys));
  };

  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const Transform rest = skeleton.rest(joint);
    const float stride = static_cast<float>(motion.stride);
    const Vec3 axis = {1.0f, random.range(-0.4f, 0.4f), random.range(-0.4f, 0.4f)};
    const Wave swing = {stride * random.range(0.3f, 1.0f), random.range(0, kTurn), random.range(0, 0.3f)};
    const Wave sway = {0.01f, random.range(0, kTurn), 0.2f};
    const Wave breath = {0.02f, random.range(0, kTurn), 0.1f};
    add_track(joint, Property::translation, 3, [&](float cycle, float* v) {
      const float s = sway.at(cycle);
      v[0] = rest.translation.x + s;
      v[1] = rest.translation.y - 0.5f * s;
      v[2] = rest.translation.z + 0.25f * s;
    });
    add_track(joint, Property::rotation, 4, [&](float cycle, float* v) {
      const Quat q = multiply(rest.rotation, from_axis_angle(axis, swing.at(cycle)));
      v[0] = q.x;
      v[1] = q.y;
      v[2] = q.z;
      v[3] = q.w;
    });
    add_track(joint, Property::scale, 3, [&](float cycle, float* v) { v[0] = v[1] = v[2] = 1.0f + breath.at(cycle); });
    const std::uint32_t weights = skeleton.morph_count(joint);
    if (weights == 0) continue;
    add_track(joint, Property::morph, weights, [&](float cycle, float* v) {
      for (std::uint32_t i = 0; i < weights; ++i) v[i] = Wave{0.5f, static_cast<float>(i), 0.2f}.at(cycle);
    });
  }
  return tracks;
}

Clip make_clip(const Skeleton& skeleton, const Motion& motion) {
  const std::vector<TrackKeys> keys = make_keys(skeleton, motion);
  std::vector<TrackDesc> tracks;
  tracks.reserve(keys.size());
  for (const TrackKeys& track : keys) {
    tracks.push_back({track.joint, track.property, motion.interpolation, track.times, track.values});
  }
  return Clip::create(skeleton, {motion.name, tracks, motion.duration}).value();
}

}  // namespace marrow::humanoid
