// A tube that bends: something to skin that needs no file.
#pragma once

#include "marrow/model/model.h"

namespace example {

// Two metres high along z, with the joints "lower" and "upper", and a clip "bend" of two seconds.
[[nodiscard]] marrow::Model make_tube();

}  // namespace example
