// How far sampling is from the exact value: the bounds that marrow promises, over random tracks and times.
#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>

#include "anim/curve_match.h"
#include "anim/random_clip.h"
#include "anim/reference.h"
#include "fixtures/humanoid.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "support/lanes.h"

namespace marrow {
namespace {

using test::keep_larger;
using test::OwnedTrack;
using test::Random;
using test::Real;
using test::Recipe;
using test::RefValue;
using test::value_of;

constexpr int kTracks = LDBL_MANT_DIG == 64 ? 20'000 : 2'000;  // fewer where long double is done in software

// The worst errors found, each as a part of its bound.
struct Worst {
  double rotation = 0;        // step and linear; of 1e-6 rad
  double vector = 0;          // step and linear; of 1e-6 of the largest value of the track
  double cubic_rotation = 0;  // of 1e-6 rad * (1 + |tangent| * interval) / |q before normalising|
  double cubic_vector = 0;    // of 1e-6 * (largest value + |tangent| * interval)
};

Real rotation_error(std::span<const float> actual, const std::vector<Real>& exact) {
  const test::RefQuat a{actual[0], actual[1], actual[2], actual[3]};
  return test::angle_between(a, {exact[0], exact[1], exact[2], exact[3]});
}

void compare(const OwnedTrack& track, std::span<const float> actual, const RefValue& exact, Worst& worst) {
  const bool cubic = track.interpolation == Interpolation::cubic_spline;
  if (track.property == Property::rotation) {
    Real error = rotation_error(actual, exact.parts);
    if (!exact.other_way.empty()) error = std::min(error, rotation_error(actual, exact.other_way));
    const Real length = std::sqrt(Real{actual[0]} * actual[0] + Real{actual[1]} * actual[1] +
                                  Real{actual[2]} * actual[2] + Real{actual[3]} * actual[3]);
    error = std::max(error, std::fabs(length - 1));
    keep_larger(cubic ? worst.cubic_rotation : worst.rotation, error / (1e-6L * (1 + exact.reach) / exact.length));
    return;
  }
  double largest = 0, error = 0;
  const std::size_t size = exact.parts.size(), parts = cubic ? 3 : 1;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    if (!cubic || i / size % parts == 1) keep_larger(largest, std::fabs(Real{track.values[i]}));
  }
  for (std::size_t i = 0; i < size; ++i) keep_larger(error, std::fabs(actual[i] - exact.parts[i]));
  keep_larger(cubic ? worst.cubic_vector : worst.vector, error / (1e-6L * (largest + exact.reach)));
}

// Samples random clips of the recipe until kTracks tracks have been compared.
Worst worst_of(std::uint64_t seed, const auto& make_recipe) {
  Random random(seed);
  Worst worst;
  for (int tracks_left = kTracks; tracks_left > 0;) {
    const Recipe recipe = make_recipe(random);
    const Skeleton skeleton = test::random_skeleton(random, 1 + random.below(random.below(20) == 0 ? 300 : 40), 20);
    const std::vector<OwnedTrack> tracks = test::random_tracks(random, skeleton, recipe);
    const std::vector<TrackDesc> descs = test::describe(tracks);
    const Clip clip = test::good_clip(skeleton, tracks);
    Pose pose(skeleton);
    Cursor cursor(clip);
    for (const double time : test::interesting_times(random, tracks, 6)) {
      // Which side of a jump at 0 a time is on that no float can tell from 0 is nobody's concern.
      if (time != 0 && std::fabs(time) < 1e-30) continue;
      std::vector<RefValue> exact;
      for (const TrackDesc& desc : descs) exact.push_back(test::evaluate(desc, time));
      test::on_every_lane_count([&] {
        sample(clip, time, cursor, pose);
        for (std::size_t i = 0; i < tracks.size(); ++i) {
          compare(tracks[i], value_of(pose, tracks[i].joint, tracks[i].property), exact[i], worst);
        }
      });
    }
    tracks_left -= static_cast<int>(tracks.size());
  }
  MESSAGE("worst errors, as parts of what is allowed: rotations ", worst.rotation, ", vectors and weights ",
          worst.vector, ", cubic rotations ", worst.cubic_rotation, ", cubic vectors and weights ", worst.cubic_vector);
  return worst;
}

void check(const Worst& worst) {
  CHECK(worst.rotation <= 1);
  CHECK(worst.vector <= 1);
  CHECK(worst.cubic_rotation <= 1);
  CHECK(worst.cubic_vector <= 1);
}

TEST_CASE("a sampled value is within 1e-6 of the exact one, for any keys up to half a turn apart") {
  check(worst_of(1, [](Random& random) {
    Recipe recipe;
    recipe.length_s = std::pow(10.0, random.range(-2, 2.477));  // up to 300 s
    recipe.max_keys = 1 + random.below(40);
    recipe.shared = random.unit();
    recipe.size = std::pow(10.0, random.range(-3, 3));
    return recipe;
  }));
}

TEST_CASE("a sampled value is within 1e-6 of the exact one, for neighbouring keys that are close") {
  check(worst_of(2, [](Random& random) {
    Recipe recipe;
    recipe.length_s = std::pow(10.0, random.range(-1, 2.477));
    recipe.max_keys = 2 + random.below(20);
    recipe.shared = random.unit();
    recipe.largest_angle = std::pow(10.0, random.range(-4, 0));
    return recipe;
  }));
}

TEST_CASE("a sampled value is within 1e-6 of the exact one, five minutes into a clip with thirty keys a second") {
  Random random(3);
  const Skeleton skeleton = test::random_skeleton(random, 9);
  std::vector<OwnedTrack> tracks;
  for (std::uint32_t joint = 0; joint < 9; ++joint) {
    OwnedTrack track{joint, Property::rotation, Interpolation::linear, {}, {}};
    for (int k = 0; k <= 9000; ++k) {
      // The last joint has a timeline of its own.
      if (joint == 8 && k % 7 == 3) continue;
      track.times.push_back(static_cast<float>(k / 30.0));
      const Quat q = test::random_quat(random);
      track.values.insert(track.values.end(), {q.x, q.y, q.z, q.w});
    }
    tracks.push_back(std::move(track));
  }
  const Clip clip = test::good_clip(skeleton, tracks);
  const std::vector<TrackDesc> descs = test::describe(tracks);
  Pose pose(skeleton);
  Worst worst;
  for (int i = 0; i < kTracks / 20; ++i) {
    const double time = random.range(295, 300.01);
    std::vector<RefValue> exact;
    for (const TrackDesc& desc : descs) exact.push_back(test::evaluate(desc, time));
    test::on_every_lane_count([&] {
      sample(clip, time, pose);
      for (std::size_t j = 0; j < 9; ++j) {
        compare(tracks[j], value_of(pose, tracks[j].joint, Property::rotation), exact[j], worst);
      }
    });
  }
  MESSAGE("worst error ", worst.rotation * 1e-6, " rad");
  CHECK(worst.rotation <= 1);
}

// The joints of the humanoid swing, sway and breathe as in fixtures/humanoid.cpp, but with keys that can be read
// here.
std::vector<OwnedTrack> humanoid_tracks(Random& random, const Skeleton& skeleton, Interpolation interpolation,
                                        bool own_keys) {
  std::vector<OwnedTrack> tracks;
  const bool cubic = interpolation == Interpolation::cubic_spline;
  const auto add_track = [&](std::uint32_t joint, Property property, const auto& value_at) {
    OwnedTrack track{joint, property, interpolation, {}, {}};
    for (int k = 0; k <= 40; ++k) {
      if (own_keys && k % 40 != 0 && random.below(3) != 0) continue;
      track.times.push_back(static_cast<float>(k / 30.0));
      const std::vector<float> value = value_at(k / 40.0 * 6.283185307179586);
      for (int part = cubic ? 0 : 1; part < (cubic ? 3 : 2); ++part) {
        for (const float v : value) track.values.push_back(part == 1 ? v : random.rangef(-0.5, 0.5));
      }
    }
    tracks.push_back(std::move(track));
  };
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const Vec3 at = skeleton.rest(joint).translation;
    const test::RefVec axis = test::ref(test::random_vector(random, 1));
    const double swing = random.range(0.1, 0.8), phase = random.range(0, 6.28);
    add_track(joint, Property::translation, [&](double cycle) -> std::vector<float> {
      const auto sway = static_cast<float>(0.01 * std::sin(cycle + phase));
      return {at.x + sway, at.y - sway, at.z + sway};
    });
    add_track(joint, Property::rotation, [&](double cycle) -> std::vector<float> {
      const test::RefQuat q = test::axis_angle(axis, swing * std::sin(cycle + phase));
      return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
    });
    add_track(joint, Property::scale, [&](double cycle) {
      return std::vector<float>(3, static_cast<float>(1 + 0.02 * std::sin(cycle + phase)));
    });
  }
  return tracks;
}

TEST_CASE("the joints of a moving humanoid are within 1e-6 of its size of their exact places in model space") {
  const Skeleton skeleton = humanoid::make_skeleton();
  const Skin skin = humanoid::make_skin(skeleton);
  std::vector<Affine> model(skeleton.joint_count()), matrices(skin.size());
  double size = 0;
  local_to_model(Pose(skeleton), model);
  for (const Affine& m : model) keep_larger(size, test::length(test::RefVec{m.m[0][3], m.m[1][3], m.m[2][3]}));

  Random random(4);
  for (const Interpolation interpolation : {Interpolation::step, Interpolation::linear, Interpolation::cubic_spline}) {
    for (const bool own_keys : {false, true}) {
      const std::string name = std::string(to_string(interpolation)) + (own_keys ? ", own keys" : ", shared keys");
      CAPTURE(name);
      const std::vector<OwnedTrack> tracks = humanoid_tracks(random, skeleton, interpolation, own_keys);
      const std::vector<TrackDesc> descs = test::describe(tracks);
      const Clip clip = test::good_clip(skeleton, tracks);
      Pose pose(skeleton);
      double position = 0, direction = 0, in_palette = 0;
      for (int i = 0; i < kTracks / 400; ++i) {
        const double time = random.range(0, 4.0 / 3);
        const std::vector<test::RefAffine> exact =
            test::to_model(skeleton.parents(), test::evaluate(skeleton, descs, time));
        const std::vector<test::RefAffine> exact_palette = test::to_palette(skin, exact);
        test::on_every_lane_count([&] {
          sample(clip, time, pose);
          local_to_model(pose, model);
          palette(skin, model, matrices);
          for (std::size_t j = 0; j < model.size(); ++j) {
            keep_larger(position, test::translation_error(model[j], exact[j]));
            keep_larger(direction, test::linear_error(model[j], exact[j]));
            keep_larger(in_palette, test::translation_error(matrices[j], exact_palette[j]));
          }
        });
      }
      MESSAGE("worst error of a position ", position / size, ", of a direction ", direction,
              ", of a palette's translation ", in_palette / size);
      CHECK(position <= 1e-6 * size);
      CHECK(direction <= 2e-6);
      CHECK(in_palette <= 1e-6 * size);
    }
  }
}

}  // namespace
}  // namespace marrow
