// The one way that models come in. Internal.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/marrow.h"
#include "marrow/model/model.h"

namespace marrow::ffi {

// A file, or if there is no path its bytes.
struct ModelSource {
  const char* path = nullptr;
  std::span<const std::byte> bytes;
};

struct LoadedFile {
  Model model;
  std::vector<std::string> warnings;
};

// Reads a model of any format that this build knows, told by the first bytes. The options have been checked.
[[nodiscard]] Result<LoadedFile> load_file(const ModelSource& source, const marrow_load_options& options);

}  // namespace marrow::ffi
