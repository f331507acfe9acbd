// The meshes of a glTF file. Internal.
#pragma once

#include <vector>

#include "src/gltf/accessors.h"

namespace marrow {

// `primitives` gets the number of the primitive that each part of each mesh is: some are left out.
bool read_meshes(const GltfDocument& document, Buffers& buffers, Accessors& accessors, Load& load,
                 std::vector<Mesh>& out, std::vector<std::vector<std::uint32_t>>& primitives);

}  // namespace marrow
