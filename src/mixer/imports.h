// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/core/byte_stream.h"    // snapshots
#include "src/core/slot_table.h"     // handles of actions
#include "src/math/arithmetic.h"     // exactly, checks of numbers
#include "src/play/animator_data.h"  // the insides of MixScratch; root motion, summed over actions
