// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/core/byte_stream.h"  // snapshots
#include "src/core/slot_table.h"   // handles of nodes
#include "src/math/arithmetic.h"   // exactly, vectors in double, products of matrices, checks of numbers, prefetch
