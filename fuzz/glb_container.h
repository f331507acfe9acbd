// Taking .glb files apart, for the fuzz target that changes their parts.
#pragma once

#include <optional>
#include <span>

#include "fixtures/gltf_file.h"

namespace marrow::fuzz {

using gltf_file::GlbFile;
using gltf_file::join_glb;

// Returns the parts of a whole .glb; nothing for other bytes.
[[nodiscard]] std::optional<GlbFile> split_glb(std::span<const std::byte> bytes);

}  // namespace marrow::fuzz
