// A decoder for KHR_draco_mesh_compression, over libdraco. In a library of its own: link marrow::draco.
#pragma once

#include "marrow/gltf/decoders.h"

namespace marrow {

// Returns the decoder, for LoadOptions::draco.
[[nodiscard]] DracoDecoder draco_decoder();

}  // namespace marrow
