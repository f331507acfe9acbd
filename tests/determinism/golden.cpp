#include "golden.h"

#include <vector>

#include "fixtures/humanoid.h"
#include "fixtures/random.h"

namespace marrow::golden {
namespace {

// A clip of everything at once: some joints and properties only, every interpolation, timelines shared and not, keys
// that start late, jumps, single keys, half turns between keys, and numbers so small that flushing them would show.
Clip make_mixed_clip(const Skeleton& skeleton) {
  test::Lcg64 random(42);
  const auto range = [&random](float low, float high) { return low + (high - low) * random.unit(); };
  // Made of bits: arithmetic would flush it where the program is set so.
  const auto denormal = [&random] { return __builtin_bit_cast(float, random.next() & 0x807fffffu); };
  std::vector<std::vector<float>> timelines;
  for (int i = 0; i < 5; ++i) {
    std::vector<float> times;
    float time = range(-0.5f, 0.5f);
    for (std::uint32_t k = 2 + random.below(30); k > 0; --k) {
      times.push_back(time);
      if (random.below(5) != 0) time += range(0.01f, 0.4f);
    }
    timelines.push_back(times);
  }
  std::vector<std::vector<float>> times, values;
  std::vector<TrackDesc> tracks;
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    for (const Property property : {Property::translation, Property::rotation, Property::scale, Property::morph}) {
      const std::uint32_t size = property == Property::morph      ? skeleton.morph_count(joint)
                                 : property == Property::rotation ? 4
                                                                  : 3;
      if (size == 0 || random.below(4) == 0) continue;
      const auto interpolation = static_cast<Interpolation>(random.below(3));
      std::vector<float> keys = timelines[random.below(5)];
      if (random.below(4) == 0) keys.resize(1 + random.below(static_cast<std::uint32_t>(keys.size())));
      const bool tiny = random.below(8) == 0;
      std::vector<float> data;
      const std::size_t per_key = interpolation == Interpolation::cubic_spline ? std::size_t{3} : 1;
      for (std::size_t k = 0; k < keys.size() * size * per_key; ++k) {
        const float value = range(-1.0f, 1.0f);
        data.push_back(property == Property::rotation ? value + (value < 0 ? -0.01f : 0.01f)
                       : tiny                         ? denormal()
                                                      : value);
      }
      times.push_back(keys);
      values.push_back(data);
      tracks.push_back({joint, property, interpolation, {}, {}});
    }
  }
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks[i].times = times[i];
    tracks[i].values = values[i];
  }
  return Clip::create(skeleton, {"mixed", tracks, {}}).value();
}

Clip make_constant_clip(const Skeleton& skeleton) {
  const float times[] = {0.0f, 0.5f, 1.0f};
  const float turn[] = {0.1f, 0.2f, 0.3f, 0.9f, 0.1f, 0.2f, 0.3f, 0.9f, 0.1f, 0.2f, 0.3f, 0.9f};
  const float place[] = {0.1f, 0.2f, 1e-40f, 0.1f, 0.2f, 1e-40f, 0.1f, 0.2f, 1e-40f};
  std::vector<TrackDesc> tracks;
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); joint += 2) {
    tracks.push_back({joint, Property::rotation, Interpolation::linear, times, turn});
    if (joint % 3 == 0) tracks.push_back({joint, Property::translation, Interpolation::step, times, place});
  }
  return Clip::create(skeleton, {"constant", tracks, {}}).value();
}

}  // namespace

Scene make_scene() {
  using humanoid::Keys;
  Scene scene;
  scene.skeleton = humanoid::make_skeleton(11);
  scene.skin = humanoid::make_skin(scene.skeleton);
  const auto add = [&scene](const humanoid::Motion& motion) {
    scene.clips.push_back(humanoid::make_clip(scene.skeleton, motion));
  };
  add({"dense", 4.0 / 3.0, 0.5});
  add({"wild", 0.8, 3.0});
  add({"sparse", 4.0 / 3.0, 0.5, Keys::own});
  add({"step", 0.8, 0.5, Keys::dense, Interpolation::step, 2});
  add({"cubic", 0.8, 0.5, Keys::dense, Interpolation::cubic_spline, 3});
  add({"sparse cubic", 1.0, 0.5, Keys::own, Interpolation::cubic_spline, 4});
  add({"long", 300.0, 0.7, Keys::own, Interpolation::linear, 5});
  scene.clips.push_back(make_constant_clip(scene.skeleton));
  scene.clips.push_back(make_mixed_clip(scene.skeleton));
  return scene;
}

}  // namespace marrow::golden
