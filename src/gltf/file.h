// Files on disk. Internal.
#pragma once

#include <string>

#include "marrow/gltf/reader.h"

namespace marrow {

// Returns the contents of a file, mapped where the system can. Errors have no place.
[[nodiscard]] Result<SharedBytes> read_file(const std::string& path);

// Returns a resolver for what is beside the file `path`. Unless `outside`, it refuses links that lead out of the
// folder.
[[nodiscard]] Resolver files_beside(const std::string& path, bool outside);

}  // namespace marrow
