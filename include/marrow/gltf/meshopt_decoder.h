// A decoder for EXT_meshopt_compression, over libmeshoptimizer. In a library of its own: link marrow::meshopt.
#pragma once

#include "marrow/gltf/decoders.h"

namespace marrow {

// Returns the decoder, for LoadOptions::meshopt. Streams of a version that libmeshoptimizer cannot read are refused.
[[nodiscard]] MeshoptDecoder meshopt_decoder();

}  // namespace marrow
