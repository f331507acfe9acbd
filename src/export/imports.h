// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/math/arithmetic.h"   // exactly
#include "src/text/json_writer.h"  // meshes and animations as JSON
#include "src/text/text.h"         // numbers and names in code
