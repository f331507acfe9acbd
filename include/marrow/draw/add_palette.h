// The palettes of a scene's instances in a PaletteBuffer.
#pragma once

#include <cstdint>

#include "marrow/core/result.h"
#include "marrow/gpu/palette_buffer.h"
#include "marrow/scene/instance.h"

namespace marrow {

// Adds the palette of a skin of an instance, as last finished. Further calls in a frame return the same ref, until the
// instance is finished again. An instance that was not finished since costs no upload. Fails as PaletteBuffer::add
// does.
[[nodiscard]] Result<PaletteRef> add_palette(PaletteBuffer& buffer, const Instance& instance, std::uint32_t skin);

}  // namespace marrow
