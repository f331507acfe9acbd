// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/core/large_allocator.h"  // memory for the keys of many clips
#include "src/math/arithmetic.h"       // exactly, FloatScope, bit_cast, checks of numbers, the kernels in use
