// The version of marrow, for the preprocessor and at run time.
#pragma once

#define MARROW_VERSION_MAJOR 0
#define MARROW_VERSION_MINOR 1
#define MARROW_VERSION_PATCH 0

namespace marrow {

// Returns the version of the library that was linked, e.g. "0.1.0". It may differ from the macros above, which
// are those of the headers that were compiled.
[[nodiscard]] const char* library_version();

}  // namespace marrow
