// The frames of an exported animation, bone by bone. Internal.
#pragma once

#include <cstddef>

#include "marrow/export/exported.h"

namespace marrow {

[[nodiscard]] Affine exported_matrix(const ExportedAnimation& animation, std::size_t frame, std::size_t bone);

// The same taken apart, for what lies between two frames.
[[nodiscard]] Transform exported_transform(const ExportedAnimation& animation, std::size_t frame, std::size_t bone);

// Returns the transform a fraction u of the way from a to b.
[[nodiscard]] Transform between(const Transform& a, const Transform& b, float u);

}  // namespace marrow
