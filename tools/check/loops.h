// Whether a clip is meant to be played round and round, and whether it can be.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "subject.h"

namespace marrow::tool {

// Whether a name is that of a motion without an end: "Walk", "Armature|Run_Fast", "fall-loop". Not "Walk_Start",
// "Run_Jump" or "IdleToWalk".
[[nodiscard]] bool is_named_like_a_loop(std::string_view name);

// Whether a name is that of a single pose: "T-Pose", "Sit_Chair_Pose", "RESET".
[[nodiscard]] bool is_named_like_a_pose(std::string_view name);

struct Seam {
  std::uint32_t joint = 0;  // the one that is farthest from where it began
  double distance = 0;      // in model space, but for the way that the whole went over the ground
  bool jumps = false;       // farther than a motion of that speed goes in a frame or two
};

// How many poses may still be looked at for seams, each counted once for every joint and morph weight. All clips of a
// file share it, so that no file takes long.
struct SeamBudget {
  std::uint64_t left = 100'000'000;
};

// Compares the last pose of a clip with its first. Nothing if the budget does not last.
[[nodiscard]] std::optional<Seam> measure_seam(const Subject& subject, const Clip& clip, SeamBudget& budget);

}  // namespace marrow::tool
