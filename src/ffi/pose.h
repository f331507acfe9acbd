// Poses in and out of the caller's memory. Internal.
#pragma once

#include "marrow/anim/pose.h"
#include "src/ffi/errors.h"

namespace marrow::ffi {

// Checks that the arrays of the caller's pose are large enough for the skeleton.
[[nodiscard]] marrow_status check_pose(const marrow_pose* pose, const Skeleton& skeleton);

// Fails on numbers that are not finite or beyond 1e18.
[[nodiscard]] marrow_status check_values(const marrow_transform& transform, const char* parameter);
[[nodiscard]] marrow_status check_morphs(const float* weights, std::uint64_t count, const char* parameter);

// The same, and fails on rotations that are not of unit length.
[[nodiscard]] marrow_status check_transforms(const marrow_transform* transforms, std::uint32_t count);

// The same for all of a pose that check_pose has found large enough.
[[nodiscard]] marrow_status check_values(const marrow_pose& pose, const Skeleton& skeleton);

// Reads a pose whose values are good. Where it has no morph weights, those of `out` stay as they are.
void read_pose(const marrow_pose& pose, Pose& out);

void write_pose(const Pose& pose, const marrow_pose& out);

}  // namespace marrow::ffi
