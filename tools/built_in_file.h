// The files of assets/, which are in the program itself.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace marrow::tool {

// Returns the bytes of a file by its name: "character.glb", "sword.glb" or "axe.glb"; nothing if there is no such.
[[nodiscard]] std::span<const std::byte> built_in_file(std::string_view name);

}  // namespace marrow::tool
