// How far arithmetic in float can put bones, and what they move, from where they belong. Internal.
#pragma once

#include "marrow/math/types.h"

namespace marrow {

// What is known of a bone's matrix in model space from the transforms above it: bounds that hold for any program that
// takes matrices apart, goes from one frame to the next and multiplies down the hierarchy, each step with an error of a
// few units in the last place, and for marrow itself. Rounding goes by the size of what is added up, not by that of the
// model: far from the origin it is larger.
struct BoneRounding {
  double stretch = 1;  // the most that the matrix makes of a length
  double path = 0;     // from the model's origin to the bone's, along the bones
  double turn = 0;     // how far it can be off for a point that is a unit away from the bone's origin
  double shift = 0;    // and for that origin
};

// Returns the same for a child whose own transform moves and scales by no more than this.
[[nodiscard]] BoneRounding rounding_below(const BoneRounding& parent, double translation, double scale);

// Returns how far a point can be off that is `distance` from the bone's origin, in the space of the bone, and was taken
// there from a position by a matrix: `bind` bounds the numbers that this adds up.
[[nodiscard]] double rounding_at(const BoneRounding& bone, double distance, double bind);

// Returns the most that a matrix makes of a length, or a little more; and the length of its translation.
[[nodiscard]] double stretch_of(const Affine& a);
[[nodiscard]] double length_of(Vec3 v);

}  // namespace marrow
