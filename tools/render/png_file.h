// Pictures as PNG files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/draw/picture.h"

namespace marrow::tool {

// Returns the bytes of a PNG, with alpha only if some pixel is not opaque.
[[nodiscard]] Result<std::vector<std::byte>> encode_png(const Picture& picture);

// Writes a PNG to a path, whole or not at all.
[[nodiscard]] Result<void> write_png_file(const std::string& path, const Picture& picture);

// Returns the picture of a PNG, of whatever kind.
[[nodiscard]] Result<Picture> decode_png(const std::vector<std::byte>& bytes);

}  // namespace marrow::tool
