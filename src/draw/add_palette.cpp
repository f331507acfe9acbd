#include "marrow/draw/add_palette.h"

namespace marrow {

Result<PaletteRef> add_palette(PaletteBuffer& buffer, const Instance& instance, std::uint32_t skin) {
  return buffer.add({instance.serial(), skin}, instance.version(), instance.palette(skin));
}

}  // namespace marrow
