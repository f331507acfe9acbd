// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/core/large_allocator.h"  // memory for the nodes of a JSON document
