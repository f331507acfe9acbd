// Files on disk. Internal.
#pragma once

#include <string>

#include "marrow/core/result.h"
#include "marrow/core/shared_bytes.h"

namespace marrow {

// Returns the contents of a file, mapped where the system can. Errors have no place.
[[nodiscard]] Result<SharedBytes> read_file(const std::string& path);

// The error of a file that cannot be read: its name in quotes, and why.
[[nodiscard]] Error unreadable(const std::string& path, const std::string& why);

}  // namespace marrow
