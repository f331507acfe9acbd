// What the files that make the motions share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "character/motions.h"
#include "character/posing.h"

namespace marrow::character {

inline constexpr double kFramesPerSecond = 60;

// What there is to tell of a moment: the body, and the face.
struct Moment {
  Controls body;
  double blink = 0, smile = 0;
};

// Samples a motion of all joints, `frame_count` frames long.
[[nodiscard]] Motion sample_motion(const std::string& name, int frame_count, bool loops,
                                   const std::function<Moment(double time_s)>& at);

// The pose that idle begins with, jump and turn begin and end with, and gestures are made in.
[[nodiscard]] Controls standing();

[[nodiscard]] Motion make_idle();
[[nodiscard]] Motion make_walk();
[[nodiscard]] Motion make_run();

}  // namespace marrow::character
