#include "render/sheet.h"

#include <algorithm>
#include <cstring>

namespace marrow::tool {

SheetLayout square_layout(std::uint32_t count, std::uint32_t width, std::uint32_t height) {
  SheetLayout out;
  out.cell_width = width;
  out.cell_height = height;
  while (std::uint64_t{out.columns} * width * out.columns < std::uint64_t{count} * height) ++out.columns;
  out.columns = std::min(out.columns, std::max(count, 1u));
  out.rows = (count + out.columns - 1) / out.columns;
  // Fewer columns if that leaves no more rows: 6 as 3 x 2, not 4 x 2 with holes.
  while (out.columns > 1 && (count + out.columns - 2) / (out.columns - 1) == out.rows) --out.columns;
  return out;
}

SheetLayout rows_layout(std::uint32_t groups, std::uint32_t each, std::uint32_t width, std::uint32_t height) {
  SheetLayout out;
  out.cell_width = width;
  out.cell_height = height;
  for (std::uint32_t beside = 1;; ++beside) {
    out.columns = beside * each;
    out.rows = (groups + beside - 1) / beside;
    if (out.rows <= 1 || std::uint64_t{out.columns} * width >= std::uint64_t{out.rows} * height) return out;
  }
}

Picture make_sheet(const SheetLayout& layout, bool transparent) {
  Picture out{layout.width(), layout.height(), {}};
  out.rgba.assign(std::size_t{out.width} * out.height * 4, transparent ? 0 : 255);
  return out;
}

void place(Picture& sheet, const SheetLayout& layout, std::uint32_t index, const Picture& picture) {
  const std::size_t left = layout.gap + std::size_t{index % layout.columns} * (layout.cell_width + layout.gap);
  const std::size_t top = layout.gap + std::size_t{index / layout.columns} * (layout.cell_height + layout.gap);
  const std::size_t bytes = std::size_t{picture.width} * 4;
  for (std::size_t y = 0; y < picture.height; ++y) {
    std::memcpy(&sheet.rgba[((top + y) * sheet.width + left) * 4], &picture.rgba[y * bytes], bytes);
  }
}

}  // namespace marrow::tool
