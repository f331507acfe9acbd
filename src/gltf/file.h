// Files on disk. Internal.
#pragma once

#include <string>

#include "marrow/gltf/reader.h"
#include "src/gltf/imports.h"

namespace marrow {

// Returns a resolver for what is beside the file `path`. Unless `outside`, it refuses links that lead out of the
// folder.
[[nodiscard]] Resolver files_beside(const std::string& path, bool outside);

}  // namespace marrow
