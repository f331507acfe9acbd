// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/core/slot_table.h"  // the rules of slots and generations, for handles in C
#include "src/text/text.h"        // checks and cuts text of C callers as UTF-8
