// What this module uses of other modules beyond their public headers, and what for. Internal.
// Kernel files (lanes.h) include it too: no standard headers with functions here.
#pragma once

#include "src/core/platform.h"  // FloatScope, bit_cast, square roots, and what the processor has
