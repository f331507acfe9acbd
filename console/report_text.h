// Numbers in sentences.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rollback.h"

namespace marrow::console {

// "1 frame", "2 frames".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view thing);

// "12 rollbacks, the deepest of 8 frames, 57 frames simulated again".
[[nodiscard]] std::string to_text(const RollbackCounts& counts);

}  // namespace marrow::console
