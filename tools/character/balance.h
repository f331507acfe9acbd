// Where the character's weight is, and its feet on the ground.
#pragma once

#include <vector>

#include "character/posing.h"

namespace marrow::character {

// Returns the centre of mass of a pose, in the model, with the masses of a grown person's limbs.
[[nodiscard]] Point centre_of_mass(const std::vector<Placed>& joints);

// Moves the hips so that the centre of mass is at `centre` in root space; feet and head stay as they are told. What
// `along` has 0 for, stays where it is.
void put_centre(Controls& controls, Point centre, Point along = {1, 1, 1});

// A foot on the ground, told as of the left.
struct Footing {
  double x = 0, z = 0;      // of the heel when the sole is flat, in root space
  double out_deg = 0;       // where the toes point
  double heel_up_deg = 0;   // about the ball, the toes staying flat; below zero the toes are up, about the heel
  double tip_roll_deg = 0;  // then the toes, about their tip
};
[[nodiscard]] LegControls stand_on(const Footing& footing);

}  // namespace marrow::character
