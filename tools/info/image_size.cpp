#include "image_size.h"

#include <algorithm>

namespace marrow::tool {
namespace {

// Numbers with the highest byte first; 0 beyond the end.
std::uint32_t number_at(std::span<const std::byte> bytes, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + size; ++i) {
    number = number << 8 | (i < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i]) : 0u);
  }
  return number;
}

// Segments of JPEG: 0xff, a marker, a length that counts itself. The frame header has the size.
std::optional<ImageSize> jpeg_size(std::span<const std::byte> bytes) {
  for (std::size_t at = 2; at + 9 <= bytes.size();) {
    const std::uint32_t marker = number_at(bytes, at, 2);
    if (marker < 0xff00) return std::nullopt;
    if (marker == 0xffff) {  // padding
      ++at;
      continue;
    }
    const bool is_frame =
        marker >= 0xffc0 && marker <= 0xffcf && marker != 0xffc4 && marker != 0xffc8 && marker != 0xffcc;
    if (is_frame) return ImageSize{number_at(bytes, at + 7, 2), number_at(bytes, at + 5, 2)};
    at += 2 + std::max<std::size_t>(number_at(bytes, at + 2, 2), 2);
  }
  return std::nullopt;
}

}  // namespace

std::optional<ImageSize> image_size(std::span<const std::byte> bytes) {
  constexpr std::uint32_t kPng = 0x89504e47;
  if (number_at(bytes, 0, 4) == kPng && bytes.size() >= 24) {
    return ImageSize{number_at(bytes, 16, 4), number_at(bytes, 20, 4)};
  }
  if (number_at(bytes, 0, 2) == 0xffd8) return jpeg_size(bytes);
  return std::nullopt;
}

}  // namespace marrow::tool
