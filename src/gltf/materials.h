// The materials and images of a glTF file. Internal.
#pragma once

#include <vector>

#include "src/gltf/buffers.h"

namespace marrow {

bool read_images(const GltfDocument& document, Buffers& buffers, Load& load, std::vector<Image>& out);
bool read_materials(const GltfDocument& document, Load& load, std::vector<Material>& out);

}  // namespace marrow
