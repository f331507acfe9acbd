#include "src/mixer/root_curve.h"

#include "marrow/math/affine.h"
#include "marrow/math/functions.h"
#include "marrow/math/quat.h"
#include "src/anim/track_curve.h"
#include "src/core/platform.h"

namespace marrow {
namespace {

using Vector = double[3];

double dot(const Vector a, Vec3 b) {
  return a[0] * static_cast<double>(b.x) + a[1] * static_cast<double>(b.y) + a[2] * static_cast<double>(b.z);
}

struct Doubles {
  explicit Doubles(Vec3 f) : v{static_cast<double>(f.x), static_cast<double>(f.y), static_cast<double>(f.z)} {}
  Vector v;
};

// Turns v about the unit axis `up` by twice the angle of (cosine, sine).
void turn(Vec3 up, double cosine, double sine, Vector v) {
  const double c = cosine * cosine - sine * sine, s = 2 * cosine * sine;
  const double x = static_cast<double>(up.x), y = static_cast<double>(up.y), z = static_cast<double>(up.z);
  const double along = dot(v, up) * (1 - c);
  const Vector turned = {v[0] * c + (y * v[2] - z * v[1]) * s + x * along,
                         v[1] * c + (z * v[0] - x * v[2]) * s + y * along,
                         v[2] * c + (x * v[1] - y * v[0]) * s + z * along};
  for (int i = 0; i < 3; ++i) v[i] = turned[i];
}

PlanarMotion product(Vec3 up, const PlanarMotion& a, const PlanarMotion& b) {
  const double c = a.cosine * b.cosine - a.sine * b.sine, s = a.cosine * b.sine + a.sine * b.cosine;
  const double size = platform::square_root(c * c + s * s);  // 1 but for rounding, which a high power would blow up
  PlanarMotion out{c / size, s / size, {0, 0, 0}};
  for (int i = 0; i < 3; ++i) out.translation[i] = b.translation[i];
  turn(up, a.cosine, a.sine, out.translation);
  for (int i = 0; i < 3; ++i) out.translation[i] += a.translation[i];
  return out;
}

PlanarMotion inverse(Vec3 up, const PlanarMotion& a) {
  PlanarMotion out{a.cosine, -a.sine, {-a.translation[0], -a.translation[1], -a.translation[2]}};
  turn(up, out.cosine, out.sine, out.translation);
  return out;
}

// Leaves of a translation its parts across and along the axis, or takes them out.
void keep(const RootSetup& setup, bool horizontal, bool vertical, Vector v) {
  const Doubles up(setup.parent_up);
  const double along = dot(v, setup.parent_up);
  for (int i = 0; i < 3; ++i) {
    const double part = along * up.v[i];
    v[i] = (horizontal ? v[i] - part : 0) + (vertical ? part : 0);
  }
}

// By squaring, so that any number of passes is a matter of a few dozen products.
PlanarMotion power(Vec3 up, PlanarMotion a, std::uint64_t n) {
  PlanarMotion out;
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) out = product(up, out, a);
    a = product(up, a, a);
  }
  return out;
}

// The part of `rotation` about the axis in the parent's space, as cosine and sine of half its angle. In double, for
// the error of one loop counts as often as the clip is looped.
void yaw_of(Quat rotation, const RootSetup& setup, double& cosine, double& sine) {
  const Quat& rest = setup.rest.rotation;
  const Doubles a({rotation.x, rotation.y, rotation.z}), b({rest.x, rest.y, rest.z});
  const double aw = static_cast<double>(rotation.w), bw = static_cast<double>(rest.w);
  const Vector turned = {a.v[0] * bw - b.v[0] * aw - (a.v[1] * b.v[2] - a.v[2] * b.v[1]),
                         a.v[1] * bw - b.v[1] * aw - (a.v[2] * b.v[0] - a.v[0] * b.v[2]),
                         a.v[2] * bw - b.v[2] * aw - (a.v[0] * b.v[1] - a.v[1] * b.v[0])};
  const double s = dot(turned, setup.parent_up);
  const double c = aw * bw + (a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2]);
  const double size = platform::square_root(c * c + s * s);
  if (!(size > 1e-12)) {  // upside down: any yaw does
    cosine = 1;
    sine = 0;
    return;
  }
  cosine = c / size;
  sine = s / size;
}

// The motion that takes the root from rest to where it is at a time of the clip, in what is to be taken out.
PlanarMotion motion_at(const RootSetup& setup, const RootCurve& curve, double time_s) {
  PlanarMotion motion;
  if (setup.options.yaw && curve.rotation) {
    float q[4];
    value_at(*curve.rotation, time_s, q);
    yaw_of(to_quat(q), setup, motion.cosine, motion.sine);
    if (setup.mirrors) motion.sine = -motion.sine;
  }
  const Doubles rest(setup.rest.translation);
  Vector shift = {0, 0, 0};
  if (curve.translation) {
    float p[3];
    value_at(*curve.translation, time_s, p);
    for (int i = 0; i < 3; ++i) shift[i] = static_cast<double>(p[i]) - rest.v[i];
    keep(setup, setup.options.horizontal, setup.options.vertical, shift);
  }
  // The turn is about the joint at rest.
  const auto& m = setup.model_from_parent.m;
  const Vec3 rows[3] = {{m[0][0], m[0][1], m[0][2]}, {m[1][0], m[1][1], m[1][2]}, {m[2][0], m[2][1], m[2][2]}};
  Vector pivot, turned;
  for (int i = 0; i < 3; ++i) pivot[i] = turned[i] = dot(rest.v, rows[i]) + static_cast<double>(m[i][3]);
  turn(setup.up, motion.cosine, motion.sine, turned);
  for (int i = 0; i < 3; ++i) motion.translation[i] = dot(shift, rows[i]) + (pivot[i] - turned[i]);
  return motion;
}

}  // namespace

Result<RootSetup> make_root_setup(const Skeleton& skeleton, const RootMotionOptions& options) {
  if (options.joint >= skeleton.joint_count()) {
    return Error{ErrorCode::invalid_argument, "the skeleton has no such joint", "joint"};
  }
  const Doubles up(options.up);
  const double size = platform::square_root(dot(up.v, options.up));
  if (!(size > 0 && size < 1e30)) return Error{ErrorCode::invalid_argument, "up is not a direction", "up"};
  const auto unit = [&](int i) { return static_cast<float>(up.v[i] / size); };
  RootSetup setup{options, skeleton.rest(options.joint), {}, false, {unit(0), unit(1), unit(2)}, {}};
  for (std::int32_t j = skeleton.parent(options.joint); j != kNoParent;) {
    const auto joint = static_cast<std::uint32_t>(j);
    setup.model_from_parent = multiply(to_affine(skeleton.rest(joint)), setup.model_from_parent);
    j = skeleton.parent(joint);
  }
  const Transform parent = to_transform(setup.model_from_parent);
  setup.mirrors = parent.scale.x < 0;
  setup.parent_up = rotate(conjugate(parent.rotation), setup.up);
  if (setup.mirrors) setup.parent_up.x = -setup.parent_up.x;
  return setup;
}

RootCurve read_root_curve(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint) {
  RootCurve curve;
  ClipKeys keys = read_keys(skeleton, clip, joint);
  for (TrackKeys& track : keys.tracks) {
    if (track.property == Property::translation) {
      curve.translation = std::move(track);
    } else if (track.property == Property::rotation) {
      curve.rotation = std::move(track);
    }
  }
  return curve;
}

PlanarMotion root_travel(const RootSetup& setup, const RootCurve& curve, const Travel& way, Loop loop,
                         double duration) {
  if (way.direction == 0 || !(curve.translation || curve.rotation)) return {};
  const auto at = [&](double time_s) { return motion_at(setup, curve, time_s); };
  const auto between = [&](const PlanarMotion& a, const PlanarMotion& b) {
    return product(setup.up, inverse(setup.up, a), b);
  };
  const PlanarMotion from = at(clip_time(loop, way.from, duration)), to = at(clip_time(loop, way.to, duration));
  // There and back is nowhere.
  if (loop == Loop::ping_pong || way.from.pass == way.to.pass) return between(from, to);
  const PlanarMotion begin = at(way.direction > 0 ? 0 : duration), end = at(way.direction > 0 ? duration : 0);
  const auto passes =
      static_cast<std::uint64_t>(way.direction > 0 ? way.to.pass - way.from.pass : way.from.pass - way.to.pass);
  const PlanarMotion whole = power(setup.up, between(begin, end), passes - 1);
  return product(setup.up, product(setup.up, between(from, end), whole), between(begin, to));
}

void RootSum::add(const PlanarMotion& motion, const RootCurve& curve, double weight, double fade, bool fill_by_weight) {
  const double w = weight * fade, fill = fill_by_weight ? w : fade;
  if (curve.translation || curve.rotation) {  // a turn about a joint away from the model's axis is a shift too
    translation_mean_.weights += w;
    translation_mean_.coverage += fill;
    for (int i = 0; i < 3; ++i) translation_[i] += w * motion.translation[i];
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

RootMotion RootSum::total(const RootSetup& setup, double layer_weight) const {
  const double shift = translation_mean_.factor() * layer_weight;
  const auto half_angle = static_cast<float>(angle_ * rotation_mean_.factor() * layer_weight);
  const float s = det::sin(half_angle), c = det::cos(half_angle);
  RootMotion out;
  out.rotation = normalize({setup.up.x * s, setup.up.y * s, setup.up.z * s, c});
  out.translation = {static_cast<float>(translation_[0] * shift), static_cast<float>(translation_[1] * shift),
                     static_cast<float>(translation_[2] * shift)};
  return out;
}

void remove_root_motion(const RootSetup& setup, Pose& pose) {
  const std::uint32_t joint = setup.options.joint;
  PoseBlock& block = pose.blocks()[joint / kBlockJoints];
  const std::uint32_t lane = joint % kBlockJoints;
  double cosine = 1, sine = 0;
  if (setup.options.yaw && pose.has(joint, Property::rotation)) {
    auto& r = block.rotation;
    const Quat sampled = {r[0][lane], r[1][lane], r[2][lane], r[3][lane]};
    yaw_of(sampled, setup, cosine, sine);
    const auto s = static_cast<float>(-sine);
    const Quat back = {setup.parent_up.x * s, setup.parent_up.y * s, setup.parent_up.z * s, static_cast<float>(cosine)};
    const Quat left = normalize(multiply(back, sampled));
    const float values[4] = {left.x, left.y, left.z, left.w};
    for (int i = 0; i < 4; ++i) r[i][lane] = values[i];
  }
  if (!pose.has(joint, Property::translation)) return;
  auto& t = block.translation;
  const Doubles rest(setup.rest.translation);
  double left[3] = {static_cast<double>(t[0][lane]) - rest.v[0], static_cast<double>(t[1][lane]) - rest.v[1],
                    static_cast<double>(t[2][lane]) - rest.v[2]};
  keep(setup, !setup.options.horizontal, !setup.options.vertical, left);
  turn(setup.parent_up, cosine, -sine, left);
  for (int i = 0; i < 3; ++i) t[i][lane] = static_cast<float>(rest.v[i] + left[i]);
}

}  // namespace marrow
