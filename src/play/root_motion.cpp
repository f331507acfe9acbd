#include "marrow/play/root_motion.h"

#include <map>
#include <mutex>
#include <utility>

#include "marrow/math/affine.h"
#include "marrow/math/functions.h"
#include "marrow/math/quat.h"
#include "src/play/animator_data.h"
#include "src/play/time_arithmetic.h"

namespace marrow {
namespace {

// Turns v about the unit axis `up` by twice the angle of (cosine, sine).
Vec3d turned(Vec3d up, double cosine, double sine, Vec3d v) {
  const double c = cosine * cosine - sine * sine, s = 2 * cosine * sine;
  return add(add(scaled(v, c), scaled(cross(up, v), s)), scaled(up, dot(v, up) * (1 - c)));
}

PlanarMotion product(Vec3d up, const PlanarMotion& a, const PlanarMotion& b) {
  const double c = a.cosine * b.cosine - a.sine * b.sine, s = a.cosine * b.sine + a.sine * b.cosine;
  const double size = det::sqrt_d(c * c + s * s);  // 1 but for rounding, which a high power would blow up
  return {c / size, s / size, add(turned(up, a.cosine, a.sine, b.translation), a.translation)};
}

PlanarMotion inverse(Vec3d up, const PlanarMotion& a) {
  return {a.cosine, -a.sine, turned(up, a.cosine, -a.sine, scaled(a.translation, -1))};
}

// Returns the parts of a translation across and along the axis that are wanted.
Vec3d parts_of(Vec3d v, Vec3d up, bool horizontal, bool vertical) {
  const Vec3d along = scaled(up, dot(v, up));
  return add(horizontal ? subtract(v, along) : Vec3d{0, 0, 0}, vertical ? along : Vec3d{0, 0, 0});
}

// By squaring, so that any number of passes is a matter of a few dozen products.
PlanarMotion power(Vec3d up, PlanarMotion a, std::uint64_t n) {
  PlanarMotion out;
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) out = product(up, out, a);
    a = product(up, a, a);
  }
  return out;
}

// The part of `rotation` about the axis in the parent's space. In double, for the error of one loop counts as often as
// the clip is looped.
PlanarMotion yaw_of(Quat rotation, const RootSetupData& setup) {
  const Quatd q = widen(rotation), rest = widen(setup.rest.rotation);
  const Vec3d a = {q.x, q.y, q.z}, b = {rest.x, rest.y, rest.z};
  const Vec3d from_rest = subtract(subtract(scaled(a, rest.w), scaled(b, q.w)), cross(a, b));
  const double s = dot(from_rest, setup.parent_up), c = q.w * rest.w + dot(a, b);
  const double size = det::sqrt_d(c * c + s * s);
  if (!(size > 1e-12)) return {};  // upside down: any yaw does
  return {c / size, s / size, {0, 0, 0}};
}

// The motion that takes the root from rest to where it is at a time of the clip, in what is to be taken out.
PlanarMotion motion_at(const RootSetupData& setup, const RootCurveData& curve, double time_s) {
  PlanarMotion motion;
  if (setup.options.yaw && curve.rotation) {
    float q[4];
    value_at(*curve.rotation, time_s, q);
    motion = yaw_of(to_quat(q), setup);
    if (setup.mirrors) motion.sine = -motion.sine;
  }
  const Vec3d rest = widen(setup.rest.translation);
  Vec3d shift = {0, 0, 0};
  if (curve.translation) {
    float p[3];
    value_at(*curve.translation, time_s, p);
    shift = parts_of(subtract(widen(Vec3{p[0], p[1], p[2]}), rest), setup.parent_up, setup.options.horizontal,
                     setup.options.vertical);
  }
  // The turn is about the joint at rest.
  const auto& m = setup.model_from_parent.m;
  const auto to_model = [&](Vec3d v) {
    const auto row = [&](int i) { return dot(v, widen(Vec3{m[i][0], m[i][1], m[i][2]})); };
    return Vec3d{row(0), row(1), row(2)};
  };
  const Vec3d pivot = add(to_model(rest), widen(translation_of(setup.model_from_parent)));
  motion.translation = add(to_model(shift), subtract(pivot, turned(setup.up, motion.cosine, motion.sine, pivot)));
  return motion;
}

}  // namespace

namespace {

Result<RootSetupData> make_setup(const Skeleton& skeleton, const RootMotionOptions& options) {
  if (options.joint >= skeleton.joint_count()) {
    return Error{ErrorCode::invalid_argument, "the skeleton has no such joint", "joint"};
  }
  const Vec3d given = widen(options.up);
  const double size = length(given);
  if (!(size > 0) || !is_finite(size)) return Error{ErrorCode::invalid_argument, "up is not a direction", "up"};
  const Vec3 up = narrow(divided(given, size));
  RootSetupData setup{options, skeleton.rest(options.joint), {}, false, widen(up), {}};
  for (std::int32_t j = skeleton.parent(options.joint); j != kNoParent;) {
    const auto joint = static_cast<std::uint32_t>(j);
    setup.model_from_parent = multiply(to_affine(skeleton.rest(joint)), setup.model_from_parent);
    j = skeleton.parent(joint);
  }
  const Transform parent = to_transform(setup.model_from_parent);
  setup.mirrors = parent.scale.x < 0;
  setup.parent_up = widen(rotate(conjugate(parent.rotation), up));
  if (setup.mirrors) setup.parent_up.x = -setup.parent_up.x;
  return setup;
}

RootCurveData read_curve(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint) {
  RootCurveData curve;
  ClipKeys keys = clip_keys(skeleton, clip, joint);
  for (TrackKeys& track : keys.tracks) {
    if (track.property == Property::translation) {
      curve.translation = std::move(track);
    } else if (track.property == Property::rotation) {
      curve.rotation = std::move(track);
    }
  }
  return curve;
}

// The curves that are in use, by the id of the clip, which is never given twice, and the joint.
std::shared_ptr<const RootCurveData> shared_curve(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint) {
  static std::mutex mutex;
  static std::map<std::pair<std::uint64_t, std::uint32_t>, std::weak_ptr<const RootCurveData>> curves;
  const std::lock_guard lock(mutex);
  const std::pair key(clip.id(), joint);
  if (const auto known = curves.find(key); known != curves.end()) {
    if (std::shared_ptr<const RootCurveData> curve = known->second.lock()) return curve;
  }
  auto made = std::make_shared<const RootCurveData>(read_curve(skeleton, clip, joint));
  static std::size_t sweep_at = 64;
  if (curves.size() >= sweep_at) {
    for (auto at = curves.begin(); at != curves.end();) at = at->second.expired() ? curves.erase(at) : std::next(at);
    sweep_at = 64 + 2 * curves.size();
  }
  curves[key] = made;
  return made;
}

}  // namespace

Result<RootSetup> RootSetup::create(const Skeleton& skeleton, const RootMotionOptions& options) {
  Result<RootSetupData> setup = exactly([&] { return make_setup(skeleton, options); });
  if (!setup) return setup.error();
  return RootSetup(std::make_shared<const RootSetupData>(*setup));
}

const RootMotionOptions& RootSetup::options() const { return data_->options; }

RootCurve::RootCurve(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint)
    : data_(shared_curve(skeleton, clip, joint)) {}

RootMotion root_motion(const RootSetup& setup, const RootCurve& curve, const Travel& travel, Loop loop,
                       double duration) {
  return exactly([&] {
    RootSum sum;
    sum.add(planar_motion(setup.data(), curve.data(), travel, loop, duration), curve.data(), 1, 1, false);
    return sum.total(setup.data(), 1);
  });
}

void remove_root_motion(const RootSetup& setup, Pose& pose) {
  exactly([&] { take_out_motion(setup.data(), pose); });
}

PlanarMotion planar_motion(const RootSetupData& setup, const RootCurveData& curve, const Travel& way, Loop loop,
                           double duration) {
  if (way.direction == 0 || !(curve.translation || curve.rotation)) return {};
  const auto at = [&](double time_s) { return motion_at(setup, curve, time_s); };
  const auto between = [&](const PlanarMotion& a, const PlanarMotion& b) {
    return product(setup.up, inverse(setup.up, a), b);
  };
  const PlanarMotion from = at(exact::clip_time(loop, way.from, duration)),
                     to = at(exact::clip_time(loop, way.to, duration));
  // There and back is nowhere.
  if (loop == Loop::ping_pong || way.from.pass == way.to.pass) return between(from, to);
  const PlanarMotion begin = at(way.direction > 0 ? 0 : duration), end = at(way.direction > 0 ? duration : 0);
  const auto passes =
      static_cast<std::uint64_t>(way.direction > 0 ? way.to.pass - way.from.pass : way.from.pass - way.to.pass);
  const PlanarMotion whole = power(setup.up, between(begin, end), passes - 1);
  return product(setup.up, product(setup.up, between(from, end), whole), between(begin, to));
}

void RootSum::add(const PlanarMotion& motion, const RootCurveData& curve, double weight, double fade,
                  bool fill_by_weight) {
  const double w = weight * fade, fill = fill_by_weight ? w : fade;
  if (curve.translation || curve.rotation) {  // a turn about a joint away from the model's axis is a shift too
    translation_mean_.weights += w;
    translation_mean_.coverage += fill;
    translation_ = marrow::add(translation_, scaled(motion.translation, w));
  }
  if (curve.rotation) {
    rotation_mean_.weights += w;
    rotation_mean_.coverage += fill;
    const bool flip = motion.cosine < 0;  // the short way round
    const auto cosine = static_cast<float>(flip ? -motion.cosine : motion.cosine);
    const auto sine = static_cast<float>(flip ? -motion.sine : motion.sine);
    angle_ += w * static_cast<double>(det::atan2(sine, cosine));
  }
}

RootMotion RootSum::total(const RootSetupData& setup, double layer_weight) const {
  const double shift = translation_mean_.factor() * layer_weight;
  const auto half_angle = static_cast<float>(angle_ * rotation_mean_.factor() * layer_weight);
  const float s = det::sin(half_angle), c = det::cos(half_angle);
  RootMotion out;
  const Vec3 up = narrow(setup.up);
  out.rotation = normalize({up.x * s, up.y * s, up.z * s, c});
  out.translation = narrow(scaled(translation_, shift));
  return out;
}

void take_out_motion(const RootSetupData& setup, Pose& pose) {
  const std::uint32_t joint = setup.options.joint;
  Transform local = pose.transform(joint);
  const bool has_rotation = pose.has(joint, Property::rotation),
             has_translation = pose.has(joint, Property::translation);
  PlanarMotion yaw;
  if (setup.options.yaw && has_rotation) {
    yaw = yaw_of(local.rotation, setup);
    const Vec3 up = narrow(setup.parent_up);
    const auto s = static_cast<float>(-yaw.sine);
    const Quat back = {up.x * s, up.y * s, up.z * s, static_cast<float>(yaw.cosine)};
    local.rotation = normalize(multiply(back, local.rotation));
  }
  if (has_translation) {
    const Vec3d rest = widen(setup.rest.translation);
    const Vec3d left = parts_of(subtract(widen(local.translation), rest), setup.parent_up, !setup.options.horizontal,
                                !setup.options.vertical);
    local.translation = narrow(add(rest, turned(setup.parent_up, yaw.cosine, -yaw.sine, left)));
  }
  // Setting a transform marks all of it present; what the clip has no track for stays as it was.
  const bool has_scale = pose.has(joint, Property::scale);
  pose.set_transform(joint, local);
  pose.set_present(joint, Property::translation, has_translation);
  pose.set_present(joint, Property::rotation, has_rotation);
  pose.set_present(joint, Property::scale, has_scale);
}

}  // namespace marrow
