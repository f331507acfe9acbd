// The width and height of an encoded picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace marrow::tool {

struct ImageSize {
  std::uint32_t width, height;
};

// Reads the size of a PNG or JPEG from its first bytes; nothing if it is neither or cut off.
[[nodiscard]] std::optional<ImageSize> image_size(std::span<const std::byte> bytes);

}  // namespace marrow::tool
