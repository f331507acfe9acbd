// What a sampled value is: on keys, between them, outside them, at jumps; for tracks stored in every way.
#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>

#include "anim/properties.h"
#include "anim/random_clip.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/quat.h"
#include "support/bits.h"
#include "support/lanes.h"
#include "support/reference.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::difference;
using test::kInfDouble;
using test::kProperties;
using test::OwnedTrack;
using test::Random;

constexpr Interpolation kInterpolations[] = {Interpolation::step, Interpolation::linear, Interpolation::cubic_spline};

std::uint32_t size_of(const OwnedTrack& track) {
  const std::size_t parts = track.interpolation == Interpolation::cubic_spline ? 3 : 1;
  return static_cast<std::uint32_t>(track.values.size() / track.times.size() / parts);
}

// A track in a clip, to be looked at.
class Player {
 public:
  Player(const Skeleton& skeleton, std::span<const OwnedTrack> tracks, const OwnedTrack& track)
      : clip_(test::good_clip(skeleton, tracks)), track_(track), cursor_(clip_), pose_(skeleton) {}

  std::vector<float> at(double time_s) {
    sample(clip_, time_s, cursor_, pose_);
    const Transform t = pose_.transform(track_.joint);
    switch (track_.property) {
      case Property::translation: return {t.translation.x, t.translation.y, t.translation.z};
      case Property::rotation: return {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
      case Property::scale: return {t.scale.x, t.scale.y, t.scale.z};
      case Property::morph: break;
    }
    const std::span<const float> weights = pose_.morph_weights(track_.joint);
    return {weights.begin(), weights.end()};
  }

 private:
  Clip clip_;
  OwnedTrack track_;
  Cursor cursor_;
  Pose pose_;
};

// Plays a track in all company that makes a difference to how it is stored: alone, among tracks with the same times,
// among joints that do not move, among tracks with other times; on every lane count.
template <typename Body>
void in_any_company(const OwnedTrack& track, const Body& body) {
  for (const char* company : {"alone", "with the same times", "with joints at rest", "with other times"}) {
    const std::string name = company;
    CAPTURE(name);
    std::vector<JointDesc> joints(name == "alone" ? 1 : 11);
    const std::vector<float> rest(track.property == Property::morph ? size_of(track) : 0, 0.5f);
    for (JointDesc& joint : joints) joint.morph_weights = rest;
    const Skeleton skeleton = Skeleton::create(joints).value().skeleton;

    std::vector<OwnedTrack> tracks(joints.size(), track);
    for (std::uint32_t j = 0; j < tracks.size(); ++j) {
      tracks[j].joint = j;
      if (name != "with other times" || j == 2) continue;
      for (float& time : tracks[j].times) time += 0.125f * static_cast<float>(j + 1);
    }
    const OwnedTrack looked_at = tracks[joints.size() == 1 ? 0 : 2];
    if (name == "with joints at rest") tracks = {looked_at};
    test::on_every_lane_count([&] {
      Player player(skeleton, tracks, looked_at);
      body(player);
    });
  }
}

// Any number that a clip takes; zeros of both signs and denormals are common.
float any_value(Random& random) {
  const float specials[] = {0.0f, -0.0f, FLT_TRUE_MIN, -FLT_TRUE_MIN, FLT_MIN, 1e18f, -1e18f, 1.0f};
  if (random.below(2) == 0) return specials[random.below(8)];
  for (;;) {
    const float x = random.finite();
    if (std::fabs(x) <= 1e18f) return x;
  }
}

// Keys at equal times are in it, and times of any size.
OwnedTrack any_track(Random& random, Property property, Interpolation interpolation) {
  OwnedTrack track{0, property, interpolation, {}, {}};
  float time = random.below(2) == 0 ? 0 : random.rangef(-2, 200);
  const std::uint32_t keys = 2 + random.below(12);
  const std::uint32_t size = property == Property::rotation ? 4 : property == Property::morph ? 9 : 3;
  for (std::uint32_t k = 0; k < keys; ++k) {
    track.times.push_back(time);
    if (random.below(4) != 0) time += random.rangef(0.001, 2);
    const Quat q = test::random_quat(random);
    const float rotation[] = {q.x, random.below(5) == 0 ? -0.0f : q.y, q.z, q.w};
    for (int part = 0; part < (interpolation == Interpolation::cubic_spline ? 3 : 1); ++part) {
      for (std::uint32_t i = 0; i < size; ++i) {
        track.values.push_back(property == Property::rotation ? rotation[i] : any_value(random));
      }
    }
  }
  return track;
}

// The value of a step or linear key as the clip should have it.
std::vector<float> key_value(const OwnedTrack& track, std::size_t key) {
  const std::size_t size = size_of(track);
  const float* v = track.values.data() + key * size;
  if (track.property != Property::rotation) return {v, v + size};
  Quat q = {v[0], v[1], v[2], v[3]};
  const double square = double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w;
  if (std::abs(square - 1) > 1.2e-7) q = normalize(q);  // what is unit up to rounding stays as it is
  return {q.x, q.y, q.z, q.w};
}
// Zeros of either sign are one value; all else is told apart by its bits.
std::vector<float> without_negative_zeros(std::vector<float> v) {
  for (float& x : v) x = x == 0 ? 0.0f : x;
  return v;
}
std::string value_difference(const std::vector<float>& actual, const std::vector<float>& expected) {
  return difference(without_negative_zeros(actual), without_negative_zeros(expected));
}
std::vector<float> negated(std::vector<float> v) {
  for (float& x : v) x = -x;
  return v;
}

TEST_CASE("a step track has the bits of the last key whose time has come") {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const OwnedTrack track = any_track(random, kProperties[i % 4], Interpolation::step);
    in_any_company(track, [&](Player& player) {
      for (std::size_t k = 0; k < track.times.size(); ++k) {
        const double time = track.times[k], next = k + 1 < track.times.size() ? double{track.times[k + 1]} : time + 1;
        if (next == time) continue;  // the one after it holds
        CAPTURE(k);
        for (const double t : {time, (time + next) / 2, std::nextafter(next, -kInfDouble)}) {
          REQUIRE(value_difference(player.at(t), key_value(track, k)) == "");
        }
      }
    });
  }
}

TEST_CASE("a linear track on a key has the key's bits, of either sign for a rotation") {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const OwnedTrack track = any_track(random, kProperties[i % 4], Interpolation::linear);
    in_any_company(track, [&](Player& player) {
      for (std::size_t k = 0; k < track.times.size(); ++k) {
        if (k + 1 < track.times.size() && track.times[k + 1] == track.times[k]) continue;
        CAPTURE(k);
        std::vector<float> expected = key_value(track, k);
        const std::vector<float> actual = player.at(track.times[k]);
        if (track.property == Property::rotation && expected[0] * actual[0] < 0) expected = negated(expected);
        REQUIRE(value_difference(actual, expected) == "");
      }
    });
  }
}

TEST_CASE("before its first and after its last key a track stays at them, for ever") {
  Random random(3);
  for (int i = 0; i < 48; ++i) {
    const OwnedTrack track = any_track(random, kProperties[i % 4], kInterpolations[i / 4 % 3]);
    const double first = track.times.front(), last = track.times.back();
    in_any_company(track, [&](Player& player) {
      const std::vector<float> at_end = player.at(last);
      for (const double t : {std::nextafter(last, kInfDouble), last + 1, 1e9, 1e30, 1e300, DBL_MAX, kInfDouble}) {
        CAPTURE(t);
        CHECK(difference(player.at(t), at_end) == "");
      }
      // With two keys at the first time, only what is before it shows the first.
      const std::vector<float> at_start = player.at(std::nextafter(first, -kInfDouble) - 1e-3);
      for (const double t : {first - 1, -1e9, -1e30, -1e300, -DBL_MAX, -kInfDouble}) {
        CAPTURE(t);
        CHECK(difference(player.at(t), at_start) == "");
      }
      if (track.times[0] != track.times[1]) CHECK(difference(player.at(first), at_start) == "");
    });
  }
}

TEST_CASE("a track with one key has that value at all times") {
  for (const Interpolation interpolation : kInterpolations) {
    OwnedTrack track{0, Property::translation, interpolation, {3}, {1, -2, 3}};
    if (interpolation == Interpolation::cubic_spline) track.values = {9, 9, 9, 1, -2, 3, 9, 9, 9};
    in_any_company(track, [](Player& player) {
      for (const double t : {-kInfDouble, 0.0, 3.0, 4.0, kInfDouble}) {
        CHECK(difference(player.at(t), std::vector{1.0f, -2.0f, 3.0f}) == "");
      }
    });
  }
}

TEST_CASE("equal times make a jump: the value goes to the first of the keys and on from the last") {
  const OwnedTrack track{0,
                         Property::translation,
                         Interpolation::linear,
                         {1, 2, 2, 2, 3},
                         {0, 0, 0, 4, 4, 4, 99, 99, 99, 10, 10, 10, 14, 14, 14}};
  in_any_company(track, [](Player& player) {
    CHECK(player.at(1.5)[0] == 2);
    CHECK(player.at(std::nextafter(2.0, 0.0))[0] == doctest::Approx(4));
    CHECK(player.at(2)[0] == 10);
    CHECK(player.at(std::nextafter(2.0, 3.0))[0] == doctest::Approx(10));
    CHECK(player.at(2.5)[0] == 12);
    CHECK(player.at(1.5)[0] == 2);  // and back
  });
  const OwnedTrack all_at_once{0, Property::scale, Interpolation::linear, {2, 2}, {1, 1, 1, 5, 5, 5}};
  in_any_company(all_at_once, [](Player& player) {
    CHECK(player.at(1.999)[0] == 1);
    CHECK(player.at(2)[0] == 5);
    CHECK(player.at(2.001)[0] == 5);
  });
}

TEST_CASE("a gap of days between keys is crossed in a straight line") {
  const OwnedTrack track{
      0, Property::translation, Interpolation::linear, {0, 1, 262145, 262146}, {0, 0, 0, 1, 1, 1, 3, 3, 3, 5, 5, 5}};
  in_any_company(track, [](Player& player) {
    CHECK(player.at(131073)[1] == 2);
    CHECK(player.at(65537)[1] == 1.5f);
    CHECK(player.at(262145.5)[1] == 4);
  });
}

TEST_CASE("a linear rotation takes the shorter way at constant speed, whatever the signs of its keys") {
  Random random(6);
  for (int i = 0; i < 50; ++i) {
    const Quat a = test::random_quat(random);
    const double angle = random.range(0.1, 3.0);
    const test::RefQuat turn = test::axis_angle(test::ref(test::random_vector(random, 1)), angle);
    const test::RefQuat end = test::multiply(test::ref(a), turn);
    const float sign = i % 2 == 0 ? 1.0f : -1.0f;
    const OwnedTrack track{0,
                           Property::rotation,
                           Interpolation::linear,
                           {1, 3},
                           {a.x, a.y, a.z, a.w, sign * static_cast<float>(end.x), sign * static_cast<float>(end.y),
                            sign * static_cast<float>(end.z), sign * static_cast<float>(end.w)}};
    in_any_company(track, [&](Player& player) {
      for (const double u : {0.0, 0.125, 0.25, 0.5, 0.75, 1.0}) {
        const std::vector<float> v = player.at(1 + 2 * u);
        const test::Real turned = test::angle_between(test::ref(a), test::RefQuat{v[0], v[1], v[2], v[3]});
        CHECK(static_cast<double>(turned) == doctest::Approx(u * angle).epsilon(2e-6));
      }
    });
  }
}

TEST_CASE("a cubic spline is that of glTF: tangents are per second and scaled by the interval") {
  // In-tangent, value, out-tangent; from 2 to 10 in four seconds. All of it is exact in floats.
  const OwnedTrack track{0,
                         Property::translation,
                         Interpolation::cubic_spline,
                         {1, 5},
                         {9, 9, 9, 2, 2, 2, 1, 0, 0, 0, 1, 0, 10, 10, 10, 9, 9, 9}};
  in_any_company(track, [](Player& player) {
    const std::vector<float> middle = player.at(3);
    CHECK(middle[0] == 6.5f);  // 6 + 4 * 1/8
    CHECK(middle[1] == 5.5f);  // 6 - 4 * 1/8
    CHECK(middle[2] == 6);
    const std::vector<float> quarter = player.at(2);
    CHECK(quarter[0] == 2 + 8 * 0.15625f + 4 * 0.140625f);
    CHECK(quarter[1] == 2 + 8 * 0.15625f - 4 * 0.046875f);
    CHECK(player.at(1)[0] == 2);
    CHECK(player.at(5)[1] == 10);
    CHECK(player.at(7)[1] == 10);  // not a tangent
  });
}

TEST_CASE("a cubic rotation that passes through zero is still a rotation") {
  OwnedTrack track{0, Property::rotation, Interpolation::cubic_spline, {0, 1}, std::vector<float>(24, 0.0f)};
  track.values[4] = 1;    // a half turn about x
  track.values[16] = -1;  // the same with the other sign
  in_any_company(track, [](Player& player) {
    for (int i = 0; i <= 64; ++i) {
      const std::vector<float> v = player.at(i / 64.0);
      CHECK(std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) == doctest::Approx(1.0f).epsilon(1e-6));
    }
  });
}

TEST_CASE("morph weights of any number move each by itself") {
  for (const std::uint32_t count : {1u, 7u, 8u, 9u, 20u}) {
    OwnedTrack track{0, Property::morph, Interpolation::linear, {0, 2}, {}};
    for (const float scale : {1.0f, 3.0f}) {
      for (std::uint32_t i = 0; i < count; ++i) track.values.push_back(scale * static_cast<float>(i + 1));
    }
    in_any_company(track, [&](Player& player) {
      const std::vector<float> weights = player.at(1);
      REQUIRE(weights.size() == count);
      for (std::uint32_t i = 0; i < count; ++i) CHECK(weights[i] == 2 * static_cast<float>(i + 1));
    });
  }
}

TEST_CASE("a track moves its own joint alone, in skeletons of any size") {
  for (const std::uint32_t count : {1u, 7u, 8u, 9u, 17u, 10'000u}) {
    CAPTURE(count);
    const Skeleton skeleton = Skeleton::create(std::vector<JointDesc>(count)).value().skeleton;
    std::vector<OwnedTrack> tracks;
    for (std::uint32_t j = 0; j < count; ++j) {
      if (j % 3 == 1) continue;
      const auto x = static_cast<float>(j);
      // Every fifth has times of its own.
      tracks.push_back({j,
                        Property::translation,
                        Interpolation::linear,
                        {0, j % 5 == 0 ? x + 1 : 1.0f},
                        {x, 0, 0, x + (j % 5 == 0 ? x + 1 : 1.0f), 0, 0}});
    }
    const Clip clip = test::good_clip(skeleton, tracks);
    Cursor cursor(clip);
    Pose pose(skeleton);
    for (const double time : {0.5, 0.25}) {
      sample(clip, time, cursor, pose);
      double worst = 0;
      for (std::uint32_t j = 0; j < count; ++j) {
        const double expected = j % 3 == 1 ? 0 : j + time;
        test::keep_larger(worst, std::fabs(pose.transform(j).translation.x - expected) / (1 + expected));
      }
      CHECK(worst <= 1e-7);
    }
  }
}

}  // namespace
}  // namespace marrow
