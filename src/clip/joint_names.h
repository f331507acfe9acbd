// Joints of one skeleton found in another by their names. Internal to the library.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "marrow/clip/remap.h"

namespace marrow {

// Returns for each joint of `from` the one in `to` that has its name, or what the rule makes of it. Of several joints
// of one name the first leads to the first, the second to the second.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> map_joints(const Skeleton& from, const Skeleton& to,
                                                                   const NameRule& rule);

}  // namespace marrow
