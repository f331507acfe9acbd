#include "render/images.h"

#include <limits>
#include <memory>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifndef __clang_analyzer__  // which finds leaks that are none in it
#define STB_IMAGE_IMPLEMENTATION
#endif
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_NO_PSD
#define STBI_NO_PIC
#define STBI_NO_PNM
#define STBI_MAX_DIMENSIONS 16384
#include <stb/stb_image.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace marrow::tool {

Result<Picture> decode_image(const Image& image) {
  if (image.bytes.empty()) return Error{ErrorCode::unreadable, "the picture was not loaded", Place::file(image.uri)};
  if (image.bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return Error{ErrorCode::limit_exceeded, "the picture has more than 2 GB", Place::file(image.uri)};
  }
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(image.bytes.data()), static_cast<int>(image.bytes.size()),
                            &width, &height, &channels, 4),
      stbi_image_free);
  if (!pixels) {
    return Error{ErrorCode::unsupported,
                 std::string("the picture cannot be decoded") +
                     (image.mime_type.empty() ? "" : ", which is called " + image.mime_type) + ": " +
                     stbi_failure_reason(),
                 Place::file(image.uri)};
  }
  Picture out{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  out.rgba.assign(pixels.get(), pixels.get() + std::size_t{out.width} * out.height * 4);
  return out;
}

}  // namespace marrow::tool
