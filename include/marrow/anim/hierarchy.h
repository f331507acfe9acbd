// From local poses to matrices: model space, and the palettes that skinning reads.
//
// Both write 3x4 row-major matrices to the caller's memory, allocate nothing and may run on any thread.
#pragma once

#include <cstdint>
#include <span>

#include "marrow/anim/pose.h"
#include "marrow/anim/skin.h"
#include "marrow/math/types.h"

namespace marrow {

// Writes the matrix of every joint relative to the model: parent * local, from the roots down. `model_from_joint` is as
// long as the skeleton.
void local_to_model(const Pose& pose, std::span<Affine> model_from_joint);

// The same for `joint` and what is below it alone; the matrix of its parent must be up to date. The other matrices are
// not touched, and those written have the bits that the whole would give them.
void local_to_model(const Pose& pose, std::uint32_t joint, std::span<Affine> model_from_joint);

// Writes the palette of a skin: for each of its joints, model_from_joint * inverse bind. `palette` is as long as the
// skin.
void palette(const Skin& skin, std::span<const Affine> model_from_joint, std::span<Affine> palette);

}  // namespace marrow
