// The same model with another axis up.
#pragma once

#include "marrow/model/model.h"

namespace marrow {

// Returns the model with `up` up: (x, y, z) with y up is (x, -z, y) with z up. There and back gives the same numbers.
// Copies everything but the images.
[[nodiscard]] Result<Model> with_up(const Model& model, Up up);

}  // namespace marrow
