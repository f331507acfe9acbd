// The pictures of models.
#pragma once

#include "marrow/draw/renderer.h"

namespace marrow::tool {

// Makes pixels of a PNG, JPEG, BMP, TGA or GIF. Fails on other formats, on broken ones, on those that were not loaded,
// and on pictures of more than 16384 pixels a side.
[[nodiscard]] Result<Picture> decode_image(const Image& image);

}  // namespace marrow::tool
