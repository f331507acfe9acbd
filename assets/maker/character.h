// The project's own character and what it holds, as files. The same bytes on every machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "marrow/core/result.h"

namespace marrow::character {

struct AssetFile {
  std::string name;  // of a file in assets/
  std::vector<std::byte> bytes;
};

// Makes all of them, in some seconds.
[[nodiscard]] Result<std::vector<AssetFile>> make_assets();

}  // namespace marrow::character
