// What the tests of the mixer play: a humanoid, and a dial whose joints show the time of their clip.
#pragma once

#include <string>
#include <vector>

#include "fixtures/humanoid.h"
#include "marrow/mixer/mixer.h"
#include "mixer/posed_mixer.h"

namespace marrow::test {

// Two joints. Every clip moves the first along x from 0 to its duration, a metre a second, so that x is the time.
struct Dial {
  Skeleton skeleton = make_skeleton();

  [[nodiscard]] Clip clip(double duration, const char* name = "clip") const {
    const float times[] = {0.0f, static_cast<float>(duration)};
    const float values[] = {0.0f, 0.0f, 0.0f, static_cast<float>(duration), 0.0f, 0.0f};
    const TrackDesc track = {0, Property::translation, Interpolation::linear, times, values};
    return Clip::create(skeleton, {name, {&track, 1}, duration}).value();
  }

  // A clip that holds the first joint at x.
  [[nodiscard]] Clip still(float x, double duration = 1) const {
    const float times[] = {0.0f};
    const float values[] = {x, 0.0f, 0.0f};
    const TrackDesc track = {0, Property::translation, Interpolation::linear, times, values};
    return Clip::create(skeleton, {"still", {&track, 1}, duration}).value();
  }

  static Skeleton make_skeleton() {
    JointDesc joints[2];
    joints[0].name = "root";
    joints[1].name = "tip";
    joints[1].parent = 0;
    return Skeleton::create(joints).value().skeleton;
  }
};

// The x of the first joint in the mixer's pose.
inline float x_of(const PosedMixer& mixer) { return mixer.pose().transform(0).translation.x; }

inline constexpr double kFrame = 1.0 / 60;  // seconds

// Updates the mixer for `seconds` in steps of `frame_s`, to the nearest whole number of steps.
inline void run_for(PosedMixer& mixer, double seconds, double frame_s = kFrame) {
  for (int i = 0; i < static_cast<int>(seconds / frame_s + 0.5); ++i) mixer.update(frame_s);
}

// A character with gaits to play.
struct Character {
  Skeleton skeleton = humanoid::make_skeleton();
  Skin skin = humanoid::make_skin(skeleton);
  Clip idle = gait("idle", 2.0, 0.1, 5), walk = gait("walk", 4.0 / 3, 0.5, 1), run = gait("run", 2.0 / 3, 1.0, 3),
       wave = gait("wave", 1.0, 0.7, 4), attack = gait("attack", 0.5, 0.9, 6);

  [[nodiscard]] Clip gait(const char* name, double duration, double stride, std::uint32_t seed) const {
    return humanoid::make_clip(skeleton, {name, duration, stride, humanoid::Keys::dense, Interpolation::linear, seed});
  }
};

}  // namespace marrow::test
