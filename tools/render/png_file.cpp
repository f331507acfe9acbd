#include "render/png_file.h"

#include <png.h>

#include <cstring>

#include "output_file.h"

namespace marrow::tool {
namespace {

bool is_opaque(const Picture& picture) {
  for (std::size_t i = 3; i < picture.rgba.size(); i += 4) {
    if (picture.rgba[i] != 255) return false;
  }
  return true;
}

std::vector<std::uint8_t> without_alpha(const Picture& picture) {
  std::vector<std::uint8_t> out;
  out.reserve(picture.rgba.size() / 4 * 3);
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
    out.insert(out.end(), &picture.rgba[i], &picture.rgba[i] + 3);
  }
  return out;
}

Error failed(const char* what, const png_image& image) {
  return {ErrorCode::malformed, std::string(what) + ": " + image.message, {}};
}

}  // namespace

Result<std::vector<std::byte>> encode_png(const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width;
  image.height = picture.height;
  const bool opaque = is_opaque(picture);
  image.format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  const std::vector<std::uint8_t> pixels = opaque ? without_alpha(picture) : picture.rgba;
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(), 0, nullptr) == 0) {
    return failed("the picture cannot be encoded", image);
  }
  std::vector<std::byte> out(size);
  if (png_image_write_to_memory(&image, out.data(), &size, 0, pixels.data(), 0, nullptr) == 0) {
    return failed("the picture cannot be encoded", image);
  }
  out.resize(size);
  return out;
}

Result<Picture> decode_png(const std::vector<std::byte>& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) {
    return failed("this is no PNG", image);
  }
  image.format = PNG_FORMAT_RGBA;
  Picture out{image.width, image.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
  if (png_image_finish_read(&image, nullptr, out.rgba.data(), 0, nullptr) == 0) {
    return failed("the PNG is broken", image);
  }
  return out;
}

Result<void> write_png_file(const std::string& path, const Picture& picture) {
  const Result<std::vector<std::byte>> png = encode_png(picture);
  if (!png) return png.error();
  OutputFile file(path);
  if (Result<void> written = file.write(*png); !written) return written;
  return file.keep();
}

}  // namespace marrow::tool
