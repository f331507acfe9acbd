// The container of a .glb file. Internal.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "marrow/core/result.h"

namespace marrow {

// What a .glb holds, as views of its bytes.
struct GlbParts {
  std::string_view json;
  std::span<const std::byte> binary;  // buffer 0, if it has no uri
  bool has_binary = false;
};

// True for what begins as a .glb does.
[[nodiscard]] bool is_glb(std::span<const std::byte> bytes);

// Finds the parts. Chunks of other kinds are passed over, and so is what comes after the length that the file states.
// Fails, with the byte offset, on what is cut off, of another version than 2, or without JSON first.
[[nodiscard]] Result<GlbParts> read_glb(std::span<const std::byte> bytes);

}  // namespace marrow
