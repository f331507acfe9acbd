// What the files that make the motions share.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "maker/footwork.h"
#include "maker/motions.h"
#include "maker/posing.h"

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

// Its feet: a little apart, the left one a little ahead.
inline constexpr Footing kStandingFeet[2] = {{.x = 0.112, .z = -0.062, .out_deg = 9},
                                             {.x = 0.104, .z = -0.092, .out_deg = 12}};

[[nodiscard]] Motion make_idle();
[[nodiscard]] Motion make_walk();
[[nodiscard]] Motion make_run();
[[nodiscard]] Motion make_jump();
[[nodiscard]] Motion make_wave();
[[nodiscard]] Motion make_turn();
[[nodiscard]] Motion make_grip();

}  // namespace marrow::character
