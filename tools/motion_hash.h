// A number for how a model moves.
#pragma once

#include <cstdint>

#include "marrow/model/model.h"

namespace marrow::tool {

// Returns the hash of all palettes, or without skins of the nodes, in 600 frames of 1/60 s. With n clips, frame
// floor(600 k / n) begins with a crossfade of 0.25 s to clip k.
[[nodiscard]] std::uint64_t motion_hash(const Model& model);

}  // namespace marrow::tool
