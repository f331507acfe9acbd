// A limit for handles with fewer bits than ActionHandle has. Internal.
#pragma once

#include <cstdint>

#include "marrow/mixer/mixer.h"

namespace marrow {

// Retires an action's slot when its generation comes to `end`, instead of 2^32 - 1.
void limit_action_generations(Mixer& mixer, std::uint32_t end);

}  // namespace marrow
