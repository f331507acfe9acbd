// What `marrow info` prints.
#pragma once

#include <string>

#include "marrow/gltf/reader.h"
#include "terminal.h"

namespace marrow::tool {

// The file that a model is from.
struct FileFacts {
  std::string path;
  std::uint64_t bytes = 0;
};

// For people.
[[nodiscard]] std::string info_text(const FileFacts& file, const LoadedModel& loaded, const Terminal& terminal);

// For programs, to standard output. Indices are those of the file, but for a node's `joint`, which is its place in the
// skeleton; what is absent is null.
void write_info_json(const FileFacts& file, const LoadedModel& loaded);

}  // namespace marrow::tool
