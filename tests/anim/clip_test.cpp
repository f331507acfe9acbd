#include "marrow/anim/clip.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "anim/pose_difference.h"
#include "anim/random_clip.h"
#include "anim/text.h"
#include "marrow/anim/sampling.h"
#include "support/asserts.h"
#include "support/special_floats.h"

namespace marrow {
namespace {

using test::contains;
using test::difference;
using test::good_clip;
using test::kInf;
using test::kNaN;
using test::OwnedTrack;
using test::Random;

// Three joints; the last has two morph weights.
Skeleton make_clip_skeleton() {
  static const float kWeights[] = {0.25f, 0.5f};
  std::vector<JointDesc> joints(3);
  joints[0].name = "hip";
  joints[1].name = "knee";
  joints[1].parent = 0;
  joints[2].name = "face";
  joints[2].parent = 0;
  joints[2].morph_weights = kWeights;
  return Skeleton::create(joints).value().skeleton;
}

// A good clip: something of every property and interpolation.
std::vector<OwnedTrack> make_tracks() {
  return {
      {0, Property::translation, Interpolation::linear, {0, 1, 2}, {0, 0, 0, 1, 2, 3, 4, 5, 6}},
      {0, Property::rotation, Interpolation::linear, {0, 1, 2}, {0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0}},
      {1, Property::rotation, Interpolation::step, {0.5f, 1}, {0, 0, 0, 1, 0, 1, 0, 0}},
      {1, Property::scale, Interpolation::cubic_spline, {0, 4}, {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2, 2, 1, 1, 1}},
      {2, Property::morph, Interpolation::linear, {0, 1}, {0, 1, 1, 0}},
  };
}

// Makes a clip of the good tracks after `spoil` has changed them; returns the error, which must be there.
Error error_of(const std::function<void(std::vector<OwnedTrack>&)>& spoil) {
  std::vector<OwnedTrack> tracks = make_tracks();
  spoil(tracks);
  const Result<Clip> clip = Clip::create(make_clip_skeleton(), {"walk", test::describe(tracks), {}});
  REQUIRE(!clip.ok());
  return clip.error();
}

TEST_CASE("a joint out of range is refused, naming the track") {
  for (const std::uint32_t joint : {3u, 4u, 0xffffffffu}) {
    const Error error = error_of([&](auto& tracks) { tracks[2].joint = joint; });
    CHECK(error.code == ErrorCode::invalid_argument);
    CHECK(to_string(error.place) == "tracks/2");
    CHECK(contains(error.message, "\"walk\""));
    CHECK(contains(error.message, "rotation track of joint " + std::to_string(joint)));
  }
}

TEST_CASE("two tracks for one property are refused, naming the second") {
  const Error error = error_of([](auto& tracks) { tracks.push_back(tracks[3]); });
  CHECK(error.code == ErrorCode::duplicate);
  CHECK(to_string(error.place) == "tracks/5");
  CHECK(contains(error.message, "scale track of joint \"knee\""));
}

TEST_CASE("a track without keys is refused") {
  const Error error = error_of([](auto& tracks) {
    tracks[1].times.clear();
    tracks[1].values.clear();
  });
  CHECK(error.code == ErrorCode::size_mismatch);
  CHECK(to_string(error.place) == "tracks/1");
  CHECK(contains(error.message, "rotation track of joint \"hip\""));
  CHECK(contains(error.message, "no keys"));
}

TEST_CASE("values that do not fit the number of keys are refused, saying how many are needed") {
  for (std::size_t i = 0; i < make_tracks().size(); ++i) {
    for (const int change : {-1, 1}) {
      const std::size_t needed = make_tracks()[i].values.size();
      const auto given = static_cast<std::size_t>(static_cast<int>(needed) + change);
      const Error error = error_of([&](auto& tracks) { tracks[i].values.resize(given); });
      CHECK(error.code == ErrorCode::size_mismatch);
      CHECK(to_string(error.place) == "tracks/" + std::to_string(i) + "/values");
      CHECK(contains(error.message, std::to_string(given)));
      CHECK(contains(error.message, std::to_string(needed)));
    }
  }
  CHECK(error_of([](auto& tracks) { tracks[0].interpolation = Interpolation::cubic_spline; }).code ==
        ErrorCode::size_mismatch);
  CHECK(error_of([](auto& tracks) { tracks[3].interpolation = Interpolation::linear; }).code ==
        ErrorCode::size_mismatch);
}

TEST_CASE("a morph track for a joint without morph weights is refused") {
  const Error error = error_of([](auto& tracks) { tracks[4].joint = 1; });
  CHECK(error.code == ErrorCode::size_mismatch);
  CHECK(to_string(error.place) == "tracks/4");
  CHECK(contains(error.message, "morph weights track of joint \"knee\""));
}

TEST_CASE("times that run backwards are refused, naming the key") {
  const Error error = error_of([](auto& tracks) { tracks[0].times = {0, 2, std::nextafter(2.0f, 0.0f)}; });
  CHECK(error.code == ErrorCode::not_sorted);
  CHECK(to_string(error.place) == "tracks/0/times/2");
  CHECK(contains(error.message, "translation track of joint \"hip\""));
  CHECK(contains(error.message, "key 2"));
}

TEST_CASE("a time that is not finite or beyond 1e9 seconds is refused, naming the key") {
  for (const float bad : {kNaN, kInf, -kInf, 1.001e9f, -1.001e9f, 3e38f}) {
    const Error error = error_of([&](auto& tracks) { tracks[2].times[1] = bad; });
    CHECK(error.code == ErrorCode::not_finite);
    CHECK(to_string(error.place) == "tracks/2/times/1");
    CHECK(contains(error.message, "key 1"));
  }
  std::vector<OwnedTrack> tracks = make_tracks();
  tracks[2].times = {-1e9f, 1e9f};
  CHECK(Clip::create(make_clip_skeleton(), {"long", test::describe(tracks), {}}).ok());
}

TEST_CASE("a value that is not finite or above 1e18 is refused wherever it is, naming the key") {
  for (std::size_t i = 0; i < make_tracks().size(); ++i) {
    const std::size_t values = make_tracks()[i].values.size(), keys = make_tracks()[i].times.size();
    for (std::size_t v = 0; v < values; ++v) {
      for (const float bad : {kNaN, kInf, -kInf, 1.001e18f, -1.001e18f, 3e38f}) {
        const Error error = error_of([&](auto& tracks) { tracks[i].values[v] = bad; });
        CHECK(error.code == ErrorCode::not_finite);
        CHECK(to_string(error.place) == "tracks/" + std::to_string(i) + "/values/" + std::to_string(v));
        CHECK(contains(error.message, "key " + std::to_string(v / (values / keys))));
      }
    }
  }
  std::vector<OwnedTrack> tracks = make_tracks();
  tracks[0].values[4] = 1e18f;
  tracks[0].values[5] = -1e18f;
  CHECK(Clip::create(make_clip_skeleton(), {"large", test::describe(tracks), {}}).ok());
}

TEST_CASE("a rotation of length zero is refused, naming the key") {
  for (const std::size_t track : {1u, 2u}) {  // linear, step
    const Error error = error_of([&](auto& tracks) {
      for (std::size_t i = 4; i < 8; ++i) tracks[track].values[i] = i % 2 == 0 ? 0.0f : -0.0f;
    });
    CHECK(error.code == ErrorCode::invalid_argument);
    CHECK(to_string(error.place) == "tracks/" + std::to_string(track) + "/values/4");
    CHECK(contains(error.message, "length zero at key 1"));
  }
}

TEST_CASE("a rotation too short to square is still a rotation") {
  const OwnedTrack track{0, Property::rotation, Interpolation::linear, {0}, {1e-45f, 0, 0, 0}};
  Pose pose(make_clip_skeleton());
  sample(good_clip(make_clip_skeleton(), {&track, 1}), 0, pose);
  CHECK(pose.transform(0).rotation.x == 1);
  CHECK(pose.transform(0).rotation.w == 0);
}

TEST_CASE("the first of several errors in the order of the tracks is reported") {
  const Error error = error_of([](auto& tracks) {
    tracks[1].times[0] = kNaN;
    tracks[3].joint = 77;
  });
  CHECK(to_string(error.place) == "tracks/1/times/0");
}

TEST_CASE("a duration is that given, or the time of the last key of all") {
  const Skeleton skeleton = make_clip_skeleton();
  const std::vector<OwnedTrack> tracks = make_tracks();
  const std::vector<TrackDesc> descs = test::describe(tracks);
  CHECK(Clip::create(skeleton, {"", descs, {}})->duration() == 4);
  for (const double duration : {0.0, 0.1, 4.0, 7.5, 1e9}) {
    CHECK(Clip::create(skeleton, {"", descs, duration})->duration() == duration);
  }
  for (const double bad : {-1e-9, -1.0, 1.001e9, double{kInf}, -double{kInf}, double{kNaN}}) {
    const Result<Clip> clip = Clip::create(skeleton, {"walk", descs, bad});
    REQUIRE(!clip.ok());
    CHECK(clip.error().code == ErrorCode::invalid_argument);
    CHECK(to_string(clip.error().place) == "duration");
    CHECK(contains(clip.error().message, "\"walk\""));
  }
  CHECK(good_clip(skeleton, {}).duration() == 0);
  const OwnedTrack early{0, Property::scale, Interpolation::step, {-3, -1}, {1, 1, 1, 2, 2, 2}};
  CHECK(good_clip(skeleton, {&early, 1}).duration() == 0);  // never below zero
}

TEST_CASE("a clip knows its name, its size and its tracks in the order given") {
  const std::vector<OwnedTrack> tracks = make_tracks();
  const std::vector<TrackDesc> descs = test::describe(tracks);
  const Clip clip = Clip::create(make_clip_skeleton(), {"walk", descs, {}}).value();
  CHECK(clip.name() == "walk");
  CHECK(clip.joint_count() == 3);
  CHECK(clip.morph_size() == 8);
  CHECK(clip.memory_bytes() > 0);
  REQUIRE(clip.tracks().size() == tracks.size());
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    CHECK(clip.tracks()[i].joint == tracks[i].joint);
    CHECK(clip.tracks()[i].property == tracks[i].property);
    CHECK(clip.tracks()[i].interpolation == tracks[i].interpolation);
    CHECK(clip.tracks()[i].key_count == tracks[i].times.size());
    CHECK(!clip.tracks()[i].constant);
  }
}

TEST_CASE("a clip without tracks is for the skeleton that it was made for; the default one for none") {
  const Clip empty = good_clip(make_clip_skeleton(), {});
  CHECK(empty.tracks().empty());
  CHECK(empty.joint_count() == 3);
  const Clip none;
  CHECK(none.name().empty());
  CHECK(none.tracks().empty());
  CHECK(none.joint_count() == 0);
  CHECK(none.duration() == 0);
  CHECK(none.hash() == good_clip(Skeleton(), {}).hash());
}

TEST_CASE("a track whose keys are all the same is constant, and stored once") {
  const auto is_constant = [](const OwnedTrack& track) {
    return good_clip(make_clip_skeleton(), {&track, 1}).tracks()[0].constant;
  };
  using enum Interpolation;
  CHECK(is_constant({0, Property::translation, linear, {0}, {1, 2, 3}}));
  CHECK(is_constant({0, Property::translation, linear, {0, 1, 2}, {1, 2, 3, 1, 2, 3, 1, 2, 3}}));
  CHECK(!is_constant({0, Property::translation, linear, {0, 1, 2}, {1, 2, 3, 1, 2, 3, 1, 2, 4}}));
  CHECK(is_constant({2, Property::morph, step, {0, 1}, {5, 6, 5, 6}}));
  // Rotations after they were normalised and made continuous.
  CHECK(is_constant({0, Property::rotation, linear, {0, 1, 2}, {0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, -2}}));
  CHECK(!is_constant({0, Property::rotation, linear, {0, 1}, {0, 0, 0, 1, 0, 0, 1, 1}}));
  // A cubic moves between equal keys unless its tangents are zero.
  CHECK(
      is_constant({0, Property::scale, cubic_spline, {0, 1}, {0, 0, 0, 7, 8, 9, 0, 0, 0, 0, 0, 0, 7, 8, 9, 0, 0, 0}}));
  CHECK(
      !is_constant({0, Property::scale, cubic_spline, {0, 1}, {0, 0, 0, 7, 8, 9, 0, 1, 0, 0, 0, 0, 7, 8, 9, 0, 0, 0}}));
  CHECK(
      !is_constant({0, Property::scale, cubic_spline, {0, 1}, {0, 0, 0, 7, 8, 9, 0, 0, 0, 0, 1, 0, 7, 8, 9, 0, 0, 0}}));

  OwnedTrack still{0, Property::translation, linear, {}, {}}, moving = still;
  for (int k = 0; k < 1000; ++k) {
    still.times.push_back(static_cast<float>(k));
    still.values.insert(still.values.end(), {1, 2, 3});
    moving.values.insert(moving.values.end(), {1, 2, static_cast<float>(k)});
  }
  moving.times = still.times;
  CHECK(good_clip(make_clip_skeleton(), {&still, 1}).memory_bytes() < 4000);
  CHECK(good_clip(make_clip_skeleton(), {&moving, 1}).memory_bytes() >= 16'000);
}

TEST_CASE("the hash is that of the contents: not of the name, but of every track, time, value and size") {
  const Skeleton skeleton = make_clip_skeleton();
  const auto hash = [&](const std::function<void(std::vector<OwnedTrack>&)>& change, const char* name = "walk") {
    std::vector<OwnedTrack> tracks = make_tracks();
    change(tracks);
    return Clip::create(skeleton, {name, test::describe(tracks), {}})->hash();
  };
  const std::uint64_t original = hash([](auto&) {});
  CHECK(hash([](auto&) {}, "run") == original);
  for (std::size_t i = 0; i < make_tracks().size(); ++i) {
    const bool is_rotation = make_tracks()[i].property == Property::rotation;
    for (std::size_t v = 0; v < make_tracks()[i].values.size(); ++v) {
      if (is_rotation && v % 4 != 2) continue;  // another length would be the same rotation; z changes it
      CHECK(hash([&](auto& tracks) { tracks[i].values[v] += 0.25f; }) != original);
    }
    for (std::size_t t = 0; t < make_tracks()[i].times.size(); ++t) {
      CHECK(hash([&](auto& tracks) { tracks[i].times[t] += 0.125f; }) != original);
    }
    CHECK(hash([&](auto& tracks) { tracks.erase(tracks.begin() + static_cast<std::ptrdiff_t>(i)); }) != original);
  }
  CHECK(hash([](auto& tracks) { tracks[0].joint = 1; }) != original);
  CHECK(hash([](auto& tracks) { tracks[0].property = Property::scale; }) != original);
  CHECK(hash([](auto& tracks) { tracks[0].interpolation = Interpolation::step; }) != original);
  const std::vector<OwnedTrack> tracks = make_tracks();
  const std::vector<TrackDesc> descs = test::describe(tracks);
  CHECK(Clip::create(skeleton, {"walk", descs, 4.0})->hash() == original);
  CHECK(Clip::create(skeleton, {"walk", descs, 5.0})->hash() != original);
  CHECK(good_clip(skeleton, {}).hash() != good_clip(Skeleton(), {}).hash());
}

TEST_CASE("the sign and the length of a rotation key make no difference") {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Skeleton skeleton = test::random_skeleton(random, 9);
    test::Recipe recipe;
    recipe.interpolation = Interpolation::linear;
    std::vector<OwnedTrack> tracks = test::random_tracks(random, skeleton, recipe);
    for (OwnedTrack& track : tracks) {
      if (track.property != Property::rotation) continue;
      const bool about_an_axis = random.below(2) == 0;  // has zeros
      for (std::size_t k = 0; k < track.values.size(); k += 4) {
        float* v = &track.values[k];
        if (about_an_axis) v[0] = v[1] = 0;
        const float length = std::sqrt((v[0] * v[0] + v[1] * v[1]) + (v[2] * v[2] + v[3] * v[3]));
        for (std::size_t part = 0; part < 4; ++part) v[part] *= 3 / length;  // a unit key would stay as it is
      }
    }
    std::vector<OwnedTrack> changed = tracks;
    for (OwnedTrack& track : changed) {
      if (track.property != Property::rotation) continue;
      for (std::size_t k = 4; k < track.values.size(); k += 4) {  // the first key's sign stays: it decides the others'
        const float factor = (random.below(2) == 0 ? -1.0f : 1.0f) * static_cast<float>(1u << random.below(6));
        for (std::size_t part = 0; part < 4; ++part) track.values[k + part] *= factor;
      }
    }
    const Clip one = good_clip(skeleton, tracks), other = good_clip(skeleton, changed);
    CHECK(one.hash() == other.hash());
    for (const double time : test::interesting_times(random, tracks, 10)) {
      Pose a(skeleton), b(skeleton);
      sample(one, time, a);
      sample(other, time, b);
      REQUIRE(difference(a, b) == "");
    }
  }
}

TEST_CASE("making a clip leaves its input as it was, and the clip needs it no more") {
  const Skeleton skeleton = make_clip_skeleton();
  std::vector<OwnedTrack> tracks = make_tracks();
  tracks[1].values[7] = -8;
  const std::vector<OwnedTrack> before = tracks;
  const Clip clip = good_clip(skeleton, tracks);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    CHECK(difference(tracks[i].values, before[i].values) == "");
    CHECK(difference(tracks[i].times, before[i].times) == "");
  }
  Pose expected(skeleton), pose(skeleton);
  sample(clip, 1.5, expected);
  for (OwnedTrack& track : tracks) {
    std::fill(track.values.begin(), track.values.end(), kNaN);
    std::fill(track.times.begin(), track.times.end(), kNaN);
  }
  sample(clip, 1.5, pose);
  CHECK(difference(pose, expected) == "");
}

TEST_CASE("random descriptions, good and bad, make a clip that samples to numbers or an error that names its place") {
  Random random(7);
  int made = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const Skeleton skeleton = test::random_skeleton(random, random.below(12), 10);
    test::Recipe recipe;
    recipe.max_keys = 6;
    std::vector<OwnedTrack> tracks = test::random_tracks(random, skeleton, recipe);
    // What may be in a broken file: any number anywhere, lengths that do not fit, tracks of other joints.
    const float odd[] = {kNaN, kInf, -kInf, 0, -0.0f, 1e18f, -1e18f, 3e38f, 1e-45f, 1e9f};
    for (std::uint32_t spoils = random.below(4); spoils > 0 && !tracks.empty(); --spoils) {
      OwnedTrack& track = tracks[random.below(static_cast<std::uint32_t>(tracks.size()))];
      const auto any = [&](std::vector<float>& v) -> float& {
        if (v.empty()) v.push_back(0);
        return v[random.below(static_cast<std::uint32_t>(v.size()))];
      };
      switch (random.below(9)) {
        case 0: any(track.times) = odd[random.below(10)]; break;
        case 1: track.times.pop_back(); break;
        case 2: track.values.resize(track.values.size() + random.below(3)); break;
        case 3: track.joint = random.below(14); break;
        case 4: track.property = static_cast<Property>(random.below(4)); break;
        case 5: track.interpolation = static_cast<Interpolation>(random.below(3)); break;
        case 6: any(track.times) = random.finite(); break;
        default: any(track.values) = random.below(2) == 0 ? odd[random.below(10)] : random.finite(); break;
      }
      if (track.times.empty()) track.times.push_back(0);
    }
    const Result<Clip> clip = Clip::create(skeleton, {"any", test::describe(tracks), {}});
    if (!clip.ok()) {
      ++refused;
      CHECK(contains(to_string(clip.error().place), "tracks/"));
      CHECK(contains(clip.error().message, "\"any\""));
      continue;
    }
    ++made;
    Cursor cursor(*clip);
    Pose pose(skeleton);
    for (const double time : test::interesting_times(random, tracks, 8)) {
      sample(*clip, time, cursor, pose);
      const auto is_number = [](float x) { return std::fabs(x) <= std::numeric_limits<float>::max(); };
      for (const float x : pose.floats()) REQUIRE(is_number(x));
    }
  }
  CHECK(made > 500);
  CHECK(refused > 500);
}

TEST_CASE("clips for other morph weights of the joints have another hash, and do not play") {
  const std::vector<float> weights(8, 0.0f);
  const auto skeleton_with = [&](std::size_t first, std::size_t last) {
    JointDesc joints[3];
    joints[0].morph_weights = std::span(weights).first(first);
    joints[1].morph_weights = std::span(weights).first(3);
    joints[2].morph_weights = std::span(weights).first(last);
    return Skeleton::create(joints).value().skeleton;
  };
  const Skeleton one = skeleton_with(8, 0), other = skeleton_with(0, 8), more = skeleton_with(7, 0);
  const OwnedTrack track{1, Property::morph, Interpolation::linear, {0, 1}, {1, 2, 3, 4, 5, 6}};
  const Clip clip = good_clip(one, {&track, 1});
  CHECK(clip.hash() != good_clip(other, {&track, 1}).hash());
  CHECK(clip.hash() != good_clip(more, {&track, 1}).hash());
  CHECK(clip.fits(one));
  for (const Skeleton& skeleton : {other, more}) {
    CHECK(!clip.fits(skeleton));
    Pose pose(skeleton);
    CHECK(test::assert_message([&] { sample(clip, 0, pose); }).find("another number") != std::string::npos);
  }
}

TEST_CASE("a clip fits the skeleton that it was made for, and none with more joints") {
  const Skeleton skeleton = make_clip_skeleton();
  const Clip clip = Clip::create(skeleton, {}).value();
  CHECK(clip.fits(skeleton));
  CHECK(!clip.fits(Skeleton()));
  CHECK(!Clip().fits(skeleton));
  CHECK(Clip().fits(Skeleton()));
}

TEST_CASE("copies of a clip have its id, and clips of equal contents another") {
  const Skeleton skeleton = make_clip_skeleton();
  const Clip clip = Clip::create(skeleton, {}).value(), equal = Clip::create(skeleton, {}).value();
  const Clip copy = clip;  // NOLINT(performance-unnecessary-copy-initialization)
  CHECK(copy.id() == clip.id());
  CHECK(equal.hash() == clip.hash());
  CHECK(equal.id() != clip.id());
}

TEST_CASE("a property or interpolation that does not exist is refused") {
  const float times[] = {0, 1};
  const float values[] = {1, 2, 3, 4, 5, 6};
  for (const TrackDesc& track : {TrackDesc{0, Property::translation, static_cast<Interpolation>(7), times, values},
                                 TrackDesc{0, static_cast<Property>(9), Interpolation::linear, times, values}}) {
    const Result<Clip> clip = Clip::create(make_clip_skeleton(), {"odd", {&track, 1}, {}});
    REQUIRE(!clip);
    CHECK(clip.error().code == ErrorCode::invalid_argument);
    CHECK(clip.error().message.find("does not exist") != std::string::npos);
  }
}

TEST_CASE("what was moved from is as good as before: skeletons, clips and skins share their data") {
  Skeleton skeleton = make_clip_skeleton();
  const OwnedTrack track{0, Property::translation, Interpolation::linear, {0, 1}, {1, 2, 3, 4, 5, 6}};
  Clip clip = good_clip(skeleton, {&track, 1});
  const Clip moved_clip = std::move(clip);
  const Skeleton moved_skeleton = std::move(skeleton);
  CHECK(clip.hash() == moved_clip.hash());          // NOLINT(bugprone-use-after-move)
  CHECK(skeleton.hash() == moved_skeleton.hash());  // NOLINT(bugprone-use-after-move)
}

}  // namespace
}  // namespace marrow
