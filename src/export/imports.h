// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/math/arithmetic.h"  // exactly
#include "src/text/text.h"        // numbers and names in code, and JSON
