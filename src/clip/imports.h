// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/anim/track_keys.h"  // the curves of tracks, and the errors of tools
#include "src/math/arithmetic.h"  // exactly, vectors in double, products of matrices, checks of numbers
