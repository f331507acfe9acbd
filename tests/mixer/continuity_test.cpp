// Playback that never pops: over random sequences of everything that fades, no joint moves further in a frame than its
// inputs' own motion and the change of their shares explain.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fixtures/random.h"
#include "marrow/anim/blend.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/quat.h"
#include "marrow/mixer/mixer.h"
#include "mixer/posed_mixer.h"
#include "support/rounds.h"

namespace marrow {
namespace {

constexpr std::uint32_t kJoints = 4;
constexpr double kShortestFade = 0.1;

Quat random_turn(test::Random& random, double largest) {
  const Vec3 axis = {random.rangef(-1, 1), random.rangef(-1, 1), random.rangef(-1, 1)};
  return from_axis_angle(axis, random.rangef(0, largest));
}

// How far two values of a property are apart: an angle or a distance.
double apart(const Transform& a, const Transform& b, Property property) {
  if (property == Property::rotation) return static_cast<double>(angle_between(a.rotation, b.rotation));
  const Vec3 u = property == Property::scale ? a.scale : a.translation;
  const Vec3 v = property == Property::scale ? b.scale : b.translation;
  return std::hypot(static_cast<double>(u.x) - static_cast<double>(v.x),
                    static_cast<double>(u.y) - static_cast<double>(v.y),
                    static_cast<double>(u.z) - static_cast<double>(v.z));
}

constexpr Property kProperties[] = {Property::translation, Property::rotation, Property::scale};

// A clip, and for each property of each joint how fast it moves at most; less than zero where it has no track.
struct Part {
  Clip clip;
  double rate[kJoints][3];

  [[nodiscard]] double largest_rate(int property) const {
    double largest = 0;
    for (const auto& of_joint : rate) largest = std::max(largest, of_joint[property]);
    return largest;
  }
};

struct Cast {
  Skeleton skeleton;
  std::vector<Part> parts;

  explicit Cast(test::Random& random) {
    JointDesc joints[kJoints];
    for (std::uint32_t j = 0; j < kJoints; ++j) {
      joints[j].parent = static_cast<std::int32_t>(j) - 1;
      joints[j].rest = {{0, 0, 0.3f}, random_turn(random, 3), {1, 1, 1}};
    }
    skeleton = Skeleton::create(joints).value().skeleton;
    for (int i = 0; i < 5; ++i) parts.push_back(make_part(random));
  }

  // Seamless, linear, within 80 degrees of rest, with about a quarter of all tracks left out.
  Part make_part(test::Random& random) const {
    ClipKeys keys{"part", random.range(0.5, 2), {}};
    Part part{Clip(), {}};
    for (std::uint32_t j = 0; j < kJoints; ++j) {
      for (int p = 0; p < 3; ++p) {
        part.rate[j][p] = -1;
        if (random.below(4) == 0) continue;
        part.rate[j][p] = 0;
        TrackKeys track{j, kProperties[p], Interpolation::linear, {}, {}};
        const std::uint32_t count = 3 + random.below(4);
        std::vector<Transform> values;
        for (std::uint32_t k = 0; k < count; ++k) {
          Transform value = skeleton.rest(j);
          value.rotation = multiply(value.rotation, random_turn(random, 1.39));
          value.translation.x += random.rangef(-0.5, 0.5);
          value.scale.y += random.rangef(-0.5, 0.5);
          if (k + 1 == count) value = values[0];
          values.push_back(value);
          track.times.push_back(static_cast<float>(keys.duration * k / (count - 1)));
          const float q[] = {value.rotation.x, value.rotation.y, value.rotation.z, value.rotation.w};
          const Vec3 v = p == 0 ? value.translation : value.scale;
          const float xyz[] = {v.x, v.y, v.z};
          if (p == 1) {
            track.values.insert(track.values.end(), q, q + 4);
          } else {
            track.values.insert(track.values.end(), xyz, xyz + 3);
          }
          if (k == 0) continue;
          const double interval = static_cast<double>(track.times[k]) - static_cast<double>(track.times[k - 1]);
          part.rate[j][p] = std::max(part.rate[j][p], apart(value, values[k - 1], kProperties[p]) / interval);
        }
        keys.tracks.push_back(std::move(track));
      }
    }
    keys.duration = static_cast<double>(static_cast<float>(keys.duration));
    part.clip = create_clip(skeleton, keys).value();
    return part;
  }
};

// One thing that plays, as far as the law below needs to know.
struct Voice {
  std::size_t part = 0;
  double time = 0, speed = 0, weight = 0, fade = 0;
  std::array<Transform, kJoints> sampled{};  // where it contributes
};

// The pose and what it is made of; a voice keeps its place from one frame to the next.
struct Frame {
  std::vector<Transform> pose{kJoints};
  std::vector<Voice> voices;

  void sample_voices(const Cast& cast, Pose& scratch) {
    for (Voice& voice : voices) {
      if (voice.fade <= 0) continue;
      sample(cast.parts[voice.part].clip, voice.time, scratch);
      scratch.to_transforms(voice.sampled);
    }
  }
};

// Returns what breaks the law from one frame to the next; empty if nothing does. What the voices are before is read
// after all commands, of which the pose knows nothing yet: so a command that makes a share jump is found out too.
std::string breach(const Cast& cast, const Frame& before, const Frame& after, double dt) {
  const std::size_t count = after.voices.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double step = std::abs(after.voices[i].fade - before.voices[i].fade);
    if (step > 2 * dt / kShortestFade + 1e-6) return "voice " + std::to_string(i) + " jumps by " + std::to_string(step);
  }
  for (std::uint32_t j = 0; j < kJoints; ++j) {
    for (int p = 0; p < 3; ++p) {
      // Shares of all voices and, last, of the rest pose.
      const auto shares = [&](const Frame& frame) {
        std::vector<double> share(count + 1, 0.0);
        double weights = 0, coverage = 0;
        for (std::size_t i = 0; i < count; ++i) {
          if (cast.parts[frame.voices[i].part].rate[j][p] < 0) continue;
          share[i] = frame.voices[i].weight * frame.voices[i].fade;
          weights += share[i];
          coverage += frame.voices[i].fade;
        }
        coverage = std::min(coverage, 1.0);
        for (std::size_t i = 0; i < count; ++i) share[i] = weights > 0 ? share[i] / weights * coverage : 0;
        share[count] = 1 - coverage;
        return share;
      };
      const std::vector<double> a = shares(before), b = shares(after);
      double own = 0, of_clip = 0, change = 0, largest = 0;
      std::vector<Transform> inputs;
      for (std::size_t i = 0; i <= count; ++i) {
        change += std::abs(b[i] - a[i]);
        if (a[i] == 0 && b[i] == 0) continue;
        if (i == count) {
          inputs.push_back(cast.skeleton.rest(j));
          continue;
        }
        const Part& part = cast.parts[before.voices[i].part];
        const double speed = std::abs(before.voices[i].speed);
        own = std::max(own, speed * part.rate[j][p]);
        of_clip = std::max(of_clip, speed * part.largest_rate(p));
        for (const Frame* frame : {&before, &after}) {
          if ((frame == &before ? a : b)[i] == 0) continue;
          inputs.push_back(frame->voices[i].sampled[j]);
        }
      }
      for (const Transform& u : inputs) {
        for (const Transform& v : inputs) largest = std::max(largest, apart(u, v, kProperties[p]));
      }
      // Sharper, by the joint's own rate. Meridians part towards the equator: where all inputs turn alike, the mean on
      // the sphere of quaternions, whose arcs are half the angles, lies further out than they do and turns further, by
      // up to this factor.
      if (kProperties[p] == Property::rotation) own /= std::cos(largest / 4);
      const double moved = apart(before.pose[j], after.pose[j], kProperties[p]);
      const double allowed = dt * std::min(of_clip, own) + change * largest + 1e-5;
      if (moved > allowed) {
        return std::string(to_string(kProperties[p])) + " of joint " + std::to_string(j) + " moves by " +
               std::to_string(moved) + ", more than " + std::to_string(allowed);
      }
    }
  }
  return {};
}

// What is being tested: something that plays clips.
struct CastPlayer {
  virtual ~CastPlayer() = default;
  virtual void command(test::Random& random) = 0;
  virtual void update(double dt) = 0;
  virtual Frame frame() = 0;
};

struct MixerPlayer : CastPlayer {
  MixerPlayer(const Cast& cast_, test::Random& random) : cast(cast_), mixer(cast_.skeleton) {
    for (const Part& part : cast.parts) {
      actions.push_back(mixer.clip_action(part.clip).value());
      const Loop loops[] = {Loop::repeat, Loop::repeat, Loop::ping_pong, Loop::once};
      actions.back().set_weight(random.rangef(0.3, 2)).set_loop(loops[random.below(4)]);
    }
  }
  void command(test::Random& random) override {
    const std::size_t some = random.below(static_cast<std::uint32_t>(actions.size()));
    const Action a = actions[some], b = actions[random.below(static_cast<std::uint32_t>(actions.size()))];
    const double seconds = random.range(kShortestFade, 0.6);
    const auto easing = static_cast<Easing>(random.below(4));
    switch (random.below(9)) {
      case 0: mixer.cross_fade(a, b, seconds, {.easing = easing}); break;
      case 1:
      case 2: mixer.cross_fade_to(a, seconds, {.easing = easing}); break;
      case 3: a.fade_in(seconds, easing); break;
      case 4: a.fade_out(seconds, easing); break;
      case 5: a.pause(); break;
      case 6: a.resume(); break;
      case 7: a.set_speed(random.range(-2, 2)); break;
      case 8:
        if (a.playing()) a.play();
        break;
    }
  }
  void update(double dt) override { mixer.update(dt); }
  Frame frame() override {
    Frame out;
    mixer.pose().to_transforms(out.pose);
    out.voices.resize(mixer.capacity().actions);
    for (const Action action : mixer.actions()) {
      const auto is_its = [&](const Part& part) { return part.clip.id() == action.clip().id(); };
      const auto part = std::find_if(cast.parts.begin(), cast.parts.end(), is_its) - cast.parts.begin();
      out.voices[action.handle().index - 1] = {static_cast<std::size_t>(part),
                                               action.time(),
                                               action.speed(),
                                               static_cast<double>(action.weight()),
                                               static_cast<double>(action.fade()),
                                               {}};
    }
    out.sample_voices(cast, scratch);
    return out;
  }
  const Cast& cast;
  Pose scratch{cast.skeleton};
  test::PosedMixer mixer;
  std::vector<Action> actions;
};

// One crossfade at a time, which sets both weights and starts the incoming clip anew.
struct NaivePlayer : CastPlayer {
  explicit NaivePlayer(const Cast& cast_) : cast(cast_), voices(cast_.parts.size()), pose(cast_.skeleton) {
    for (std::size_t i = 0; i < voices.size(); ++i) sampled.emplace_back(cast.skeleton);
    for (std::size_t i = 0; i < voices.size(); ++i) voices[i] = {i, 0, 1, 1, 0, {}};
  }
  void command(test::Random& random) override {
    from = to;
    to = random.below(static_cast<std::uint32_t>(voices.size()));
    if (from == to) return;
    for (Voice& v : voices) v.fade = 0;
    voices[to].time = 0;
    voices[from].fade = 1;
    length = random.range(kShortestFade, 0.6);
    elapsed = 0;
  }
  void update(double dt) override {
    elapsed += dt;
    const double u = std::min(elapsed / length, 1.0);
    voices[from].fade = 1 - u;
    voices[to].fade = from == to ? 1 : u;
    std::vector<BlendInput> inputs;
    for (std::size_t i = 0; i < voices.size(); ++i) {
      voices[i].time = std::fmod(voices[i].time + dt, cast.parts[i].clip.duration());
      if (voices[i].fade <= 0) continue;
      sample(cast.parts[i].clip, voices[i].time, sampled[i]);
      inputs.emplace_back(sampled[i], 1.0f, static_cast<float>(voices[i].fade));
    }
    blend(inputs, pose);
  }
  Frame frame() override {
    Frame out;
    pose.to_transforms(out.pose);
    out.voices = voices;
    out.sample_voices(cast, scratch);
    return out;
  }
  const Cast& cast;
  Pose scratch{cast.skeleton};
  std::vector<Voice> voices;
  std::vector<Pose> sampled;
  Pose pose;
  std::size_t from = 0, to = 0;
  double length = 1, elapsed = 0;
};

// Runs a sequence; returns what broke the law first.
std::string run_sequence(const Cast& cast, CastPlayer& player, test::Random& random) {
  player.update(0);
  for (int frame = 0; frame < 40; ++frame) {
    if (random.below(3) == 0) {
      for (std::uint32_t n = 1 + random.below(3); n > 0; --n) player.command(random);
    }
    const double dt = random.range(0.001, 0.04);
    const Frame before = player.frame();
    player.update(dt);
    if (std::string what = breach(cast, before, player.frame(), dt); !what.empty()) {
      return "frame " + std::to_string(frame) + ": " + what;
    }
  }
  return {};
}

constexpr int kCasts = 100, kSequences = 100;

TEST_CASE("ten thousand random sequences of fades, crossfades, interruptions, pauses and speeds: nothing ever jumps") {
  for (std::uint64_t seed = 1; seed <= kCasts; ++seed) {
    test::Random random(seed);
    const Cast cast(random);
    for (int sequence = 0; sequence < test::rounds(kSequences); ++sequence) {
      CAPTURE(seed);
      CAPTURE(sequence);
      MixerPlayer player(cast, random);
      REQUIRE(run_sequence(cast, player, random) == "");
    }
  }
}

TEST_CASE("the same law finds a crossfade out that overwrites weights and rewinds what still shows") {
  int broken = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    test::Random random(seed);
    const Cast cast(random);
    NaivePlayer player(cast);
    broken += run_sequence(cast, player, random).empty() ? 0 : 1;
  }
  CHECK(broken >= 90);
}

}  // namespace
}  // namespace marrow
