// Contact sheets: many pictures on one.
#pragma once

#include <cstdint>

#include "marrow/draw/picture.h"

namespace marrow::tool {

// How the pictures stand on a sheet, all of one size with a gap between them and around.
struct SheetLayout {
  std::uint32_t columns = 1, rows = 1;
  std::uint32_t cell_width = 0, cell_height = 0;
  std::uint32_t gap = 4;

  [[nodiscard]] std::uint32_t width() const { return columns * (cell_width + gap) + gap; }
  [[nodiscard]] std::uint32_t height() const { return rows * (cell_height + gap) + gap; }
};

// Returns a layout of so many pictures that is about square.
[[nodiscard]] SheetLayout square_layout(std::uint32_t count, std::uint32_t width, std::uint32_t height);

// Returns a layout of groups of so many, each in one row: one below the other, or several side by side if that would be
// higher than wide.
[[nodiscard]] SheetLayout rows_layout(std::uint32_t groups, std::uint32_t each, std::uint32_t width,
                                      std::uint32_t height);

// Returns an empty sheet: white, or transparent.
[[nodiscard]] Picture make_sheet(const SheetLayout& layout, bool transparent);

// Puts a picture at its place, counted row by row.
void place(Picture& sheet, const SheetLayout& layout, std::uint32_t index, const Picture& picture);

}  // namespace marrow::tool
