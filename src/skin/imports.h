// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/math/arithmetic.h"  // exactly, FloatScope, bit_cast, doubles, checks of numbers, the kernels in use
