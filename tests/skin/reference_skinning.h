// Linear blend skinning in double, plain and slow: what the library's is held to.
#pragma once

#include "marrow/skin/skinning.h"

namespace marrow::test {

void skin_reference(const Vertices& vertices, std::span<const float> morph_weights, std::span<const Affine> palette,
                    const SkinnedVertices& out);

}  // namespace marrow::test
