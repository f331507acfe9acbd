// Where the character's weight is.
#pragma once

#include <vector>

#include "maker/posing.h"

namespace marrow::character {

// Returns the centre of mass of a pose, in the model, with the masses of a grown person's limbs.
[[nodiscard]] Point centre_of_mass(const std::vector<JointPlace>& joints);

// Moves the hips so that the centre of mass is at `centre` in root space; feet and head stay as they are told. What
// `along` has 0 for, stays where it is.
void put_centre(Controls& controls, Point centre, Point along = {1, 1, 1});

}  // namespace marrow::character
