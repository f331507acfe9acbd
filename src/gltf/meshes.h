// The meshes of a glTF file. Internal.
#pragma once

#include <vector>

#include "src/gltf/accessors.h"

namespace marrow {

bool read_meshes(const GltfDocument& document, Buffers& buffers, Accessors& accessors, Load& load,
                 std::vector<Mesh>& out);

}  // namespace marrow
