#include "anim/random_clip.h"

#include <algorithm>
#include <cmath>

#include "support/reference.h"
#include "support/special_floats.h"

namespace marrow::test {
namespace {

float narrow(Real x) { return static_cast<float>(x); }

// Between lo and hi, each order of magnitude as likely as the others.
double any_magnitude(Random& random, double lo, double hi) { return lo * std::pow(hi / lo, random.unit()); }

std::vector<float> random_timeline(Random& random, const Recipe& recipe) {
  const std::uint32_t count = 1 + random.below(recipe.max_keys);
  const double start = random.below(3) != 0 ? 0 : random.range(-0.3, 0.7) * recipe.length_s;
  const std::uint32_t kind = random.below(4);
  std::vector<float> times;
  for (std::uint32_t k = 0; k < count; ++k) {
    const double even = count == 1 ? 0 : recipe.length_s * k / (count - 1);
    double t = even;                                                              // even, exactly
    if (kind == 1) t = even + random.range(-0.1, 0.1) * recipe.length_s / count;  // even, roughly
    if (kind == 2) t = random.range(0, recipe.length_s);                          // anyhow
    if (kind == 3) t = any_magnitude(random, 1e-5, 1) * recipe.length_s;          // in a heap near the start
    times.push_back(static_cast<float>(start + t));
  }
  std::sort(times.begin(), times.end());
  if (recipe.jumps && random.below(3) == 0) {
    for (std::size_t k = 1; k < times.size(); ++k) {
      if (random.below(4) == 0) times[k] = times[k - 1];
    }
  }
  return times;
}

// A turn away from q, from tiny to the largest.
RefQuat turned(Random& random, RefQuat q, double largest) {
  double angle = any_magnitude(random, 1e-6, 1) * largest;
  if (random.below(3) == 0) angle = random.range(0, largest);
  if (random.below(20) == 0) angle = largest;
  if (random.below(20) == 0) angle = 0;
  const RefVec axis = ref(random_vector(random, 1));
  return unit(multiply(q, axis_angle(unit(axis), angle)));
}

void add_rotations(Random& random, const Recipe& recipe, OwnedTrack& track) {
  const UnitQuat first = random.quat();
  RefQuat q = {first.x, first.y, first.z, first.w};
  const bool cubic = track.interpolation == Interpolation::cubic_spline;
  const double speed = any_magnitude(random, 1e-3, 10);
  for (std::size_t k = 0; k < track.times.size(); ++k) {
    // Keys of any length and either sign are given; those of a cubic are unit, as glTF wants them.
    const double sign = !cubic && random.below(2) == 0 ? -1 : 1;
    const double size = cubic || random.below(2) == 0 ? sign : sign * any_magnitude(random, 1e-3, 1e3);
    const Real value[] = {q.x * size, q.y * size, q.z * size, q.w * size};
    for (int part = cubic ? 0 : 1; part < (cubic ? 3 : 2); ++part) {
      for (const Real v : value) track.values.push_back(part == 1 ? narrow(v) : random.rangef(-speed, speed));
    }
    q = turned(random, q, recipe.largest_angle);
  }
}

void add_numbers(Random& random, double lo, double hi, std::uint32_t size, OwnedTrack& track) {
  const bool cubic = track.interpolation == Interpolation::cubic_spline;
  const double speed = any_magnitude(random, 1e-3, 10) * (hi - lo);
  const bool constant = random.below(8) == 0;
  std::vector<float> value(size);
  for (std::size_t k = 0; k < track.times.size(); ++k) {
    for (float& v : value) {
      if (k == 0 || !constant) v = random.rangef(lo, hi);
    }
    for (int part = cubic ? 0 : 1; part < (cubic ? 3 : 2); ++part) {
      for (const float v : value) {
        track.values.push_back(part == 1 ? v : constant ? 0 : random.rangef(-speed, speed));
      }
    }
  }
}

}  // namespace

std::vector<TrackDesc> describe(std::span<const OwnedTrack> tracks) {
  std::vector<TrackDesc> descs;
  for (const OwnedTrack& t : tracks) descs.push_back({t.joint, t.property, t.interpolation, t.times, t.values});
  return descs;
}

Clip good_clip(const Skeleton& skeleton, std::span<const OwnedTrack> tracks) {
  return Clip::create(skeleton, {"random", describe(tracks), {}}).value();
}

Skeleton random_skeleton(Random& random, std::uint32_t joint_count, std::uint32_t max_weights) {
  std::vector<JointDesc> joints(joint_count);
  std::vector<std::vector<float>> weights(joint_count);
  for (std::uint32_t i = 0; i < joint_count; ++i) {
    if (i > 0 && random.below(10) != 0) joints[i].parent = static_cast<std::int32_t>(random.below(i));
    joints[i].rest = {random_vector(random, 1), random_quat(random), {}};
    for (float* s : {&joints[i].rest.scale.x, &joints[i].rest.scale.y, &joints[i].rest.scale.z}) {
      *s = random.rangef(0.7, 1.4) * (random.below(10) == 0 ? -1.0f : 1.0f);
    }
    if (max_weights > 0 && random.below(3) == 0) {
      weights[i].resize(1 + random.below(max_weights));
      for (float& w : weights[i]) w = random.rangef(-1, 1);
      joints[i].morph_weights = weights[i];
    }
  }
  return Skeleton::create(joints).value().skeleton;
}

std::vector<OwnedTrack> random_tracks(Random& random, const Skeleton& skeleton, const Recipe& recipe) {
  std::vector<std::vector<float>> shared(1 + random.below(2));
  for (std::vector<float>& times : shared) times = random_timeline(random, recipe);
  std::vector<OwnedTrack> tracks;
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    for (const Property property : {Property::translation, Property::rotation, Property::scale, Property::morph}) {
      const std::uint32_t weights = skeleton.morph_count(joint);
      if (random.unit() >= recipe.present || (property == Property::morph && weights == 0)) continue;
      OwnedTrack track{joint, property, static_cast<Interpolation>(random.below(3)), {}, {}};
      if (recipe.interpolation.has_value()) track.interpolation = *recipe.interpolation;
      const bool of_all = random.unit() < recipe.shared;
      track.times =
          of_all ? shared[random.below(static_cast<std::uint32_t>(shared.size()))] : random_timeline(random, recipe);
      switch (property) {
        case Property::translation: add_numbers(random, -recipe.size, recipe.size, 3, track); break;
        case Property::rotation: add_rotations(random, recipe, track); break;
        case Property::scale: add_numbers(random, -0.5, 2, 3, track); break;
        case Property::morph: add_numbers(random, -1, 1, weights, track); break;
      }
      tracks.push_back(std::move(track));
    }
  }
  return tracks;
}

RandomClip random_clip(Random& random, const Recipe& recipe, std::uint32_t max_joints, std::uint32_t max_weights) {
  RandomClip made{random_skeleton(random, 1 + random.below(max_joints), max_weights), {}, {}};
  made.tracks = random_tracks(random, made.skeleton, recipe);
  made.clip = good_clip(made.skeleton, made.tracks);
  return made;
}

std::vector<double> interesting_times(Random& random, std::span<const OwnedTrack> tracks, std::size_t count) {
  double first = 0, last = 1;
  for (const OwnedTrack& track : tracks) {
    first = std::min(first, double{track.times.front()});
    last = std::max(last, double{track.times.back()});
  }
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) {
    const double between = random.range(first - 0.1 * (last - first), last + 0.1 * (last - first));
    if (tracks.empty() || i % 2 == 0) {
      times.push_back(between);
      continue;
    }
    const OwnedTrack& track = tracks[random.below(static_cast<std::uint32_t>(tracks.size()))];
    const double key = track.times[random.below(static_cast<std::uint32_t>(track.times.size()))];
    switch (random.below(6)) {
      case 0: times.push_back(std::nextafter(key, -kInfDouble)); break;
      case 1: times.push_back(std::nextafter(key, kInfDouble)); break;
      case 2: times.push_back(key + random.range(-1e-7, 1e-7)); break;
      case 3: times.push_back(random.below(2) == 0 ? first - 1e9 : last + 1e9); break;
      default: times.push_back(key); break;
    }
  }
  return times;
}

}  // namespace marrow::test
