// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/anim/track_keys.h"  // clips made in shared memory; the curves of weights
#include "src/math/arithmetic.h"  // exactly, checks of numbers
#include "src/model/reading.h"    // files, memory that may be spent, axes, models that need no check
#include "src/text/json.h"        // the reader of JSON, and of numbers in text
