// What the kernel files of this module use of other modules. Internal; no standard headers, see src/math/lanes.h.
#pragma once

#include "src/math/lanes_math.h"  // vectors of lanes, rotations in them
