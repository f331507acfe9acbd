// Numbers that are never given out twice in a process. Internal.
#pragma once

#include <cstdint>

namespace marrow {

// Returns a number above 0 that no other call returns. Any thread may call it.
[[nodiscard]] std::uint64_t next_serial();

}  // namespace marrow
