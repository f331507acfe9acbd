// A limit for handles with fewer bits for a generation than ActionHandle has. Internal.
#pragma once

#include <cstdint>

#include "marrow/mixer/mixer.h"

namespace marrow {

// Retires the slot of an action when its generation comes to `end` (core/slot_table.h).
void limit_action_generations(Mixer& mixer, std::uint32_t end);

}  // namespace marrow
